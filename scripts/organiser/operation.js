// An operation of the organiser: the very statements of the Worker (`src/store/receipts.rs`,
// `src/reservations/reserve.rs`), with the values that the Worker would bind.

import { createHash, randomBytes } from "node:crypto";
import { Refused } from "./refused.js";
import { serviceStatement, statement } from "./sql.js";

/**
 * The organiser's actor, whose token is `npm run token -- organiser`: by it a program can ask for
 * these operations over HTTP.
 */
export const ORGANISER = "t_organiser";

/** The rule of `src/domain/fingerprint.rs` that new receipts are written with. */
const FINGERPRINT_VERSION = 1;

/**
 * SHA-256 over `reserve`, the workshop and the quantity in decimal digits, each preceded by its
 * length in bytes as a 32-bit big-endian number.
 * @returns {string} 64 hexadecimal digits
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

/** What a client may know an actor by: 16 hexadecimal digits of the SHA-256 of its name. */
export function actorTag(actor) {
  return createHash("sha256").update(actor).digest("hex").slice(0, 16);
}

/** The random ids that one request brings along, and its time. */
export function newAttempt(now_ms) {
  return { id: randomHex(), reservation_id: randomHex(), now_ms };
}

/**
 * Decides an operation, does what was decided, keeps the note if there is one, and reads the
 * receipt. Sending it twice changes nothing the second time.
 * @param {{actor: string, key: string, workshop: string, quantity: number}} operation
 * @param {{id: string, reservation_id: string, now_ms: number}} attempt
 * @param {string} [note]
 */
export function reserveStatements({ actor, key, workshop, quantity }, attempt, note) {
  const reserved = { status: "reserved", reservation_id: attempt.reservation_id, quantity };
  return [
    serviceStatement(
      "reservations/sql/decide",
      actor,
      key,
      FINGERPRINT_VERSION,
      fingerprint({ workshop, quantity }),
      attempt.id,
      attempt.now_ms,
      JSON.stringify(reserved),
      JSON.stringify({ status: "unavailable" }),
      workshop,
      quantity,
    ),
    serviceStatement(
      "reservations/sql/take_places",
      actor,
      key,
      attempt.id,
      attempt.reservation_id,
      quantity,
    ),
    ...(note === undefined ? [] : [statement("write_note", actor, key, attempt.id, note)]),
    serviceStatement("store/sql/read_receipt", actor, key),
  ];
}

/**
 * What was decided, by the receipt that was found, as `src/domain/receipt.rs` judges it.
 * @returns {{outcome: "unknown_workshop" | "operation_conflict"}
 *   | {outcome: "decided", replayed: boolean, body: object}}
 */
export function judge([receipt], operation, attempt) {
  if (receipt === undefined) return { outcome: "unknown_workshop" };
  const { fingerprint_version: version } = receipt;
  if (version !== null && version !== FINGERPRINT_VERSION) {
    throw new Refused(`the receipt was made by a newer service, rule ${version}`);
  }
  if (version !== null && receipt.fingerprint !== fingerprint(operation)) {
    return { outcome: "operation_conflict" };
  }
  return {
    outcome: "decided",
    replayed: receipt.attempt !== attempt.id,
    body: JSON.parse(receipt.body),
  };
}

/** 128 random bits as 32 hexadecimal digits. */
function randomHex() {
  return randomBytes(16).toString("hex");
}
