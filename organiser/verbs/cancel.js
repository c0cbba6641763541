import { doorCode } from "../../public/door-code.js";
import { Misspelled, Refused } from "../refused.js";
import { bind, serviceSql, statement } from "../sql.js";
import { isoTime, localTime } from "../times.js";
import { counted, oneLine } from "../workshops.js";

export const help = `cancel CODE [--yes]

Cancels a reservation, whoever made it, and gives its places back, after asking. It cannot be undone:
somebody else may have the places a moment later.

CODE   the code for the door, such as A5B6-C7D8, or the whole id of the reservation
--yes  does not ask`;

export const options = { yes: { type: "boolean", short: "y" } };
export const operands = ["CODE"];

export async function run({ operands: [operand], database, now_ms, ask, hint }) {
  const digits = operand.replaceAll("-", "").toLowerCase();
  if (!/^([0-9a-f]{8}|[0-9a-f]{32})$/.test(digits)) {
    throw new Misspelled(
      `expected a code such as A5B6-C7D8 or a reservation's id, found ${operand}`,
    );
  }
  const find = (least, greatest) => statement("find_reservations", { least, greatest });
  const [found] = await database.run([find(digits.padEnd(32, "0"), digits.padEnd(32, "f"))]);
  if (found.length === 0) throw new Refused(`no reservation has the code ${operand}`);
  const held = found.filter(({ cancelled_at_ms }) => cancelled_at_ms === null);
  if (held.length === 0) return { json: toJson(found[0]), text: alreadyCancelled(found[0]) };
  if (held.length > 1) {
    const list = held.map((row) => `  ${row.id}  ${say(row)}`).join("\n");
    throw new Refused(`${held.length} reservations have this code. Cancel by the id:\n${list}`);
  }
  const [{ actor, key, id }] = held;
  await ask(`Cancel ${say(held[0])}? It cannot be undone.`);
  const sql = serviceSql("reservations/sql/cancel_reservation");
  const cancel = bind(sql, { actor, key, now_ms });
  const [, [after]] = await database.run([cancel, find(id, id)]);
  if (after.cancelled_at_ms === null) {
    throw new Refused(
      `${doorCode(id)} has no receipt, and stays. See: ${hint("check", after.workshop)}`,
    );
  }
  return { json: toJson(after), text: `cancelled: ${say(after)}` };
}

function alreadyCancelled(row) {
  const when = localTime(row.cancelled_at_ms, row.time_zone);
  return `it was cancelled already, ${when}: ${say(row)}`;
}

/** `A5B6-C7D8, 2 places in linocut (Linocut), reserved 2027-01-02 10:00, Ada by telephone`. */
function say(row) {
  const when =
    row.decided_at_ms === null ? [] : [`reserved ${localTime(row.decided_at_ms, row.time_zone)}`];
  const where = `${counted(row.quantity, "place")} in ${row.workshop} (${row.title})`;
  const note = row.note === null ? [] : [row.note];
  return oneLine([doorCode(row.id), where, ...when, ...note].join(", "));
}

function toJson(row) {
  return {
    code: doorCode(row.id),
    reservation_id: row.id,
    workshop: row.workshop,
    quantity: row.quantity,
    cancelled_at: isoTime(row.cancelled_at_ms),
  };
}
