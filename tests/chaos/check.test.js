// The check finds what it is there to find. Each test changes one thing about a story that is as
// promised, and names the kind of finding that must come of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./check.js";
import { story } from "./report.js";

const ID = "8d0f54d4a3a3d9cf4d4d1b0ed7e4f1aa";
const key = "0b6f6c1e-6f0e-4b52-9f5d-1c1b5d1f7a10";
const RESERVED = `{"status":"reserved","reservation_id":"${ID}","quantity":1}`;
const UNAVAILABLE = '{"status":"unavailable"}';
const ABANDONED = '{"status":"abandoned"}';

const outcome = (body, replayed) => ({
  status: body === RESERVED ? 201 : 409,
  replayed: String(replayed),
  body,
  document: JSON.parse(body),
});
const problem = (status, error) => ({ status, replayed: null, body: "", document: { error } });
function document(state, more = {}) {
  const reservation = { id: ID, quantity: 1, state, ...more };
  const body = `{"key":"${key}","outcome":"reserved","http_status":201,"decided_at":"1970-01-01T00:00:01Z","workshop":"ws","reservation":${JSON.stringify(reservation)}}`;
  return { status: 200, replayed: null, body, document: JSON.parse(body) };
}

/** An attempt to reserve one place, unless `more` says otherwise. */
const attempt = (sent, answered, answer, more = {}) => ({
  verb: "reserve",
  workshop: "ws",
  quantity: 1,
  sent,
  answered,
  answer,
  ...more,
});
const other = { quantity: 2 };
const ask = (verb) => ({ verb, workshop: undefined, quantity: undefined });

/** Unheard, sent again, refused for other values, replayed, looked up, cancelled. */
const lived = () => [
  attempt(1, undefined, undefined),
  attempt(2, 3, outcome(RESERVED, false)),
  attempt(4, 7, problem(409, "operation_conflict"), other),
  attempt(5, 6, outcome(RESERVED, true)),
  attempt(8, 9, document("held"), ask("look up")),
  attempt(10, undefined, problem(503, "outcome_unknown"), ask("cancel")),
  attempt(11, 12, document("cancelled"), ask("cancel")),
  attempt(13, 14, document("cancelled"), ask("look up")),
];

/** What is stored after that. */
const stored = () => ({
  workshops: [
    { id: "ws", capacity: 2, reserved: 0, held: 0, offered: 1 },
    { id: "hidden", capacity: 2, reserved: 0, held: 0, offered: 0 },
  ],
  receipts: [
    {
      ...{ actor: "t_anna", key, workshop: "ws", decided_at_ms: 1999 },
      ...{ outcome: "reserved", http_status: 201, body: RESERVED },
    },
  ],
  reservations: [{ actor: "t_anna", key, workshop: "ws", id: ID, quantity: 1, cancelled_at_ms: 5 }],
});

/** What is found after something of the story was changed. */
function found(change) {
  const told = { attempts: lived(), seen: [], ...stored() };
  change(told);
  const { attempts, seen, ...rows } = told;
  const operations = attempts.length > 0 ? [{ actor: "t_anna", key, attempts }] : [];
  return check(operations, seen, rows).map(({ kind, says }) => `${kind}: ${says}`);
}

/** Nothing decided but by these attempts, and nothing stored but this receipt. */
const only = (attempts, receipt) => (told) => {
  const row = { ...told.receipts[0], http_status: 409, ...receipt };
  row.outcome = JSON.parse(row.body).status;
  Object.assign(told, { attempts, receipts: receipt ? [row] : [], reservations: [] });
};
const givenUp = { body: ABANDONED, workshop: null };
const givenUpDocument = {
  status: 200,
  replayed: null,
  body: `{"key":"${key}","outcome":"abandoned","http_status":409,"decided_at":"1970-01-01T00:00:01Z","workshop":null,"reservation":null}`,
  document: { reservation: null },
};

