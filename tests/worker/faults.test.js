// When the database is missing, or does not answer as it should: the answer, what is
// stored, and the line of log.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { send } from "./http.js";
import { SECRET, setStage } from "./stage.js";
import { bearer } from "./tokens.js";

const Authorization = await bearer("somebody", SECRET);
const stage = await setStage();
after(stage.close);

let made = 0;

/** A workshop that no other test uses. */
async function makeWorkshop(capacity) {
  made += 1;
  await stage.database
    .prepare("INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, 'W', ?2, 0)")
    .bind(`ws-${made}`, capacity)
    .run();
  return `ws-${made}`;
}

function reserve(workshop, key, fault, origin = stage.origin) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key, Authorization };
  if (fault) headers.Fault = fault;
  return send(`${origin}/reserve`, { headers, body: JSON.stringify({ workshop, quantity: 1 }) });
}

/** What the database holds: places counted, reservations, receipts. */
function held(workshop) {
  return stage.database
    .prepare(
      `SELECT reserved, (SELECT COUNT(*) FROM reservations WHERE workshop = ?1) AS reservations,
         (SELECT COUNT(*) FROM operations WHERE workshop = ?1) AS receipts
       FROM workshops WHERE id = ?1`,
    )
    .bind(workshop)
    .first();
}

test("without a database, or without its tables, nothing is done and every route says so", async () => {
  for (const missing of [{ database: false }, { migrated: false }]) {
    const { origin, logOf, close } = await setStage(missing);
    const [, line] = await logOf(() => send(`${origin}/health`, { method: "GET" }));
    assert.ok(line.cause, "the log says what is missing");
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

// Of a failure that passes, the person hears nothing: the batch is sent again. `free` is how
// many places there are: with one it is the last, with none it is a refusal.
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
    const [answer, line] = await stage.logOf(() => reserve(workshop, key, faults));
    const [status, places] = free === 0 ? [409, 0] : [201, 1];
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [status, "false"]);
    assert.deepEqual([line.attempts, line.d1_calls, line.status], [sends, sends, status]);
    assert.ok(line.cause, "the log tells what the person does not need to know");
    const stored = { reserved: places, reservations: places, receipts: 1 };
    assert.deepEqual(await held(workshop), stored);
    const again = await reserve(workshop, key);
    assert.deepEqual(
      [again.status, again.body, again.headers["idempotent-replayed"]],
      [status, answer.body, "true"],
    );
    assert.deepEqual(await held(workshop), stored);
  });
}

// A failure that lasts, or that lasts too long, is an outcome that is not known.
for (const [faults, sends, committed] of [
  ["before,before,before", 3, false],
  ["after,after,after", 3, true],
  ["after,overloaded", 2, true],
  ["overloaded", 1, false],
  ["timeout", 1, false],
  ["unnamed", 1, false],
  ["failed", 1, true],
  ["fewer", 1, true],
  ["nothing", 1, true],
  ["other", 1, true],
]) {
  test(`${faults}: sent ${sends} times, not known, and the same key finds out`, async () => {
    const workshop = await makeWorkshop(1);
    const key = randomUUID();
    const [answer, line] = await stage.logOf(() => reserve(workshop, key, faults));
    assert.deepEqual(
      [answer.status, answer.document.error, answer.document.retry],
      [503, "outcome_unknown", "same_key"],
    );
    assert.equal(answer.headers["retry-after"], "2");
    assert.equal(answer.headers["idempotent-replayed"], undefined);
    assert.deepEqual([line.attempts, line.outcome], [sends, "outcome_unknown"]);
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

test("a database that never answers is given up after ten seconds", {
  timeout: 30_000,
}, async () => {
  const workshop = await makeWorkshop(1);
  const began = Date.now();
  const faults = "never,never,never";
  const [answer, line] = await stage.logOf(() => reserve(workshop, randomUUID(), faults));
  assert.deepEqual([answer.status, answer.document.error], [503, "outcome_unknown"]);
  assert.equal(line.attempts, 3);
  assert.ok(Date.now() - began < 15_000, "before the page gives up waiting");
  assert.deepEqual(await held(workshop), { reserved: 0, reservations: 0, receipts: 0 });
});

test("a send that arrives after it was given up and sent again changes nothing", {
  timeout: 30_000,
}, async () => {
  const workshop = await makeWorkshop(1);
  const key = randomUUID();
  const answer = await reserve(workshop, key, "late");
  assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "false"]);
  // The late one reaches D1 half a second after it was given up.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.deepEqual(await held(workshop), { reserved: 1, reservations: 1, receipts: 1 });
  const again = await reserve(workshop, key);
  assert.deepEqual([again.body, again.headers["idempotent-replayed"]], [answer.body, "true"]);
});

test("a table that is missing in the middle of it is not an unknown outcome", async () => {
  const [{ status, document }, line] = await stage.logOf(() =>
    reserve("ws", randomUUID(), "missing"),
  );
  assert.deepEqual([status, document.error, line.attempts], [503, "not_configured", 1]);
});

test("what only reads is sent again too", async () => {
  const [{ status }, line] = await stage.logOf(() =>
    send(`${stage.origin}/health`, { method: "GET", headers: { Fault: "before" } }),
  );
  assert.deepEqual([status, line.attempts], [200, 2]);
});

test("the cause of a failure is never told", async () => {
  for (const fault of ["before,before,before", "missing", "unnamed", "other"]) {
    const { body } = await reserve("ws", randomUUID(), fault);
    for (const words of ["D1_ERROR", "Network", "no such table", "not even", "column"]) {
      assert.ok(!body.includes(words), body);
    }
  }
});
