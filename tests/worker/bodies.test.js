// Bodies that are too large or never end: their rejection, and that nothing is stored. The conformance
// suite covers all other rejections.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { send } from "../support/http.js";
import { authorized, origin, query } from "../support/service.js";

/** A request to which nothing is wrong but what is changed. */
function wellFormed(changed = {}) {
  const { headers, ...rest } = changed;
  return {
    body: JSON.stringify({ workshop: "workshop-demo", quantity: 1 }),
    ...rest,
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
      ...authorized,
      ...headers,
    },
  };
}

/** What every change would show in: the schema lets nothing else change. */
async function stored() {
  const [row] = await query(
    `SELECT
       (SELECT COUNT(*) FROM operations) AS receipts,
       (SELECT COUNT(*) FROM reservations) AS reservations,
       (SELECT SUM(count_version) FROM workshops) AS count_version`,
  );
  return row;
}

/** Sends each request and asserts the rejection, and that the database is as it was. */
async function rejects(error, requests) {
  const before = await stored();
  for (const [what, request] of requests) {
    const { path = "/reserve", ...options } = request;
    const { status, headers, document, body } = await send(origin + path, options);
    assert.equal(document?.error, error, `${what}: ${status} ${body}`);
    assert.equal(document.status, status, what);
    assert.equal(document.type, `/contract#${error}`, what);
    assert.equal(headers["content-type"], "application/problem+json", what);
    assert.equal(headers["cache-control"], "no-store", what);
    assert.equal(headers["idempotent-replayed"], undefined, what);
  }
  assert.deepEqual(await stored(), before, `${error}: nothing is stored`);
}

test("a body of more than 1024 bytes, with and without a length", () => {
  const valid = JSON.stringify({ workshop: "workshop-demo", quantity: 1 });
  const tooLarge = valid.padEnd(1025);
  return rejects("body_too_large", [
    ["with a length", wellFormed({ body: tooLarge })],
    ["in one piece, without a length", wellFormed({ body: [tooLarge] })],
    ["in many pieces", wellFormed({ body: [...tooLarge] })],
    ["one byte after the rest", wellFormed({ body: [tooLarge.slice(0, 1024), " "] })],
    [
      "announced, and never sent",
      wellFormed({ headers: { "Content-Length": "1025" }, body: [], end: false }),
    ],
    ["a thousand nested arrays", wellFormed({ body: "[".repeat(1000) + "]".repeat(1000) })],
    ["a megabyte", wellFormed({ body: "x".repeat(1_000_000) })],
    ["without an end", wellFormed({ body: ["x".repeat(2_000)], end: false })],
  ]);
});

test("a body that never ends times out", { timeout: 30_000 }, () =>
  rejects("malformed_body", [
    ["without a length", wellFormed({ body: ['{"workshop":'], end: false })],
  ]),
);