for (const [name, change] of [
  ["unheard, sent again, refused for other values, replayed, looked up, cancelled", () => {}],
  [
    "decided by a request that nobody heard an answer to",
    ({ attempts }) => {
      attempts[1].answer.replayed = "true";
    },
  ],
  [
    "two at once, of which the second is heard of first",
    ({ attempts }) => {
      attempts[3].sent = 2;
      attempts[3].answered = 2.5;
    },
  ],
  [
    "other values that came first and were heard of last",
    only(
      [
        attempt(1, undefined, undefined, other),
        attempt(2, 3, problem(409, "operation_conflict")),
        attempt(4, 5, outcome(UNAVAILABLE, true), other),
      ],
      { body: UNAVAILABLE },
    ),
  ],
  [
    "given up before anything was decided",
    only(
      [
        attempt(1, 9, givenUpDocument, ask("abandon")),
        attempt(2, 3, outcome(ABANDONED, true)),
        attempt(4, 5, outcome(ABANDONED, true), other),
        attempt(6, 7, problem(409, "nothing_to_cancel"), ask("cancel")),
      ],
      givenUp,
    ),
  ],
  [
    "never decided: not on offer, and nothing to find",
    only([
      attempt(1, 2, problem(404, "unknown_workshop"), { workshop: "hidden" }),
      attempt(3, 4, problem(404, "unknown_operation"), ask("look up")),
    ]),
  ],
]) {
  test(`nothing is found: ${name}`, () => assert.deepEqual(found(change), []));
}

