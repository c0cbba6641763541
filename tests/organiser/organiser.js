// The organiser at work in a test: commands, and the databases they meet.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { workshopCommand } from "../../organiser/command.js";
import { explain } from "../../organiser/database.js";

const run = promisify(execFile);

/**
 * Commands in this process, on a D1 database that is at hand: quick, without wrangler.
 * @param {D1Database} database
 * @returns a function of words and of what else the world is
 */
export function organiserOf(database) {
  const open = () => ({
    async run(statements) {
      const batch = statements.map((sql) => database.prepare(sql));
      const answers = await database.batch(batch).catch((error) => {
        throw explain(error.message, false);
      });
      return answers.map(({ results }) => results);
    },
  });
  return (words, world) => workshopCommand(words, { open, confirm: refuseToAnswer, ...world });
}

async function refuseToAnswer(question) {
  throw new Error(`asked, although nobody expected it: ${question}`);
}

/** A folder for wrangler's local state, with the tables of the service. */
export async function newState() {
  const state = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(state, { recursive: true }));
  const place = ["--local", "--persist-to", state];
  await run("wrangler", ["d1", "migrations", "apply", "DB", ...place]);
  return state;
}

/** A command as it is typed: a process of its own. */
export async function type(words, env = {}) {
  const options = { env: { ...process.env, ...env } };
  const command = run("node", ["organiser/main.js", ...words], options);
  command.child.stdin.end();
  const { code = 0, stdout, stderr } = await command.catch((error) => error);
  return { exitCode: code, output: stdout, error: stderr };
}
