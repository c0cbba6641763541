// `npm run mutate`: applies each mutant of tests/mutants/list.js to a copy of the project and fails unless
// its suite fails. `npm run mutate -- trigger` tries only the mutants with that word in their names.
// About ten seconds each.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { mutants } from "./list.js";

const wanted = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => wanted.every((word) => name.includes(word)));
const copy = ".wrangler/mutants";

rmSync(copy, { recursive: true, force: true });
mkdirSync(copy, { recursive: true });
// `target` is copied so that only the mutated crate is recompiled.
for (const name of readdirSync(".").filter(
  (name) => ![".git", ".wrangler", "build"].includes(name),
)) {
  if (["node_modules", ".tools"].includes(name))
    symlinkSync(join(process.cwd(), name), join(copy, name));
  else cpSync(name, join(copy, name), { recursive: true, preserveTimestamps: true });
}

/** Whether a suite passes, and its output. */
function run(suite) {
  const { status, stdout, stderr } = spawnSync("node", ["scripts/test.js", suite], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, EINMAL_MODEL_SECONDS: "3" },
    maxBuffer: 2 ** 28,
  });
  return { green: status === 0, output: stdout + stderr };
}

/** The first thing that failed, in the runner's words. */
function firstFailure(output) {
  const failed = /^test (\S+) \.\.\. FAILED$|^✖ (?!failing tests)(.+) \(/m.exec(output);
  return failed?.[1] ?? failed?.[2] ?? /^error.*$/m.exec(output)?.[0] ?? "";
}

const survivors = [];
for (const { name, file, find, replace, suite } of chosen) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const found =
    typeof find === "string"
      ? text.split(find).length - 1
      : (text.match(new RegExp(find, "g"))?.length ?? 0);
  if (found !== 1) {
    survivors.push(`${name}: expected its text once in ${file}, found it ${found} times`);
    continue;
  }
  writeFileSync(path, text.replace(find, replace));
  const { green, output } = run(suite);
  writeFileSync(path, text);
  if (/^error(\[E\d+\])?: (?!test failed)/m.test(output)) {
    survivors.push(`${name}: it does not compile`);
  }
  if (green) survivors.push(`${name}: ${suite} stays green`);
  console.log(
    `${green ? "SURVIVES" : "noticed "}  ${name}  [${suite}: ${green ? "green" : firstFailure(output)}]`,
  );
}

console.log(`\n${chosen.length - survivors.length} of ${chosen.length} mutants were noticed`);
for (const survivor of survivors) console.log(survivor);
process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1;
