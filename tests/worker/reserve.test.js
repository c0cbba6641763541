import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { held, makeWorkshop, query, reserve } from "../support/service.js";

test("a replay returns the first response, byte for byte, and reserves nothing", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  const first = await reserve(workshop, 1, key);
  for (let repetition = 0; repetition < 3; repetition += 1) {
    const again = await reserve(workshop, 1, key);
    assert.equal(again.status, 201);
    assert.equal(again.body, first.body);
    assert.equal(again.replayed, "true");
  }
  assert.deepEqual(await held(workshop), { reserved: 1, places: 1, reservations: 1, receipts: 1 });
});

test("a refusal is final, even with more capacity later", async () => {
  const workshop = await makeWorkshop({ capacity: 1 });
  const key = randomUUID();
  const refused = await reserve(workshop, 2, key);
  assert.deepEqual(
    [refused.status, refused.body, refused.replayed],
    [409, '{"status":"unavailable"}', "false"],
  );
  await query("UPDATE workshops SET capacity = 9 WHERE id = ?1", workshop);
  const again = await reserve(workshop, 2, key);
  assert.deepEqual([again.status, again.body, again.replayed], [409, refused.body, "true"]);
  assert.equal((await reserve(workshop, 2)).status, 201, "a new key is a new operation");
  assert.deepEqual(await held(workshop), { reserved: 2, places: 2, reservations: 1, receipts: 2 });
});

test("another payload under a key is a conflict: nothing changes and nothing is revealed", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  const first = await reserve(workshop, 1, key);
  const conflict = await reserve(workshop, 2, key);
  assert.equal(conflict.status, 409);
  assert.equal(conflict.headers.get("content-type"), "application/problem+json");
  assert.equal(conflict.replayed, null);
  assert.equal(JSON.parse(conflict.body).error, "operation_conflict");
  assert.ok(!conflict.body.includes(JSON.parse(first.body).reservation_id));
  const again = await reserve(workshop, 1, key);
  assert.deepEqual([again.body, again.replayed], [first.body, "true"]);
  assert.deepEqual(await held(workshop), { reserved: 1, places: 1, reservations: 1, receipts: 1 });
});

test("one key sent twenty times at once is decided once, and all responses are equal", async () => {
  const workshop = await makeWorkshop({ capacity: 100 });
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => reserve(workshop, 2, key)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
  assert.equal(answers.filter(({ replayed }) => replayed === "false").length, 1);
  assert.deepEqual(await held(workshop), { reserved: 2, places: 2, reservations: 1, receipts: 1 });
});

test("two actors race for the last two places: one reserves them, the other is refused", async () => {
  for (let race = 0; race < 10; race += 1) {
    const workshop = await makeWorkshop({ capacity: 3 });
    const answers = await Promise.all([reserve(workshop, 2), reserve(workshop, 2)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    assert.deepEqual(await held(workshop), {
      reserved: 2,
      places: 2,
      reservations: 1,
      receipts: 2,
    });
  }
});

test("200 operations at once: the count is the sum of the reservations, within the capacity", async () => {
  const workshop = await makeWorkshop({ capacity: 150 });
  const operations = Array.from({ length: 200 }, (_, index) => reserve(workshop, 1 + (index % 2)));
  const answers = await Promise.all(operations);
  const reserved = answers
    .filter(({ status }) => status === 201)
    .map(({ body }) => JSON.parse(body));
  const places = reserved.reduce((sum, { quantity }) => sum + quantity, 0);
  assert.ok(places >= 149 && places <= 150, `the workshop is full: ${places}`);
  assert.equal(new Set(reserved.map(({ reservation_id }) => reservation_id)).size, reserved.length);
  assert.deepEqual(await held(workshop), {
    reserved: places,
    places,
    reservations: reserved.length,
    receipts: 200,
  });
});
