// The built Worker in workerd, with its database: one server for the whole suite.

import { randomUUID } from "node:crypto";
import { after } from "node:test";
import { createTestHarness } from "wrangler";
import { unlimitedConfig } from "../../scripts/unlimited-config.js";
import { logLines } from "./log-lines.js";
import { queryOf } from "./query.js";
import { bearer } from "./tokens.js";

/** What this suite's tokens and sessions are signed with. */
export const SECRET = "the secret of the worker suite, 32 bytes and more";

// As deployed, but without rate limits: a suite sends from one address.
const harness = createTestHarness({
  workers: [
    {
      configPath: unlimitedConfig(),
      prebuiltWorkerDir: ".wrangler/built",
      secrets: { SESSION_SECRET: SECRET },
    },
  ],
});
const { url } = await harness.listen();
after(() => harness.close());

const worker = harness.getWorker();
await worker.applyD1Migrations("DB");

/** The service's address, with a port of its own. */
export const origin = `http://localhost:${url.port}`;

/** The service's D1 database, to prepare and to query. */
export const { DB: database } = await worker.getEnv();

/** The rows of one statement. */
export const query = queryOf(database);

let made = 0;

/**
 * Publishes a workshop for one test; returns its id.
 * @param {Record<string, string | number | null>} columns beside the defaults; times in ms
 */
export async function makeWorkshop(columns = {}) {
  made += 1;
  const row = {
    id: `workshop-${made}`,
    title: "A workshop",
    capacity: 3,
    published_at_ms: 0,
    ...columns,
  };
  const names = Object.keys(row);
  await query(
    `INSERT INTO workshops (${names}) VALUES (${names.map((_, index) => `?${index + 1}`)})`,
    ...Object.values(row),
  );
  return row.id;
}

/** What the database holds about a workshop: places counted, places held, operations. */
export async function held(workshop) {
  const [row] = await query(
    `SELECT
       reserved,
       (SELECT COALESCE(SUM(quantity), 0) FROM reservations
         WHERE workshop = ?1 AND cancelled_at_ms IS NULL) AS places,
       (SELECT COUNT(*) FROM reservations WHERE workshop = ?1) AS reservations,
       (SELECT COUNT(*) FROM operations WHERE workshop = ?1) AS receipts
     FROM workshops WHERE id = ?1`,
    workshop,
  );
  return row;
}

/** The headers of a program that the service knows. */
export const authorized = { Authorization: await bearer("somebody", SECRET) };

/**
 * One attempt: `POST /reserve`, as `authorized` unless other headers authenticate.
 * @returns {Promise<{status: number, replayed: string | null, body: string, headers: Headers}>}
 */
export async function reserve(workshop, quantity = 1, key = randomUUID(), who = authorized) {
  const response = await fetch(`${origin}/reserve`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key, ...who },
    body: JSON.stringify({ workshop, quantity }),
  });
  return {
    status: response.status,
    replayed: response.headers.get("idempotent-replayed"),
    body: await response.text(),
    headers: response.headers,
  };
}

/**
 * Runs an action that sends `requests` requests; returns the Worker's log lines for them, in the order
 * of completion.
 */
export async function logOf(action, requests = 1) {
  harness.clearLogs();
  await action();
  return logLines(() => harness.getLogs(), requests);
}
