// What a decision costs in D1, read from D1's own figures, with the statements that the
// Worker sends: it does not grow with the number of reservations.

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ask, database, makeWorkshop } from "./service.js";

const [decide, takePlaces, readReceipt] = ["decide", "take_places", "read_receipt"].map((name) =>
  readFileSync(`src/store/sql/${name}.sql`, "utf8"),
);
const hex = (bytes) => randomBytes(bytes).toString("hex");

/** Runs the batch of one request and sums what each statement read and wrote. */
async function cost(workshop, { actor = "demo", key = randomUUID(), quantity = 1 } = {}) {
  const attempt = hex(16);
  const results = await database.batch([
    database
      .prepare(decide)
      .bind(
        actor,
        key,
        1,
        hex(32),
        attempt,
        '"reserved"',
        '"unavailable"',
        Date.now(),
        workshop,
        quantity,
      ),
    database.prepare(takePlaces).bind(actor, key, attempt, hex(16), quantity),
    database.prepare(readReceipt).bind(actor, key),
  ]);
  const [receipt] = results[2].results;
  const sum = (field) => results.reduce((total, { meta }) => total + meta[field], 0);
  return {
    outcome: receipt === undefined ? "unknown" : JSON.parse(receipt.body),
    rows: `${sum("rows_read")}/${sum("rows_written")}`,
    key,
  };
}

/** Ten thousand reservations by a hundred actors, in two statements. */
async function fill(workshop) {
  await ask(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
     INSERT INTO operations
     SELECT 'actor-' || (n % 100), printf('%036d', n), ?1, 1, lower(hex(randomblob(32))),
       lower(hex(randomblob(16))), 201, '{}', 0
     FROM numbers`,
    workshop,
  );
  await ask(
    `INSERT INTO reservations (workshop, actor, key, id, quantity)
     SELECT workshop, actor, key, attempt, 1 FROM operations WHERE workshop = ?1 AND body = '{}'`,
    workshop,
  );
}

test("a decision reads and writes the same few rows at 0 and at 10,000 reservations", async () => {
  const workshop = await makeWorkshop({ capacity: 1_000_000 });
  const limited = await makeWorkshop({ capacity: 1_000_000, places_per_actor: 2 });
  for (const existing of [0, 10_000]) {
    if (existing > 0) {
      await fill(workshop);
      const [{ count }] = await ask("SELECT COUNT(*) AS count FROM reservations");
      assert.ok(count >= existing);
    }
    const full = await makeWorkshop({ capacity: 0 });
    const created = await cost(workshop);
    const refused = await cost(full);
    const first = { actor: `first-${existing}` };
    assert.deepEqual(
      [
        ["new", created],
        ["replay", await cost(workshop, { key: created.key })],
        ["refusal", refused],
        ["replay of a refusal", await cost(full, { key: refused.key })],
        ["conflict", await cost(workshop, { key: created.key, quantity: 2 })],
        ["unknown workshop", await cost("nowhere")],
        ["new, with a limit for each actor", await cost(limited, first)],
        ["new, within it", await cost(limited, first)],
        ["refusal, beyond it", await cost(limited, first)],
      ].map(([what, { outcome, rows }]) => `${what}: ${outcome}, ${rows}`),
      [
        "new: reserved, 5/3",
        "replay: reserved, 4/0",
        "refusal: unavailable, 4/1",
        "replay of a refusal: unavailable, 4/0",
        "conflict: reserved, 4/0",
        "unknown workshop: unknown, 1/0",
        "new, with a limit for each actor: reserved, 5/3",
        "new, within it: reserved, 6/3",
        "refusal, beyond it: unavailable, 6/1",
      ],
      `at ${existing} reservations`,
    );
  }
});
