import { stringify } from "csv-stringify/sync";
import { doorCode } from "../../public/door-code.js";
import { actorTag } from "../operation.js";
import { Misspelled } from "../refused.js";
import { statement } from "../sql.js";
import { isoTime, localTime } from "../times.js";
import { counted, readId, readWorkshops, table, theWorkshop } from "../workshops.js";

export const help = `attendees ID [--csv]

Who comes: the code for the door, how many places, when they were reserved, whether they are held
or cancelled, the tag of who reserved, and the note of a reservation made by the organiser.

--csv  as RFC 4180 has it, for a spreadsheet; what a spreadsheet would take for a formula begins
       with an apostrophe`;

export const options = { csv: { type: "boolean" } };
export const operands = ["ID"];

export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const id = readId(operand);
  if (values.csv && values.json) throw new Misspelled("expected --csv or --json, found both");
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
    actor: actorTag(row.actor),
    note: row.note,
    reservation_id: row.id,
  }));
  return {
    json: attendees,
    text: values.csv ? toCsv(attendees) : toText(rows, attendees, time_zone),
  };
}

/** RFC 4180, with a header line. */
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
  // Whoever prints it ends the last line.
  return csv.replace(/\n$/, "");
}

function toText(rows, attendees, zone) {
  if (rows.length === 0) return "nobody has reserved yet";
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
