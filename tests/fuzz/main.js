// `npm run schemathesis`: sends requests generated from docs/openapi.yaml to the built Worker or, with a
// URL, to an instance, and compares the responses with the document.
// Needs Python 3.10 or newer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildService } from "../support/build.js";
import { bearer } from "../support/tokens.js";
import { execute, SECRET, startWorker } from "../support/worker.js";

const FOLDER = ".tools/schemathesis";
const REQUIREMENTS = "tests/fuzz/requirements.txt";

const usage = `npm run schemathesis [-- URL --token TOKEN] [-- --max-examples 200]

URL             an instance, without limits: npm start -- --no-limits. Otherwise it starts one
--token         a bearer token there: npm run token -- NAME
--max-examples  maximum number of requests per operation, default 100`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    token: { type: "string" },
    "max-examples": { type: "string", default: "100" },
    help: { type: "boolean" },
  },
});
if (values.help || positionals.length > 1 || (positionals.length === 1 && !values.token)) {
  console.error(usage);
  process.exit(values.help ? 0 : 1);
}

await install();
if (positionals.length === 1) {
  process.exitCode = await testInstance(positionals[0], values.token);
} else {
  buildService();
  const worker = await startWorker();
  await execute(worker.database, readFileSync("scripts/demo-workshop.sql", "utf8"));
  const [, token] = (await bearer("schemathesis", SECRET)).split(" ");
  process.exitCode = await testInstance(worker.origin, token);
  await worker.close();
}

function testInstance(url, token) {
  const options = [
    ...["--config-file", "tests/fuzz/schemathesis.toml"],
    "run",
    "docs/openapi.yaml",
    ...["--url", url],
    ...["--max-examples", values["max-examples"]],
    ...["--checks", "all"],
    "--no-color",
  ];
  return run(`${FOLDER}/bin/schemathesis`, options, { EINMAL_TOKEN: token });
}

/** Brings it into a folder of its own, once for each list of requirements. */
async function install() {
  const wanted = readFileSync(REQUIREMENTS, "utf8");
  const mark = `${FOLDER}/installed`;
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  rmSync(FOLDER, { recursive: true, force: true });
  await must("python3", ["-m", "venv", FOLDER]);
  await must(`${FOLDER}/bin/pip`, ["install", "--quiet", "--requirement", REQUIREMENTS]);
  writeFileSync(mark, wanted);
}

async function must(program, options) {
  const code = await run(program, options);
  if (code !== 0) throw new Error(`${program} ${options.join(" ")} failed`);
}

async function run(program, options, secrets = {}) {
  const env = { ...process.env, ...secrets };
  const child = spawn(program, options, { stdio: ["ignore", "inherit", "inherit"], env });
  const [code] = await once(child, "close");
  return code;
}
