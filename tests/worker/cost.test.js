// The cost of a decision in D1, by D1's own counts in the Worker's log: it does not grow with the
// number of reservations.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { authorized, logOf, makeWorkshop, origin, query, reserve } from "../support/service.js";

/** Ten thousand reservations by a hundred actors, in two statements. */
async function fill(workshop) {
  await query(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
     INSERT INTO operations
     SELECT ?1 || '-' || (n % 100), printf('%036d', n), ?1, 1, lower(hex(randomblob(32))),
       lower(hex(randomblob(16))) || '-1', 'reserved', 201, '{}', 0
     FROM numbers`,
    workshop,
  );
  await query(
    `INSERT INTO reservations (workshop, actor, key, id, quantity)
     SELECT workshop, actor, key, substr(send_id, 1, 32), 1 FROM operations WHERE workshop = ?1 AND body = '{}'`,
    workshop,
  );
}

async function cost(workshop, quantity, key) {
  const [line] = await logOf(() => reserve(workshop, quantity, key));
  const replayed = line.replayed ? ", replayed" : "";
  return `${line.outcome}${replayed}: ${line.rows_read}/${line.rows_written} in ${line.d1_calls} call`;
}

async function costOf(method, path) {
  const [line] = await logOf(() => fetch(origin + path, { method, headers: authorized }));
  return `${line.outcome}: ${line.rows_read}/${line.rows_written} in ${line.d1_calls} call`;
}

test("reads, abandonment and cancellation read and write as few rows as documented", async () => {
  const workshop = await makeWorkshop({ capacity: 1_000_000 });
  await fill(workshop);
  const [key, refused, never] = [randomUUID(), randomUUID(), randomUUID()];
  await reserve(workshop, 2, key);
  await reserve(await makeWorkshop({ capacity: 0 }), 1, refused);
  const costs = [];
  for (const [method, path] of [
    ["GET", `/operations/${key}`],
    ["POST", `/operations/${key}/cancel`],
    ["POST", `/operations/${key}/cancel`],
    ["POST", `/operations/${refused}/cancel`],
    ["POST", `/operations/${never}/cancel`],
    ["POST", `/operations/${never}/abandon`],
    ["POST", `/operations/${never}/abandon`],
    ["POST", `/operations/${key}/abandon`],
  ]) {
    costs.push(await costOf(method, path));
  }
  assert.deepEqual(costs, [
    "reserved: 2/0 in 1 call",
    "cancelled: 5/2 in 1 call",
    "cancelled: 4/0 in 1 call",
    "nothing_to_cancel: 2/0 in 1 call",
    "unknown_operation: 0/0 in 1 call",
    "abandoned: 1/1 in 1 call",
    "abandoned: 1/0 in 1 call",
    "reserved: 2/0 in 1 call",
  ]);
});

test("a decision reads and writes the same few rows at 0 and at 10,000 reservations", async () => {
  const workshop = await makeWorkshop({ capacity: 1_000_000 });
  for (const existing of [0, 10_000]) {
    if (existing > 0) {
      await fill(workshop);
      const [{ count }] = await query("SELECT COUNT(*) AS count FROM reservations");
      assert.ok(count >= existing);
    }
    const full = await makeWorkshop({ capacity: 0 });
    const limited = await makeWorkshop({ capacity: 9, places_per_actor: 2 });
    const [key, refused] = [randomUUID(), randomUUID()];
    const costs = [];
    for (const [name, quantity, operation] of [
      [workshop, 1, key],
      [workshop, 1, key],
      [full, 1, refused],
      [full, 1, refused],
      [workshop, 2, key],
      ["nowhere", 1],
      // With places_per_actor: one more row for each operation in which the actor holds places.
      [limited, 1],
      [limited, 1],
      [limited, 1],
    ]) {
      costs.push(await cost(name, quantity, operation));
    }
    assert.deepEqual(
      costs,
      [
        "reserved: 5/3 in 1 call",
        "reserved, replayed: 4/0 in 1 call",
        "unavailable: 4/1 in 1 call",
        "unavailable, replayed: 4/0 in 1 call",
        "operation_conflict: 4/0 in 1 call",
        "unknown_workshop: 1/0 in 1 call",
        "reserved: 5/3 in 1 call",
        "reserved: 6/3 in 1 call",
        "unavailable: 6/1 in 1 call",
      ],
      `at ${existing} reservations`,
    );
  }
});
