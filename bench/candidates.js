// The measured Workers, each with the database that it needs and the guarantees that it makes.

import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "esbuild";
import { builtModules, execute, migrate } from "../tests/support/worker.js";

/** The folder of the statements that Einmal and its JavaScript port run; their names are unique. */
const STATEMENTS_FOLDER = "src";

/**
 * The database of Einmal and its JavaScript port. `fill` inserts reservations; `counts` is read after each
 * sample. Nothing is removed between samples: the triggers refuse that.
 */
const migrations = {
  make: migrate,
  addWorkshops: `INSERT INTO workshops (id, title, capacity, published_at_ms)
    SELECT value, 'A workshop', ?2, 0 FROM json_each(?1)`,
  fill: [
    `WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
     INSERT INTO operations (
       actor, key, workshop, fingerprint_version, fingerprint, send_id, outcome, http_status, body, decided_at_ms
     )
     SELECT 't_actor-' || (n % 100), lower(printf('%08x-0000-4000-8000-%012x', random() & 0xffffffff, n)),
       'workshop-' || (n % CAST(?3 AS INTEGER)), 1, lower(hex(randomblob(32))), lower(hex(randomblob(16))) || '-1',
       'reserved', 201,
       json_object('status', 'reserved', 'reservation_id', lower(hex(randomblob(16))), 'quantity', 1), 0
     FROM numbers`,
    `INSERT INTO reservations (workshop, actor, key, id, quantity)
     SELECT workshop, actor, key, json_extract(body, '$.reservation_id'), 1 FROM operations AS made
     WHERE NOT EXISTS (
       SELECT 1 FROM reservations
       WHERE workshop = made.workshop AND actor = made.actor AND key = made.key
     )`,
  ],
  counts: `SELECT
    (SELECT COUNT(*) FROM operations WHERE outcome = 'reserved') AS reserved,
    (SELECT COUNT(*) FROM operations WHERE outcome = 'unavailable') AS refused,
    (SELECT COUNT(*) FROM reservations) AS reservations,
    COUNT(*) FILTER (WHERE reserved <> places) AS miscounted,
    COALESCE(SUM(MAX(0, places - capacity)), 0) AS oversold
  FROM (
    SELECT capacity, reserved, (
      SELECT COALESCE(SUM(quantity), 0) FROM reservations
      WHERE workshop = workshops.id AND cancelled_at_ms IS NULL
    ) AS places
    FROM workshops
  )`,
};

/**
 * The database of the two applications. What a sample inserts is deleted afterwards, since counting
 * the reservations is part of their work: they are measured at the stated size.
 */
const application = {
  make: (database) => execute(database, readFileSync("bench/schema.sql", "utf8")),
  addWorkshops: `INSERT INTO workshops (id, title, capacity)
    SELECT value, 'A workshop', ?2 FROM json_each(?1)`,
  fill: [
    `WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
     INSERT INTO receipts
     SELECT 'somebody', lower(printf('%08x-0000-4000-8000-%012x', random() & 0xffffffff, n)),
       'workshop-' || (n % CAST(?3 AS INTEGER)) || ' 1', 0, 201,
       json_object('status', 'reserved', 'reservation_id', lower(hex(randomblob(16))), 'quantity', 1)
     FROM numbers`,
    `INSERT INTO reservations (id, workshop, actor, quantity, created_at_ms)
     SELECT json_extract(body, '$.reservation_id'), substr(fingerprint, 1, length(fingerprint) - 2), actor, 1, 0
     FROM receipts WHERE true ON CONFLICT DO NOTHING`,
  ],
  counts: `SELECT
    (SELECT COUNT(*) FROM receipts WHERE http_status = 201) AS reserved,
    (SELECT COUNT(*) FROM receipts WHERE http_status = 409) AS refused,
    (SELECT COUNT(*) FROM reservations) AS reservations,
    0 AS miscounted,
    COALESCE(SUM(MAX(0, places - capacity)), 0) AS oversold
  FROM (
    SELECT capacity, (
      SELECT COALESCE(SUM(quantity), 0) FROM reservations WHERE workshop = workshops.id
    ) AS places
    FROM workshops
  )`,
  /** Keeps the present rows; `reset` removes later ones. */
  settle: [
    "UPDATE reservations SET created_at_ms = 0 WHERE created_at_ms > 0",
    "UPDATE receipts SET locked_at_ms = 0 WHERE locked_at_ms > 0",
  ],
  reset: [
    "DELETE FROM reservations WHERE created_at_ms > 0",
    "DELETE FROM receipts WHERE locked_at_ms > 0",
  ],
};

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {Record<string, {type: string, contents: string | Buffer}>} modules with `index.js`
 * @property {object} [data] its database; empty for the baseline
 * @property {boolean} [mayOversell] it does not guarantee the capacity, so overselling is counted
 *   and not an error
 */

/**
 * All candidates, in the order of the tables.
 * @param {string} [otherBuild] the folder of another build of Einmal to compare with; without it
 *   this build is measured twice, which shows the noise
 * @returns {Promise<Candidate[]>}
 */
export async function candidates(otherBuild) {
  const again = otherBuild === undefined ? AGAIN : OTHER;
  return [
    { name: BASELINE, modules: await bundle("baseline.js") },
    { name: PORT, modules: await bundle("port/index.js"), data: migrations },
    {
      name: SEQUENTIAL,
      modules: await bundle("sequential.js"),
      data: application,
      mayOversell: true,
    },
    { name: MIDDLEWARE, modules: await bundle("middleware.js"), data: application },
    { name: EINMAL, modules: builtModules(), data: migrations },
    { name: again, modules: builtModules(otherBuild), data: migrations },
  ];
}

export const BASELINE = "baseline";
export const PORT = "JS port";
export const SEQUENTIAL = "sequential";
export const MIDDLEWARE = "middleware";
export const EINMAL = "Einmal";
/** The same build as `EINMAL`, as a second candidate. */
const AGAIN = "Einmal again";
const OTHER = "other build";

/** Bundles a JavaScript Worker as for a deployment: one file, minified. */
async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [`bench/workers/${entry}`],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    write: false,
    loader: { ".sql": "text" },
    plugins: [statementsByName],
  });
  return { "index.js": { type: "esm", contents: outputFiles[0].text } };
}

/** Resolves `sql/<name>.sql` to the statement of that name in the project's sources. */
const statementsByName = {
  name: "statements-by-name",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^sql\// }, ({ path }) => {
      const files = readdirSync(STATEMENTS_FOLDER, { recursive: true });
      const found = files.filter((file) => basename(file) === basename(path));
      if (found.length !== 1) {
        throw new Error(`expected one ${path} below ${STATEMENTS_FOLDER}, found ${found.length}`);
      }
      return { path: resolve(STATEMENTS_FOLDER, found[0]) };
    }),
};
