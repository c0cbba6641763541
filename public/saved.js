// What this tab keeps: the operation, the receipts before it, and what was put aside. It
// knows the form of a record and the browser's storage; what a record means is `machine.js`'s.

/** @import {Operation} from "./types.js" */

const OPERATION = "einmal-operation";
const RECEIPTS = "einmal-receipts";
const ASIDE = "einmal-aside";
const PROBE = "einmal-probe";

/** How many earlier receipts a tab keeps; the oldest goes first. */
const RECEIPTS_MAX = 50;

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TAG = /^[0-9a-f]{16}$/;
const RESERVATION_ID = /^[0-9a-f]{32}$/;
const WORD = /^[a-z_]{1,40}$/;
export const WORKSHOP_ID = /^[a-z][a-z0-9-]{1,40}$/;

const orNull = (fits) => (value) => value === null || fits(value);
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const isQuantity = (value) => value === 1 || value === 2;

const operationForm = {
  version: (value) => value === 1,
  key: matches(KEY),
  actor: orNull(matches(TAG)),
  workshop: matches(WORKSHOP_ID),
  quantity: isQuantity,
  unanswered: (value) => typeof value === "boolean",
  reason: orNull(matches(WORD)),
  wait_until_ms: orNull(Number.isSafeInteger),
  result: orNull((value) => resultForms.some((form) => hasForm(value, form))),
};

const resultForms = [
  {
    status: (value) => value === "reserved" || value === "cancelled",
    reservation_id: matches(RESERVATION_ID),
    quantity: isQuantity,
  },
  { status: (value) => value === "unavailable" || value === "abandoned" },
  { status: (value) => value === "rejected", error: matches(WORD) },
];

/** Whether a value has exactly the members of a form, each as it should be. */
function hasForm(value, form) {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === Object.keys(form).length &&
    Object.entries(form).every(([name, fits]) => Object.hasOwn(value, name) && fits(value[name]))
  );
}

/**
 * Reads a saved operation.
 * @param {string} text
 * @returns {Operation | null} null if it does not fit: it may have been changed, or be of
 *   another version of the page
 */
export function parseOperation(text) {
  try {
    const value = JSON.parse(text);
    if (!hasForm(value, operationForm)) return null;
    const { result, actor, unanswered, quantity } = value;
    // What was sent was sent by somebody, and a receipt is for what was asked.
    if (actor === null && (unanswered || result !== null)) return null;
    if (result !== null && unanswered) return null;
    return (result?.quantity ?? quantity) === quantity ? value : null;
  } catch {
    return null;
  }
}

/**
 * The tab's memory. Every function may throw what the storage throws (it is blocked, or full),
 * but `read`, `receipts` and `aside`, which then find nothing.
 * @param {() => Storage} storage asked for each time, since asking may throw
 */
export function openSaved(storage) {
  const text = (name) => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
  /** A saved list, or an empty one if what is there is none. */
  const list = (name) => {
    try {
      const value = JSON.parse(text(name) ?? "[]");
      return Array.isArray(value) ? value : [];
    } catch {
      return [];
    }
  };
  const read = () => parseOperation(text(OPERATION) ?? "");
  const isReceipt = (value) => parseOperation(JSON.stringify(value))?.result?.status === "reserved";

  /** A receipt does not go when the next operation takes its place. */
  function keepReceipt(next) {
    const current = read();
    if (current?.result?.status !== "reserved" || current.key === next?.key) return;
    const receipts = [...list(RECEIPTS), current].slice(-RECEIPTS_MAX);
    storage().setItem(RECEIPTS, JSON.stringify(receipts));
  }

  return {
    /** Writes, reads and removes something of the size of an operation. */
    probe() {
      const value = "x".repeat(1024);
      storage().setItem(PROBE, value);
      if (storage().getItem(PROBE) !== value) throw new Error("the storage keeps nothing");
      storage().removeItem(PROBE);
    },

    /** @returns {Operation | null} */
    read,

    /** @param {Operation} operation */
    save(operation) {
      keepReceipt(operation);
      storage().setItem(OPERATION, JSON.stringify(operation));
    },

    /** Forgets a settled operation. */
    erase() {
      keepReceipt(null);
      storage().removeItem(OPERATION);
    },

    /** Puts what is saved out of the way, as it is. */
    putAside() {
      const current = text(OPERATION);
      if (current === null) return;
      storage().setItem(ASIDE, JSON.stringify([...list(ASIDE), current]));
      storage().removeItem(OPERATION);
    },

    /** Puts aside what is no operation of ours. */
    putAsideMisfit() {
      if (text(OPERATION) !== null && read() === null) this.putAside();
    },

    /** @returns {string[]} what was put aside, as it was */
    aside: () => list(ASIDE).map(String),

    eraseAside() {
      storage().removeItem(ASIDE);
    },

    /** @returns {Operation[]} every receipt of a reservation in this tab, the last one first */
    receipts() {
      const current = read();
      const all = [...list(RECEIPTS), ...(current ? [current] : [])];
      return all.filter(isReceipt).reverse();
    },

    eraseAll() {
      for (const name of [OPERATION, RECEIPTS, ASIDE]) storage().removeItem(name);
    },
  };
}
