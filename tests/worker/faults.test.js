// Failures of D1: the response, the stored rows and the log line.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";

const Authorization = await bearer("somebody", SECRET);
const worker = await startWorker();
after(worker.close);

let made = 0;

/** A workshop that no other test uses. */
async function makeWorkshop(capacity) {
  made += 1;
  await worker.database
    .prepare("INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, 'W', ?2, 0)")
    .bind(`ws-${made}`, capacity)
    .run();
  return `ws-${made}`;
}

/** The words of `worker.js` that lose the answer of a batch which is committed. */
const LOST = ["after", "bare", "late"];

/** The number of the send that decides, by the faults of all sends. */
function decidingSend(faults) {
  const words = faults.split(",");
  const lost = words.findIndex((word) => LOST.includes(word));
  return 1 + (lost === -1 ? words.length : lost);
}

function reserve(workshop, key, fault, origin = worker.origin) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key, Authorization };
  if (fault) headers.Fault = fault;
  return send(`${origin}/reserve`, { headers, body: JSON.stringify({ workshop, quantity: 1 }) });
}

/** What the database holds: places counted, reservations, receipts. */
function held(workshop) {
  return worker.database
    .prepare(
      `SELECT reserved, (SELECT COUNT(*) FROM reservations WHERE workshop = ?1) AS reservations,
         (SELECT COUNT(*) FROM operations WHERE workshop = ?1) AS receipts
       FROM workshops WHERE id = ?1`,
    )
    .bind(workshop)
    .first();
}

/** The receipt of a key, with the number of the send that decided. */
function receiptOf(key) {
  return worker.database
    .prepare(
      `SELECT outcome, http_status, body, send_id, CAST(substr(send_id, 34) AS INTEGER) AS send
       FROM operations WHERE key = ?1`,
    )
    .bind(key)
    .first();
}

/** Everything that the database holds about a key and its workshop. */
async function stored(workshop, key) {
  return {
    workshops: await worker.query(
      "SELECT reserved, count_version FROM workshops WHERE id = ?1",
      workshop,
    ),
    receipts: await worker.query("SELECT * FROM operations WHERE key = ?1", key),
    reservations: await worker.query("SELECT * FROM reservations WHERE key = ?1", key),
  };
}

function settle(key, verb, fault) {
  const headers = { Authorization, ...(fault && { Fault: fault }) };
  return send(`${worker.origin}/operations/${key}/${verb}`, { headers });
}

test("without a database or its tables every route responds not_configured, and nothing is done", async () => {
  for (const missing of [{ database: false }, { migrated: false }]) {
    const { origin, logOf, close } = await startWorker(missing);
    const [, line] = await logOf(() => send(`${origin}/health`, { method: "GET" }));
    assert.ok(line.cause, "the cause is in the log");
    const answers = [
      await reserve("ws", randomUUID(), undefined, origin),
      ...(await Promise.all(
        ["/workshops", "/workshops/ws", "/health"].map((path) =>
          send(origin + path, { method: "GET" }),
        ),
      )),
    ];
    await close();
    for (const { status, document, headers } of answers) {
      assert.deepEqual(
        [status, document.error, document.retry],
        [503, "not_configured", "same_key"],
      );
      assert.equal(headers["idempotent-replayed"], undefined);
    }
  }
});

// Transient failures are invisible to the client: the batch is retried. `free` is the number of available
// places: with one it is the last, with none the outcome is a refusal.
for (const [faults, sends, free] of [
  ["before", 2, 3],
  ["before,before", 3, 3],
  ["storage", 2, 3],
  ["updated", 2, 3],
  ["unresolved", 2, 3],
  ["after", 2, 3],
  ["after,after", 3, 3],
  ["after", 2, 1],
  ["after", 2, 0],
  ["bare", 2, 1],
  ["before,after", 3, 1],
  ["after,before", 3, 1],
  ["never", 2, 1],
]) {
  test(`${faults}, with ${free} places free: sent ${sends} times, decided once, by this request`, async () => {
    const workshop = await makeWorkshop(free);
    const key = randomUUID();
    const [answer, line] = await worker.logOf(() => reserve(workshop, key, faults));
    const [status, places] = free === 0 ? [409, 0] : [201, 1];
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [status, "false"]);
    assert.deepEqual([line.d1_calls, line.status], [sends, status]);
    assert.ok(line.cause, "the cause is in the log");
    const stored = { reserved: places, reservations: places, receipts: 1 };
    assert.deepEqual(await held(workshop), stored);
    assert.equal((await receiptOf(key)).send, decidingSend(faults));
    const again = await reserve(workshop, key);
    assert.deepEqual(
      [again.status, again.body, again.headers["idempotent-replayed"]],
      [status, answer.body, "true"],
    );
    assert.deepEqual(await held(workshop), stored);
  });
}

