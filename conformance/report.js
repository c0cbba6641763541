// The report: a line a condition, and what it comes to.

import { nameOf } from "./sources.js";

const MARKS = { ok: "ok     ", failed: "FAILED ", "not run": "not run" };

/** One condition's line; why it does not hold, or was not asked, stands below it. */
export function line({ id, claim, sources, verdict, why }) {
  const head = `${MARKS[verdict]}  ${id}: ${claim} [${sources.map(nameOf).join("; ")}]`;
  return why === undefined ? head : `${head}\n         ${why}`;
}

/** How many conditions have each verdict. */
export function count(results) {
  const of = (wanted) => results.filter(({ verdict }) => verdict === wanted).length;
  return { ok: of("ok"), failed: of("failed"), notRun: of("not run") };
}

/** What it comes to. */
export function summary({ instance, workshop, free, requests, waitedSeconds, results }, seconds) {
  const { ok, failed, notRun } = count(results);
  const after = free.after ?? "not known";
  const places = `${workshop.id} of ${workshop.capacity} places: ${free.before} free before, ${after} after`;
  return `
${instance}: ${results.length} conditions: ${ok} ok, ${failed} failed, ${notRun} not run
${places}${free.after === free.before ? "" : " (not as before: was somebody else there, or is something not given back?)"}
${requests} requests in ${Math.round(seconds)} s, of which ${waitedSeconds} s waited as Retry-After says`;
}
