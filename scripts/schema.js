// The schema that this build needs: made from the migrations, and compared with a database's.
// `npm run schema` writes it to migrations/schema.txt; `npm run schema -- examples/notes` to that
// folder's. The Worker's health compares by the same file and rule: src/store/schema.rs.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceNames } from "./sql-text.js";

const project = fileURLToPath(new URL("..", import.meta.url));

/** The statement whose rows `schemaDifferences` takes: type, name, tbl_name, sql. */
export const READ_SCHEMA = replaceNames(
  readFileSync(join(project, "src/store/sql/read_schema.sql"), "utf8"),
  {},
  String,
);

/**
 * What differs between a database and what this build needs, a sentence each.
 * @param {{type: string, name: string, tbl_name: string, sql: string}[]} rows of `READ_SCHEMA`
 * @param {string} [folder] of a Worker: where its `migrations/` are
 * @returns {string[]} empty if a service of this build can decide on that database
 */
export function schemaDifferences(rows, folder = project) {
  const needed = new Map(
    readFileSync(join(folder, "migrations/schema.txt"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => /** @type {[string, string]} */ (/^(.*) (\w+)$/.exec(line)?.slice(1))),
  );
  const found = new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
  const differences = [];
  for (const [object, fingerprint] of needed) {
    const row = found.get(object);
    if (row === undefined) differences.push(`the ${object} is missing`);
    else if (fingerprintOf(row.sql) !== fingerprint) {
      differences.push(`the ${object} is not the one that this build needs`);
    }
  }
  for (const [object, { type, tbl_name }] of found) {
    if (type === "trigger" && needed.has(`table ${tbl_name}`) && !needed.has(object)) {
      differences.push(`the ${object} is not known to this build`);
    }
  }
  return differences;
}

/**
 * As `fingerprint` in src/store/schema.rs.
 * @param {string} sql
 */
function fingerprintOf(sql) {
  const code = sql.replaceAll(/--.*/g, "").replaceAll(/[\s"]/g, "");
  return createHash("sha256").update(code).digest("hex").slice(0, 16);
}

/** The text of `migrations/schema.txt`, by the migrations of a folder. */
async function neededSchema(folder = project) {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(":memory:");
  const migrations = join(folder, "migrations");
  for (const name of readdirSync(migrations).sort()) {
    if (name.endsWith(".sql")) database.exec(readFileSync(join(migrations, name), "utf8"));
  }
  const rows = database.prepare(READ_SCHEMA).all();
  return rows
    .map(({ type, name, sql }) => `${type} ${name} ${fingerprintOf(String(sql))}\n`)
    .join("");
}

if (import.meta.main) {
  const folder = process.argv[2] ?? project;
  writeFileSync(join(folder, "migrations/schema.txt"), await neededSchema(folder));
}
