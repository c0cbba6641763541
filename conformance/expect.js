// Assertions of the conditions, and the three ways in which a condition does not pass.

import { isDeepStrictEqual } from "node:util";

/** The instance does not meet the condition. */
export class Failed extends Error {}

/** This instance or these options do not allow the condition to be checked. */
export class NotRun extends Error {}

/** The instance did not answer. A transient failure: the condition is retried. */
export class Unavailable extends Error {
  /** @param {number} seconds how long to wait before the retry */
  constructor(message, seconds) {
    super(message);
    this.seconds = seconds;
  }
}

/** Fails unless the value is the expected one. */
export function equal(what, found, expected) {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Failed(`${what}: expected ${shown(expected)}, found ${shown(found)}`);
  }
}

/** Fails unless the two differ. */
export function different(what, one, other) {
  if (isDeepStrictEqual(one, other)) {
    throw new Failed(`${what}: expected two different values, found ${shown(one)} twice`);
  }
}

/** Fails unless a text matches the pattern. */
export function matches(what, found, pattern) {
  if (typeof found !== "string" || !pattern.test(found)) {
    throw new Failed(`${what}: expected ${pattern}, found ${shown(found)}`);
  }
}

/** Fails unless an answer is this rejection. */
export function rejected(answer, status, error, what = "the answer") {
  equal(what, { status: answer.status, error: answer.document?.error }, { status, error });
}

/** Fails unless an answer is this outcome, replayed or not. */
export function outcome(answer, status, word, replayed, what = "the answer") {
  equal(
    what,
    {
      status: answer.status,
      outcome: answer.document?.status,
      replayed: answer.headers["idempotent-replayed"],
    },
    { status, outcome: word, replayed: String(replayed) },
  );
}

/** Fails unless this attempt decided `reserved`. */
export const reserved = (answer, what) => outcome(answer, 201, "reserved", false, what);

/** Fails unless this attempt decided `unavailable`. */
export const refused = (answer, what) => outcome(answer, 409, "unavailable", false, what);

/** Fails unless an answer is the replay of another: its status and its bytes, marked as a replay. */
export function repeats(answer, first, what = "the repetition") {
  equal(
    what,
    {
      status: answer.status,
      body: answer.body,
      replayed: answer.headers["idempotent-replayed"],
    },
    { status: first.status, body: first.body, replayed: "true" },
  );
}

function shown(value) {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
