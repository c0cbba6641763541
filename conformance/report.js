// The report: a line for each condition, and a summary.

const MARKS = { ok: "ok     ", failed: "FAILED ", "not run": "not run" };

/** One condition's line; below it the reason if it failed or was not run. */
export function line({ id, claim, sources, verdict, reason }) {
  const head = `${MARKS[verdict]}  ${id}: ${claim} [${sources.map(({ name }) => name).join("; ")}]`;
  return reason === undefined ? head : `${head}\n         ${reason}`;
}

/** The number of conditions with each verdict. */
export function count(results) {
  const of = (wanted) => results.filter(({ verdict }) => verdict === wanted).length;
  return { ok: of("ok"), failed: of("failed"), notRun: of("not run") };
}

/** The totals of a run. */
export function summary({ instance, workshop, free, requests, waitedSeconds, results }, seconds) {
  const { ok, failed, notRun } = count(results);
  const after = free.after ?? "unknown";
  const places = `${workshop.id} of ${workshop.capacity} places: ${free.before} free before, ${after} after`;
  return `
${instance}: ${results.length} conditions: ${ok} ok, ${failed} failed, ${notRun} not run
${places}${free.after === free.before ? "" : " (another client used it, or a reservation was not cancelled)"}
${requests} requests in ${Math.round(seconds)} s, ${waitedSeconds} s of them waiting because of Retry-After`;
}