// The same for abandoning and cancelling. With `late`, the first send reaches D1 after the second.
for (const [faults, sends] of [
  ["after", 2],
  ["after,after", 3],
  ["before,after", 3],
  ["after,before", 3],
  ["late", 2],
]) {
  test(`${faults}: an operation is abandoned once, by ${sends} sends`, async () => {
    const workshop = await makeWorkshop(1);
    const key = randomUUID();
    const [answer, line] = await worker.logOf(() => settle(key, "abandon", faults));
    assert.deepEqual([answer.status, answer.document.outcome], [200, "abandoned"]);
    assert.equal(line.d1_calls, sends);
    const rows = await stored(workshop, key);
    assert.deepEqual(rows.workshops, [{ reserved: 0, count_version: 0 }]);
    assert.deepEqual(rows.reservations, []);
    assert.equal(rows.receipts.length, 1);
    assert.equal((await receiptOf(key)).send, faults === "late" ? 2 : decidingSend(faults));
    if (faults === "late") await arrival();
    const again = await reserve(workshop, key);
    assert.deepEqual([again.document.status, again.body], ["abandoned", rows.receipts[0].body]);
    assert.equal((await settle(key, "abandon")).body, answer.body);
    assert.deepEqual(await stored(workshop, key), rows);
  });

  test(`${faults}: a reservation is cancelled once, by ${sends} sends`, async () => {
    const workshop = await makeWorkshop(1);
    const key = randomUUID();
    await reserve(workshop, key);
    const [answer, line] = await worker.logOf(() => settle(key, "cancel", faults));
    assert.deepEqual([answer.status, answer.document.reservation.state], [200, "cancelled"]);
    assert.equal(line.d1_calls, sends);
    const rows = await stored(workshop, key);
    assert.deepEqual(rows.workshops, [{ reserved: 0, count_version: 2 }]);
    assert.equal(rows.receipts.length, 1);
    assert.equal(rows.reservations.length, 1);
    if (faults === "late") await arrival();
    assert.equal((await settle(key, "cancel")).body, answer.body);
    assert.deepEqual(await stored(workshop, key), rows);
  });
}

/** Until a send that is `late` has reached D1: half a second after it was given up. */
const arrival = () => new Promise((resolve) => setTimeout(resolve, 1_500));

// A permanent failure, or a transient one that lasts too long, is an unknown outcome.
for (const [faults, sends, committed] of [
  ["before,before,before", 3, false],
  ["after,after,after", 3, true],
  ["after,overloaded", 2, true],
  ["after,missing", 2, true],
  ["after,refused", 2, true],
  ["overloaded", 1, false],
  ["timeout", 1, false],
  ["unnamed", 1, false],
  ["failed", 1, true],
  ["fewer", 1, true],
  ["nothing", 1, true],
  ["other", 1, true],
]) {
  test(`${faults}: sent ${sends} times, unknown, and the same key returns the outcome`, async () => {
    const workshop = await makeWorkshop(1);
    const key = randomUUID();
    const [answer, line] = await worker.logOf(() => reserve(workshop, key, faults));
    assert.deepEqual(
      [answer.status, answer.document.error, answer.document.retry],
      [503, "outcome_unknown", "same_key"],
    );
    assert.equal(answer.headers["retry-after"], "2");
    assert.equal(answer.headers["idempotent-replayed"], undefined);
    assert.deepEqual([line.d1_calls, line.outcome], [sends, "outcome_unknown"]);
    assert.ok(line.cause);
    const places = committed ? 1 : 0;
    assert.deepEqual(await held(workshop), {
      reserved: places,
      reservations: places,
      receipts: places,
    });
    const again = await reserve(workshop, key);
    assert.deepEqual(
      [again.status, again.headers["idempotent-replayed"]],
      [201, String(committed)],
    );
    assert.deepEqual(await held(workshop), { reserved: 1, reservations: 1, receipts: 1 });
  });
}

test("a database that never responds times out after ten seconds", {
  timeout: 30_000,
}, async () => {
  const workshop = await makeWorkshop(1);
  const began = Date.now();
  const faults = "never,never,never";
  const [answer, line] = await worker.logOf(() => reserve(workshop, randomUUID(), faults));
  assert.deepEqual([answer.status, answer.document.error], [503, "outcome_unknown"]);
  assert.equal(line.d1_calls, 3);
  assert.ok(Date.now() - began < 15_000, "before the page gives up waiting");
  assert.deepEqual(await held(workshop), { reserved: 0, reservations: 0, receipts: 0 });
});

