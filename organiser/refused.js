// The errors of a command.

/** The command is valid but was not carried out. The message has the reason and the next step. */
export class Refused extends Error {}

/** The command is invalid. The message states what was expected and what was found. */
export class UsageError extends Error {}
