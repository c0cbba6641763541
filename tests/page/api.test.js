// The contract's answers are read, and everything else is lost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { api, readAnswer } from "../../public/api.js";

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const id = "a5".repeat(16);

const read = (status, body, type = JSON_TYPE, retryAfter = null, replayed = null) =>
  readAnswer({
    status,
    type,
    retryAfter,
    replayed,
    text: typeof body === "string" ? body : JSON.stringify(body),
  });

test("an outcome is read", () => {
  for (const [status, outcome] of [
    [201, { status: "reserved", reservation_id: id, quantity: 1 }],
    [201, { status: "reserved", reservation_id: id, quantity: 2 }],
    [409, { status: "unavailable" }],
    [409, { status: "abandoned" }],
  ]) {
    for (const type of [JSON_TYPE, "application/json; charset=utf-8", "Application/JSON ;x=y"]) {
      for (const [header, replayed] of [
        ["false", false],
        ["true", true],
        // Without the header it may be a replay.
        [null, true],
      ]) {
        const answer = read(status, outcome, type, null, header);
        assert.deepEqual(answer, { kind: "outcome", outcome, replayed });
      }
    }
  }
});

const key = "0b6f6c1e-6f0e-4b52-9f5d-1c1b5d1f7a10";
const reservation = { id, quantity: 2, state: "held" };
const document = { key, outcome: "reserved", workshop: "linocut", reservation };
const nothing = { key, outcome: "abandoned", workshop: null, reservation: null };
const more = { http_status: 201, decided_at: "2026-11-30T09:00:00Z" };

test("a document is read, even with additional members", () => {
  for (const expected of [
    document,
    { ...document, reservation: { ...reservation, state: "cancelled", quantity: 1 } },
    nothing,
    { ...nothing, outcome: "unavailable", workshop: "linocut" },
  ]) {
    assert.deepEqual(read(200, { ...expected, ...more }), { kind: "document", document: expected });
  }
});

test("an answer that almost is a document is lost", () => {
  for (const [status, body, type] of [
    [201, document],
    [404, document],
    [200, document, "text/html"],
    [200, JSON.stringify(document).slice(0, -1)],
    [200, [document]],
    [200, { ...document, key: 7 }],
    [200, { ...document, outcome: "abandoned" }],
    [200, { ...document, workshop: null }],
    [200, { ...document, workshop: "../health" }],
    [200, { ...document, reservation: null }],
    [200, { ...document, reservation: undefined }],
    [200, { ...document, reservation: "held" }],
    [200, { ...document, reservation: { ...reservation, id: "A5" } }],
    [200, { ...document, reservation: { ...reservation, quantity: "2" } }],
    [200, { ...document, reservation: { ...reservation, state: "lent" } }],
    [200, { ...nothing, outcome: "reserved" }],
    [200, { ...nothing, outcome: "pending" }],
  ]) {
    const answer = read(status, body, type);
    assert.deepEqual(answer, { kind: "lost", reason: "unreadable" }, JSON.stringify(body));
  }
});

test("an answer that almost is an outcome is lost", () => {
  const outcome = { status: "reserved", reservation_id: id, quantity: 1 };
  for (const [status, body, type] of [
    [200, outcome],
    [409, outcome],
    [201, { status: "unavailable" }],
    [201, { ...outcome, quantity: "1" }],
    [201, { ...outcome, quantity: 3 }],
    [201, { ...outcome, reservation_id: [id] }],
    [201, { ...outcome, reservation_id: id.toUpperCase() }],
    [201, { ...outcome, more: 1 }],
    [409, { status: "unavailable", more: 1 }],
    [200, { status: "abandoned" }],
    [409, { status: "cancelled" }],
    [201, [outcome]],
    [201, JSON.stringify(outcome).slice(0, -1)],
    [201, ""],
    [201, "null"],
    [201, outcome, "text/html"],
    [201, outcome, "text/plain"],
    [201, outcome, PROBLEM_TYPE],
    [201, outcome, ""],
  ]) {
    assert.deepEqual(read(status, body, type), { kind: "lost", reason: "unreadable" });
  }
});

/** The contract's table of rejections: `[status, error, retry]`. */
const rejections = [
  ...readFileSync("docs/contract.md", "utf8").matchAll(
    /^\| (\d{3})[^|]*\| \[`(\w+)`\][^|]*\|[^|]*\| `(\w+)` \|$/gm,
  ),
].map(([, status, error, retry]) => [Number(status), error, retry]);

test("every rejection of the contract is read, with its wait", () => {
  assert.ok(rejections.length >= 11, `found ${rejections.length} in the contract`);
  for (const [status, error, retry] of rejections) {
    const body = { type: `/contract#${error}`, title: "T", status, detail: "D", error, retry };
    const expected = { kind: "rejection", error, retry };
    assert.deepEqual(
      read(status, body, PROBLEM_TYPE),
      { ...expected, retry_after_s: 0 },
      `${error}: public/api.js and the contract differ`,
    );
    for (const [header, seconds] of [
      ["30", 30],
      ["0", 0],
      ["-1", 0],
      ["1.5", 0],
      ["9999999999", 0],
      ["Wed, 21 Oct 2026 07:28:00 GMT", 0],
    ]) {
      const { retry_after_s } = read(status, body, PROBLEM_TYPE, header);
      assert.equal(retry_after_s, seconds, header);
    }
  }
});

test("a rejection outside the contract is lost", () => {
  const body = { error: "operation_conflict", retry: "fix_request" };
  for (const [status, changed, type] of [
    [409, { ...body, error: "brand_new" }],
    [409, { ...body, error: "toString" }],
    [409, { ...body, retry: "new_key" }],
    [409, { ...body, retry: "same_key" }],
    [500, body],
    [409, body, JSON_TYPE],
    [409, body, "text/html"],
    [409, JSON.stringify(body).slice(0, -1)],
  ]) {
    const answer = read(status, changed, type ?? PROBLEM_TYPE);
    assert.deepEqual(answer, { kind: "lost", reason: "unreadable" });
  }
});

test("an error that carries no answer is thrown, not returned as one", async () => {
  const operation = { key, actor: "aaaaaaaaaaaaaaaa", workshop: "linocut", quantity: 1 };
  await assert.rejects(api.reserve(operation, { signal: null }), TypeError);
});
