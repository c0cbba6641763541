// Conditions of the sources that cannot be asked over HTTP. They are in the report as “not run”,
// with the suite of `npm test` that shows them.

import { NotRun } from "../expect.js";
import { contract, entwerfen, prevent } from "../sources.js";

function shownBy(suite, id, claim, sources) {
  return {
    id,
    claim,
    sources,
    elsewhere: suite,
    check: async () => {
      throw new NotRun(`cannot be asked over HTTP; npm test -- ${suite} shows it`);
    },
  };
}

export const elsewhere = [
  shownBy("native", "receipt-fails", "If the receipt cannot be stored, no reservation remains.", [
    prevent("Commit capacity decision and receipt together"),
    entwerfen("step 4"),
  ]),
  shownBy(
    "worker",
    "database-answer-lost",
    "If the database's answer is lost, the same key finds out what was decided.",
    [contract("outcome_unknown")],
  ),
  shownBy(
    "worker",
    "internal-error",
    "If the database refuses a statement as wrong, nothing is done, and the answer states it.",
    [contract("internal_error")],
  ),
  shownBy("worker", "body-too-slow", "A body that does not come to its end is given up.", [
    contract("malformed_body"),
  ]),
  shownBy("native", "capacity-raised", "More places later do not change a refusal.", [
    prevent("Begin an additional reservation explicitly"),
  ]),
  shownBy("browser", "double-click", "A double click sends one request.", [
    prevent("Combine browser convenience with authoritative server handling"),
  ]),
  shownBy("browser", "page-unclear", "An answer that cannot be read leaves the request open.", [
    prevent("An unclear response leaves the operation open"),
  ]),
  shownBy("browser", "page-reload", "A reload keeps the open request and sends nothing.", [
    prevent("Reload preserves the open operation"),
  ]),
  shownBy("browser", "page-new-intention", "Only a person begins another request.", [
    prevent("Begin an additional reservation explicitly"),
  ]),
  shownBy("browser", "page-storage-fails", "What cannot be saved is not sent.", [
    prevent("Reload preserves the open operation"),
  ]),
  shownBy("browser", "page-widths", "The page fits 320, 390 and 1440 pixels, light and dark.", [
    prevent("Review 83 executed conditions in server and browser"),
  ]),
];
