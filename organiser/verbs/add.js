import { throwExplained } from "../constraints.js";
import { Refused, UsageError } from "../refused.js";
import { readSettings, settingOptions } from "../settings.js";
import { bind } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `add ID --title TEXT --capacity N [options]

Adds a workshop. It is not public until it is published.

ID           its id in links and requests: 2 to 41 characters of a-z, 0-9 and -, starting with a letter
--title      its title on the page
--capacity   number of places
--starts     start, a local time: "2027-03-06 18:00"
--ends       end
--zone       time zone of all its times: Europe/Zurich
--venue      where it takes place
--closes     end of reservations; default: the start
--per-actor  maximum number of places for one browser or program`;

export const options = settingOptions;
export const operands = ["ID"];

/**
 * @param {import("../types.js").Invocation<import("../types.js").Settings>} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const id = readId(operand);
  for (const name of /** @type {const} */ (["title", "capacity"])) {
    if (values[name] === undefined) throw new UsageError(`--${name} is required`);
  }
  const columns = { id, ...readSettings(values, null) };
  // The column names are constants of settings.js; the values go through `bind`.
  const names = Object.keys(columns);
  const insert = bind(
    `INSERT INTO workshops (${names}) VALUES (${names.map((name) => `:${name}`)})`,
    columns,
  );
  const [, rows] = await database.run([insert, readWorkshops(now_ms, id)]).catch((error) => {
    if (!error.message.includes("UNIQUE")) throwExplained(error);
    throw new Refused(`the workshop ${id} exists already. To change it, run: ${hint("set", id)}`);
  });
  const workshop = theWorkshop(rows, id, hint);
  return {
    json: toJson(workshop),
    text: `added\n${describe(workshop)}\nIt is not public yet. To publish it, run: ${hint("publish", id)}`,
  };
}
