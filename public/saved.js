// What this tab keeps: the operation, the receipts before it, and what was put aside. It knows the
// form of a record and the browser's storage; what a record means is `machine.js`'s.

import { newOperation } from "./client.js";

const OPERATION = "einmal-operation";
const RECEIPTS = "einmal-receipts";
const ASIDE = "einmal-aside";
const PROBE = "einmal-probe";

/** The oldest goes first. */
const RECEIPTS_MAX = 50;

const orNull = (fits) => (value) => value === null || fits(value);
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);

const isWord = matches(/^[a-z_]{1,40}$/);
const isQuantity = oneOf(1, 2);
export const isTag = matches(/^[0-9a-f]{16}$/);
export const isWorkshopId = matches(/^[a-z][a-z0-9-]{1,40}$/);

/** Of a document's reservation, and what a receipt has of it. */
export const reservationForm = {
  id: matches(/^[0-9a-f]{32}$/),
  quantity: isQuantity,
  state: oneOf("held", "cancelled"),
};
export const reservedForm = {
  status: oneOf("reserved"),
  reservation_id: reservationForm.id,
  quantity: isQuantity,
};
export const refusedForm = { status: oneOf("unavailable", "abandoned") };

const resultForms = [
  reservedForm,
  { ...reservedForm, status: oneOf("cancelled") },
  refusedForm,
  { status: oneOf("rejected"), error: isWord },
];

const operationForm = {
  version: oneOf(1),
  // The client throws if it is none.
  key: (key) => newOperation("", {}, { key }),
  actor: orNull(isTag),
  workshop: isWorkshopId,
  quantity: isQuantity,
  unanswered: oneOf(true, false),
  reason: orNull(isWord),
  wait_until_ms: orNull(Number.isSafeInteger),
  result: orNull((value) => resultForms.some((form) => hasForm(value, form))),
};

/** Whether a value has exactly the members of a form, each as it should be. */
export function hasForm(value, form) {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === Object.keys(form).length &&
    Object.entries(form).every(([name, fits]) => Object.hasOwn(value, name) && fits(value[name]))
  );
}

/** null: it was changed, or is of another version of the page. */
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
 * @param {() => Storage} storage asked for each time, since asking may throw
 * @returns {import("./types.js").Saved}
 */
export function openSaved(storage) {
  const text = (name) => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
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
    probe() {
      const value = "x".repeat(1024);
      storage().setItem(PROBE, value);
      if (storage().getItem(PROBE) !== value) throw new Error("the storage keeps nothing");
      storage().removeItem(PROBE);
    },

    read,

    save(operation) {
      keepReceipt(operation);
      storage().setItem(OPERATION, JSON.stringify(operation));
    },

    erase() {
      keepReceipt(null);
      storage().removeItem(OPERATION);
    },

    putAside() {
      const current = text(OPERATION);
      if (current === null) return;
      storage().setItem(ASIDE, JSON.stringify([...list(ASIDE), current]));
      storage().removeItem(OPERATION);
    },

    putAsideMisfit() {
      if (text(OPERATION) !== null && read() === null) this.putAside();
    },

    aside: () => list(ASIDE).map(String),

    eraseAside() {
      storage().removeItem(ASIDE);
    },

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
