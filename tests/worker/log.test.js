import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { send } from "../support/http.js";
import { authorized, logOf, makeWorkshop, origin, reserve } from "../support/service.js";

const hash = (key) => createHash("sha256").update(key).digest("hex").slice(0, 8);

test("each request logs one line of JSON with its outcome and cost", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  const [line] = await logOf(() => reserve(workshop, 1, key));
  const { duration_ms, ...rest } = line;
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
  assert.deepEqual(rest, {
    route: "/reserve",
    status: 201,
    outcome: "reserved",
    replayed: false,
    actor: hash("t_somebody"),
    key: hash(key),
    d1_calls: 1,
    rows_read: 5,
    rows_written: 3,
  });
});

test("every kind of result has its outcome in the log", async () => {
  const workshop = await makeWorkshop({ capacity: 1 });
  const key = randomUUID();
  for (const [action, expected] of [
    [() => reserve(workshop, 1, key), ["/reserve", 201, "reserved", false, 1]],
    [() => reserve(workshop, 1, key), ["/reserve", 201, "reserved", true, 1]],
    [() => reserve(workshop, 2, key), ["/reserve", 409, "operation_conflict", undefined, 1]],
    [() => reserve(workshop, 1), ["/reserve", 409, "unavailable", false, 1]],
    [() => reserve("nowhere", 1), ["/reserve", 404, "unknown_workshop", undefined, 1]],
    [() => reserve(workshop, 3), ["/reserve", 422, "request_contract", undefined, 0]],
    [() => reserve(workshop, 1, "K"), ["/reserve", 400, "operation_id", undefined, 0]],
    [() => fetch(`${origin}/reserve`), ["/reserve", 405, "method_not_allowed", undefined, 0]],
    [() => fetch(`${origin}/workshops`), ["/workshops", 200, "read", undefined, 1]],
    [
      () => fetch(`${origin}/workshops/${workshop}`),
      ["/workshops/{id}", 200, "read", undefined, 1],
    ],
    [
      () => fetch(`${origin}/workshops/no-such`),
      ["/workshops/{id}", 404, "unknown_workshop", undefined, 1],
    ],
    [() => fetch(`${origin}/health`), ["/health", 200, "read", undefined, 1]],
    [() => fetch(`${origin}/no-such`), ["other", 404, "not_found", undefined, 0]],
  ]) {
    const [line] = await logOf(action);
    const { route, status, outcome, replayed, d1_calls } = line;
    assert.deepEqual([route, status, outcome, replayed, d1_calls], expected);
  }
});

test("no key and no other value of a request is in the log", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  const secret = "einmal-secret";
  const lines = await logOf(async () => {
    await reserve(workshop, 1, key);
    await reserve(workshop, 2, key);
    await reserve(workshop, 1, `${key}-${secret}`);
    await send(`${origin}/reserve?${secret}`, {
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        Cookie: `other=${secret}`,
        ...authorized,
      },
      body: `{"${secret}":1}`,
    });
    await send(`${origin}/${secret}`, { method: "GET" });
  }, 5);
  const text = JSON.stringify(lines);
  const { Authorization } = authorized;
  for (const sent of [key, secret, workshop, Authorization, "t_somebody"])
    assert.ok(!text.includes(sent), sent);
});
