// The text of a statement, made from a file as `src/store/sql_text.rs` makes it: comments are left
// out, slots are filled, and parameters have names. What is wrong there throws here.

const TOKENS = /^--.*\n?|--.*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\{('?)(\w*)\1\}|:([a-z0-9_]*)|[?;]/gm;

/**
 * The SQL with its slots filled: `{name}` by SQL, `{'name'}` by a text.
 * @param {string} sql
 * @param {Record<string, string>} slots each must be used
 */
export function template(sql, slots) {
  const used = new Set();
  const text = sql.replace(TOKENS, (token, quote, slot) => {
    if (token.startsWith("--")) return "";
    if (!token.startsWith("{")) return token;
    if (!Object.hasOwn(slots, slot)) throw new TypeError(`expected a slot's SQL for ${token}`);
    used.add(slot);
    return quote === "" ? withoutComments(slots[slot]) : `'${slots[slot].replaceAll("'", "''")}'`;
  });
  requireUsed(slots, used, "{slot}");
  return text.trimEnd();
}

/**
 * The SQL with each `:name` replaced by what `write` gives for it.
 * @param {string} sql one statement
 * @param {Record<string, unknown>} names each must be used
 * @param {(name: string) => string} write
 */
export function replaceNames(sql, names, write) {
  const used = new Set();
  const text = sql.replace(TOKENS, (token, _quote, _slot, name) => {
    if (token.startsWith("--")) return "";
    if (token === "?") throw new TypeError("expected parameters by :name, found a ?");
    if (token === ";") throw new TypeError("expected one statement, found a semicolon");
    if (token.startsWith("{")) throw new TypeError(`expected no open slot, found ${token}`);
    if (name === undefined) return token;
    if (!Object.hasOwn(names, name)) throw new TypeError(`expected a value for ${token}`);
    used.add(name);
    return write(name);
  });
  requireUsed(names, used, ":name");
  return text.trimEnd();
}

/**
 * The SQL as D1 takes it, with numbers for names.
 *
 * D1 binds every number as a floating-point one, so an integer is written `CAST(?n AS INTEGER)`.
 * @param {string} sql
 * @param {Record<string, "text" | "integer">} types each must be used
 * @returns {{text: string, names: string[]}} `names[0]` is `?1`
 */
export function numbered(sql, types) {
  /** @type {string[]} */
  const names = [];
  const text = replaceNames(sql, types, (name) => {
    if (!names.includes(name)) names.push(name);
    const parameter = `?${names.indexOf(name) + 1}`;
    return types[name] === "integer" ? `CAST(${parameter} AS INTEGER)` : parameter;
  });
  return { text, names };
}

/** @param {string} sql */
const withoutComments = (sql) =>
  sql.replace(TOKENS, (token) => (token.startsWith("--") ? "" : token));

/**
 * @param {object} given
 * @param {Set<string>} used
 * @param {string} kind
 */
function requireUsed(given, used, kind) {
  const unused = Object.keys(given).find((name) => !used.has(name));
  if (unused === undefined) return;
  throw new TypeError(`expected every name to be used as ${kind}, found ${unused} unused`);
}
