import { inWords } from "../constraints.js";
import { Misspelled, Refused } from "../refused.js";
import { needsZone, readSettings, settingOptions } from "../settings.js";
import { bind } from "../sql.js";
import { counted, describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `set ID [options]

Changes a workshop; what is not named stays. Who has reserved is told nothing.

--title, --capacity, --starts, --ends, --zone, --venue, --closes, --per-actor
             as for add; a capacity below what is reserved is refused. "none" empties a venue,
             a time, the zone or --per-actor: --closes none opens a workshop that was closed

Local times are read in --zone or, without it, in the zone that the workshop has. A new zone alone
moves nothing: the same moments are read in it.`;

export const options = settingOptions;
export const operands = ["ID"];

export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const id = readId(operand);
  const read = readWorkshops(now_ms, id);
  let zone = null;
  if (needsZone(values) && values.zone === undefined) {
    const [rows] = await database.run([read]);
    zone = theWorkshop(rows, id, hint).time_zone;
  }
  const columns = readSettings(values, zone);
  const names = Object.keys(columns);
  if (names.length === 0) throw new Misspelled("expected something to set, found no option");
  // The names are those of settings.js; the values go through `bind`.
  const update = bind(
    `UPDATE workshops
     SET ${names.map((name) => `${name} = :${name}`)}
     WHERE id = :id${"capacity" in columns ? " AND reserved <= :capacity" : ""}
     RETURNING id`,
    { id, ...columns },
  );
  const [changed, rows] = await database.run([update, read]).catch(inWords);
  const workshop = theWorkshop(rows, id, hint);
  if (changed.length === 0) {
    throw new Refused(
      `nothing was changed: ${counted(workshop.reserved, "place")} of ${id} are reserved, ` +
        `and --capacity ${columns.capacity} is less. See: ${hint("attendees", id)}`,
    );
  }
  return { json: toJson(workshop), text: `set\n${describe(workshop)}` };
}
