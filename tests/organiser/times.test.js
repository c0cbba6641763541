// Local times: which are parsed, and which are rejected rather than guessed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fullTime, readTime, readZone } from "../../organiser/times.js";

const read = (text, zone = "Europe/Zurich") => readTime("--starts", text, zone);
const utc = (text, zone) => new Date(read(text, zone)).toISOString();

test("a local time is parsed in its zone", () => {
  assert.equal(utc("2026-03-14 18:00"), "2026-03-14T17:00:00.000Z");
  assert.equal(utc("2026-07-14T18:00"), "2026-07-14T16:00:00.000Z");
  assert.equal(utc("2026-07-14 18:00", "Asia/Kathmandu"), "2026-07-14T12:15:00.000Z");
  assert.equal(utc("2026-07-14 18:00", "UTC"), "2026-07-14T18:00:00.000Z");
  assert.equal(utc("2028-02-29 00:00"), "2028-02-28T23:00:00.000Z");
  assert.equal(
    fullTime(read("2026-03-14 18:00"), "Europe/Zurich"),
    "2026-03-14 18:00 Europe/Zurich (2026-03-14T17:00:00Z)",
  );
});

test("a time that the clocks skip is refused, with the nearest ones", () => {
  assert.throws(() => read("2027-03-28 02:30"), {
    message:
      "--starts 2027-03-28 02:30 does not exist in Europe/Zurich: the clocks go forward then. " +
      "Did you mean 2027-03-28 01:30 or 2027-03-28 03:30?",
  });
  assert.equal(utc("2027-03-28 01:59"), "2027-03-28T00:59:00.000Z");
  assert.equal(utc("2027-03-28 03:00"), "2027-03-28T01:00:00.000Z");
});

test("a time that occurs twice is refused without an offset", () => {
  assert.throws(() => read("2027-10-31 02:30"), {
    message:
      "--starts 2027-10-31 02:30 occurs twice in Europe/Zurich: the clocks go back then. " +
      'Choose one: "2027-10-31 02:30+02:00" or "2027-10-31 02:30+01:00"',
  });
  assert.equal(utc("2027-10-31 02:30+02:00"), "2027-10-31T00:30:00.000Z");
  assert.equal(utc("2027-10-31 02:30+01:00"), "2027-10-31T01:30:00.000Z");
  assert.throws(() => read("2027-10-31 02:30+03:00"), /expected --starts with .* offset \+02:00/);
  assert.throws(() => read("2027-03-06 18:00+02:00"), /expected --starts with .* offset \+01:00/);
});

test("every other format is refused, with the expected one", () => {
  for (const text of [
    "",
    "tomorrow",
    "2027-03-06",
    "18:00",
    "06.03.2027 18:00",
    "2027-3-6 18:00",
    "2027-02-29 18:00",
    "2027-13-01 18:00",
    "2027-03-06 24:00",
    "2027-03-06 18:60",
    "2027-03-06 18:00Z",
    "2027-03-06 18:00 ",
  ]) {
    assert.throws(() => read(text), /expected --starts to be a local time such as/, text);
  }
});

test("a zone must be in the time zone database", () => {
  assert.equal(readZone("europe/zurich"), "Europe/Zurich");
  assert.equal(readZone("UTC"), "UTC");
  for (const name of ["", "Zurich", "+01:00", "Atlantis/Centre", "Europe/Zurich "]) {
    assert.throws(() => readZone(name), /expected --zone to be a time zone/, name);
  }
});
