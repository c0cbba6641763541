// docs/organising.md: its commands, run from top to bottom as they stand there, give the output
// that stands there. On a D1 database at hand: what wrangler adds, the other tests see.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { organiserOf } from "../organiser/organiser.js";
import { startWorker } from "../support/worker.js";

/** When the first command of the page is run, since its outputs have times. */
const BEGIN_MS = Date.parse("2027-01-11T08:00:00Z");

/** What differs each time: reservations' ids, their codes, keys. */
const VARYING =
  /\b[0-9a-f]{32}\b|\b[0-9A-F]{4}-[0-9A-F]{4}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Each command of the page with its output, in order. */
function examples() {
  const page = readFileSync("docs/organising.md", "utf8");
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, text]) => text);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command, output] = text.split(/(?<!\\)\n(.*)/s);
        return { command, output: output.trimEnd() };
      }),
  );
}

/** The words of a command, as a shell splits them. */
function words(command) {
  const [, rest] = /^npm run (?:--silent )?workshop -- (.*)$/s.exec(command);
  const script = `set -- ${rest}\nfor word; do printf '%s\\0' "$word"; done`;
  return String(execFileSync("sh", ["-c", script]))
    .split("\0")
    .slice(0, -1);
}

/** Runs a command of the page at a moment and gives what a terminal shows. */
async function show(organiser, command, now_ms) {
  const asked = [];
  const confirm = async (question) => {
    asked.push(`${question} [y/N] y`);
    return true;
  };
  const world = { now: () => now_ms, confirm };
  const { output, error } = await organiser(words(command), world);
  const shown = [...asked, output, error].filter((text) => text !== undefined).join("\n");
  return shown.replaceAll("\r\n", "\n").trimEnd();
}

test("every command of the page about organising gives the output that stands there", async () => {
  const { database, close } = await startWorker();
  after(close);
  const organiser = organiserOf(database);
  const [written, given] = [[], []];
  // Equal values stay equal: the page's first code is this run's first code.
  const named = (names, text) =>
    text.replace(VARYING, (value) => {
      if (!names.includes(value)) names.push(value);
      return `<${names.indexOf(value)}>`;
    });
  const all = examples();
  for (const [index, { command, output }] of all.entries()) {
    const now = command.replace(VARYING, (value) => given[written.indexOf(value)] ?? value);
    const shown = await show(organiser, now, BEGIN_MS + index * 60_000);
    assert.equal(named(given, shown), named(written, output), command);
  }
  assert.ok(all.length >= 12, `${all.length} commands were run`);
});
