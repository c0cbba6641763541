// The rate limits by actor and by address. Each Worker here has its own limits.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";

async function withWorker(limits, act) {
  const worker = await startWorker({ limits });
  await worker.database
    .prepare(
      "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES ('ws', 'W', 1000, 0)",
    )
    .run();
  const reserve = async (name, key = randomUUID(), quantity = 1, headers = {}) =>
    send(`${worker.origin}/reserve`, {
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        Authorization: await bearer(name, SECRET),
        ...headers,
      },
      body: JSON.stringify({ workshop: "ws", quantity }),
    });
  const counted = () => worker.database.prepare("SELECT COUNT(*) AS n FROM operations").first("n");
  try {
    await act({ ...worker, reserve, counted });
  } finally {
    await worker.close();
  }
}

test("over an actor's limit nothing new is decided, and existing receipts are still returned", () =>
  withWorker({ ACTOR_LIMIT: 3 }, async ({ reserve, counted }) => {
    const key = randomUUID();
    const first = await reserve("busy", key);
    assert.equal((await reserve("busy", randomUUID())).status, 201);
    assert.equal((await reserve("busy", randomUUID())).status, 201);
    const limited = await reserve("busy", randomUUID());
    assert.deepEqual(
      [
        limited.status,
        limited.document.error,
        limited.document.retry,
        limited.headers["retry-after"],
      ],
      [429, "rate_limited", "same_key", "60"],
    );
    const replay = await reserve("busy", key);
    assert.deepEqual(
      [replay.status, replay.body, replay.headers["idempotent-replayed"]],
      [201, first.body, "true"],
    );
    assert.equal((await reserve("busy", key, 2)).document.error, "operation_conflict");
    assert.equal((await reserve("calm")).status, 201, "another actor is not limited by it");
    assert.equal(await counted(), 4);
  }));

test("a malformed request does not count as a new operation", () =>
  withWorker({ ACTOR_LIMIT: 1 }, async ({ reserve }) => {
    for (let sent = 0; sent < 5; sent += 1) {
      assert.equal((await reserve("busy", "no key")).status, 400);
      assert.equal((await reserve("busy", randomUUID(), 3)).status, 422);
    }
    assert.equal((await reserve("busy")).status, 201);
  }));

test("over an address's limit no route queries the database", () =>
  withWorker({ ADDRESS_LIMIT: 3 }, async ({ origin, reserve, counted }) => {
    const from = (address) => ({ "CF-Connecting-IP": address });
    for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2::3"]) {
      assert.equal((await reserve("one", randomUUID(), 1, from(address))).status, 201);
    }
    const same64 = from("2001:db8:1:2::4");
    for (const path of ["/reserve", "/workshops", "/health", "/session", "/nowhere"]) {
      const method = path === "/reserve" ? "POST" : "GET";
      const { status, document } = await send(origin + path, { method, headers: same64 });
      assert.deepEqual([status, document.error], [429, "rate_limited"], path);
    }
    const other64 = from("2001:db8:1:3::1");
    assert.equal((await reserve("one", randomUUID(), 1, other64)).status, 201);
    assert.equal(await counted(), 4);
  }));

test("without the bindings there is no limit", () =>
  withWorker({}, async ({ reserve }) => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => reserve("busy")));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  }));
