// The figures of a chaos run, and the timeline of an operation that violates a guarantee.

/** The kinds of findings, most severe first. */
const KINDS = [
  ...["lost", "doubled", "oversold", "miscounted", "changed", "invented"],
  ...["unanswered", "unexpected", "damaged"],
];

/** Counts what happened in a run, and what was found. */
export function figures({ operations, seen, stored, kills, seconds, findings }) {
  const attempts = operations.flatMap((operation) => operation.attempts);
  const answers = attempts.filter(({ answered }) => answered !== undefined);
  const count = (list, wanted) => list.filter(wanted).length;
  const outcome = (word) => count(stored.receipts, ({ body }) => JSON.parse(body).status === word);
  return {
    seconds: Math.round(seconds),
    kills: kills.length,
    operations: operations.length,
    reserved: outcome("reserved"),
    unavailable: outcome("unavailable"),
    abandoned: outcome("abandoned"),
    cancelled: count(stored.reservations, (row) => row.cancelled_at_ms !== null),
    attempts: attempts.length,
    replays: count(answers, ({ answer }) => answer.replayed === "true"),
    conflicts: count(answers, ({ answer }) => answer.document?.error === "operation_conflict"),
    faults: count(attempts, ({ fault }) => fault !== undefined),
    unheard: attempts.length - answers.length,
    resends: count(attempts, ({ resend }) => resend),
    decisionsUnheard: count(operations, decidedUnanswered),
    readings: seen.length,
    found: Object.fromEntries(
      KINDS.map((kind) => [kind, count(findings, (finding) => finding.kind === kind)]),
    ),
  };
}

/** Whether the response of the deciding attempt was lost, and a replay had the outcome. */
function decidedUnanswered({ attempts }) {
  const replayed = attempts.map(({ answer }) => answer?.replayed);
  const abandoned = attempts.some(({ answer }) => answer?.document?.status === "abandoned");
  return replayed.includes("true") && !replayed.includes("false") && !abandoned;
}

/** The attempts of an operation and the kills between them, one per line. */
export function timeline({ actor, key, attempts }, kills) {
  const events = kills.map((moment) => [moment + 0.5, "killed"]);
  for (const { verb, workshop, quantity, fault, sent, answered, answer } of attempts) {
    const values = workshop === undefined ? "" : ` ${quantity} in ${workshop}`;
    const known = answered === undefined ? "no response" : `answered at ${answered}`;
    const replayed = answer?.replayed ? `, replayed ${answer.replayed}` : "";
    const result = answer ? `: ${answer.status}${replayed} ${answer.body}` : "";
    const faulty = fault === undefined ? "" : ` (fault ${fault})`;
    events.push([sent, `${verb}${values}${faulty}, ${known}${result}`]);
  }
  events.sort(([one], [other]) => one - other);
  const [first, last] = [attempts[0].sent, attempts.at(-1).answered ?? Infinity];
  return [
    `${actor} ${key}`,
    ...events
      .filter(([moment]) => moment >= first && moment <= last)
      .map(([moment, what]) => `  ${Math.floor(moment)} ${what}`),
  ].join("\n");
}
