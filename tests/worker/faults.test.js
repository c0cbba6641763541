// When the database is missing, or does not answer as it should.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { send } from "./http.js";
import { SECRET, setStage } from "./stage.js";
import { bearer } from "./tokens.js";

const Authorization = await bearer("somebody", SECRET);
const stage = await setStage();
after(stage.close);

const insert =
  "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES ('ws', 'W', 1000, 0)";
await stage.database.prepare(insert).run();

function reserve(origin, key, fault) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key, Authorization };
  if (fault) headers.Fault = fault;
  return send(`${origin}/reserve`, { headers, body: '{"workshop":"ws","quantity":1}' });
}

async function reservations(key) {
  const select = "SELECT COUNT(*) AS count FROM reservations WHERE key = ?1";
  return stage.database.prepare(select).bind(key).first("count");
}

test("without a database, or without its tables, nothing is done and every route says so", async () => {
  for (const missing of [{ database: false }, { migrated: false }]) {
    const { origin, close } = await setStage(missing);
    const answers = [
      await reserve(origin, randomUUID()),
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

for (const [fault, committed] of [
  ["before", false],
  ["after", true],
  ["unnamed", false],
  ["failed", true],
  ["fewer", true],
  ["nothing", true],
  ["other", true],
]) {
  test(`a batch that ends "${fault}": the outcome is not known, and the same key finds out`, async () => {
    const key = randomUUID();
    const { status, document, headers } = await reserve(stage.origin, key, fault);
    assert.deepEqual(
      [status, document.error, document.retry],
      [503, "outcome_unknown", "same_key"],
    );
    assert.equal(headers["retry-after"], "2");
    assert.equal(headers["idempotent-replayed"], undefined);
    assert.equal(await reservations(key), committed ? 1 : 0);
    const again = await reserve(stage.origin, key);
    assert.equal(again.status, 201);
    assert.equal(again.headers["idempotent-replayed"], String(committed));
    assert.equal(await reservations(key), 1);
  });
}

test("a table that is missing in the middle of it is not an unknown outcome", async () => {
  const { status, document } = await reserve(stage.origin, randomUUID(), "missing");
  assert.deepEqual([status, document.error], [503, "not_configured"]);
});

test("the cause of a failure is never told", async () => {
  for (const fault of ["before", "missing", "unnamed", "other"]) {
    const { body } = await reserve(stage.origin, randomUUID(), fault);
    for (const words of ["D1_ERROR", "Network", "no such table", "not even", "column"]) {
      assert.ok(!body.includes(words), body);
    }
  }
});
