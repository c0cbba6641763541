// What the organiser is told instead of a result.

/** It was understood and not done. The message says why, and what to do. */
export class Refused extends Error {}

/** It was not understood. The message says what was expected, and what came. */
export class Misspelled extends Error {}
