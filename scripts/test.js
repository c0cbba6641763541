// `npm test`: every suite, against the release build, then one line of totals.
// `npm test -- native worker` runs only the suites whose names begin so.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";

const rust = ["cargo", "test", "--locked"];
const wasm = ["--target", "wasm32-unknown-unknown"];
// The Workers as they are deployed: their folders, and the folders of their builds.
const service = { folder: ".", out: ".wrangler/built" };
const notes = { folder: "examples/notes", out: ".wrangler/built-notes" };
const ledger = { folder: "examples/ledger", out: ".wrangler/built-ledger" };
const examples = ["--package", "einmal-notes", "--package", "einmal-ledger"];
const suites = [
  { name: "native", command: [...rust, "--features", "testing", "--test", "native"] },
  { name: "doctests", command: [...rust, "--features", "testing", "--doc"] },
  { name: "examples on the host", command: ["cargo", "test", "--locked", ...examples] },
  { name: "contract on the host", command: [...rust, "--test", "contract"] },
  { name: "contract as wasm", command: [...rust, ...wasm, "--test", "contract"] },
  { name: "page", command: nodeTests("tests/page") },
  { name: "client", command: nodeTests("tests/client") },
  { name: "setup", command: nodeTests("tests/setup") },
  { name: "worker", command: nodeTests("tests/worker"), built: service },
  { name: "notes", command: nodeTests("tests/notes"), built: notes },
  { name: "ledger", command: nodeTests("tests/ledger"), built: ledger },
  { name: "copies", command: nodeTests("tests/copies") },
  { name: "docs", command: ownProcesses("tests/docs"), built: [service, notes] },
  { name: "bench", command: nodeTests("tests/bench"), built: service },
  { name: "organiser", command: ownProcesses("tests/organiser"), built: service },
  { name: "deploy", command: ownProcesses("tests/deploy"), built: service },
  { name: "operating", command: ownProcesses("tests/operating"), built: service },
  { name: "conformance", command: nodeTests("tests/conformance"), built: service },
  { name: "openapi", command: nodeTests("tests/openapi"), built: service },
  { name: "chaos", command: nodeTests("tests/chaos"), built: service },
  { name: "browser", command: nodeTests("tests/browser"), built: service, browser: true },
];

const wanted = process.argv.slice(2);
const chosen = suites.filter(
  ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
);
const unknown = wanted.filter((start) => !suites.some(({ name }) => name.startsWith(start)));
if (unknown.length > 0) {
  console.error(
    `test: expected a suite (${suites.map(({ name }) => name).join(", ")}), found ${unknown}`,
  );
  process.exit(1);
}

for (const { folder, out } of new Set(chosen.flatMap(({ built }) => built ?? []))) {
  rmSync(out, { recursive: true, force: true });
  const deploy = ["wrangler", "deploy", "--dry-run", "--outdir", resolve(out)];
  const { code } = await run(deploy, folder);
  if (code !== 0) {
    console.error(`test: the Worker in ${folder} could not be built`);
    process.exit(1);
  }
}

// Without a browser the suite itself fails.
if (chosen.some(({ browser }) => browser)) await run(["sh", "scripts/setup.sh", "browser"]);

/** @type {{name: string, code: number, passed: number, failed: number, seconds: number}[]} */
const results = [];
for (const { name, command } of chosen) {
  console.log(`\n--- ${name}: ${command.join(" ")}`);
  const began = performance.now();
  const { code, output } = await run(command);
  const { passed, failed } = count(output);
  const seconds = Math.round((performance.now() - began) / 1000);
  results.push({ name, code, passed, failed, seconds });
}

console.log("\n--- results");
const problems = [];
for (const { name, code, passed, failed, seconds } of results) {
  console.log(`${name}: ${passed} passed, ${failed} failed, ${seconds} s`);
  if (code !== 0 || failed > 0) problems.push(`${name}: it failed`);
  else if (passed === 0) problems.push(`${name}: no test ran`);
}
const [host, asWasm] = ["contract on the host", "contract as wasm"].map((wantedName) =>
  results.find(({ name }) => name === wantedName),
);
if (host && asWasm && host.passed !== asWasm.passed) {
  problems.push(`contract: ${host.passed} tests on the host, ${asWasm.passed} as wasm`);
}
for (const problem of problems) console.log(problem);

/** @param {"passed" | "failed"} field */
const total = (field) => results.reduce((sum, result) => sum + result[field], 0);
// A suite can fail without a failing test; the totals must not hide it.
console.log(`\n${total("passed")} passed, ${Math.max(total("failed"), problems.length)} failed`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * Runs a command in a folder, shows what it prints, and keeps it.
 * @param {string[]} command
 * @param {string} folder
 */
async function run([program, ...args], folder = ".") {
  // Colour codes would break the patterns of `count`.
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = await once(child, "close");
  return { code, output };
}

/**
 * The numbers of tests in the output of cargo, wasm-bindgen or Node.js.
 * @param {string} output
 */
function count(output) {
  /** @param {RegExp} pattern */
  const add = (pattern) => [...output.matchAll(pattern)].reduce((sum, [, n]) => sum + Number(n), 0);
  return {
    passed: add(/^test result: .*?(\d+) passed/gm) + add(/^ℹ pass (\d+)$/gm),
    failed: add(/^test result: .*?(\d+) failed/gm) + add(/^ℹ fail (\d+)$/gm),
  };
}

/**
 * One process for all the files of a folder, so that they share one server.
 * @param {string} folder
 */
function nodeTests(folder) {
  return ["node", "--test", "--test-isolation=none", "--test-reporter=spec", ...testFiles(folder)];
}

/**
 * A process for each file, two at once: they wait for other programs most of the time.
 * @param {string} folder
 */
function ownProcesses(folder) {
  return ["node", "--test", "--test-concurrency=2", "--test-reporter=spec", ...testFiles(folder)];
}

/** @param {string} folder */
function testFiles(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
  return files.map((name) => `${folder}/${name}`);
}
