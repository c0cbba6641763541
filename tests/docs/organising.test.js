// Runs the commands of docs/organising.md from top to bottom and compares their output with the page,
// on a D1 database in this process; tests/organiser covers wrangler.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { organiserOf } from "../organiser/organiser.js";
import { startWorker } from "../support/worker.js";

/** The clock of the page's first command. */
const BEGIN_MS = Date.parse("2027-01-11T08:00:00Z");

/** Random values: reservations' ids, their codes, keys. */
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

/** The arguments of a command, as a shell splits them. */
function words(command) {
  const [, rest] = /^npm run (?:--silent )?workshop -- (.*)$/s.exec(command);
  const script = `set -- ${rest}\nfor word; do printf '%s\\0' "$word"; done`;
  return String(execFileSync("sh", ["-c", script]))
    .split("\0")
    .slice(0, -1);
}

/** Runs a command of the page at a time and returns what a terminal shows. */
async function show(organiser, command, now_ms) {
  const prompts = [];
  const confirm = async (question) => {
    prompts.push(`${question} [y/N] y`);
    return true;
  };
  const environment = { now: () => now_ms, confirm };
  const { output, error } = await organiser(words(command), environment);
  const shown = [...prompts, output, error].filter((text) => text !== undefined).join("\n");
  return shown.replaceAll("\r\n", "\n").trimEnd();
}

test("every command of docs/organising.md prints the output on the page", async () => {
  const { database, close } = await startWorker();
  after(close);
  const organiser = organiserOf(database);
  const [written, given] = [[], []];
  // Random values are compared by their order of appearance.
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
