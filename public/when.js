// When a workshop takes place, in its own time zone.

/** UTC if the browser does not know the zone. @param {string | null} name */
export function zoneOf(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name ?? "UTC" });
    return name ?? "UTC";
  } catch {
    return "UTC";
  }
}

/** @type {WhenOf} */
export function whenOf({ starts_at, ends_at, time_zone }, locale) {
  if (starts_at === null) return null;
  const timeZone = zoneOf(time_zone);
  /** @param {Intl.DateTimeFormatOptions} options */
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
    number: number.find(({ type }) => type === "day")?.value ?? "",
    month: format({ month: "short" }).format(start),
  };
}
