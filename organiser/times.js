// Times as the organiser writes and reads them: local ones, in the workshop's zone.

import { Temporal } from "temporal-polyfill";
import { zoneOf } from "../public/when.js";
import { Misspelled } from "./refused.js";

const WRITTEN = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)([+-]\d\d:\d\d)?$/;

/**
 * The zone as it is spelled in the time zone database.
 * @param {string} name such as `europe/zurich`
 */
export function readZone(name) {
  try {
    // An offset is no zone: people live by clocks that change.
    if (!/^[a-z]/i.test(name)) throw new RangeError();
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    throw new Misspelled(`expected --zone to be a time zone such as Europe/Zurich, found ${name}`);
  }
}

/**
 * The moment, in ms since 1970, of a local time. A time that the clocks of the zone skip is
 * refused, and so is one that they show twice, unless its offset says which is meant.
 * @param {string} option what it was given for, such as `--starts`
 * @param {string} text `2027-03-06 18:00`, also with `T` or with an offset behind
 * @param {string} zone
 */
export function readTime(option, text, zone) {
  const [, day, hour, offset] = WRITTEN.exec(text) ?? [];
  const expected = `expected ${option} to be a local time such as "2027-03-06 18:00"`;
  if (day === undefined) throw new Misspelled(`${expected}, found ${text}`);
  let local;
  try {
    local = Temporal.PlainDateTime.from(`${day}T${hour}`, { overflow: "reject" });
  } catch {
    throw new Misspelled(`${expected}, found ${text}, which no calendar or clock has`);
  }
  const moments = ["earlier", "later"].map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation }),
  );
  const [earlier, later] = moments;
  if (!earlier.toPlainDateTime().equals(local)) {
    throw new Misspelled(
      `${option} ${day} ${hour} does not exist in ${zone}, where the clocks go forward then. ` +
        `Did you mean ${written(earlier)} or ${written(later)}?`,
    );
  }
  if (offset !== undefined) {
    const meant = moments.find((moment) => moment.offset === offset);
    if (meant) return meant.epochMilliseconds;
    throw new Misspelled(
      `expected ${option} with ${zone}'s offset ${earlier.offset}, found ${text}`,
    );
  }
  if (!earlier.equals(later)) {
    throw new Misspelled(
      `${option} ${day} ${hour} is twice in ${zone}, where the clocks go back then. ` +
        `Write which: "${written(earlier)}${earlier.offset}" or "${written(later)}${later.offset}"`,
    );
  }
  return earlier.epochMilliseconds;
}

/**
 * A moment in words: `2027-03-06 18:00 Europe/Zurich (2027-03-06T17:00:00Z)`.
 * @param {number} time_ms
 * @param {string | null} zone UTC if it is none
 */
export function sayTime(time_ms, zone) {
  const known = zoneOf(zone);
  return `${localTime(time_ms, known)} ${known} (${isoTime(time_ms)})`;
}

/** `2027-03-06 18:00`, in a zone. */
export function localTime(time_ms, zone) {
  const moment = Temporal.Instant.fromEpochMilliseconds(time_ms);
  return written(moment.toZonedDateTimeISO(zoneOf(zone)));
}

/** `2027-03-06T17:00:00Z`, as the service says it; null for none. */
export function isoTime(time_ms) {
  if (time_ms === null) return null;
  return new Date(time_ms).toISOString().replace(/\.\d+Z$/, "Z");
}

function written(moment) {
  return `${moment.toPlainDate()} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}
