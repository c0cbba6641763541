// What an answer says: the contract's answers are read, and everything else is lost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readAnswer } from "../../public/api.js";

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const id = "a5".repeat(16);

const read = (status, body, type = JSON_TYPE, retryAfter = null) =>
  readAnswer({
    status,
    type,
    retryAfter,
    text: typeof body === "string" ? body : JSON.stringify(body),
  });

test("an outcome is read", () => {
  for (const [status, outcome] of [
    [201, { status: "reserved", reservation_id: id, quantity: 1 }],
    [201, { status: "reserved", reservation_id: id, quantity: 2 }],
    [409, { status: "unavailable" }],
  ]) {
    for (const type of [JSON_TYPE, "application/json; charset=utf-8", "Application/JSON ;x=y"]) {
      assert.deepEqual(read(status, outcome, type), { kind: "outcome", outcome });
    }
  }
});

test("what is nearly an outcome is lost", () => {
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
    [409, { status: "abandoned" }],
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

test("a rejection that the contract does not have is lost", () => {
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
