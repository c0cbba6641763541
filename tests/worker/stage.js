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

/**
 * @param {{database?: boolean, migrated?: boolean}} what `database: false` leaves the binding
 *   out; `migrated: false` leaves the database empty
 * @returns {Promise<{origin: string, database?: D1Database, close: () => Promise<void>}>}
 */
export async function setStage({ database = true, migrated = true } = {}) {
  const stage = new Miniflare({
    workers: [
      {
        config: {
          name: "einmal",
          compatibilityDate: "2026-08-01",
          manifest: {
            mainModule: "entry.js",
            modules: {
              "entry.js": { type: "esm", contents: entry },
              ...builtModules(),
            },
          },
          env: database ? { DB: { type: "d1", id: "einmal" } } : {},
        },
      },
    ],
  });
  const { origin } = await stage.ready;
  const { DB } = await stage.getBindings();
  if (database && migrated) await migrate(DB);
  return { origin, database: DB, close: () => stage.dispose() };
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
