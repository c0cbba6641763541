// Access to the database through `wrangler d1 execute`, with wrangler's permissions. One call runs its
// statements as one D1 batch, which is one transaction: locally wrangler makes the batch, remotely D1's
// HTTP API does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Refused } from "./refused.js";

/** Tries while another process, such as `npm start`, has locked the local database. */
const TRIES_MAX = 20;

/** Maximum SQL text in one call: Linux limits a program's argument to 128 KiB. */
export const CALL_BYTES_MAX = 100_000;

/** No usable response: the statements may or may not have been committed. */
export class UnknownOutcome extends Error {
  /**
   * @param {string} message
   * @param {string} [again] the command that repeats the operation, if it is not the same one
   */
  constructor(message, again = undefined) {
    super(message);
    this.again = again;
  }
}

/** The database rejected the statements and rolled them back. */
export class DatabaseRefused extends Error {}

/**
 * @param {{remote?: boolean, persistTo?: string}} where the deployed database, or the local one, by
 *   default in the folder of `wrangler dev`
 * @returns {import("./types.js").Database}
 */
export function openDatabase({ remote = false, persistTo }) {
  const target = remote
    ? ["--remote"]
    : ["--local", ...(persistTo === undefined ? [] : ["--persist-to", persistTo])];

  /** @param {string[]} statements */
  async function execute(statements) {
    const sql = statements.join(";\n");
    const args = ["d1", "execute", "DB", ...target, "--json", "--command", sql];
    const printed = await wrangler(args);
    const response = parseResponse(printed);
    if (Array.isArray(response) && response.length === statements.length) {
      return response.map(({ results }) => results);
    }
    const text = response?.error?.text;
    if (text === undefined) throw new UnknownOutcome(`unexpected output of wrangler:\n${printed}`);
    const notes = (response.error.notes ?? []).map(
      (/** @type {{text: string}} */ note) => note.text,
    );
    throw explain([text, ...notes].join("\n"), remote);
  }

  return {
    async run(statements) {
      // SQLite rejects one of two processes that write to the same file; nothing was done.
      for (let tries = 1; ; tries += 1) {
        try {
          return await execute(statements);
        } catch (error) {
          if (remote || tries === TRIES_MAX || !error.message.includes("SQLITE_BUSY")) throw error;
          await pause(Math.random() * 200);
        }
      }
    },
  };
}

/** @param {string[]} args */
async function wrangler(args) {
  // Node.js caches wrangler's compiled code, so that it starts a third faster.
  const env = { NODE_COMPILE_CACHE: ".wrangler/compiled", ...process.env };
  const child = spawn("wrangler", args, { stdio: ["ignore", "pipe", "pipe"], env });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  try {
    await once(child, "close");
  } catch (error) {
    throw new Refused(
      `wrangler could not be started (${error.message}). Run it as npm run workshop.`,
    );
  }
  return output.trim() || errors.trim();
}

/**
 * wrangler prints JSON, even for a failure; undefined for anything else.
 * @param {string} text
 */
function parseResponse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The error for a message of the database or of wrangler, with its remedy if there is one.
 * @param {string} text
 * @param {boolean} remote
 */
export function explain(text, remote) {
  if (text.includes("CLOUDFLARE_API_TOKEN") || text.includes("not logged in")) {
    return new Refused(`wrangler is not logged in. Run: npx wrangler login\n(${text})`);
  }
  if (text.includes("Couldn't find a D1 DB")) {
    return new Refused(`there is no deployed database yet. Run: npm run deploy\n(${text})`);
  }
  if (text.includes("no such table")) {
    const target = remote ? "--remote" : "--local";
    return new Refused(
      `the database lacks migrations. Run: npx wrangler d1 migrations apply DB ${target}\n(${text})`,
    );
  }
  if (/SQLITE_(CONSTRAINT|BUSY)|constraint failed/.test(text)) return new DatabaseRefused(text);
  return new UnknownOutcome(text);
}
