// What this tab keeps: the operation, earlier receipts, and what was put aside.

import { hasForm, operationForm } from "./forms.js";

const OPERATION = "einmal-operation";
const RECEIPTS = "einmal-receipts";
const ASIDE = "einmal-aside";
const PROBE = "einmal-probe";

/** The oldest goes first. */
const RECEIPTS_MAX = 50;

/** null: it was changed, or is of another version of the page. @param {string} text */
export function parseOperation(text) {
  try {
    const value = JSON.parse(text);
    if (!hasForm(value, operationForm)) return null;
    const { result, actor, unanswered, quantity } = value;
    // What was sent has an actor.
    if (actor === null && (unanswered || result !== null)) return null;
    if (result !== null && unanswered) return null;
    return (result?.quantity ?? quantity) === quantity ? value : null;
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage may throw @returns {Saved} */
export function openSaved(storage) {
  /** @param {string} name */
  const text = (name) => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
  /** @param {string} name @returns {unknown[]} */
  const list = (name) => {
    try {
      const value = JSON.parse(text(name) ?? "[]");
      return Array.isArray(value) ? value : [];
    } catch {
      return [];
    }
  };
  const read = () => parseOperation(text(OPERATION) ?? "");

  /** @param {unknown} value @returns {value is Receipt} */
  const isReceipt = (value) => parseOperation(JSON.stringify(value))?.result?.status === "reserved";

  /** Keeps the receipt that the next operation replaces. @param {Operation | null} next */
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
      if (storage().getItem(PROBE) !== value)
        throw new Error("expected the storage to keep what is written");
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
