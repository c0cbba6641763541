// Checks the guarantees after a chaos run, from the recorded attempts and responses (see `load.js`) and the
// contents of the database, independently of the service's implementation.
//
// The effects of unanswered attempts are unknown, so every order is allowed that is consistent with the
// times of requests and responses, and no other.

/**
 * @param {object[]} operations of `load.js`
 * @param {object[]} seen workshops as they were read meanwhile
 * @param {{workshops: object[], receipts: object[], reservations: object[]}} stored rows, as
 *   `stored.js` reads them
 * @returns {{kind: string, description: string, operation?: object}[]} the violated guarantees
 */
export function check(operations, seen, stored) {
  const receipts = new Map(stored.receipts.map((row) => [nameOf(row), row]));
  const reservations = Map.groupBy(stored.reservations, nameOf);
  const offered = new Set(stored.workshops.filter((row) => row.offered).map(({ id }) => id));
  const findings = [
    ...stored.workshops.flatMap(checkPlaces),
    ...seen.flatMap(({ id, capacity, reserved }) =>
      checkPlaces({ id, capacity, reserved, held: reserved }),
    ),
  ];
  for (const operation of operations) {
    const name = nameOf(operation);
    const history = read(operation, receipts.get(name), reservations.get(name) ?? [], offered);
    for (const { kind, description, fails } of GUARANTEES) {
      if (fails(history)) findings.push({ kind, description, operation });
    }
    receipts.delete(name);
    reservations.delete(name);
  }
  for (const name of [...receipts.keys(), ...reservations.keys()]) {
    findings.push({ kind: "invented", description: `${name} is stored, but was never sent` });
  }
  return findings;
}

const nameOf = ({ actor, key }) => `${actor} ${key}`;

/** @param {object} workshop with `held`, the places of its reservations that are not cancelled */
function checkPlaces({ id, capacity, reserved, held }) {
  const findings = [];
  if (held > capacity || reserved > capacity) {
    findings.push({ kind: "oversold", description: `${id}: ${held} held, of ${capacity}` });
  }
  if (reserved !== held || reserved < 0) {
    findings.push({ kind: "miscounted", description: `${id}: ${reserved} counted, ${held} held` });
  }
  return findings;
}

/** Classifies an operation's attempts by their responses, with the stored rows. */
function read({ attempts }, receipt, reservations, offered) {
  const answeredAttempts = attempts.filter(({ answered }) => answered !== undefined);
  const withError = (verbs, error) =>
    answeredAttempts.filter(
      ({ verb, answer }) => verbs.includes(verb) && answer.document?.error === error,
    );
  const outcomes = answeredAttempts.filter(
    ({ verb, answer }) => verb === "reserve" && answer.replayed !== null,
  );
  const documents = answeredAttempts.filter(
    ({ verb, answer }) => verb !== "reserve" && answer.status === 200,
  );
  const conflicts = withError(["reserve"], "operation_conflict");
  const nothingToCancel = withError(["cancel"], "nothing_to_cancel");
  const nothingKnown = [
    ...withError(["cancel", "look up"], "unknown_operation"),
    ...withError(["reserve"], "unknown_workshop").filter(({ workshop }) => !offered.has(workshop)),
  ];
  const known = [...outcomes, ...documents, ...conflicts, ...nothingToCancel];
  return {
    attempts,
    offered,
    receipt,
    outcome: receipt && JSON.parse(receipt.body),
    reservations,
    outcomes,
    firsts: outcomes.filter(({ answer }) => answer.replayed === "false"),
    documents,
    conflicts,
    nothingToCancel,
    nothingKnown,
    known,
    /** The time of the first response that shows a decision. */
    knownSince: Math.min(...known.map(({ answered }) => answered)),
    cancelledSince: Math.min(
      ...documents
        .filter(({ answer }) => answer.document.reservation?.state === "cancelled")
        .map(({ answered }) => answered),
    ),
    cancelSent: firstSent(attempts, "cancel"),
    abandonSent: firstSent(attempts, "abandon"),
    understood: new Set([...known, ...nothingKnown]),
    answeredAttempts,
  };
}

const firstSent = (attempts, wanted) =>
  Math.min(...attempts.filter(({ verb }) => verb === wanted).map(({ sent }) => sent));

const valuesOf = ({ workshop, quantity }) => `${quantity} in ${workshop}`;
const sameAnswer = ({ status, body }, receipt) =>
  status === receipt.http_status && body === receipt.body;

/** The document of the operation's look-up, without the reservation's state. */
function documentOf(receipt, [reservation]) {
  return JSON.stringify({
    key: receipt.key,
    outcome: receipt.outcome,
    http_status: receipt.http_status,
    decided_at: `${new Date(receipt.decided_at_ms).toISOString().slice(0, 19)}Z`,
    workshop: receipt.workshop,
    reservation: reservation
      ? { id: reservation.id, quantity: reservation.quantity, state: "" }
      : null,
  });
}

