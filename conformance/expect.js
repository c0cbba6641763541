// What a condition says when it does not hold, or cannot be asked.

import { isDeepStrictEqual } from "node:util";

/** The instance is not as the condition says. */
export class Failed extends Error {}

/** The condition could not be asked here. */
export class NotRun extends Error {}

/** The instance could not answer just now. The condition may be asked again. */
export class NotNow extends Error {
  /** @param {number} seconds how long to wait before */
  constructor(message, seconds) {
    super(message);
    this.seconds = seconds;
  }
}

/** Fails unless what was found is what is expected. */
export function equal(what, found, expected) {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Failed(`${what}: expected ${shown(expected)}, found ${shown(found)}`);
  }
}

/** Fails unless the two differ. */
export function different(what, one, other) {
  if (isDeepStrictEqual(one, other)) {
    throw new Failed(`${what}: expected two that differ, found ${shown(one)} twice`);
  }
}

/** Fails unless a text has the form. */
export function matches(what, found, pattern) {
  if (typeof found !== "string" || !pattern.test(found)) {
    throw new Failed(`${what}: expected ${pattern}, found ${shown(found)}`);
  }
}

/** Fails unless an answer is this rejection. */
export function rejected(answer, status, error, what = "the answer") {
  equal(what, { status: answer.status, error: answer.document?.error }, { status, error });
}

/** Fails unless an answer is this outcome, given for the first time or again. */
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

/** "Reserved, by this very request". */
export const reserved = (answer, what) => outcome(answer, 201, "reserved", false, what);

/** "Not enough places, by this very request". */
export const unavailable = (answer, what) => outcome(answer, 409, "unavailable", false, what);

/** Fails unless one answer repeats another: its status and its bytes, marked as a replay. */
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
