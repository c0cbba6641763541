import { localTime } from "../times.js";
import { readWorkshops, table, toJson } from "../workshops.js";

export const help = `list

Lists all workshops, including unpublished and past ones. The states: not published, open, full, closed,
over.`;

/** @type {import("../types.js").Verb["options"]} */
export const options = {};
/** @type {string[]} */
export const operands = [];

/**
 * @param {import("../types.js").Invocation} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ database, now_ms }) {
  const [rows] = await database.run([readWorkshops(now_ms)]);
  const cells = rows.map((row) => [
    row.id,
    row.starts_at_ms === null ? "" : localTime(row.starts_at_ms, row.time_zone),
    row.capacity,
    row.reserved,
    row.available,
    row.state,
    row.title,
  ]);
  const headings = ["ID", "STARTS", "CAPACITY", "RESERVED", "AVAILABLE", "STATE", "TITLE"];
  return {
    json: rows.map(toJson),
    text: rows.length > 0 ? table(headings, cells) : "no workshops yet",
  };
}
