import { localTime } from "../times.js";
import { readWorkshops, table, toJson } from "../workshops.js";

export const help = `list

Every workshop, also those that are not published or over. Its state is one of: not published, open,
full, closed, over.`;

export const options = {};
export const operands = [];

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
    text: rows.length > 0 ? table(headings, cells) : "there is no workshop yet",
  };
}
