// Parses and formats local times in the workshop's time zone.

import { Temporal } from "temporal-polyfill";
import { zoneOf } from "../public/when.js";
import { UsageError } from "./refused.js";

const WRITTEN = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)([+-]\d\d:\d\d)?$/;

/**
 * The zone as it is spelled in the time zone database.
 * @param {string} name such as `europe/zurich`
 */
export function readZone(name) {
  try {
    // An offset is not a time zone: it ignores daylight saving time.
    if (!/^[a-z]/i.test(name)) throw new RangeError();
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    throw new UsageError(`expected --zone to be a time zone such as Europe/Zurich, found ${name}`);
  }
}

/**
 * Parses a local time to ms since 1970. A time that the zone's clocks skip is rejected, and so is
 * one that they show twice, unless an offset resolves it.
 * @param {string} option the option's name, such as `--starts`
 * @param {string} text `2027-03-06 18:00`, optionally with `T`, and with an offset
 * @param {string} zone
 */
export function readTime(option, text, zone) {
  const [, day, hour, offset] = WRITTEN.exec(text) ?? [];
  const expected = `expected ${option} to be a local time such as "2027-03-06 18:00"`;
  if (day === undefined) throw new UsageError(`${expected}, found ${text}`);
  let local;
  try {
    local = Temporal.PlainDateTime.from(`${day}T${hour}`, { overflow: "reject" });
  } catch {
    throw new UsageError(`${expected}, found ${text}, which does not exist`);
  }
  const moments = /** @type {const} */ (["earlier", "later"]).map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation }),
  );
  const [earlier, later] = moments;
  if (!earlier.toPlainDateTime().equals(local)) {
    throw new UsageError(
      `${option} ${day} ${hour} does not exist in ${zone}: the clocks go forward then. ` +
        `Did you mean ${written(earlier)} or ${written(later)}?`,
    );
  }
  if (offset !== undefined) {
    const meant = moments.find((moment) => moment.offset === offset);
    if (meant) return meant.epochMilliseconds;
    throw new UsageError(
      `expected ${option} with ${zone}'s offset ${earlier.offset}, found ${text}`,
    );
  }
  if (!earlier.equals(later)) {
    throw new UsageError(
      `${option} ${day} ${hour} occurs twice in ${zone}: the clocks go back then. ` +
        `Choose one: "${written(earlier)}${earlier.offset}" or "${written(later)}${later.offset}"`,
    );
  }
  return earlier.epochMilliseconds;
}

/**
 * Formats a time as `2027-03-06 18:00 Europe/Zurich (2027-03-06T17:00:00Z)`.
 * @param {number} time_ms
 * @param {string | null} zone UTC if null
 */
export function fullTime(time_ms, zone) {
  const known = zoneOf(zone);
  return `${localTime(time_ms, known)} ${known} (${isoTime(time_ms)})`;
}

/**
 * `2027-03-06 18:00`, in a zone.
 * @param {number} time_ms
 * @param {string | null} zone UTC if null
 */
export function localTime(time_ms, zone) {
  const moment = Temporal.Instant.fromEpochMilliseconds(time_ms);
  return written(moment.toZonedDateTimeISO(zoneOf(zone)));
}

/**
 * `2027-03-06T17:00:00Z`, as in the service's responses; null stays null.
 * @param {number | null} time_ms
 */
export function isoTime(time_ms) {
  if (time_ms === null) return null;
  return new Date(time_ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** @param {Temporal.ZonedDateTime} moment */
function written(moment) {
  return `${moment.toPlainDate()} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}
