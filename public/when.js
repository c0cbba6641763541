// When a workshop is, in words and in the workshop's own time zone. Pure: Intl and nothing else.

/** @import {Workshop} from "./types.js" */

/**
 * The zone to read times in: the one that is named, or UTC if the browser does not know it.
 * @param {string | null} name IANA name
 */
export function zoneOf(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name ?? "UTC" });
    return name ?? "UTC";
  } catch {
    return "UTC";
  }
}

/**
 * @param {Workshop} workshop with `starts_at`
 * @param {string} locale
 * @returns {{day: string, time: string, number: string, month: string}} the day in full, the
 *   hours with the zone's short name, and the day's number and month on their own
 */
export function whenOf({ starts_at, ends_at, time_zone }, locale) {
  const timeZone = zoneOf(time_zone);
  const format = (options) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const start = new Date(starts_at);
  const end = new Date(ends_at ?? starts_at);
  const day = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const hours = format({ hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
  const number = format({ day: "numeric" }).formatToParts(start);
  const sameDay = day.format(start) === day.format(end);
  return {
    day: sameDay ? day.format(start) : day.formatRange(start, end),
    time: sameDay ? hours.formatRange(start, end) : `${hours.format(start)} – ${hours.format(end)}`,
    number: number.find(({ type }) => type === "day").value,
    month: format({ month: "short" }).format(start),
  };
}
