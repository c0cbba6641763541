// SQL text with its values in it, for `wrangler d1 execute`, which takes no parameters. Every
// value reaches SQL through `quote` and nothing else.

import { readFileSync } from "node:fs";
import { replaceNames } from "../scripts/sql-text.js";

/**
 * A value as an SQL literal that SQLite reads back as exactly this value.
 *
 * A text is written as its UTF-8 bytes in hexadecimal. So nothing in it can end the literal, be
 * taken for a parameter, a comment or the end of a statement, or be changed on the way: wrangler
 * splits SQL text at `;`, and rewrites its line ends and what looks like a transaction.
 * @param {string | number | null} value numbers whole and exact
 */
export function quote(value) {
  if (value === null) return "NULL";
  if (Number.isSafeInteger(value)) return value < 0 ? `(${value})` : String(value);
  if (typeof value === "string" && value.isWellFormed()) {
    return `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)`;
  }
  throw new TypeError(
    `expected a well-formed text, a whole number or null, found ${typeof value} ${value}`,
  );
}

/**
 * The text of a statement with its parameters replaced and its comments left out.
 * @param {string} sql parameters are `:name`
 * @param {Record<string, string | number | null>} values by name; each must be used
 */
export function bind(sql, values) {
  return replaceNames(sql, values, (name) => quote(values[name])).trim();
}

/** The SQL of the service itself, which the Worker runs too: a file in `src/`. */
export function serviceSql(path) {
  return read(`../src/${path}.sql`);
}

/** The SQL that only the organiser needs: a file in `sql/` beside this one. */
export function organiserSql(name) {
  return read(`sql/${name}.sql`);
}

/** A statement of the organiser. */
export function statement(name, values = {}) {
  return bind(organiserSql(name), values);
}

function read(path) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
