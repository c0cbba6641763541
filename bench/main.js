// `npm run bench`: measures Einmal, a baseline and other implementations, and prints the tables.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { bench, SMOKE } from "./bench.js";
import { candidates } from "./candidates.js";
import { LOADS } from "./loads.js";
import { writeTables } from "./report.js";

const DOCUMENT = "docs/performance.md";

/** With fewer rounds the quartiles mean little. */
const ROUNDS_WRITTEN_MIN = 7;

const usage = `npm run bench -- [options]

--rounds N       rounds after the warm-up, default 9
--seconds N      duration of a sample, default 2
--only LOADS     some of ${Object.keys(LOADS)}
--sizes NUMBERS  existing reservations, default 0,10000,100000
--starts N       samples of cold starts, default 40
--against DIR    compare with another build of the Worker (an --outdir of wrangler deploy --dry-run)
                 instead of the same one twice
--no-build       use the build in .wrangler/built
--smoke          the shortest run, to test the benchmark; its figures mean nothing
--write          write the tables into ${DOCUMENT}

A run takes about rounds × loads × sizes × 6 × seconds. It fails only if a response is wrong.`;

// On exit the process ends every workerd and removes their databases.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

try {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "9" },
      seconds: { type: "string", default: "2" },
      only: { type: "string", default: Object.keys(LOADS).join() },
      sizes: { type: "string", default: "0,10000,100000" },
      starts: { type: "string", default: "40" },
      against: { type: "string" },
      "no-build": { type: "boolean", default: false },
      smoke: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(usage);
  } else {
    const plan = {
      rounds: number("rounds", values.rounds),
      seconds: number("seconds", values.seconds),
      starts: number("starts", values.starts),
      sizes: values.sizes.split(",").map((size) => number("sizes", size, 0)),
      loads: loadsOf(values.only),
      settled: 1000,
      progress: (text) => console.error(`bench: ${text}`),
      ...(values.smoke && SMOKE),
    };
    if (values.write) requireCompleteRun(values, plan);
    if (!values["no-build"]) build();
    const named = await bench({ ...plan, candidates: await candidates(values.against) });
    for (const [name, table] of Object.entries(named)) console.log(`\n${name}\n\n${table}`);
    if (values.write) writeTables(DOCUMENT, named);
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}

function number(name, text, least = Number.MIN_VALUE) {
  const value = Number(text);
  if (!(value >= least))
    throw new Error(`expected --${name} to be a number, found ${text}\n\n${usage}`);
  return value;
}

function loadsOf(text) {
  const loads = text.split(",");
  const unknown = loads.find((load) => !Object.hasOwn(LOADS, load));
  if (unknown !== undefined) {
    throw new Error(
      `expected --only to be some of ${Object.keys(LOADS)}, found ${unknown}\n\n${usage}`,
    );
  }
  return loads;
}

/** The document has a table for every load, of one build. */
function requireCompleteRun({ against, smoke }, { rounds, loads }) {
  const whole = loads.length === Object.keys(LOADS).length;
  if (against || smoke || !whole || rounds < ROUNDS_WRITTEN_MIN) {
    throw new Error(
      `--write requires at least ${ROUNDS_WRITTEN_MIN} rounds, every load, and no --against or --smoke`,
    );
  }
}

/** The release build, as it is deployed. */
function build() {
  const folder = ".wrangler/built";
  rmSync(folder, { recursive: true, force: true });
  const command = ["deploy", "--dry-run", "--outdir", folder];
  const { status } = spawnSync("wrangler", command, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("the Worker could not be built");
}