/** The guarantees for one operation. */
const GUARANTEES = [
  {
    kind: "lost",
    description: "a returned outcome is stored, with the same status and bytes",
    fails: ({ known, outcomes, receipt }) =>
      known.length > 0 && (!receipt || outcomes.some(({ answer }) => !sameAnswer(answer, receipt))),
  },
  {
    kind: "changed",
    description: "the outcome of a receipt is that of its body",
    fails: ({ receipt, outcome }) => receipt && receipt.outcome !== outcome.status,
  },
  {
    kind: "lost",
    description: "a known decision is found by every later request",
    fails: ({ nothingKnown, knownSince }) => nothingKnown.some(({ sent }) => sent > knownSince),
  },
  {
    kind: "lost",
    description: "a receipt of the outcome reserved has its reservation",
    fails: ({ outcome, reservations }) =>
      outcome?.status === "reserved" && reservations.length === 0,
  },
  {
    kind: "doubled",
    description:
      "an operation has at most one reservation, with the id and quantity of its receipt",
    fails: ({ outcome, reservations }) =>
      reservations.length > 1 ||
      (outcome?.status === "reserved" &&
        reservations.some(
          ({ id, quantity }) => id !== outcome.reservation_id || quantity !== outcome.quantity,
        )),
  },
  {
    kind: "doubled",
    description:
      "at most one response is not a replay, and no decision was known before its request",
    fails: ({ firsts, knownSince }) =>
      firsts.length > 1 || firsts.some(({ sent }) => sent > knownSince),
  },
  {
    kind: "changed",
    description: "all responses with the outcome of one key are equal, byte for byte",
    fails: ({ outcomes }) =>
      new Set(outcomes.map(({ answer: { status, body } }) => `${status} ${body}`)).size > 1,
  },
  {
    kind: "changed",
    description: "only the decided payload gets the outcome; every other one is a conflict",
    fails: ({ outcome, outcomes, conflicts }) => {
      if (outcome?.status === "abandoned") return conflicts.length > 0;
      const decided = new Set(outcomes.map(valuesOf));
      return decided.size > 1 || conflicts.some((attempt) => decided.has(valuesOf(attempt)));
    },
  },
  {
    kind: "changed",
    description: "the reserved payload is not a conflict",
    fails: ({ reservations, conflicts }) =>
      reservations.some((row) => conflicts.some((sent) => valuesOf(sent) === valuesOf(row))),
  },
  {
    kind: "changed",
    description: "reading, abandoning and cancelling return the stored receipt",
    fails: ({ documents, receipt, reservations }) =>
      receipt &&
      documents.some(
        ({ answer }) =>
          answer.body.replace(/"state":"(held|cancelled)"/, '"state":""') !==
          documentOf(receipt, reservations),
      ),
  },
  {
    kind: "changed",
    description: "nothing_to_cancel is returned only without a reservation",
    fails: ({ nothingToCancel, reservations }) =>
      nothingToCancel.length > 0 && reservations.length > 0,
  },
  {
    kind: "lost",
    description: "a confirmed cancellation is final",
    fails: ({ documents, cancelledSince, reservations }) =>
      (cancelledSince < Infinity && reservations.some((row) => row.cancelled_at_ms === null)) ||
      documents.some(
        ({ verb, sent, answer }) =>
          answer.document.reservation?.state === "held" &&
          (verb === "cancel" || sent > cancelledSince),
      ),
  },
  {
    kind: "invented",
    description: "nothing is cancelled before a request to cancel it",
    fails: ({ reservations, cancelSent, cancelledSince }) =>
      cancelSent > cancelledSince ||
      (cancelSent === Infinity && reservations.some((row) => row.cancelled_at_ms !== null)),
  },
  {
    kind: "invented",
    description: "nothing is abandoned before a request to abandon it",
    fails: ({ outcome, outcomes, abandonSent }) =>
      outcome?.status === "abandoned" &&
      (abandonSent === Infinity || outcomes.some(({ answered }) => answered < abandonSent)),
  },
  {
    kind: "invented",
    description: "every reservation has a receipt of the outcome reserved",
    fails: ({ outcome, receipt, reservations }) =>
      reservations.some(
        ({ workshop }) => outcome?.status !== "reserved" || workshop !== receipt.workshop,
      ),
  },
  {
    kind: "invented",
    description: "the decided payload was sent by the deciding request, for a published workshop",
    fails: ({ offered, receipt, outcome, reservations, attempts, firsts }) => {
      if (!receipt || outcome.status === "abandoned") return false;
      const may = firsts.length > 0 ? firsts : attempts.filter(({ verb }) => verb === "reserve");
      return !may.some(
        (sent) =>
          sent.workshop === receipt.workshop &&
          offered.has(sent.workshop) &&
          reservations.every((row) => valuesOf(row) === valuesOf(sent)),
      );
    },
  },
  {
    kind: "unanswered",
    description: "a repeated request gets a response",
    fails: ({ attempts }) =>
      attempts.some(
        (open) =>
          open.answered === undefined &&
          !attempts.some(
            ({ verb, sent, answered, ...values }) =>
              verb === open.verb &&
              valuesOf(values) === valuesOf(open) &&
              sent > open.sent &&
              answered !== undefined,
          ),
      ),
  },
  {
    kind: "unexpected",
    description: "a response is one of the contract's for this request",
    fails: ({ answeredAttempts, understood }) =>
      answeredAttempts.some((attempt) => !understood.has(attempt)),
  },
];
