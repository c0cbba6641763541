// The workshops that there are in every contestant's database.

/** How many workshops the existing reservations are spread over, and new ones are asked for in. */
export const WORKSHOPS = 10;

/** The nth of them. */
export const workshop = (n) => `workshop-${n % WORKSHOPS}`;

/** Where the operations that are replayed were decided: the others stay as they are filled. */
export const SETTLED_WORKSHOP = "workshop-settled";

/** A workshop without places. */
export const FULL_WORKSHOP = "workshop-full";

/** One of the crowd's workshops, which have so many places. */
export const crowdWorkshop = (slot, n) => `crowd-${slot}-${n}`;
export const CROWD_PLACES = 25;
