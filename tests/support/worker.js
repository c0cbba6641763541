// The built Worker in its own workerd, on a database that can be missing, empty, or fail at a chosen
// point. `service.js` has the server that a whole suite shares.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";
import { logLines } from "./log-lines.js";
import { queryOf } from "./query.js";

/**
 * Wraps D1. The header `Fault` has a fault for each send of a request's batches: `before,after` loses
 * the first before it reaches D1, and the response to the second. Further sends succeed.
 */
const entry = `
import Inner from "./index.js";
import { WorkerEntrypoint } from "cloudflare:workers";

const fail = (message) => { throw new Error(message); };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const faults = {
  none: (batch) => batch(),
  // Transient.
  before: () => fail("D1_ERROR: Network connection lost."),
  after: async (batch) => { await batch(); fail("D1_ERROR: Network connection lost."); },
  bare: async (batch) => { await batch(); fail("Network connection lost."); },
  storage: () => fail("D1_ERROR: D1 DB storage caused object to be reset."),
  updated: () => fail("D1_ERROR: D1 DB reset because its code was updated."),
  unresolved: () => fail("D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node."),
  never: () => new Promise(() => {}),
  late: async (batch) => { await pause(4500); await batch(); return new Promise(() => {}); },
  // The batch without a transaction, with pauses between its statements, as in a service that is not
  // exactly once.
  apart: async (batch, statements) => {
    const results = [];
    for (const statement of statements) {
      results.push(await statement.all());
      await pause(50);
    }
    return results;
  },
  // Permanent.
  overloaded: () => fail("D1_ERROR: D1 DB is overloaded. Requests queued for too long."),
  timeout: () => fail("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset."),
  unnamed: () => { throw "not even an Error"; },
  missing: () => fail("D1_ERROR: no such table: operations: SQLITE_ERROR"),
  refused: () => fail("D1_ERROR: CHECK constraint failed: x: SQLITE_CONSTRAINT"),
  failed: async (batch) => (await batch()).with(1, { success: false, error: "no" }),
  fewer: async (batch) => (await batch()).slice(0, 2),
  nothing: async (batch) => { await batch(); return undefined; },
  other: async (batch) => {
    const results = await batch();
    return results.with(2, { ...results[2], results: [{ http_status: "x" }] });
  },
};

class D1Database {
  constructor(database, words) { Object.assign(this, { database, words }); }
  prepare(sql) { return this.database.prepare(sql); }
  async batch(statements) {
    return faults[this.words.shift() ?? "none"](() => this.database.batch(statements), statements);
  }
}

export default class extends WorkerEntrypoint {
  fetch(request) {
    const words = request.headers.get("Fault")?.split(",") ?? [];
    const DB = this.env.DB && new D1Database(this.env.DB, words);
    return new Inner(this.ctx, { ...this.env, DB }).fetch(request);
  }
}
`;

/** The default secret of tokens and sessions. */
export const SECRET = "the secret of a Worker of its own, 32 bytes and more";

/** Maximum time that a test of a limit takes until it has counted. */
const LIMITED_TEST_MS_MAX = 10_000;

/**
 * @param {object} what
 * @param {string} [what.built] the folder of the built Worker
 * @param {string} [what.migrations] the folder of its migrations
 * @param {boolean} [what.database] `false` leaves the binding out
 * @param {boolean} [what.migrated] `false` leaves the database as it is
 * @param {string} [what.state] a folder for the data, as wrangler keeps its local state in; without
 *   one it is removed with the Worker
 * @param {Record<string, string>} [what.secrets] instead of the usual one
 * @param {Record<string, number>} [what.limits] requests a minute, by binding
 * @param {boolean} [what.assets] `true` serves `public/` too, as it is deployed
 * @returns `origin`; `database`; `logOf`, which does something and gives its result and what was
 *   logged; `errors`, of that what was logged as an error; `close`
 */
export async function startWorker({
  built = ".wrangler/built",
  migrations = "migrations",
  database = true,
  migrated = true,
  state,
  secrets = { SESSION_SECRET: SECRET },
  limits = {},
  assets = false,
} = {}) {
  const env = {};
  if (database) env.DB = { type: "d1", id: "DB" }; // as wrangler calls the local one
  for (const [name, value] of Object.entries(secrets)) env[name] = { type: "text", value };
  for (const [name, limit] of Object.entries(limits)) {
    env[name] = { type: "rate-limit", namespace: name, simple: { limit, period: 60 } };
  }
  let logged = [];
  const worker = new Miniflare({
    handleStructuredLogs: (line) => logged.push(line),
    resourcePersistencePath: state && join(state, "v3"),
    workers: [
      {
        config: {
          name: "einmal",
          compatibilityDate: "2026-08-01",
          manifest: {
            mainModule: "entry.js",
            modules: { "entry.js": { type: "esm", contents: entry }, ...builtModules(built) },
          },
          env,
          ...(assets && { assets: { directory: "public", hasUserWorker: true } }),
        },
      },
    ],
  });
  // Its counters start at zero in each minute of the clock; a test that counts needs one minute whole.
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (Object.keys(limits).length > 0 && leftMs < LIMITED_TEST_MS_MAX) await pause(leftMs);
  const { port } = await worker.ready;
  const { DB } = await worker.getBindings();
  if (database && migrated) await migrate(DB, migrations);
  // By this name, for browsers and curl keep a cookie that is `Secure` only for it.
  return {
    origin: `http://localhost:${port}`,
    database: DB,
    query: queryOf(DB),
    logOf: async (action, requests = 1) => {
      logged = [];
      const done = await action();
      return [done, ...(await logLines(() => logged, requests))];
    },
    errors: () => logged.filter(({ level }) => level === "error").map(({ message }) => message),
    close: () => worker.dispose(),
  };
}

/** The files that were built, which are those that are deployed. */
export function builtModules(folder = ".wrangler/built") {
  const modules = {};
  for (const name of readdirSync(folder)) {
    const contents = readFileSync(join(folder, name));
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
export async function migrate(database, folder = "migrations") {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  await execute(
    database,
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
  );
  for (const name of names) {
    await execute(database, readFileSync(join(folder, name), "utf8"));
    await database.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name).run();
  }
}
