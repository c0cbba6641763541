// An operation of the organiser: the statements of the Worker itself (`src/operation.rs`,
// `src/reservations/reserve.rs`) with the same values.

import { createHash, randomBytes } from "node:crypto";
import { template } from "../scripts/sql-text.js";
import { Refused } from "./refused.js";
import { bind, organiserSql, serviceSql } from "./sql.js";

/**
 * The organiser's actor. With the token of `npm run token -- organiser` a program can read these
 * operations over HTTP.
 */
export const ORGANISER = "t_organiser";

/** The version of new fingerprints, as in `src/domain/fingerprint.rs`. */
export const FINGERPRINT_VERSION = 1;

/** A command sends its statements at most once per attempt, unless they were rolled back. */
const SEND = 1;

const WRITE_RECEIPT = template(serviceSql("store/sql/write_receipt"), {
  decide: serviceSql("reservations/sql/decide"),
  columns: ", workshop",
  body: ":responses ->> ('$.' || outcome || '.body')",
});
const TAKE_PLACES = onReserved(serviceSql("reservations/sql/take_places"));
const WRITE_NOTE = onReserved(organiserSql("write_note"));

/**
 * An effect of a new reservation; it runs once.
 * @param {string} effect
 */
function onReserved(effect) {
  return template(serviceSql("store/sql/run_effect"), { effect, outcome: "reserved" });
}

/**
 * SHA-256 over `reserve`, the workshop and the quantity in decimal digits, each preceded by its
 * length in bytes as a 32-bit big-endian number.
 * @returns {string} 64 hexadecimal digits
 * @param {{workshop: string, quantity: number}} payload
 */
export function fingerprint({ workshop, quantity }) {
  const hash = createHash("sha256");
  for (const field of ["reserve", workshop, String(quantity)]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    hash.update(length).update(field);
  }
  return hash.digest("hex");
}

/**
 * The public id of an actor: 16 hexadecimal digits of the SHA-256 of its name.
 * @param {string} actor
 */
export function actorId(actor) {
  return createHash("sha256").update(actor).digest("hex").slice(0, 16);
}

/**
 * The random ids of one attempt, and its time.
 * @param {number} now_ms
 */
export function newAttempt(now_ms) {
  return { id: randomHex(), reservation_id: randomHex(), now_ms };
}

/**
 * Decides an operation, applies the outcome, stores the note if there is one, and reads the receipt.
 * Run a second time, the statements change nothing.
 * @param {{actor: string, key: string, workshop: string, quantity: number}} operation
 * @param {{id: string, reservation_id: string, now_ms: number}} attempt
 * @param {string} [note]
 */
export function reserveStatements({ actor, key, workshop, quantity }, attempt, note) {
  const { reservation_id, now_ms } = attempt;
  const names = { actor, key, send_id: `${attempt.id}-${SEND}` };
  /** @type {(status: number, body: object) => {status: number, body: string}} */
  const response = (status, body) => ({ status, body: JSON.stringify(body) });
  const responses = JSON.stringify({
    reserved: response(201, { status: "reserved", reservation_id, quantity }),
    unavailable: response(409, { status: "unavailable" }),
  });
  return [
    bind(WRITE_RECEIPT, {
      ...names,
      ...{ workshop, quantity, now_ms, responses },
      fingerprint_version: FINGERPRINT_VERSION,
      fingerprint: fingerprint({ workshop, quantity }),
    }),
    bind(TAKE_PLACES, { ...names, reservation_id, quantity }),
    ...(note === undefined ? [] : [bind(WRITE_NOTE, { ...names, note })]),
    bind(serviceSql("store/sql/read_receipt"), { actor, key }),
  ];
}

/**
 * Compares the stored receipt with the attempt, as `src/domain/receipt.rs` does.
 * @param {Record<string, any>[]} receipts
 * @param {{workshop: string, quantity: number}} operation
 * @param {{id: string}} attempt
 * @returns {{kind: "unknown_workshop" | "operation_conflict"}
 *   | {kind: "decided", outcome: string, replayed: boolean, body: {reservation_id: string, quantity: number}}}
 */
export function compare([receipt], operation, attempt) {
  if (receipt === undefined) return { kind: "unknown_workshop" };
  const { fingerprint_version: version, outcome } = receipt;
  if (version !== null && version !== FINGERPRINT_VERSION) {
    throw new Refused(`the receipt has the fingerprint version ${version} of a newer service`);
  }
  if (version !== null && receipt.fingerprint !== fingerprint(operation)) {
    return { kind: "operation_conflict" };
  }
  const replayed = !receipt.send_id.startsWith(`${attempt.id}-`);
  return { kind: "decided", outcome, replayed, body: JSON.parse(receipt.body) };
}

/** 128 random bits as 32 hexadecimal digits. */
function randomHex() {
  return randomBytes(16).toString("hex");
}
