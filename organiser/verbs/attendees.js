import { stringify } from "csv-stringify/sync";
import { doorCode } from "../../public/door-code.js";
import { actorId } from "../operation.js";
import { UsageError } from "../refused.js";
import { statement } from "../sql.js";
import { isoTime, localTime } from "../times.js";
import { counted, readId, readWorkshops, table, theWorkshop } from "../workshops.js";

export const help = `attendees ID [--csv]

Lists the reservations: door code, number of places, time of reservation, held or cancelled, actor id,
and the note of a reservation made by the organiser.

--csv  as CSV (RFC 4180) for a spreadsheet; text that a spreadsheet would run as a formula starts
       with an apostrophe`;

/** @type {import("../types.js").Verb["options"]} */
export const options = { csv: { type: "boolean" } };
export const operands = ["ID"];

/**
 * @param {import("../types.js").Invocation<{csv?: boolean}>} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const id = readId(operand);
  if (values.csv && values.json) throw new UsageError("expected --csv or --json, found both");
  const [workshops, rows] = await database.run([
    readWorkshops(now_ms, id),
    statement("read_attendees", { workshop: id }),
  ]);
  const { time_zone } = theWorkshop(workshops, id, hint);
  const attendees = rows.map((row) => ({
    code: doorCode(row.id),
    quantity: row.quantity,
    reserved_at: isoTime(row.decided_at_ms),
    state: row.cancelled_at_ms === null ? "held" : "cancelled",
    cancelled_at: isoTime(row.cancelled_at_ms),
    actor: actorId(row.actor),
    note: row.note,
    reservation_id: row.id,
  }));
  return {
    json: attendees,
    text: values.csv ? toCsv(attendees) : toText(rows, attendees, time_zone),
  };
}

/**
 * As CSV (RFC 4180), with a header line.
 * @param {object[]} attendees
 */
function toCsv(attendees) {
  const columns = [
    "code",
    "quantity",
    "reserved_at",
    "state",
    "cancelled_at",
    "actor",
    "note",
    "reservation_id",
  ];
  const csv = stringify(attendees, {
    header: true,
    columns,
    record_delimiter: "\r\n",
    escape_formulas: true,
  });
  // console.log ends the last line.
  return csv.replace(/\n$/, "");
}

/**
 * @param {Record<string, any>[]} rows of `read_attendees.sql`
 * @param {{code: string, quantity: number, state: string, actor: string, note: string | null}[]} attendees
 * @param {string | null} zone
 */
function toText(rows, attendees, zone) {
  if (rows.length === 0) return "no reservations yet";
  const cells = attendees.map(({ code, quantity, state, actor, note }, index) => {
    const { decided_at_ms } = rows[index];
    return [
      code,
      quantity,
      decided_at_ms === null ? "?" : localTime(decided_at_ms, zone),
      state,
      actor,
      note,
    ];
  });
  const held = attendees.filter(({ state }) => state === "held");
  const count = held.reduce((sum, { quantity }) => sum + quantity, 0);
  return [
    table(["CODE", "PLACES", "RESERVED", "STATE", "ACTOR", "NOTE"], cells),
    `${counted(count, "place")} held, by ${held.length} of ${counted(rows.length, "reservation")}`,
  ].join("\n");
}
