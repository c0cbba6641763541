// Maps the options of `add` and `set` to the columns of a workshop.

import { UsageError } from "./refused.js";
import { readTime, readZone } from "./times.js";
import { readCount } from "./workshops.js";

/**
 * For `parseArgs`.
 * @type {import("./types.js").Verb["options"]}
 */
export const settingOptions = Object.fromEntries(
  ["title", "capacity", "starts", "ends", "zone", "venue", "closes", "per-actor"].map((name) => [
    name,
    { type: "string" },
  ]),
);

const TIMES = /** @type {const} */ ([
  ["starts", "starts_at_ms"],
  ["ends", "ends_at_ms"],
  ["closes", "closes_at_ms"],
]);

/**
 * Whether the options contain a local time.
 * @param {import("./types.js").Settings} values
 */
export function needsZone(values) {
  return TIMES.some(([name]) => ![undefined, "none"].includes(values[name]));
}

/**
 * The columns that the options set, with their values. `none` clears an optional column.
 * @param {import("./types.js").Settings} values of the options
 * @param {string | null} zone the workshop's zone, used without `--zone`
 * @returns {Record<string, string | number | null>}
 */
export function readSettings(values, zone) {
  /** @type {Record<string, import("./types.js").SqlValue>} */
  const columns = {};
  /**
   * @param {keyof import("./types.js").Settings} option
   * @param {string} column
   * @param {(text: string) => import("./types.js").SqlValue} read
   */
  const write = (option, column, read) => {
    const text = values[option];
    if (text !== undefined) columns[column] = text === "none" ? null : read(text);
  };
  if (values.title !== undefined) columns.title = values.title;
  if (values.capacity !== undefined) columns.capacity = readCount("--capacity", values.capacity);
  write("venue", "venue", (text) => text);
  write("zone", "time_zone", readZone);
  write("per-actor", "places_per_actor", (text) => readCount("--per-actor", text));
  const known = typeof columns.time_zone === "string" ? columns.time_zone : zone;
  for (const [option, column] of TIMES) {
    write(option, column, (text) => {
      if (known) return readTime(`--${option}`, text, known);
      throw new UsageError(`expected --zone with --${option}, such as --zone Europe/Zurich`);
    });
  }
  return columns;
}
