// Every command of docs/operating.md exists: an npm script, or a subcommand of wrangler with its options.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { start } from "../operating/database.js";
import { commands } from "./operating-page.js";

test("every npm script on the page exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = commands().flatMap((line) => [
    ...line.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g),
  ]);
  assert.ok(named.length > 0);
  for (const [line, script] of named) assert.ok(script in scripts, line);
});

test("every wrangler command on the page exists in the installed version, with its options", async () => {
  const named = new Map();
  for (const line of commands()) {
    const [, words] = /\bnpx wrangler (.*)$/.exec(line) ?? [];
    if (words === undefined) continue;
    const name = subcommand(words.split(/\s+/));
    const options = words.match(/(?<=\s--)[a-z-]+/g) ?? [];
    named.set(name, new Set([...(named.get(name) ?? []), ...options]));
  }
  assert.ok(named.size >= 10, [...named.keys()].join(", "));
  const waiting = [...named];
  // Two at once: each keeps a processor busy.
  const lane = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await exists(...next);
  };
  await Promise.all([lane(), lane()]);
});

/** The words that name a command: those before its operands and options. */
function subcommand([first, second, third]) {
  if (first === "d1" && ["migrations", "time-travel"].includes(second))
    return [first, second, third].join(" ");
  return ["d1", "secret", "deployments", "versions"].includes(first) ? `${first} ${second}` : first;
}

async function exists(name, options) {
  const { exitCode, output, error } = await start("wrangler", [...name.split(" "), "--help"]);
  assert.equal(exitCode, 0, name + error);
  assert.ok(output.startsWith(`wrangler ${name}`), `${name}: ${output.split("\n", 1)}`);
  for (const option of options) assert.match(output, new RegExp(`--${option}\\b`), name);
}
