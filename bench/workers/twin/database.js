// Runs a batch on D1: in one call, which is made again only for a failure that passes.

import { TOO_LATE, within } from "./timing.js";

const SENDS = 3;
const SEND_MILLISECONDS_MAX = 4_000;
const SENDS_MILLISECONDS_MAX = 10_000;

/** Parts of what D1 says when the same batch is worth sending again. */
const PASSING = [
  "Network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
];

/** Runs a batch, and the same again if that is worth it; the first row of its last statement. */
export async function run(database, statements, log) {
  const deadline = Date.now() + SENDS_MILLISECONDS_MAX;
  for (let sent = 1; ; sent += 1) {
    log.d1_calls += 1;
    log.attempts += 1;
    try {
      const left = Math.min(deadline - Date.now(), SEND_MILLISECONDS_MAX);
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
      if (/no such (table|column)/.test(cause)) return { rejected: "not_configured" };
      const passes = error === TOO_LATE || PASSING.some((part) => cause.includes(part));
      if (!passes || sent === SENDS || Date.now() >= deadline) {
        return { rejected: "outcome_unknown" };
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 500 * sent));
    }
  }
}
