import { inWords } from "../constraints.js";
import { Misspelled, Refused } from "../refused.js";
import { readSettings, settingOptions } from "../settings.js";
import { bind } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `add ID --title TEXT --capacity N [options]

Makes a workshop. Nobody else sees it until it is published.

ID           its name in links and requests: 2 to 41 of a-z, 0-9 and -, a letter first
--title      what people read
--capacity   how many places there are
--starts     when it starts, a local time: "2027-03-06 18:00"
--ends       when it ends
--zone       the zone of all its times: Europe/Zurich
--venue      where it happens
--closes     from when on no reservation is taken; without it, from the start on
--per-actor  the most places that one browser or program can hold`;

export const options = settingOptions;
export const operands = ["ID"];

export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const id = readId(operand);
  for (const name of ["title", "capacity"]) {
    if (values[name] === undefined) throw new Misspelled(`expected --${name}, found none`);
  }
  const columns = { id, ...readSettings(values, null) };
  // The names are those of settings.js; the values go through `bind`.
  const names = Object.keys(columns);
  const insert = bind(
    `INSERT INTO workshops (${names}) VALUES (${names.map((name) => `:${name}`)})`,
    columns,
  );
  const [, rows] = await database.run([insert, readWorkshops(now_ms, id)]).catch((error) => {
    if (!error.message.includes("UNIQUE")) inWords(error);
    throw new Refused(`there is a workshop ${id} already. Change it by: ${hint("set", id)}`);
  });
  const workshop = theWorkshop(rows, id, hint);
  return {
    json: toJson(workshop),
    text: `added\n${describe(workshop)}\nNobody else sees it until: ${hint("publish", id)}`,
  };
}
