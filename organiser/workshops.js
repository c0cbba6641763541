// A workshop as the organiser sees it: read, in words, as JSON.

import { Misspelled, Refused } from "./refused.js";
import { statement } from "./sql.js";
import { isoTime, sayTime } from "./times.js";

/** What a workshop is called in a command. */
export function readId(id) {
  if (/^[a-z][a-z0-9-]{1,40}$/.test(id)) return id;
  throw new Misspelled(
    `expected a workshop's id of 2 to 41 of a-z, 0-9 and -, a letter first, found ${id}`,
  );
}

/** A whole number that an option gives. */
export function readCount(option, text) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Misspelled(`expected ${option} to be a whole number, found ${text}`);
}

/** The statement that reads one workshop, or all. */
export function readWorkshops(now_ms, id = null) {
  return statement("read_workshops", { now_ms, workshop: id });
}

/**
 * The one row of a workshop that must be there.
 * @param {object[]} rows of `readWorkshops`
 * @param {string} id
 * @param {(...words: string[]) => string} hint a command to type
 */
export function theWorkshop([row], id, hint) {
  if (row !== undefined) return row;
  throw new Refused(`there is no workshop ${id}. See: ${hint("list")}`);
}

/** A workshop in words, a line for each thing to know. */
export function describe(workshop) {
  const zone = workshop.time_zone;
  const time = (time_ms) => time_ms !== null && sayTime(time_ms, zone);
  const lines = [
    ["venue", workshop.venue],
    ["starts", time(workshop.starts_at_ms)],
    ["ends", time(workshop.ends_at_ms)],
    ["closes", time(workshop.closes_at_ms) || (workshop.starts_at_ms !== null && "when it starts")],
    [
      "places",
      `${workshop.capacity}, of which ${workshop.reserved} reserved, ${workshop.available} available`,
    ],
    ["each", workshop.places_per_actor !== null && `at most ${workshop.places_per_actor}`],
    ["state", workshop.state],
  ];
  const said = lines.filter(([, text]) => text !== null && text !== false);
  return [
    `${workshop.id}: ${oneLine(workshop.title)}`,
    ...said.map(([name, text]) => `  ${name.padEnd(8)}${oneLine(text)}`),
  ].join("\n");
}

/** A workshop as `--json` gives it, by the names that the service uses. */
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

/** Rows under headings, in columns. Numbers stand at the right. */
export function table(headings, rows) {
  const lines = [headings, ...rows].map((cells) => cells.map((cell) => oneLine(cell ?? "")));
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((cells) => [...cells[column]].length)),
  );
  const isNumber = headings.map((_, column) =>
    rows.every((cells) => typeof cells[column] === "number"),
  );
  const pad = (text, column) => {
    const space = " ".repeat(widths[column] - [...text].length);
    return isNumber[column] ? space + text : text + space;
  };
  return lines.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

/** A text that can do nothing to a terminal but stand there. */
export function oneLine(text) {
  return String(text).replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

/** `1 place`, `2 places`. */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
