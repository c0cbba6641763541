// `quote` is the only way of a value into SQL, and values are read back unchanged.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import fc from "fast-check";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";
import { openDatabase } from "../../organiser/database.js";
import { bind, quote } from "../../organiser/sql.js";
import { template } from "../../scripts/sql-text.js";
import { startWorker } from "../support/worker.js";
import { newState } from "./organiser.js";

/** Texts that have broken quoting somewhere. */
const HOSTILE = [
  "",
  "'",
  "''",
  "it's; DROP TABLE workshops; --",
  'a "quoted" `word` [here]',
  "a\0b",
  "line\r\nline\nline\rline",
  "?1 :value ?",
  "-- no comment /* nor this */",
  "BEGIN TRANSACTION; COMMIT;",
  "CASE WHEN 1 THEN 2 END",
  "\\' \\x00 %s $1",
  "\ufeffmark, \u2028 separator, \u202e turned",
  "Größe 🖋️ 漢字 e\u0301",
  "1e999",
  "NULL",
  "x".repeat(5000),
];

const values = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary" }),
  fc.maxSafeInteger(),
  fc.constant(null),
);

const sqlite = new DatabaseSync(":memory:");

test("SQLite reads every text, number and null back unchanged, with its type", () => {
  fc.assert(
    fc.property(values, (value) => {
      const statement = sqlite.prepare(
        bind("SELECT :value AS value, typeof(:value) AS type", { value }),
      );
      const type = value === null ? "null" : typeof value === "string" ? "text" : "integer";
      assert.deepEqual({ ...statement.get() }, { value, type });
    }),
    { numRuns: 2000 },
  );
});

test("wrangler splits joined statements as they were", () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 2, maxLength: 5 }), (list) => {
      const statements = list.map((value) => bind("SELECT :value AS value", { value }));
      assert.deepEqual(splitStatements(statements.join(";\n")), statements);
    }),
  );
});

test("every value comes back from D1 as it was", async () => {
  const { database, close } = await startWorker({ migrated: false });
  after(close);
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const row = await database.prepare(`SELECT ${quote(value)} AS value`).first();
      assert.equal(row.value, value);
    }),
  );
});

test("every value goes through wrangler and comes back as it was", async () => {
  const { run } = openDatabase({ persistTo: await newState() });
  const list = [...HOSTILE, 0, -1, Number.MAX_SAFE_INTEGER, null];
  const rows = await run(list.map((value) => bind("SELECT :value AS value", { value })));
  assert.deepEqual(
    rows.map(([{ value }]) => value),
    list,
  );
});

test("what SQLite would not give back as it was is refused", () => {
  for (const value of [undefined, true, 1.5, 2 ** 53, Number.NaN, "\ud800", {}, 1n]) {
    assert.throws(() => quote(value), /expected a well-formed text, a whole number or null/);
  }
});

test("parameters are those outside of literals and comments, and each has its value", () => {
  assert.equal(
    bind("-- :a it's\nSELECT ':a', \":a\", :a -- :a", { a: 7 }),
    "SELECT ':a', \":a\", 7",
  );
  assert.equal(bind("SELECT :b - :a, :b", { a: -1, b: 2 }), "SELECT 2 - (-1), 2");
  for (const [sql, values, expected] of [
    ["SELECT :b", { a: 1 }, /expected a value for :b/],
    ["SELECT :a", { a: 1, b: 2 }, /used as :name, found b unused/],
    ["SELECT :toString", {}, /expected a value for :/],
    ["SELECT ?1", {}, /found a \?/],
    ["SELECT 1; SELECT 2", {}, /found a semicolon/],
    ["SELECT {a}", {}, /expected no open slot, found {a}/],
  ]) {
    assert.throws(() => bind(sql, values), expected, sql);
  }
});

test("a slot is filled by SQL or by a text, once and without comments", () => {
  const sql = "-- {a}\nSELECT '{a}', {a} -- {a}\nWHERE b = {'b'}\n";
  const filled = template(sql, { a: "-- it's\n:a\n", b: "it's" });
  assert.equal(filled, "SELECT '{a}', :a\n \nWHERE b = 'it''s'");
  assert.equal(template("{a}", { a: "'{a}'" }), "'{a}'");
  assert.throws(() => template("{a} {c}", { a: "" }), /expected a slot's SQL for {c}/);
  assert.throws(() => template("{a}", { a: "", b: "" }), /used as {slot}, found b unused/);
});
