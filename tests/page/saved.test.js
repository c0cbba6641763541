// What a tab saves, in a storage like the browser's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openSaved, parseOperation } from "../../public/saved.js";

const operation = {
  version: 1,
  key: "0b6f6c1e-6f0e-4b52-9f5d-1c1b5d1f7a10",
  actor: "aaaaaaaaaaaaaaaa",
  workshop: "linocut",
  quantity: 2,
  unanswered: false,
  reason: "rate_limited",
  wait_until_ms: 1_800_000_000_000,
  result: null,
};
const reserved = { status: "reserved", reservation_id: "a5".repeat(16), quantity: 2 };
const receipt = { ...operation, result: reserved };

/** A storage that can be blocked, or full. */
function memory() {
  const kept = new Map();
  return {
    kept,
    blocked: false,
    full: false,
    getItem: (name) => kept.get(name) ?? null,
    removeItem: (name) => kept.delete(name),
    setItem(name, value) {
      if (this.full) throw new Error("QuotaExceededError");
      kept.set(name, value);
    },
  };
}

function open(storage = memory()) {
  const storageOf = () => {
    if (storage.blocked) throw new Error("SecurityError");
    return storage;
  };
  return { saved: openSaved(storageOf), storage };
}

test("an operation is read as it was saved", () => {
  for (const value of [
    operation,
    receipt,
    { ...operation, unanswered: true },
    { ...operation, result: { status: "unavailable" } },
    { ...operation, result: { status: "abandoned" } },
    { ...operation, result: { ...reserved, status: "cancelled" } },
    { ...operation, result: { status: "rejected", error: "unknown_workshop" } },
    { ...operation, actor: null, reason: null, wait_until_ms: null },
  ]) {
    const { saved } = open();
    saved.save(value);
    assert.deepEqual(saved.read(), value);
  }
});

test("a record that does not fit is not read: no coercion, no additional member, none missing", () => {
  const misfits = [
    "",
    "null",
    "[]",
    "1",
    '"x"',
    "{}",
    "{",
    JSON.stringify([operation]),
    ...[
      { version: 2 },
      { key: operation.key.toUpperCase() },
      { key: "0b6f6c1e-6f0e-1b52-9f5d-1c1b5d1f7a10" },
      { key: [operation.key] },
      { actor: "not an actor id" },
      { workshop: "../health" },
      { quantity: 3 },
      { quantity: "2" },
      { unanswered: "true" },
      { reason: 5 },
      { wait_until_ms: "soon" },
      { result: {} },
      { result: [] },
      { result: "reserved" },
      { result: { status: "operation" } },
      { result: { status: "cancelled" } },
      { result: { ...reserved, status: "cancelled", quantity: 1 } },
      { result: { ...reserved, status: "abandoned" } },
      { result: { ...reserved, quantity: 1 } },
      { result: { ...reserved, reservation_id: "A5" } },
      { result: { ...reserved, more: 1 } },
      { result: reserved, unanswered: true },
      { actor: null, unanswered: true },
      { actor: null, result: reserved },
      { more: 1 },
    ].map((change) => JSON.stringify({ ...operation, ...change })),
    ...Object.keys(operation).map((name) => JSON.stringify({ ...operation, [name]: undefined })),
  ];
  for (const text of misfits) assert.equal(parseOperation(text), null, text);
});

test("a record that does not fit is put aside unchanged, and no other", () => {
  const { saved, storage } = open();
  storage.kept.set("einmal-operation", "{broken");
  saved.putAsideMisfit();
  assert.deepEqual(saved.aside(), ["{broken"]);
  assert.equal(storage.kept.has("einmal-operation"), false);
  saved.save(operation);
  saved.putAsideMisfit();
  assert.deepEqual(saved.read(), operation);
  saved.putAside();
  assert.deepEqual(saved.aside(), ["{broken", JSON.stringify(operation)]);
  assert.equal(saved.read(), null);
  saved.eraseAside();
  assert.deepEqual(saved.aside(), []);
});

test("a receipt stays when the next operation replaces it", () => {
  const { saved } = open();
  const next = { ...operation, key: operation.key.replace("0b", "1c") };
  saved.save(receipt);
  saved.save(receipt);
  assert.deepEqual(saved.receipts(), [receipt]);
  saved.save(next);
  assert.deepEqual(saved.read(), next);
  assert.deepEqual(saved.receipts(), [receipt]);
  const second = { ...next, result: { ...reserved, reservation_id: "b6".repeat(16) } };
  saved.save(second);
  saved.erase();
  assert.deepEqual(saved.receipts(), [second, receipt]);
  assert.equal(saved.read(), null);
  saved.eraseAll();
  assert.deepEqual(saved.receipts(), []);
});

test("a cancelled receipt is not kept", () => {
  const { saved } = open();
  saved.save({ ...receipt, result: { ...reserved, status: "cancelled" } });
  saved.erase();
  assert.deepEqual(saved.receipts(), []);
});

test("a damaged list is empty, and a damaged receipt is skipped", () => {
  const { saved, storage } = open();
  for (const text of ["{", "{}", "7", "null", '[{"result":1}, null, 5]']) {
    storage.kept.set("einmal-receipts", text);
    assert.deepEqual(saved.receipts(), [], text);
  }
});

test("a full or blocked storage throws when something must be saved", () => {
  const { saved, storage } = open();
  saved.probe();
  assert.deepEqual([...storage.kept], []);
  storage.full = true;
  assert.throws(() => saved.probe());
  assert.throws(() => saved.save(operation));
  storage.blocked = true;
  assert.throws(() => saved.probe());
  assert.equal(saved.read(), null);
  assert.deepEqual([saved.receipts(), saved.aside()], [[], []]);
});
