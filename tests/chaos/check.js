// What must be true after chaos: of everything that was sent and heard (`load.js` says how it is
// written down) and of what the database holds. It knows nothing of how the service works.
//
// Many things may have happened that nobody heard of, and every order of them is allowed that
// the moments of sending and answering leave open. Nothing more is.

/**
 * @param {object[]} operations of `load.js`
 * @param {object[]} seen workshops as they were read meanwhile
 * @param {{workshops: object[], receipts: object[], reservations: object[]}} stored rows, as
 *   `stored.js` reads them
 * @returns {{kind: string, says: string, operation?: object}[]} what is not as promised
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
    for (const { kind, says, fails } of PROMISES) {
      if (fails(history)) findings.push({ kind, says, operation });
    }
    receipts.delete(name);
    reservations.delete(name);
  }
  for (const name of [...receipts.keys(), ...reservations.keys()]) {
    findings.push({ kind: "invented", says: `${name} is stored, and nobody sent it` });
  }
  return findings;
}

const nameOf = ({ actor, key }) => `${actor} ${key}`;

/** @param {object} workshop with `held`, the places of its reservations that are not cancelled */
function checkPlaces({ id, capacity, reserved, held }) {
  const findings = [];
  if (held > capacity || reserved > capacity) {
    findings.push({ kind: "oversold", says: `${id}: ${held} held, of ${capacity}` });
  }
  if (reserved !== held || reserved < 0) {
    findings.push({ kind: "miscounted", says: `${id}: ${reserved} counted, ${held} held` });
  }
  return findings;
}

/** An operation's attempts by what they were answered, beside what is stored. */
function read({ attempts }, receipt, reservations, offered) {
  const heard = attempts.filter(({ answered }) => answered !== undefined);
  const said = (verbs, error) =>
    heard.filter(({ verb, answer }) => verbs.includes(verb) && answer.document?.error === error);
  const outcomes = heard.filter(
    ({ verb, answer }) => verb === "reserve" && answer.replayed !== null,
  );
  const documents = heard.filter(({ verb, answer }) => verb !== "reserve" && answer.status === 200);
  const conflicts = said(["reserve"], "operation_conflict");
  const nothingToCancel = said(["cancel"], "nothing_to_cancel");
  const nothingKnown = [
    ...said(["cancel", "look up"], "unknown_operation"),
    ...said(["reserve"], "unknown_workshop").filter(({ workshop }) => !offered.has(workshop)),
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
    /** The first moment at which it was known that something is decided. */
    knownSince: Math.min(...known.map(({ answered }) => answered)),
    heardCancelled: Math.min(
      ...documents
        .filter(({ answer }) => answer.document.reservation?.state === "cancelled")
        .map(({ answered }) => answered),
    ),
    cancelSent: firstSent(attempts, "cancel"),
    abandonSent: firstSent(attempts, "abandon"),
    understood: new Set([...known, ...nothingKnown]),
    heard,
  };
}

const firstSent = (attempts, wanted) =>
  Math.min(...attempts.filter(({ verb }) => verb === wanted).map(({ sent }) => sent));

const valuesOf = ({ workshop, quantity }) => `${quantity} in ${workshop}`;
const sameAnswer = ({ status, body }, receipt) =>
  status === receipt.http_status && body === receipt.body;

/** What the service must say about an operation when it is looked up, but for the state. */
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

/** The promises about one operation. */
const PROMISES = [
  {
    kind: "lost",
    says: "what was answered is stored, with the same status and the same bytes",
    fails: ({ known, outcomes, receipt }) =>
      known.length > 0 && (!receipt || outcomes.some(({ answer }) => !sameAnswer(answer, receipt))),
  },
  {
    kind: "changed",
    says: "the outcome of a receipt is the one that its body has",
    fails: ({ receipt, outcome }) => receipt && receipt.outcome !== outcome.status,
  },
  {
    kind: "lost",
    says: "what is decided is found by everything that is sent after somebody knew it",
    fails: ({ nothingKnown, knownSince }) => nothingKnown.some(({ sent }) => sent > knownSince),
  },
  {
    kind: "lost",
    says: "a receipt that says reserved has its reservation",
    fails: ({ outcome, reservations }) =>
      outcome?.status === "reserved" && reservations.length === 0,
  },
  {
    kind: "doubled",
    says: "an operation has at most one reservation, with the id and quantity that were answered",
    fails: ({ outcome, reservations }) =>
      reservations.length > 1 ||
      (outcome?.status === "reserved" &&
        reservations.some(
          ({ id, quantity }) => id !== outcome.reservation_id || quantity !== outcome.quantity,
        )),
  },
  {
    kind: "doubled",
    says: "one request is told that it was the first, and nobody knew of a decision before it was sent",
    fails: ({ firsts, knownSince }) =>
      firsts.length > 1 || firsts.some(({ sent }) => sent > knownSince),
  },
  {
    kind: "changed",
    says: "every outcome that was answered to one key is the same, byte for byte",
    fails: ({ outcomes }) =>
      new Set(outcomes.map(({ answer: { status, body } }) => `${status} ${body}`)).size > 1,
  },
  {
    kind: "changed",
    says: "only the values that were decided get the outcome; all others are a conflict",
    fails: ({ outcome, outcomes, conflicts }) => {
      if (outcome?.status === "abandoned") return conflicts.length > 0;
      const decided = new Set(outcomes.map(valuesOf));
      return decided.size > 1 || conflicts.some((attempt) => decided.has(valuesOf(attempt)));
    },
  },
  {
    kind: "changed",
    says: "a conflict is not with the values that are reserved",
    fails: ({ reservations, conflicts }) =>
      reservations.some((row) => conflicts.some((sent) => valuesOf(sent) === valuesOf(row))),
  },
  {
    kind: "changed",
    says: "whoever looks it up, gives it up or cancels it is told what is stored",
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
    says: "there is nothing to cancel only where nothing is reserved",
    fails: ({ nothingToCancel, reservations }) =>
      nothingToCancel.length > 0 && reservations.length > 0,
  },
  {
    kind: "lost",
    says: "a cancellation that was heard of stays",
    fails: ({ documents, heardCancelled, reservations }) =>
      (heardCancelled < Infinity && reservations.some((row) => row.cancelled_at_ms === null)) ||
      documents.some(
        ({ verb, sent, answer }) =>
          answer.document.reservation?.state === "held" &&
          (verb === "cancel" || sent > heardCancelled),
      ),
  },
  {
    kind: "invented",
    says: "what is cancelled was asked to be, before it was",
    fails: ({ reservations, cancelSent, heardCancelled }) =>
      cancelSent > heardCancelled ||
      (cancelSent === Infinity && reservations.some((row) => row.cancelled_at_ms !== null)),
  },
  {
    kind: "invented",
    says: "what is given up was asked to be, before it was",
    fails: ({ outcome, outcomes, abandonSent }) =>
      outcome?.status === "abandoned" &&
      (abandonSent === Infinity || outcomes.some(({ answered }) => answered < abandonSent)),
  },
  {
    kind: "invented",
    says: "no reservation without a receipt that says so",
    fails: ({ outcome, receipt, reservations }) =>
      reservations.some(
        ({ workshop }) => outcome?.status !== "reserved" || workshop !== receipt.workshop,
      ),
  },
  {
    kind: "invented",
    says: "what is decided are values that were sent, of a workshop on offer, by the request that was first",
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
    says: "whoever sends again gets an answer",
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
    says: "an answer is one of the contract's for this request",
    fails: ({ heard, understood }) => heard.some((attempt) => !understood.has(attempt)),
  },
];
