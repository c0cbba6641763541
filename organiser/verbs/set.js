import { throwExplained } from "../constraints.js";
import { Refused, UsageError } from "../refused.js";
import { needsZone, readSettings, settingOptions } from "../settings.js";
import { bind } from "../sql.js";
import { counted, describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `set ID [options]

Changes a workshop; options that are not given stay as they are. Attendees are not notified.

--title, --capacity, --starts, --ends, --zone, --venue, --closes, --per-actor
             as for add; a capacity below the reserved places is refused. "none" clears a venue,
             a time, the zone or --per-actor: --closes none opens a closed workshop

Local times are in --zone or, without it, in the workshop's zone. A new zone alone does not move the
workshop: its times stay the same instants.`;

export const options = settingOptions;
export const operands = ["ID"];

/**
 * @param {import("../types.js").Invocation<import("../types.js").Settings>} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
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
  if (names.length === 0) throw new UsageError("expected at least one option, found none");
  // The column names are constants of settings.js; the values go through `bind`.
  const update = bind(
    `UPDATE workshops
     SET ${names.map((name) => `${name} = :${name}`)}
     WHERE id = :id${"capacity" in columns ? " AND reserved <= :capacity" : ""}
     RETURNING id`,
    { id, ...columns },
  );
  const [changed, rows] = await database.run([update, read]).catch(throwExplained);
  const workshop = theWorkshop(rows, id, hint);
  if (changed.length === 0) {
    throw new Refused(
      `nothing was changed: ${counted(workshop.reserved, "place")} of ${id} are reserved, ` +
        `more than --capacity ${columns.capacity}. See: ${hint("attendees", id)}`,
    );
  }
  return { json: toJson(workshop), text: `set\n${describe(workshop)}` };
}
