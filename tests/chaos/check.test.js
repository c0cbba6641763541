// The check detects violations. Each test changes one thing in a valid history and names the expected
// kind of finding.

import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./check.js";
import { timeline } from "./report.js";

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

/** An attempt to reserve one place, unless `more` overrides it. */
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
const to = (verb) => ({ verb, workshop: undefined, quantity: undefined });

/** Unanswered, repeated, a conflict, replayed, read, cancelled. */
const validAttempts = () => [
  attempt(1, undefined, undefined),
  attempt(2, 3, outcome(RESERVED, false)),
  attempt(4, 7, problem(409, "operation_conflict"), other),
  attempt(5, 6, outcome(RESERVED, true)),
  attempt(8, 9, document("held"), to("look up")),
  attempt(10, undefined, problem(503, "outcome_unknown"), to("cancel")),
  attempt(11, 12, document("cancelled"), to("cancel")),
  attempt(13, 14, document("cancelled"), to("look up")),
];

/** The rows after these attempts. */
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

/** The findings after a change of the valid history. */
function found(change) {
  const run = { attempts: validAttempts(), seen: [], ...stored() };
  change(run);
  const { attempts, seen, ...rows } = run;
  const operations = attempts.length > 0 ? [{ actor: "t_anna", key, attempts }] : [];
  return check(operations, seen, rows).map(({ kind, description }) => `${kind}: ${description}`);
}

/** Replaces the history by these attempts and this receipt. */
const only = (attempts, receipt) => (run) => {
  const row = { ...run.receipts[0], http_status: 409, ...receipt };
  row.outcome = JSON.parse(row.body).status;
  Object.assign(run, { attempts, receipts: receipt ? [row] : [], reservations: [] });
};
const abandonedReceipt = { body: ABANDONED, workshop: null };
const abandonedDocument = {
  status: 200,
  replayed: null,
  body: `{"key":"${key}","outcome":"abandoned","http_status":409,"decided_at":"1970-01-01T00:00:01Z","workshop":null,"reservation":null}`,
  document: { reservation: null },
};

for (const [name, change] of [
  ["unanswered, repeated, a conflict, replayed, read, cancelled", () => {}],
  [
    "decided by a request without a response",
    ({ attempts }) => {
      attempts[1].answer.replayed = "true";
    },
  ],
  [
    "two concurrent requests, the second answered first",
    ({ attempts }) => {
      attempts[3].sent = 2;
      attempts[3].answered = 2.5;
    },
  ],
  [
    "another payload sent first and answered last",
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
    "abandoned before a decision",
    only(
      [
        attempt(1, 9, abandonedDocument, to("abandon")),
        attempt(2, 3, outcome(ABANDONED, true)),
        attempt(4, 5, outcome(ABANDONED, true), other),
        attempt(6, 7, problem(409, "nothing_to_cancel"), to("cancel")),
      ],
      abandonedReceipt,
    ),
  ],
  [
    "never decided: not published, and unknown",
    only([
      attempt(1, 2, problem(404, "unknown_workshop"), { workshop: "hidden" }),
      attempt(3, 4, problem(404, "unknown_operation"), to("look up")),
    ]),
  ],
]) {
  test(`valid: ${name}`, () => assert.deepEqual(found(change), []));
}

