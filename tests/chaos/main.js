// `npm run chaos`: random concurrent clients use the built Worker while it is repeatedly killed and
// restarted on the same data; then its database is checked for lost, duplicate or oversold
// reservations. See docs/reliability.md.
//
//   npm run chaos -- --minutes 10 --kills 20 --concurrency 32 --seed 7

import { parseArgs } from "node:util";
import { buildService } from "../support/build.js";
import { chaos } from "./chaos.js";
import { figures, timeline } from "./report.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    kills: { type: "string", default: "20" },
    concurrency: { type: "string", default: "32" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const minutes = number("minutes", /^\d+(\.\d+)?$/, "a number of minutes");
const kills = number("kills", /^[1-9]\d*$/, "a whole number, the minimum of kills");
const concurrency = number("concurrency", /^[1-9]\d{0,2}$/, "a whole number from 1 to 999");
const seed = number("seed", /^\d{1,9}$/, "a whole number of at most nine digits");

const command = `npm run chaos -- --minutes ${minutes} --kills ${kills} --concurrency ${concurrency} --seed ${seed}`;
buildService();
console.log(`chaos: ${command.slice("npm run chaos -- ".length)}`);
const ends = Date.now() + minutes * 60_000;
const run = await chaos({
  seed,
  concurrency,
  lifeMillisecondsMax: 6_000,
  shouldContinue: (killed) => killed < kills || Date.now() < ends,
});

const { found, ...happened } = figures(run);
for (const [name, figure] of Object.entries({ ...happened, ...found })) {
  console.log(`  ${name.padEnd(18)}${String(figure).padStart(9)}`);
}
const shown = new Set();
for (const { kind, description, operation } of run.findings.slice(0, 20)) {
  console.log(`\n${kind}, which breaks: ${description}`);
  if (operation && !shown.has(operation)) console.log(timeline(operation, run.kills));
  shown.add(operation);
}
console.log(
  `\nchaos: ${run.findings.length} findings. To repeat it with the same choices, at other times: ${command}`,
);
process.exitCode = run.findings.length === 0 ? 0 : 1;

function number(name, pattern, expected) {
  if (pattern.test(values[name])) return Number(values[name]);
  console.error(`chaos: expected --${name} to be ${expected}, found ${values[name]}`);
  process.exit(1);
}
