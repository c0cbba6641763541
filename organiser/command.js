// Runs one command: parses the arguments, runs the verb, formats the result.

import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { openDatabase, UnknownOutcome } from "./database.js";
import { Refused, UsageError } from "./refused.js";
import * as add from "./verbs/add.js";
import * as attendees from "./verbs/attendees.js";
import * as cancel from "./verbs/cancel.js";
import * as check from "./verbs/check.js";
import * as close from "./verbs/close.js";
import * as list from "./verbs/list.js";
import * as publish from "./verbs/publish.js";
import * as reserve from "./verbs/reserve.js";
import * as set from "./verbs/set.js";

/**
 * In the order of a workshop's life.
 * @type {Record<string, import("./types.js").Verb>}
 */
const verbs = { add, set, publish, list, attendees, reserve, cancel, close, check };

const common = `--json              the result as JSON
--remote            the deployed database; without it, the local one of npm start
--persist-to PATH   the local database in another folder than .wrangler/state
--help              this help`;

const overview = `npm run workshop -- VERB [--remote]

${Object.values(verbs)
  .map(({ help }) => `  ${help.split("\n", 1)}`)
  .join("\n")}

VERB --help explains a verb.

${common}`;

/**
 * @typedef {{json?: boolean, remote?: boolean, "persist-to"?: string, help?: boolean, yes?: boolean}} CommonValues
 */

/** @satisfies {import("./types.js").Verb["options"]} */
const commonOptions = {
  json: { type: "boolean" },
  remote: { type: "boolean" },
  "persist-to": { type: "string" },
  help: { type: "boolean", short: "h" },
};

/**
 * Runs one command.
 * @param {string[]} words such as `["publish", "linocut"]`
 * @param {object} environment dependencies that a test replaces
 * @param {(where: {remote?: boolean, persistTo?: string}) => import("./types.js").Database} [environment.open]
 * @param {() => number} [environment.now]
 * @param {(question: string) => Promise<boolean>} [environment.confirm]
 * @returns {Promise<{exitCode: number, output?: string, error?: string}>} 0 done, 1 refused,
 *   failed or inconsistent data, 2 usage error
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
      throw new UsageError(`expected one of ${Object.keys(verbs).join(", ")}, found ${name}`);
    }
    const { values, positionals: operands } = parse(rest, verb);
    if (values.help)
      return { exitCode: 0, output: `npm run workshop -- ${verb.help}\n\n${common}` };
    countOperands(operands, verb.operands);
    if (values.remote && values["persist-to"] !== undefined) {
      throw new UsageError("expected --remote or --persist-to, found both");
    }
    const database = open({ remote: values.remote, persistTo: values["persist-to"] });
    const remotely = values.remote ? ["--remote"] : [];
    /** @param {string[]} words */
    const hint = (...words) => ["npm run workshop --", ...words, ...remotely].join(" ");
    /** @param {string} question */
    const requireConfirmation = async (question) => {
      if (!values.yes && !(await confirm(question))) throw new Refused("nothing was changed");
    };
    const result = await verb.run({
      operands,
      values,
      database,
      now_ms: now(),
      requireConfirmation,
      hint,
    });
    const output = values.json ? JSON.stringify(result.json, null, 2) : result.text;
    return { exitCode: result.exitCode ?? 0, output };
  } catch (error) {
    if (error instanceof UnknownOutcome) return { exitCode: 1, error: unknownOutcome(error) };
    if (!(error instanceof UsageError)) return { exitCode: 1, error: `workshop: ${error.message}` };
    const more = `npm run workshop -- ${verb ? `${name} ` : ""}--help`;
    return { exitCode: 2, error: `workshop: ${error.message}\nSee: ${more}` };
  }
}

/**
 * @param {string[]} args
 * @param {import("./types.js").Verb} verb
 * @returns {{values: CommonValues, positionals: string[]}}
 */
function parse(args, { options }) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...options, ...commonOptions } });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/**
 * Every command can be repeated safely: it does nothing twice.
 * @param {UnknownOutcome} error
 */
function unknownOutcome({ message, again }) {
  const next = again
    ? `Run this, which never does it twice:\n${again}`
    : "Run the command again: nothing is done twice.";
  return `workshop: ${message}\nThe outcome is unknown: it may or may not have been done. ${next}`;
}

/**
 * @param {string[]} found
 * @param {string[]} expected
 */
function countOperands(found, expected) {
  const countMax = expected.length;
  const countMin = expected.filter((name) => !name.startsWith("[")).length;
  if (found.length >= countMin && found.length <= countMax) return;
  throw new UsageError(
    `expected ${expected.join(" ") || "no argument"} after the verb, found ${found.join(" ") || "none"}`,
  );
}

/** @param {string} question */
async function confirmAtTerminal(question) {
  if (!process.stdin.isTTY) {
    throw new Refused(`${question} No terminal to confirm at: add --yes`);
  }
  // Only the result goes to the standard output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
