// The entry for a calendar, loaded on demand. The text is made without DOM and clock.

import { zoneOf } from "./when.js";

/**
 * Offers the file as a download.
 * @param {{workshop: Workshop, reservationId: string, description: string}} entry
 */
export function download(entry) {
  const text = calendarFile({ ...entry, now_ms: Date.now() });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
  link.download = `${entry.workshop.id}.ics`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * The workshop as a calendar file (RFC 5545), in the workshop's own zone. Small enough to be
 * written here: one event, no repetition. `tests/page/receipt.test.js` reads it with a library.
 * @param {{workshop: Workshop, reservationId: string, description: string, now_ms: number}} entry
 *   `workshop.starts_at` is required
 * @returns {string} lines ending in CR LF
 */
export function calendarFile({ workshop, reservationId, description, now_ms }) {
  const { title, venue, starts_at, ends_at, time_zone } = workshop;
  const zone = zoneOf(time_zone);
  const times = [starts_at, ends_at].flatMap((text) => (text === null ? [] : [Date.parse(text)]));
  /** @param {number} ms */
  const at = (ms) => stamp(ms + offsetMinutes(ms, zone) * 60_000);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Einmal//Einmal//EN",
    ...timeZone(zone, times),
    "BEGIN:VEVENT",
    `UID:${reservationId}@einmal`,
    `DTSTAMP:${stamp(now_ms)}Z`,
    ...times.map((ms, index) => `${index === 0 ? "DTSTART" : "DTEND"};TZID=${zone}:${at(ms)}`),
    `SUMMARY:${escapeText(title)}`,
    ...(venue ? [`LOCATION:${escapeText(venue)}`] : []),
    `DESCRIPTION:${escapeText(description)}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/**
 * As much of the zone as the event needs: the offset at its start and, if the clocks change
 * before its end, the one at its end. (The browser knows offsets, but not the rules.)
 * @param {string} zone @param {number[]} times
 */
function timeZone(zone, times) {
  const lines = ["BEGIN:VTIMEZONE", `TZID:${zone}`];
  let before;
  for (const ms of times) {
    const offset = offsetMinutes(ms, zone);
    if (offset === before) continue;
    const from = before ?? offset;
    const onset = before === undefined ? "19700101T000000" : stamp(ms + from * 60_000);
    lines.push(
      "BEGIN:STANDARD",
      `DTSTART:${onset}`,
      `TZOFFSETFROM:${offsetText(from)}`,
      `TZOFFSETTO:${offsetText(offset)}`,
      "END:STANDARD",
    );
    before = offset;
  }
  return [...lines, "END:VTIMEZONE"];
}

/** `20270306T090000`, of milliseconds since 1970 read as UTC. @param {number} ms */
function stamp(ms) {
  return new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/[-:]/g, "");
}

/** `+0100`, of minutes east of UTC. @param {number} minutes */
function offsetText(minutes) {
  const size = Math.abs(minutes);
  /** @param {number} value */
  const digits = (value) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60))}${digits(size % 60)}`;
}

/** RFC 5545, section 3.3.11. Control characters other than the line end may not appear at all. @param {string} text */
function escapeText(text) {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\n\P{Cc}]/gu, " ")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** RFC 5545, section 3.1: at most 75 octets a line, and no character cut in two. @param {string} line */
function fold(line) {
  const octets = new TextEncoder();
  let folded = "";
  let length = 0;
  for (const character of line) {
    const size = octets.encode(character).length;
    if (length + size > 75) {
      folded += "\r\n ";
      length = 1;
    }
    folded += character;
    length += size;
  }
  return folded;
}

/** How far a zone is east of UTC at a moment, in minutes. @param {number} ms @param {string} zone */
export function offsetMinutes(ms, zone) {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
}
