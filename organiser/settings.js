// The columns of a workshop that `add` and `set` write, by the options that give them.

import { Misspelled } from "./refused.js";
import { readTime, readZone } from "./times.js";
import { readCount } from "./workshops.js";

/** What `parseArgs` is told. */
export const settingOptions = Object.fromEntries(
  ["title", "capacity", "starts", "ends", "zone", "venue", "closes", "per-actor"].map((name) => [
    name,
    { type: "string" },
  ]),
);

const TIMES = { starts: "starts_at_ms", ends: "ends_at_ms", closes: "closes_at_ms" };

/** Whether a zone is needed to read what was given. */
export function needsZone(values) {
  return Object.keys(TIMES).some((name) => ![undefined, "none"].includes(values[name]));
}

/**
 * The columns that the options give, and their values. `none` empties a column that can be.
 * @param {Record<string, string>} values of the options
 * @param {string | null} zone the zone that the workshop has, if `--zone` gives no other
 * @returns {Record<string, string | number | null>}
 */
export function readSettings(values, zone) {
  const columns = {};
  const write = (option, column, read) => {
    const text = values[option];
    if (text !== undefined) columns[column] = text === "none" ? null : read(text);
  };
  if (values.title !== undefined) columns.title = values.title;
  if (values.capacity !== undefined) columns.capacity = readCount("--capacity", values.capacity);
  write("venue", "venue", (text) => text);
  write("zone", "time_zone", readZone);
  write("per-actor", "places_per_actor", (text) => readCount("--per-actor", text));
  const known = columns.time_zone ?? zone;
  for (const [option, column] of Object.entries(TIMES)) {
    write(option, column, (text) => {
      if (known) return readTime(`--${option}`, text, known);
      throw new Misspelled(`expected --zone with --${option}, such as --zone Europe/Zurich`);
    });
  }
  return columns;
}
