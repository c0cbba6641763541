// Runs a batch on D1 and retries transient failures.

import { TOO_LATE, within } from "./timing.js";

const SENDS = 3;
const SEND_MILLISECONDS_MAX = 4_000;
const SENDS_MILLISECONDS_MAX = 10_000;

/** Parts of D1's error messages for transient failures. */
const TRANSIENT = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
];

/** Parts of D1's error messages for an invalid statement: the batch was rolled back. */
const REFUSED = [
  "SQLITE_CONSTRAINT",
  "constraint failed",
  "SQLITE_ERROR",
  "SQLITE_MISMATCH",
  "Wrong number of parameter bindings",
  "D1_TYPE_ERROR",
];

/**
 * Runs a batch, and retries it on transient failures.
 * @param {D1Database} database
 * @param {(send: number) => D1PreparedStatement[]} the statements of each send, which counts from 1
 * @param {object} log
 * @returns {Promise<{row?: object, rejected?: string}>} the first row of the last statement
 */
export async function run(database, batch, log) {
  const deadline = Date.now() + SENDS_MILLISECONDS_MAX;
  for (let send = 1; ; send += 1) {
    log.d1_calls += 1;
    try {
      const left = Math.min(deadline - Date.now(), SEND_MILLISECONDS_MAX);
      const statements = batch(send);
      const results = await within(left, database.batch(statements));
      for (const { meta } of results) {
        log.rows_read += meta.rows_read;
        log.rows_written += meta.rows_written;
      }
      if (results.length !== statements.length || !results.every(({ success }) => success)) {
        throw new Error("a batch was answered with fewer successes than it has statements");
      }
      return { row: results.at(-1).results[0] };
    } catch (error) {
      const cause = String(error?.message ?? error);
      log.cause = cause;
      const is = (parts) => parts.some((part) => cause.includes(part));
      const onlySend = (rejected) => ({ rejected: send === 1 ? rejected : "outcome_unknown" });
      if (is(["no such table", "no such column"])) return onlySend("not_configured");
      const transient = error === TOO_LATE || is(TRANSIENT);
      if (!transient && is(REFUSED)) {
        log.isError = true;
        return onlySend("internal_error");
      }
      if (!transient || send === SENDS || Date.now() >= deadline) {
        return { rejected: "outcome_unknown" };
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 500 * send));
    }
  }
}