for (const [kind, says, name, change] of [
  ["lost", "is stored, with the same", "the receipt is gone", only(lived(), undefined)],
  ["lost", "has its reservation", "the reservation is gone", (told) => told.reservations.splice(0)],
  [
    "lost",
    "after somebody knew",
    "a request that was sent after the answer finds no operation",
    ({ attempts }) =>
      attempts.push(attempt(15, 16, problem(404, "unknown_operation"), ask("cancel"))),
  ],
  [
    "lost",
    "a cancellation that was heard of",
    "the cancellation is gone",
    ({ reservations, workshops }) => {
      reservations[0].cancelled_at_ms = null;
      Object.assign(workshops[0], { reserved: 1, held: 1 });
    },
  ],
  [
    "lost",
    "a cancellation that was heard of",
    "the places are held again after they were given back",
    ({ attempts }) => attempts.push(attempt(15, 16, document("held"), ask("look up"))),
  ],
  [
    "lost",
    "a cancellation that was heard of",
    "a cancellation was answered and the places are still held",
    ({ attempts }) => {
      attempts[6].answer = document("held");
      attempts[7].answer = document("held");
    },
  ],
  [
    "doubled",
    "at most one",
    "a second reservation",
    ({ reservations }) => reservations.push({ ...reservations[0], id: ID.replace("8", "9") }),
  ],
  [
    "doubled",
    "at most one",
    "the reservation has another id than the one that was answered",
    ({ reservations }) => {
      reservations[0].id = ID.replace("8", "9");
    },
  ],
  [
    "doubled",
    "it was the first",
    "two requests were told that they were the first",
    ({ attempts }) => {
      attempts[3].answer.replayed = "false";
    },
  ],
  [
    "doubled",
    "it was the first",
    "a request decided that was sent after the decision was heard of",
    ({ attempts }) => {
      attempts[1].answer.replayed = "true";
      attempts[3].answer.replayed = "false";
    },
  ],
  [
    "oversold",
    "3 held, of 2",
    "more is held than there is",
    ({ workshops }) => Object.assign(workshops[0], { reserved: 3, held: 3 }),
  ],
  [
    "oversold",
    "3 held, of 2",
    "more was held meanwhile",
    ({ seen }) => seen.push({ id: "ws", capacity: 2, reserved: 3 }),
  ],
  [
    "miscounted",
    "1 counted, 0 held",
    "the count differs from what is held",
    ({ workshops }) => Object.assign(workshops[0], { reserved: 1 }),
  ],
  [
    "miscounted",
    "-1 counted",
    "the count was below nothing meanwhile",
    ({ seen }) => seen.push({ id: "ws", capacity: 2, reserved: -1 }),
  ],
  [
    "changed",
    "byte for byte",
    "a replay with one byte more",
    ({ attempts }) => {
      attempts[3].answer.body += " ";
    },
  ],
  [
    "changed",
    "byte for byte",
    "a refusal became a reservation",
    ({ attempts }) => {
      attempts[1].answer = outcome(UNAVAILABLE, false);
    },
  ],
  [
    "changed",
    "all others are a conflict",
    "other values got the outcome",
    ({ attempts }) => {
      attempts[2].answer = outcome(RESERVED, true);
    },
  ],
  [
    "changed",
    "all others are a conflict",
    "the values that were decided are a conflict",
    ({ attempts }) => attempts.push(attempt(15, 16, problem(409, "operation_conflict"))),
  ],
  [
    "changed",
    "is told what is stored",
    "the look-up tells of another reservation",
    ({ attempts }) => {
      attempts[4].answer = document("held", { quantity: 2 });
    },
  ],
  [
    "changed",
    "nothing to cancel only",
    "there is nothing to cancel, but there is",
    ({ attempts }) =>
      attempts.push(attempt(15, 16, problem(409, "nothing_to_cancel"), ask("cancel"))),
  ],
  [
    "invented",
    "nobody sent it",
    "a reservation without a receipt",
    (told) => {
      const key_ = key.replace("0", "1");
      told.reservations.push({ ...told.reservations[0], key: key_ });
    },
  ],
  [
    "invented",
    "nobody sent it",
    "a receipt that nobody asked for",
    ({ attempts }) => attempts.splice(0),
  ],
  [
    "invented",
    "without a receipt",
    "a reservation under a refusal",
    (told) => {
      told.attempts = [attempt(1, 2, outcome(UNAVAILABLE, false))];
      const refusal = { outcome: "unavailable", http_status: 409, body: UNAVAILABLE };
      Object.assign(told.receipts[0], refusal);
      told.reservations[0].cancelled_at_ms = null;
    },
  ],
  [
    "changed",
    "the one that its body has",
    "a receipt whose outcome is not that of its body",
    ({ receipts }) => {
      receipts[0].outcome = "unavailable";
    },
  ],
  [
    "invented",
    "values that were sent",
    "values were decided that nobody sent",
    (told) => {
      told.attempts = [attempt(1, 2, problem(409, "operation_conflict"), other)];
      told.receipts[0].workshop = "elsewhere";
      told.reservations[0].workshop = "elsewhere";
    },
  ],
  [
    "invented",
    "values that were sent",
    "the values of another request than the one that was first",
    only(
      [
        attempt(1, 2, outcome(UNAVAILABLE, false)),
        attempt(3, 4, problem(409, "operation_conflict"), { workshop: "elsewhere" }),
      ],
      { body: UNAVAILABLE, workshop: "elsewhere" },
    ),
  ],
  [
    "invented",
    "values that were sent",
    "a decision about a workshop that is not on offer",
    only([attempt(1, 2, outcome(UNAVAILABLE, false), { workshop: "hidden" })], {
      body: UNAVAILABLE,
      workshop: "hidden",
    }),
  ],
  [
    "invented",
    "what is cancelled",
    "a cancellation that nobody asked for",
    ({ attempts }) => attempts.splice(5),
  ],
  [
    "invented",
    "what is given up",
    "given up, and nobody asked for it",
    only([attempt(1, 2, outcome(ABANDONED, true))], givenUp),
  ],
  [
    "changed",
    "values that are reserved",
    "a conflict with the very values that are reserved, and nothing else heard",
    (told) => {
      told.attempts = [
        attempt(1, 2, problem(409, "operation_conflict")),
        attempt(3, 4, document("cancelled"), ask("cancel")),
      ];
    },
  ],
  [
    "changed",
    "all others are a conflict",
    "a conflict with what was given up",
    only(
      [
        attempt(1, 2, givenUpDocument, ask("abandon")),
        attempt(3, 4, problem(409, "operation_conflict")),
      ],
      givenUp,
    ),
  ],
  [
    "invented",
    "what is cancelled",
    "cancelled before anybody asked for it",
    ({ attempts }) => {
      attempts[4].answer = document("cancelled");
    },
  ],
  [
    "invented",
    "what is given up",
    "given up before anybody asked for it",
    only(
      [attempt(1, 2, outcome(ABANDONED, true)), attempt(3, 4, givenUpDocument, ask("abandon"))],
      givenUp,
    ),
  ],
  [
    "unanswered",
    "gets an answer",
    "the last attempt was not answered",
    ({ attempts }) => attempts.push(attempt(15, undefined, undefined)),
  ],
  [
    "unexpected",
    "one of the contract",
    "an answer that is none of the contract's",
    ({ attempts }) => attempts.push(attempt(15, 16, { status: 500, replayed: null, body: "" })),
  ],
  [
    "unexpected",
    "one of the contract",
    "a workshop on offer is not known",
    ({ attempts }) => attempts.push(attempt(15, 16, problem(404, "unknown_workshop"))),
  ],
]) {
  test(`${kind}: ${name}`, () => {
    const findings = found(change);
    assert.ok(
      findings.some((finding) => finding.startsWith(`${kind}: `) && finding.includes(says)),
      findings.join("\n") || "nothing is found",
    );
  });
}

test("the story of an operation has all that was sent and heard, and the kills between", () => {
  const text = story({ actor: "t_anna", key, attempts: lived() }, [0, 3, 20]);
  assert.equal(
    text.split("\n").slice(0, 5).join("\n"),
    `t_anna ${key}
  1 reserve 1 in ws, not known
  2 reserve 1 in ws, answered at 3: 201, replayed false ${RESERVED}
  3 killed
  4 reserve 2 in ws, answered at 7: 409 `,
  );
});
