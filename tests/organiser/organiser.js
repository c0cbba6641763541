// Runs the organiser's commands in tests, and prepares their databases.

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
 * Runs commands in this process on a D1 database, without wrangler.
 * @param {D1Database} database
 * @returns a function of a command's arguments and overrides of its environment
 */
export function organiserOf(database) {
  const open = () => ({
    async run(statements) {
      const batch = statements.map((sql) => database.prepare(sql));
      const results = await database.batch(batch).catch((error) => {
        throw explain(error.message, false);
      });
      return results.map(({ results }) => results);
    },
  });
  return (words, environment) =>
    workshopCommand(words, { open, confirm: failOnConfirm, ...environment });
}

async function failOnConfirm(question) {
  throw new Error(`unexpected confirmation: ${question}`);
}

/** A folder of wrangler's local state, migrated. */
export async function newState() {
  const state = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(state, { recursive: true }));
  const target = ["--local", "--persist-to", state];
  await run("wrangler", ["d1", "migrations", "apply", "DB", ...target]);
  return state;
}

/** Runs a command in its own process. */
export async function type(words, env = {}) {
  const options = { env: { ...process.env, ...env } };
  const command = run("node", ["organiser/main.js", ...words], options);
  command.child.stdin.end();
  const { code = 0, stdout, stderr } = await command.catch((error) => error);
  return { exitCode: code, output: stdout, error: stderr };
}
