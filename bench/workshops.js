// The workshops in every candidate's database.

/** The existing and the new reservations are spread over this many workshops. */
export const WORKSHOPS = 10;

/** The nth of them. */
export const workshop = (n) => `workshop-${n % WORKSHOPS}`;

/** The workshop of the operations that are replayed. */
export const SETTLED_WORKSHOP = "workshop-settled";

/** A workshop without places. */
export const FULL_WORKSHOP = "workshop-full";

/** The nth of the crowd's workshops, each with `CROWD_PLACES` places. */
export const crowdWorkshop = (sample, n) => `crowd-${sample}-${n}`;
export const CROWD_PLACES = 25;
