// SQL text with literal values, for `wrangler d1 execute`, which has no parameters. `quote` is the
// only way of a value into SQL.

import { readFileSync } from "node:fs";
import { replaceNames } from "../scripts/sql-text.js";

/**
 * A value as an SQL literal that SQLite reads back as exactly this value.
 *
 * A text is encoded as its UTF-8 bytes in hexadecimal. So nothing in it can end the literal, act as a
 * parameter, a comment or the end of a statement, or be altered by wrangler, which splits SQL at `;`
 * and rewrites line ends and anything that resembles a transaction.
 * @param {string | number | null} value numbers must be safe integers
 */
export function quote(value) {
  if (value === null) return "NULL";
  if (typeof value === "number" && Number.isSafeInteger(value))
    return value < 0 ? `(${value})` : String(value);
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

/**
 * SQL that the Worker runs too: a file in `src/`.
 * @param {string} path
 */
export function serviceSql(path) {
  return read(`../src/${path}.sql`);
}

/**
 * SQL that only the organiser runs: a file in `organiser/sql/`.
 * @param {string} name
 */
export function organiserSql(name) {
  return read(`sql/${name}.sql`);
}

/**
 * A statement of the organiser.
 * @param {string} name
 * @param {Record<string, import("./types.js").SqlValue>} values
 */
export function statement(name, values = {}) {
  return bind(organiserSql(name), values);
}

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
