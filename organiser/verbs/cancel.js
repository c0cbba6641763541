import { doorCode } from "../../public/door-code.js";
import { Refused, UsageError } from "../refused.js";
import { bind, serviceSql, statement } from "../sql.js";
import { isoTime, localTime } from "../times.js";
import { counted, oneLine } from "../workshops.js";

export const help = `cancel CODE [--yes]

Cancels any reservation and releases its places, after confirmation. This cannot be undone: the places
may be reserved by someone else at once.

CODE   the door code, such as A5B6-C7D8, or the full id of the reservation
--yes  do not ask for confirmation`;

/** @type {import("../types.js").Verb["options"]} */
export const options = { yes: { type: "boolean", short: "y" } };
export const operands = ["CODE"];

/**
 * @param {import("../types.js").Invocation} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], database, now_ms, requireConfirmation, hint }) {
  const digits = operand.replaceAll("-", "").toLowerCase();
  if (!/^([0-9a-f]{8}|[0-9a-f]{32})$/.test(digits)) {
    throw new UsageError(
      `expected a door code such as A5B6-C7D8 or a reservation's id, found ${operand}`,
    );
  }
  /** @type {(id_min: string, id_max: string) => string} */
  const find = (id_min, id_max) => statement("find_reservations", { id_min, id_max });
  const [found] = await database.run([find(digits.padEnd(32, "0"), digits.padEnd(32, "f"))]);
  if (found.length === 0) throw new Refused(`no reservation has the code ${operand}`);
  const held = found.filter(({ cancelled_at_ms }) => cancelled_at_ms === null);
  if (held.length === 0) return { json: toJson(found[0]), text: alreadyCancelled(found[0]) };
  if (held.length > 1) {
    const list = held.map((row) => `  ${row.id}  ${summary(row)}`).join("\n");
    throw new Refused(`${held.length} reservations have this code. Cancel one by its id:\n${list}`);
  }
  const [{ actor, key, id }] = held;
  await requireConfirmation(`Cancel ${summary(held[0])}? This cannot be undone.`);
  const sql = serviceSql("reservations/sql/cancel_reservation");
  const cancel = bind(sql, { actor, key, now_ms });
  const [, [after]] = await database.run([cancel, find(id, id)]);
  if (after.cancelled_at_ms === null) {
    throw new Refused(
      `${doorCode(id)} was not cancelled, because it has no receipt. See: ${hint("check", after.workshop)}`,
    );
  }
  return { json: toJson(after), text: `cancelled: ${summary(after)}` };
}

/** @param {Record<string, any>} row of `find_reservations.sql` */
function alreadyCancelled(row) {
  const when = localTime(row.cancelled_at_ms, row.time_zone);
  return `already cancelled, ${when}: ${summary(row)}`;
}

/**
 * `A5B6-C7D8, 2 places in linocut (Linocut), reserved 2027-01-02 10:00, Ada by telephone`.
 * @param {Record<string, any>} row of `find_reservations.sql`
 */
function summary(row) {
  const when =
    row.decided_at_ms === null ? [] : [`reserved ${localTime(row.decided_at_ms, row.time_zone)}`];
  const where = `${counted(row.quantity, "place")} in ${row.workshop} (${row.title})`;
  const note = row.note === null ? [] : [row.note];
  return oneLine([doorCode(row.id), where, ...when, ...note].join(", "));
}

/** @param {Record<string, any>} row of `find_reservations.sql` */
function toJson(row) {
  return {
    code: doorCode(row.id),
    reservation_id: row.id,
    workshop: row.workshop,
    quantity: row.quantity,
    cancelled_at: isoTime(row.cancelled_at_ms),
  };
}
