// Reads a workshop and formats it as text or JSON.

import { Refused, UsageError } from "./refused.js";
import { statement } from "./sql.js";
import { fullTime, isoTime } from "./times.js";

/**
 * Validates a workshop's id.
 * @param {string} id
 */
export function readId(id) {
  if (/^[a-z][a-z0-9-]{1,40}$/.test(id)) return id;
  throw new UsageError(
    `expected a workshop's id, 2 to 41 characters of a-z, 0-9 and - starting with a letter, found ${id}`,
  );
}

/**
 * Parses the whole number of an option.
 * @param {string} option
 * @param {string} text
 */
export function readCount(option, text) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`expected ${option} to be a whole number, found ${text}`);
}

/**
 * The statement that reads one workshop, or all.
 * @param {number} now_ms
 * @param {string | null} id
 */
export function readWorkshops(now_ms, id = null) {
  return statement("read_workshops", { now_ms, workshop: id });
}

/**
 * The row of a workshop; refuses if there is none.
 * @param {Record<string, any>[]} rows of `readWorkshops`
 * @param {string} id
 * @param {(...words: string[]) => string} hint formats a command of this program
 * @returns {import("./types.js").WorkshopRow}
 */
export function theWorkshop([row], id, hint) {
  if (row !== undefined) return /** @type {import("./types.js").WorkshopRow} */ (row);
  throw new Refused(`there is no workshop ${id}. See: ${hint("list")}`);
}

/**
 * A workshop as text, one property per line.
 * @param {import("./types.js").WorkshopRow} workshop
 */
export function describe(workshop) {
  const zone = workshop.time_zone;
  /** @param {number | null} time_ms */
  const time = (time_ms) => time_ms !== null && fullTime(time_ms, zone);
  /** @type {[name: string, text: string | false | null][]} */
  const lines = [
    ["venue", workshop.venue],
    ["starts", time(workshop.starts_at_ms)],
    ["ends", time(workshop.ends_at_ms)],
    ["closes", time(workshop.closes_at_ms) || (workshop.starts_at_ms !== null && "when it starts")],
    [
      "places",
      `${workshop.capacity}, ${workshop.reserved} reserved, ${workshop.available} available`,
    ],
    ["each", workshop.places_per_actor !== null && `at most ${workshop.places_per_actor}`],
    ["state", workshop.state],
  ];
  const present = lines.filter(([, text]) => text !== null && text !== false);
  return [
    `${workshop.id}: ${oneLine(workshop.title)}`,
    ...present.map(([name, text]) => `  ${name.padEnd(8)}${oneLine(text)}`),
  ].join("\n");
}

/**
 * A workshop for `--json`, with the names of the service's responses.
 * @param {Record<string, any>} workshop a row of `readWorkshops`
 */
export function toJson(workshop) {
  return {
    id: workshop.id,
    title: workshop.title,
    venue: workshop.venue,
    starts_at: isoTime(workshop.starts_at_ms),
    ends_at: isoTime(workshop.ends_at_ms),
    time_zone: workshop.time_zone,
    closes_at: isoTime(workshop.closes_at_ms),
    published_at: isoTime(workshop.published_at_ms),
    capacity: workshop.capacity,
    reserved: workshop.reserved,
    available: workshop.available,
    places_per_actor: workshop.places_per_actor,
    state: workshop.state,
  };
}

/**
 * Formats rows as columns with headings; numbers are aligned to the right.
 * @param {string[]} headings
 * @param {(string | number | null)[][]} rows
 */
export function table(headings, rows) {
  const lines = [headings, ...rows].map((cells) => cells.map((cell) => oneLine(cell ?? "")));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((cells) => [...cells[column]].length)),
  );
  const isNumber = headings.map((_, column) =>
    rows.every((cells) => typeof cells[column] === "number"),
  );
  /** @type {(text: string, column: number) => string} */
  const pad = (text, column) => {
    const space = " ".repeat(widths[column] - [...text].length);
    return isNumber[column] ? space + text : text + space;
  };
  return lines.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

/**
 * Replaces control characters, which could manipulate a terminal.
 * @param {string | number | false | null} text
 */
export function oneLine(text) {
  return String(text).replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

/**
 * `1 place`, `2 places`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
