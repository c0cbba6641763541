// The door code, the calendar file and the dates. An independent library reads the calendar file.

import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import { calendarFile, offsetMinutes } from "../../public/calendar.js";
import { doorCode } from "../../public/door-code.js";
import { whenOf } from "../../public/when.js";

const reservationId = "a5b6c7d8".padEnd(32, "0");
const linocut = {
  title: "Linocut",
  venue: "Room 1",
  starts_at: "2027-03-06T17:00:00Z",
  ends_at: "2027-03-06T19:00:00Z",
  time_zone: "Europe/Zurich",
};

function write(workshop, description = "2 places reserved") {
  const now_ms = Date.UTC(2027, 0, 2, 3, 4, 5);
  return calendarFile({
    workshop: { ...linocut, ...workshop },
    reservationId,
    description,
    now_ms,
  });
}

function read(text) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zone = new ICAL.Timezone(calendar.getFirstSubcomponent("vtimezone"));
  ICAL.TimezoneService.reset();
  ICAL.TimezoneService.register(zone);
  return { calendar, event: new ICAL.Event(calendar.getFirstSubcomponent("vevent")) };
}

test("the code for the door is the first eight digits of the reservation's id", () => {
  assert.equal(doorCode(reservationId), "A5B6-C7D8");
});

test("a calendar reads the moment, the zone, the venue and the reservation", () => {
  const { event } = read(write());
  assert.equal(event.uid, `${reservationId}@einmal`);
  assert.equal(event.summary, "Linocut");
  assert.equal(event.location, "Room 1");
  assert.equal(event.description, "2 places reserved");
  assert.equal(event.startDate.zone.tzid, "Europe/Zurich");
  assert.equal(event.startDate.toString(), "2027-03-06T18:00:00");
  assert.equal(event.startDate.toJSDate().toISOString(), "2027-03-06T17:00:00.000Z");
  assert.equal(event.endDate.toJSDate().toISOString(), "2027-03-06T19:00:00.000Z");
});

test("the times are right in every zone, even across a change of the clocks", () => {
  for (const [time_zone, starts_at, ends_at] of [
    ["Europe/Zurich", "2027-07-06T17:00:00Z", "2027-07-06T19:00:00Z"],
    ["Europe/Zurich", "2027-03-27T22:00:00Z", "2027-03-28T04:00:00Z"], // the clocks go forward
    ["Europe/Zurich", "2027-10-30T22:00:00Z", "2027-10-31T04:00:00Z"], // and back
    ["America/St_Johns", "2027-01-06T17:00:00Z", "2027-01-06T19:00:00Z"], // -03:30
    ["Asia/Kathmandu", "2027-01-06T17:00:00Z", "2027-01-06T19:00:00Z"], // +05:45
    ["Pacific/Auckland", "2027-01-06T17:00:00Z", "2027-01-06T19:00:00Z"],
    ["UTC", "2027-01-06T17:00:00Z", "2027-01-06T19:00:00Z"],
    ["Atlantis/Centre", "2027-01-06T17:00:00Z", "2027-01-06T19:00:00Z"],
  ]) {
    const { event } = read(write({ time_zone, starts_at, ends_at }));
    const moments = [event.startDate, event.endDate].map((time) => time.toJSDate().toISOString());
    const expected = [starts_at, ends_at].map((text) => text.replace("Z", ".000Z"));
    assert.deepEqual(moments, expected, `${time_zone} ${starts_at}`);
  }
});

test("an unknown end or venue is left out", () => {
  const text = write({ ends_at: null, venue: null });
  assert.doesNotMatch(text, /DTEND|LOCATION/);
  assert.equal(read(text).event.startDate.toJSDate().toISOString(), "2027-03-06T17:00:00.000Z");
});

test("any text comes back as it was, and no line has more than 75 octets", () => {
  const title = `Holz; Papier, Stein \\ “Schere”: ${"Größe 🖋️ ".repeat(40)}`;
  const text = write({ title, venue: "Hof\r\nHinterhaus\u0007" }, "one\ntwo; three,\rfour");
  const { event } = read(text);
  assert.equal(event.summary, title);
  assert.equal(event.location, "Hof\nHinterhaus ");
  assert.equal(event.description, "one\ntwo; three,\nfour");
  const lines = text.split("\r\n");
  assert.equal(lines.pop(), "");
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.doesNotMatch(line, /[\r\n]/);
    assert.equal(Buffer.from(line).toString(), line, "a character was cut in two");
  }
});

test("a workshop's time is in its own zone, whatever the reader's zone", () => {
  const german = whenOf(linocut, "de");
  assert.equal(german.day, "Samstag, 6. März 2027");
  assert.match(german.time, /^18:00\s?–\s?20:00( Uhr)? MEZ$/);
  assert.equal(german.number, "6");
  assert.match(german.month, /^Mär/);
  const { day, time } = whenOf(linocut, "en-GB");
  assert.match(day, /^Saturday,? 6 March 2027$/);
  assert.match(time, /^18:00\s?–\s?20:00 CET$/);
  const { day: days } = whenOf({ ...linocut, ends_at: "2027-03-07T19:00:00Z" }, "de");
  assert.match(days, /6\..*7\. März 2027/);
  const { time: open } = whenOf({ ...linocut, ends_at: null }, "de");
  assert.match(open, /^18:00( Uhr)? MEZ$/);
});

test("offsets are in minutes", () => {
  assert.equal(offsetMinutes(Date.UTC(2027, 6, 1), "Europe/Zurich"), 120);
  assert.equal(offsetMinutes(Date.UTC(2027, 0, 1), "America/St_Johns"), -210);
  assert.equal(offsetMinutes(Date.UTC(2027, 0, 1), "UTC"), 0);
});
