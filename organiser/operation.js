// An operation of the organiser: the very statements of the Worker (`src/operation.rs`,
// `src/reservations/reserve.rs`), with the values that the Worker would bind.

import { createHash, randomBytes } from "node:crypto";
import { template } from "../scripts/sql-text.js";
import { Refused } from "./refused.js";
import { bind, organiserSql, serviceSql } from "./sql.js";

/**
 * The organiser's actor, whose token is `npm run token -- organiser`: by it a program can ask for
 * these operations over HTTP.
 */
export const ORGANISER = "t_organiser";

/** The rule of `src/domain/fingerprint.rs` that new receipts are written with. */
export const FINGERPRINT_VERSION = 1;

/** A command's statements are sent again only where nothing of them was done. */
const ONLY_SEND = 1;

const WRITE_RECEIPT = template(serviceSql("store/sql/write_receipt"), {
  decide: serviceSql("reservations/sql/decide"),
  columns: ", workshop",
  body: ":responses ->> ('$.' || outcome || '.body')",
});
const TAKE_PLACES = onReserved(serviceSql("reservations/sql/take_places"));
const WRITE_NOTE = onReserved(organiserSql("write_note"));

/** An effect that is run once, if places are reserved. */
function onReserved(effect) {
  return template(serviceSql("store/sql/run_effect"), { effect, outcome: "reserved" });
}

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
 * Decides an operation, applies the outcome, keeps the note if there is one, and reads the receipt.
 * Sending it twice changes nothing the second time.
 * @param {{actor: string, key: string, workshop: string, quantity: number}} operation
 * @param {{id: string, reservation_id: string, now_ms: number}} attempt
 * @param {string} [note]
 */
export function reserveStatements({ actor, key, workshop, quantity }, attempt, note) {
  const { reservation_id, now_ms } = attempt;
  const names = { actor, key, send_id: `${attempt.id}-${ONLY_SEND}` };
  const answer = (status, body) => ({ status, body: JSON.stringify(body) });
  const responses = JSON.stringify({
    reserved: answer(201, { status: "reserved", reservation_id, quantity }),
    unavailable: answer(409, { status: "unavailable" }),
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
 * What the receipt that was found is to the attempt, as `src/domain/receipt.rs` compares them.
 * @returns {{kind: "unknown_workshop" | "operation_conflict"}
 *   | {kind: "decided", outcome: string, replayed: boolean, body: object}}
 */
export function judge([receipt], operation, attempt) {
  if (receipt === undefined) return { kind: "unknown_workshop" };
  const { fingerprint_version: version, outcome } = receipt;
  if (version !== null && version !== FINGERPRINT_VERSION) {
    throw new Refused(`the receipt was made by a newer service, rule ${version}`);
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
