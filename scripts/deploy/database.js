// The deployed database: that it is the one that the Worker has used so far, its migrations, and
// that its schema is the one that this build needs.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { READ_SCHEMA, schemaDifferences } from "../schema.js";
import { Stopped } from "./stopped.js";
import { failed, parseJson, readJson, runWrangler } from "./wrangler.js";

const MIGRATIONS = "migrations";

const nothingChanged = `Nothing was changed. Run npm run deploy again when that is put right.`;

/**
 * Compares the database of the deployed Worker with the one that `DB` in wrangler.toml means.
 * wrangler itself would link the Worker to whatever database has the name in wrangler.toml, and
 * create an empty one if there is none: all reservations would be out of sight at once.
 * @returns {Promise<string>} what was found, in a sentence
 */
export async function checkLink() {
  const linked = await linkedDatabase();
  if (linked === undefined) return "no Worker of this name has a database yet";
  const run = await runWrangler(["d1", "info", "DB", "--json"]);
  if (!run.done && !run.printed.includes("Couldn't find a D1 DB"))
    throw failed(run, nothingChanged);
  const meant = run.done ? parseJson(run, nothingChanged) : undefined;
  if (meant?.uuid === linked) return `the Worker uses the database ${meant.name} (${linked})`;
  const other =
    meant === undefined
      ? "names one that does not exist"
      : `is another one, ${meant.name} (${meant.uuid})`;
  throw new Stopped(
    `the deployed Worker uses the database ${linked}, but DB in wrangler.toml
${other}. Deploying would take the Worker away from its
reservations, so nothing was changed.
To keep its database, give wrangler.toml the name that npx wrangler d1 list shows for ${linked}.
To move the Worker to the other database on purpose: npx wrangler deploy, then npm run deploy.`,
  );
}

/** The id of the database that the deployed Worker uses as `DB`, or undefined. */
async function linkedDatabase() {
  const status = await runWrangler(["deployments", "status", "--json"]);
  if (!status.done) {
    if (/\[code: (10007|10090)\]|has no deployments/.test(status.printed)) return undefined;
    throw failed(status, nothingChanged);
  }
  const [{ version_id }] = parseJson(status, nothingChanged).versions;
  const version = await readJson(["versions", "view", version_id, "--json"], nothingChanged);
  const binding = version.resources.bindings.find(
    (/** @type {{type: string, name: string}} */ { type, name }) => type === "d1" && name === "DB",
  );
  return binding?.id ?? binding?.database_id;
}

/**
 * Applies the migrations that are not applied yet. Each is one transaction together with its row in
 * `d1_migrations`, so a lost answer leaves it applied and listed, or neither.
 * @returns {Promise<string>} what was done, in a sentence
 */
export async function applyMigrations() {
  const run = await runWrangler(["d1", "migrations", "apply", "DB", "--remote"]);
  if (run.done) {
    const isCurrent = run.printed.includes("No migrations to apply");
    return isCurrent ? "the database has every migration" : "the migrations are applied";
  }
  if (!/incomplete input/i.test(run.printed)) throw failed(run, notMigrated);
  return importMigrations();
}

/**
 * The second way, for an API that splits the text of a migration wrongly and answers `incomplete
 * input`: the import, which reads a whole file.
 */
async function importMigrations() {
  const pending = await pendingMigrations();
  const folder = mkdtempSync(join(tmpdir(), "einmal-deploy-"));
  try {
    for (const name of pending) {
      const file = join(folder, name);
      writeFileSync(file, withItsRow(name));
      const run = await runWrangler(["d1", "execute", "DB", "--remote", "--yes", "--file", file]);
      if (!run.done) throw failed(run, notMigrated);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return `the API answered "incomplete input"; applied by import instead: ${pending.join(", ")}`;
}

async function pendingMigrations() {
  const sql = "SELECT name FROM d1_migrations";
  const args = ["d1", "execute", "DB", "--remote", "--json", "--command", sql];
  const [{ results }] = await readJson(args, notMigrated);
  const applied = new Set(results.map((/** @type {{name: string}} */ { name }) => name));
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  return names.sort().filter((name) => !applied.has(name));
}

/**
 * A migration and the row by which wrangler knows that it is applied, in the form of wrangler.
 * @param {string} name
 */
function withItsRow(name) {
  const text = readFileSync(join(MIGRATIONS, name), "utf8");
  return `${text}\nINSERT INTO d1_migrations (name) VALUES ('${name.replaceAll("'", "''")}');\n`;
}

const notMigrated = `the new Worker is deployed, but not every migration is applied, or it is not known whether it
is. Until then /health answers 503, and a request may. Run npm run deploy again: it applies the
migrations that are not listed in the table d1_migrations of the database, and goes on.`;

/**
 * Compares the schema of the deployed database with the one that this build needs.
 * @throws {Stopped} that names every difference
 */
export async function checkSchema() {
  const args = ["d1", "execute", "DB", "--remote", "--json", "--command", READ_SCHEMA];
  const [{ results }] = await readJson(
    args,
    `the schema of the database could not be read. The Worker, its migrations and its secret are in
place. Run npm run deploy again: it goes on here.`,
  );
  const differences = schemaDifferences(results, process.cwd());
  if (differences.length === 0) return;
  throw new Stopped(
    `the schema of the database is not the one that this build needs:
${differences.map((difference) => `  - ${difference}`).join("\n")}
Its migrations are all listed as applied, so somebody changed it in another way, or edited a migration
after it was released. The Worker is deployed; do not let people reserve until this is put right.
Each rule stands in ${MIGRATIONS}/ under its name: restore it with npx wrangler d1 execute DB --remote
--file, and run npm run deploy again. docs/deploying.md shows how.`,
  );
}
