// One command: the words are read, the verb is run, the result is written.

import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { NoAnswer, openDatabase } from "./database.js";
import { Misspelled, Refused } from "./refused.js";
import * as add from "./verbs/add.js";
import * as attendees from "./verbs/attendees.js";
import * as cancel from "./verbs/cancel.js";
import * as check from "./verbs/check.js";
import * as close from "./verbs/close.js";
import * as list from "./verbs/list.js";
import * as publish from "./verbs/publish.js";
import * as reserve from "./verbs/reserve.js";
import * as set from "./verbs/set.js";

/** In the order of a workshop's life. */
const verbs = { add, set, publish, list, attendees, reserve, cancel, close, check };

const common = `--json              the result as JSON
--remote            the deployed database; without it, the local one of npm start
--persist-to PATH   the local database in another folder than .wrangler/state
--help              says this`;

const overview = `npm run workshop -- VERB [--remote]

${Object.values(verbs)
  .map(({ help }) => `  ${help.split("\n", 1)}`)
  .join("\n")}

Each verb says more by --help.

${common}`;

const commonOptions = {
  json: { type: "boolean" },
  remote: { type: "boolean" },
  "persist-to": { type: "string" },
  help: { type: "boolean", short: "h" },
};

/**
 * Runs one command.
 * @param {string[]} words such as `["publish", "linocut"]`
 * @param {object} world what a test replaces
 * @param {(where: object) => {run: Function}} [world.open]
 * @param {() => number} [world.now]
 * @param {(question: string) => Promise<boolean>} [world.confirm]
 * @returns {Promise<{exitCode: number, output?: string, error?: string}>} 0 done, 1 not done or
 *   something differs, 2 not understood
 */
export async function workshopCommand(
  words,
  { open = openDatabase, now = Date.now, confirm = confirmAtTerminal } = {},
) {
  const [name, ...rest] = words;
  if (name === undefined || ["--help", "-h", "help"].includes(name)) {
    return { exitCode: name === undefined ? 2 : 0, output: overview };
  }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  try {
    if (verb === undefined) {
      throw new Misspelled(`expected one of ${Object.keys(verbs).join(", ")}, found ${name}`);
    }
    const { values, positionals: operands } = parse(rest, verb);
    if (values.help)
      return { exitCode: 0, output: `npm run workshop -- ${verb.help}\n\n${common}` };
    countOperands(operands, verb.operands);
    if (values.remote && values["persist-to"] !== undefined) {
      throw new Misspelled("expected --remote or --persist-to, found both");
    }
    const database = open({ remote: values.remote, persistTo: values["persist-to"] });
    const remotely = values.remote ? ["--remote"] : [];
    const hint = (...words) => ["npm run workshop --", ...words, ...remotely].join(" ");
    const ask = async (question) => {
      if (!values.yes && !(await confirm(question))) throw new Refused("nothing was done");
    };
    const result = await verb.run({ operands, values, database, now_ms: now(), ask, hint });
    const output = values.json ? JSON.stringify(result.json, null, 2) : result.text;
    return { exitCode: result.exitCode ?? 0, output };
  } catch (error) {
    if (error instanceof NoAnswer) return { exitCode: 1, error: unknown(error) };
    if (!(error instanceof Misspelled)) return { exitCode: 1, error: `workshop: ${error.message}` };
    const more = `npm run workshop -- ${verb ? `${name} ` : ""}--help`;
    return { exitCode: 2, error: `workshop: ${error.message}\nSee: ${more}` };
  }
}

function parse(args, { options }) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...options, ...commonOptions } });
  } catch (error) {
    throw new Misspelled(error.message);
  }
}

/** Every command may be sent again: it finds what it did, and does nothing twice. */
function unknown({ message, again }) {
  return `workshop: ${message}
It is not known whether that was done. Send ${again ? `this, and it is never done twice:\n${again}` : "it again."}`;
}

function countOperands(found, expected) {
  const most = expected.length;
  const least = expected.filter((name) => !name.startsWith("[")).length;
  if (found.length >= least && found.length <= most) return;
  throw new Misspelled(
    `expected ${expected.join(" ") || "no word"} after the verb, found ${found.join(" ") || "none"}`,
  );
}

async function confirmAtTerminal(question) {
  if (!process.stdin.isTTY) {
    throw new Refused(`${question} There is no terminal to answer at: add --yes`);
  }
  // The result alone goes to the standard output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
