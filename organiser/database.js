// The database as the organiser reaches it: by `wrangler d1 execute`, with the rights that
// wrangler has. One call runs all its statements as one D1 batch, which is one transaction: here
// wrangler makes the batch, remotely D1's HTTP API does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Refused } from "./refused.js";

/** How often a statement is sent while another process, such as `npm start`, is writing. */
const SENDS = 20;

/** The most SQL text in one call: a program's argument may have 128 KiB on Linux. */
export const CALL_BYTES_MAX = 100_000;

/** wrangler did not answer: what the statements did is not known. */
export class NoAnswer extends Error {
  /**
   * @param {string} message
   * @param {string} [again] the command that may be sent again, if it is not the same one
   */
  constructor(message, again = undefined) {
    super(message);
    this.again = again;
  }
}

/** The database refused the statements; nothing of them was done. */
export class DatabaseRefused extends Error {}

/**
 * @param {{remote?: boolean, persistTo?: string}} where the deployed database, or the local one in
 *   the folder that `wrangler dev` uses, or in another
 * @returns {{run: (statements: string[]) => Promise<Record<string, unknown>[][]>}} `run` gives
 *   the rows of each statement
 */
export function openDatabase({ remote = false, persistTo }) {
  const place = remote
    ? ["--remote"]
    : ["--local", ...(persistTo === undefined ? [] : ["--persist-to", persistTo])];

  async function execute(statements) {
    const sql = statements.join(";\n");
    const args = ["d1", "execute", "DB", ...place, "--json", "--command", sql];
    const said = await wrangler(args);
    const answer = readAnswer(said);
    if (Array.isArray(answer) && answer.length === statements.length) {
      return answer.map(({ results }) => results);
    }
    const text = answer?.error?.text;
    if (text === undefined) throw new NoAnswer(`wrangler did not answer as expected:\n${said}`);
    const notes = (answer.error.notes ?? []).map((note) => note.text);
    throw explain([text, ...notes].join("\n"), remote);
  }

  return {
    async run(statements) {
      // Two processes with one local file: SQLite turns one of them away, and nothing was done.
      for (let sent = 1; ; sent += 1) {
        try {
          return await execute(statements);
        } catch (error) {
          if (remote || sent === SENDS || !error.message.includes("SQLITE_BUSY")) throw error;
          await pause(Math.random() * 200);
        }
      }
    },
  };
}

async function wrangler(args) {
  // wrangler is a big program: compiled once, it starts in two thirds of the time.
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

/** wrangler answers JSON, also for a failure; undefined for anything else. */
function readAnswer(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error to throw for what the database or wrangler said, with the way out if there is one. */
export function explain(text, remote) {
  if (text.includes("CLOUDFLARE_API_TOKEN") || text.includes("not logged in")) {
    return new Refused(`wrangler is not logged in. Run: npx wrangler login\n(${text})`);
  }
  if (text.includes("Couldn't find a D1 DB")) {
    return new Refused(`there is no deployed database yet. Run: npm run deploy\n(${text})`);
  }
  if (text.includes("no such table")) {
    const place = remote ? "--remote" : "--local";
    return new Refused(
      `the database is behind. Run: npx wrangler d1 migrations apply DB ${place}\n(${text})`,
    );
  }
  if (/SQLITE_(CONSTRAINT|BUSY)|constraint failed/.test(text)) return new DatabaseRefused(text);
  return new NoAnswer(text);
}