for (const [kind, description, name, change] of [
  ["lost", "is stored, with the same", "the receipt is gone", only(validAttempts(), undefined)],
  ["lost", "has its reservation", "the reservation is gone", (run) => run.reservations.splice(0)],
  [
    "lost",
    "a known decision",
    "a request that was sent after the answer finds no operation",
    ({ attempts }) =>
      attempts.push(attempt(15, 16, problem(404, "unknown_operation"), to("cancel"))),
  ],
  [
    "lost",
    "a confirmed cancellation",
    "the cancellation is gone",
    ({ reservations, workshops }) => {
      reservations[0].cancelled_at_ms = null;
      Object.assign(workshops[0], { reserved: 1, held: 1 });
    },
  ],
  [
    "lost",
    "a confirmed cancellation",
    "the places are held again after their release",
    ({ attempts }) => attempts.push(attempt(15, 16, document("held"), to("look up"))),
  ],
  [
    "lost",
    "a confirmed cancellation",
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
    "the reservation has another id than the response",
    ({ reservations }) => {
      reservations[0].id = ID.replace("8", "9");
    },
  ],
  [
    "doubled",
    "is not a replay",
    "two responses are not replays",
    ({ attempts }) => {
      attempts[3].answer.replayed = "false";
    },
  ],
  [
    "doubled",
    "is not a replay",
    "a request decided that was sent after the decision was known",
    ({ attempts }) => {
      attempts[1].answer.replayed = "true";
      attempts[3].answer.replayed = "false";
    },
  ],
  [
    "oversold",
    "3 held, of 2",
    "more is held than the capacity",
    ({ workshops }) => Object.assign(workshops[0], { reserved: 3, held: 3 }),
  ],
  [
    "oversold",
    "3 held, of 2",
    "more was held during the run",
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
    "the count was negative during the run",
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
    "every other one is a conflict",
    "another payload got the outcome",
    ({ attempts }) => {
      attempts[2].answer = outcome(RESERVED, true);
    },
  ],
  [
    "changed",
    "every other one is a conflict",
    "the decided payload is a conflict",
    ({ attempts }) => attempts.push(attempt(15, 16, problem(409, "operation_conflict"))),
  ],
  [
    "changed",
    "return the stored receipt",
    "the look-up returns another reservation",
    ({ attempts }) => {
      attempts[4].answer = document("held", { quantity: 2 });
    },
  ],
  [
    "changed",
    "nothing_to_cancel is returned only",
    "nothing_to_cancel in spite of a reservation",
    ({ attempts }) =>
      attempts.push(attempt(15, 16, problem(409, "nothing_to_cancel"), to("cancel"))),
  ],
  [
    "invented",
    "was never sent",
    "a reservation without a receipt",
    (run) => {
      const key_ = key.replace("0", "1");
      run.reservations.push({ ...run.reservations[0], key: key_ });
    },
  ],
  [
    "invented",
    "was never sent",
    "a receipt without a request",
    ({ attempts }) => attempts.splice(0),
  ],
  [
    "invented",
    "every reservation has a receipt",
    "a reservation under a refusal",
    (run) => {
      run.attempts = [attempt(1, 2, outcome(UNAVAILABLE, false))];
      const refusal = { outcome: "unavailable", http_status: 409, body: UNAVAILABLE };
      Object.assign(run.receipts[0], refusal);
      run.reservations[0].cancelled_at_ms = null;
    },
  ],
  [
    "changed",
    "is that of its body",
    "a receipt whose outcome is not that of its body",
    ({ receipts }) => {
      receipts[0].outcome = "unavailable";
    },
  ],
  [
    "invented",
    "the decided payload was sent",
    "a payload was decided that was never sent",
    (run) => {
      run.attempts = [attempt(1, 2, problem(409, "operation_conflict"), other)];
      run.receipts[0].workshop = "elsewhere";
      run.reservations[0].workshop = "elsewhere";
    },
  ],
  [
    "invented",
    "the decided payload was sent",
    "the payload of another request than the deciding one",
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
    "the decided payload was sent",
    "a decision about an unpublished workshop",
    only([attempt(1, 2, outcome(UNAVAILABLE, false), { workshop: "hidden" })], {
      body: UNAVAILABLE,
      workshop: "hidden",
    }),
  ],
  [
    "invented",
    "nothing is cancelled before",
    "a cancellation without a request",
    ({ attempts }) => attempts.splice(5),
  ],
  [
    "invented",
    "nothing is abandoned before",
    "abandoned without a request",
    only([attempt(1, 2, outcome(ABANDONED, true))], abandonedReceipt),
  ],
  [
    "changed",
    "the reserved payload is not",
    "a conflict with the reserved payload, and no other response",
    (run) => {
      run.attempts = [
        attempt(1, 2, problem(409, "operation_conflict")),
        attempt(3, 4, document("cancelled"), to("cancel")),
      ];
    },
  ],
  [
    "changed",
    "every other one is a conflict",
    "a conflict with an abandoned operation",
    only(
      [
        attempt(1, 2, abandonedDocument, to("abandon")),
        attempt(3, 4, problem(409, "operation_conflict")),
      ],
      abandonedReceipt,
    ),
  ],
  [
    "invented",
    "nothing is cancelled before",
    "cancelled before the request",
    ({ attempts }) => {
      attempts[4].answer = document("cancelled");
    },
  ],
  [
    "invented",
    "nothing is abandoned before",
    "abandoned before the request",
    only(
      [attempt(1, 2, outcome(ABANDONED, true)), attempt(3, 4, abandonedDocument, to("abandon"))],
      abandonedReceipt,
    ),
  ],
  [
    "unanswered",
    "gets a response",
    "the last attempt has no response",
    ({ attempts }) => attempts.push(attempt(15, undefined, undefined)),
  ],
  [
    "unexpected",
    "one of the contract",
    "a response that is not in the contract",
    ({ attempts }) => attempts.push(attempt(15, 16, { status: 500, replayed: null, body: "" })),
  ],
  [
    "unexpected",
    "one of the contract",
    "a published workshop is unknown",
    ({ attempts }) => attempts.push(attempt(15, 16, problem(404, "unknown_workshop"))),
  ],
]) {
  test(`${kind}: ${name}`, () => {
    const findings = found(change);
    assert.ok(
      findings.some((finding) => finding.startsWith(`${kind}: `) && finding.includes(description)),
      findings.join("\n") || "nothing is found",
    );
  });
}

test("the timeline of an operation has its attempts, responses and the kills between", () => {
  const text = timeline({ actor: "t_anna", key, attempts: validAttempts() }, [0, 3, 20]);
  assert.equal(
    text.split("\n").slice(0, 5).join("\n"),
    `t_anna ${key}
  1 reserve 1 in ws, no response
  2 reserve 1 in ws, answered at 3: 201, replayed false ${RESERVED}
  3 killed
  4 reserve 2 in ws, answered at 7: 409 `,
  );
});
