// wrangler's local databases, each in its own folder: exported, restored, checked, and served by the
// built Worker.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { READ_SCHEMA, schemaDifferences } from "../../scripts/schema.js";
import { organiserOf } from "../organiser/organiser.js";
import { startWorker } from "../support/worker.js";

const run = promisify(execFile);

/** The names of all tables, or of all triggers, that the service needs. */
export function neededNames(type) {
  const needed = readFileSync("migrations/schema.txt", "utf8");
  return [...needed.matchAll(new RegExp(`^${type} (\\w+) `, "gm"))].map(([, name]) => name);
}

const folders = [];
const workers = new Set();

// At the end of the file, not of the test that created them.
after(async () => {
  await Promise.all([...workers].map((worker) => worker.close()));
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder that lasts as long as the tests of a file. */
export function newFolder() {
  folders.push(mkdtempSync(join(tmpdir(), "einmal-operating-")));
  return folders.at(-1);
}

/** A program, with the tools of the project, and wrangler compiled once. */
export async function start(program, args, { cwd = ".", env = {} } = {}) {
  const compiled = { NODE_COMPILE_CACHE: resolve(".wrangler/compiled") };
  const options = { cwd, env: { ...process.env, ...compiled, ...env } };
  const command = run(program, args, options);
  command.child.stdin.end();
  const { code = 0, stdout, stderr } = await command.catch((error) => error);
  return { exitCode: code, output: stdout, error: stderr };
}

/**
 * @param {object} what
 * @param {boolean} [what.migrated] whether it has the tables
 * @param {string} [what.stateOf] the state of another one, which is copied; nothing has it open
 */
export async function newDatabase({ migrated = false, stateOf } = {}) {
  const folder = newFolder();
  for (const part of ["wrangler.toml", "migrations"]) {
    cpSync(part, join(folder, part), { recursive: true });
  }
  const database = open(folder);
  if (stateOf !== undefined) cpSync(stateOf, database.state, { recursive: true });
  if (migrated) await database.wrangler("migrations", "apply", "DB", "--local");
  return database;
}

function open(folder) {
  const state = join(folder, ".wrangler/state");
  const d1 = async (...args) => {
    const { exitCode, output, error } = await start("wrangler", ["d1", ...args], { cwd: folder });
    return { exitCode, printed: output + error };
  };
  return {
    /** What wrangler is run in, and where it keeps the data. */
    folder,
    state,
    /** A subcommand of `wrangler d1` that has to succeed. */
    async wrangler(...args) {
      const { exitCode, printed } = await d1(...args);
      if (exitCode !== 0) throw new Error(`wrangler d1 ${args.join(" ")} failed:\n${printed}`);
      return printed;
    },
    /** Writes an export with these options; returns the file. */
    async export(name, ...options) {
      const file = join(folder, name);
      await this.wrangler("export", "DB", "--local", "--output", file, ...options);
      return file;
    },
    /** Runs a file of SQL; whether it succeeded, and what was printed. */
    execute: (file) => d1("execute", "DB", "--local", "--file", file),
    /** The built Worker on this database, until its `close`; the organiser's check, without wrangler. */
    async serve() {
      const worker = await startWorker({ migrated: false, state });
      workers.add(worker);
      const close = async () => {
        workers.delete(worker);
        await worker.close();
      };
      return {
        ...worker,
        close,
        check: () => organiserOf(worker.database)(["check"]),
      };
    },
  };
}

/** Every row of every table, and what differs from the schema that this build needs. */
export async function contents(database) {
  const rows = {};
  for (const table of ["d1_migrations", ...neededNames("table")]) {
    const { results } = await database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
    rows[table] = results;
  }
  const { results } = await database.prepare(READ_SCHEMA).all();
  return { rows, differences: schemaDifferences(results) };
}