test("a send that arrives after its timeout and retry changes nothing", {
  timeout: 30_000,
}, async () => {
  const workshop = await makeWorkshop(1);
  const key = randomUUID();
  const answer = await reserve(workshop, key, "late");
  assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "false"]);
  const rows = await stored(workshop, key);
  await arrival();
  assert.deepEqual(await stored(workshop, key), rows);
  assert.deepEqual(await held(workshop), { reserved: 1, reservations: 1, receipts: 1 });
  assert.equal((await receiptOf(key)).send, 2);
  const again = await reserve(workshop, key);
  assert.deepEqual([again.body, again.headers["idempotent-replayed"]], [answer.body, "true"]);
});

test("a table that is missing is not_configured, not an unknown outcome", async () => {
  const [{ status, document }, line] = await worker.logOf(() =>
    reserve("ws", randomUUID(), "missing"),
  );
  assert.deepEqual([status, document.error, line.d1_calls], [503, "not_configured", 1]);
});

test("a statement that D1 rejects is an internal error: nothing is done, and an error is logged", async () => {
  const workshop = await makeWorkshop(1);
  const key = randomUUID();
  for (const [act, statements] of [
    [() => reserve(workshop, key, "refused"), "decide, take_places, read_receipt"],
    [() => settle(key, "abandon", "refused"), "abandon, read_operation"],
    [() => settle(key, "cancel", "refused"), "cancel_reservation, read_operation"],
  ]) {
    const [{ status, document, headers }, line] = await worker.logOf(act);
    assert.deepEqual(
      [status, document.error, document.retry, headers["retry-after"]],
      [500, "internal_error", "same_key", undefined],
    );
    assert.equal(headers["idempotent-replayed"], undefined);
    assert.deepEqual([line.status, line.outcome, line.d1_calls], [500, "internal_error", 1]);
    assert.equal(
      line.cause,
      `D1_ERROR: CHECK constraint failed: x: SQLITE_CONSTRAINT (one of the statements ${statements})`,
    );
    assert.deepEqual(worker.errors().map(JSON.parse), [line]);
  }
  const nothing = {
    workshops: [{ reserved: 0, count_version: 0 }],
    receipts: [],
    reservations: [],
  };
  assert.deepEqual(await stored(workshop, key), nothing);
  const again = await reserve(workshop, key);
  assert.deepEqual([again.status, again.headers["idempotent-replayed"]], [201, "false"]);
});

test("an effect that D1 rejects rolls the receipt back", async () => {
  const workshop = await makeWorkshop(1);
  const key = randomUUID();
  await worker.database
    .prepare(
      `CREATE TRIGGER none BEFORE INSERT ON reservations WHEN NEW.workshop = '${workshop}'
       BEGIN SELECT RAISE(ABORT, 'none'); END`,
    )
    .run();
  const [refused, line] = await worker.logOf(() => reserve(workshop, key));
  assert.deepEqual([refused.status, refused.document.error], [500, "internal_error"]);
  assert.match(line.cause, /^D1_ERROR: none: SQLITE_CONSTRAINT.*decide, take_places/);
  assert.deepEqual(await held(workshop), { reserved: 0, reservations: 0, receipts: 0 });
  await worker.database.prepare("DROP TRIGGER none").run();
  assert.equal((await reserve(workshop, key)).status, 201);
});

test("only internal errors are logged as errors", async () => {
  const workshop = await makeWorkshop(1);
  for (const [faults, errors] of [
    ["before", 0],
    ["before,before,before", 0],
    ["overloaded", 0],
    ["missing", 0],
    ["other", 0],
    ["before,refused", 1],
  ]) {
    await worker.logOf(() => reserve(workshop, randomUUID(), faults));
    assert.equal(worker.errors().length, errors, faults);
  }
});

test("reads are retried too", async () => {
  const [{ status }, line] = await worker.logOf(() =>
    send(`${worker.origin}/health`, { method: "GET", headers: { Fault: "before" } }),
  );
  assert.deepEqual([status, line.d1_calls], [200, 2]);
});

test("the cause of a failure is not in the response", async () => {
  for (const fault of ["before,before,before", "missing", "refused", "unnamed", "other"]) {
    const { body } = await reserve("ws", randomUUID(), fault);
    for (const words of ["D1_ERROR", "Network", "no such table", "CHECK", "not even", "column"]) {
      assert.ok(!body.includes(words), body);
    }
  }
});
