// The built Worker on a stage: in a workerd of its own, on a database that can be missing,
// empty, or fail at a chosen point. The service's own server is in `service.js`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";

/**
 * Stands between the Worker and D1. What happens to a request's batch is said by the header
 * `Fault`: nothing is sent, or it is committed and the answer lost, and so on.
 */
const entry = `
import Inner from "./index.js";
import { WorkerEntrypoint } from "cloudflare:workers";

const faults = {
  before: () => { throw new Error("D1_ERROR: Network connection lost."); },
  after: async (batch) => { await batch(); throw new Error("D1_ERROR: Network connection lost."); },
  unnamed: () => { throw "not even an Error"; },
  missing: () => { throw new Error("D1_ERROR: no such table: operations: SQLITE_ERROR"); },
  failed: async (batch) => { const results = await batch(); results[1] = { success: false, error: "no" }; return results; },
  fewer: async (batch) => (await batch()).slice(0, 2),
  nothing: async (batch) => { await batch(); return undefined; },
  other: async (batch) => { const results = await batch(); results[2].results = [{ http_status: "x" }]; return results; },
};

class D1Database {
  constructor(database, fault) { Object.assign(this, { database, fault }); }
  prepare(sql) { return this.database.prepare(sql); }
  batch(statements) {
    const batch = () => this.database.batch(statements);
    return this.fault ? faults[this.fault](batch) : batch();
  }
}

export default class extends WorkerEntrypoint {
  fetch(request) {
    const DB = this.env.DB && new D1Database(this.env.DB, request.headers.get("Fault"));
    return new Inner(this.ctx, { ...this.env, DB }).fetch(request);
  }
}
`;

/** What a stage's tokens and sessions are signed with, unless it is told otherwise. */
export const SECRET = "the secret of a stage of its own, 32 bytes and more";

/**
 * @param {object} what
 * @param {boolean} [what.database] `false` leaves the binding out
 * @param {boolean} [what.migrated] `false` leaves the database empty
 * @param {Record<string, string>} [what.secrets] instead of the usual one
 * @param {Record<string, number>} [what.limits] requests a minute, by binding
 * @returns {Promise<{origin: string, database?: D1Database, close: () => Promise<void>}>}
 */
export async function setStage({
  database = true,
  migrated = true,
  secrets = { SESSION_SECRET: SECRET },
  limits = {},
} = {}) {
  const env = {};
  if (database) env.DB = { type: "d1", id: "einmal" };
  for (const [name, value] of Object.entries(secrets)) env[name] = { type: "text", value };
  for (const [name, limit] of Object.entries(limits)) {
    env[name] = { type: "rate-limit", namespace: name, simple: { limit, period: 60 } };
  }
  const stage = new Miniflare({
    workers: [
      {
        config: {
          name: "einmal",
          compatibilityDate: "2026-08-01",
          manifest: {
            mainModule: "entry.js",
            modules: { "entry.js": { type: "esm", contents: entry }, ...builtModules() },
          },
          env,
        },
      },
    ],
  });
  const { port } = await stage.ready;
  const { DB } = await stage.getBindings();
  if (database && migrated) await migrate(DB);
  // By this name, for browsers and curl keep a cookie that is `Secure` only for it.
  return { origin: `http://localhost:${port}`, database: DB, close: () => stage.dispose() };
}

/** The files that `npm test` has built, which are those that are deployed. */
function builtModules() {
  const modules = {};
  for (const name of readdirSync(".wrangler/built")) {
    const contents = readFileSync(join(".wrangler/built", name));
    if (name.endsWith(".wasm")) modules[name] = { type: "wasm", contents };
    else if (name.endsWith(".js")) modules[name] = { type: "esm", contents: String(contents) };
  }
  return modules;
}

/** Runs SQL text of several statements. */
export async function execute(database, sql) {
  for (const statement of splitStatements(sql)) await database.prepare(statement).run();
}

/** Does what `wrangler d1 migrations apply` does. */
async function migrate(database) {
  const names = readdirSync("migrations").sort();
  await execute(
    database,
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
  );
  for (const name of names) {
    await execute(database, readFileSync(`migrations/${name}`, "utf8"));
    await database.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name).run();
  }
}
