// The log lines, limits and costs of docs/operating.md are those of the service.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import { blocks, section, table } from "./operating-page.js";

const Authorization = await bearer("somebody", SECRET);
const worker = await startWorker();
after(worker.close);
await worker.database
  .prepare(
    "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES ('pottery', 'W', 2, 0)",
  )
  .run();

/** The line that a request leaves, of the Worker or of another one that is closed afterwards. */
async function lineOf(action, other) {
  const { logOf, origin, close } = other === undefined ? worker : await startWorker(other);
  const [, line] = await logOf(() => action(origin));
  if (other !== undefined) await close();
  return line;
}

const health = (origin) => send(`${origin}/health`, { method: "GET" });

function reserving(quantity, { key = randomUUID(), fault = "none" } = {}) {
  const headers = {
    "Content-Type": "application/json",
    "Idempotency-Key": key,
    Authorization,
    Fault: fault,
  };
  const body = JSON.stringify({ workshop: "pottery", quantity });
  return (origin) => send(`${origin}/reserve`, { headers, body });
}

async function withoutTrigger() {
  const name = "reservations_take_places";
  const { sql } = await worker.database
    .prepare("SELECT sql FROM sqlite_schema WHERE name = ?1")
    .bind(name)
    .first();
  await worker.database.prepare(`DROP TRIGGER ${name}`).run();
  const line = await lineOf(health);
  await worker.database.prepare(sql).run();
  return line;
}

const key = randomUUID();
const lines = {
  reserved: await lineOf(reserving(2, { key })),
  replayed: await lineOf(reserving(2, { key })),
  unavailable: await lineOf(reserving(1)),
  conflict: await lineOf(reserving(1, { key })),
  again: await lineOf(reserving(1, { fault: "after" })),
  overloaded: await lineOf(reserving(1, { fault: "overloaded" })),
  schema: await withoutTrigger(),
};

test("the service logs every sample line of the page", () => {
  const written = blocks("json", section("Sample lines")).map((line) => JSON.parse(line));
  const logged = Object.values(lines);
  assert.equal(written.length, logged.length);
  for (const [index, line] of logged.entries()) {
    assert.deepEqual(constant(written[index]), constant(line), JSON.stringify(line));
  }
});

/** A line, as far as it is the same each time: what varies has its form instead. */
function constant(line) {
  const forms = { duration_ms: "number", key: "hash", actor: "hash" };
  // The rows read by a health check depend on the size of the schema.
  if (line.route === "/health") forms.rows_read = "number";
  const isHash = (value) => /^[0-9a-f]{8}$/.test(value);
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => {
      if (forms[name] === "number" && Number.isInteger(value)) return [name, "a number"];
      if (forms[name] === "hash" && isHash(value)) return [name, "a hash"];
      return [name, value];
    }),
  );
}

test("the page lists exactly the members of a line", () => {
  const source = readFileSync("src/wire/log.rs", "utf8");
  const [, entry] = /^pub struct LogEntry \{\n(.*?)^\}$/ms.exec(source);
  const logged = entry.replaceAll(/#\[serde\(skip\)\]\n +pub .*/g, "");
  const members = [...logged.matchAll(/^ {4}pub (\w+):/gm)].map(([, name]) => name);
  const written = table(section("Members of a line")).map(([name]) => name.replaceAll("`", ""));
  assert.deepEqual(written, members);
});

test("the service can log every cause on the page", async () => {
  const causes = [
    await lineOf(health, { database: false }),
    await lineOf(health, { secrets: {} }),
    await lineOf(reserving(1), { migrated: false }),
    ...Object.values(lines),
  ];
  for (const fault of ["storage", "updated", "unresolved", "timeout", "fewer", "other"]) {
    causes.push(await lineOf(reserving(1, { fault })));
  }
  const known = [...causes.map(({ cause }) => cause), ...sources()].join("\n");
  const written = table(section("Causes")).flatMap(([cause]) => cause.match(/(?<=`)[^`]+(?=`)/g));
  assert.ok(written.length >= 10);
  for (const cause of written) {
    for (const part of cause.split("…").map((text) => text.trim())) {
      assert.ok(known.includes(part), cause);
    }
  }
});

/** The texts of the engine, for the failures that a test would have to wait for. */
function sources() {
  const names = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".rs"));
  return names.map((name) => readFileSync(join("src", name), "utf8"));
}

test("the limits on the page are those of wrangler.toml", () => {
  const config = readFileSync("wrangler.toml", "utf8");
  const written = table(section("Limits")).map((cells) =>
    cells.map((cell) => cell.replaceAll("`", "")),
  );
  const configured = [
    ...config.matchAll(
      /^\[\[ratelimits\]\]\nname = "(\w+)".*\nnamespace_id = "(\d+)"\nsimple = \{ limit = (\d+), period = 60 \}$/gm,
    ),
  ].map(([, name, id, limit]) => [name, limit, id]);
  assert.ok(configured.length > 0);
  assert.deepEqual(
    written.map((cells) => cells.slice(0, 3)),
    configured,
  );
});

test("the costs on the page are those that tests/worker measures", () => {
  const measured = readFileSync("tests/worker/cost.test.js", "utf8");
  const rows = table(section("Cost"));
  assert.ok(rows.length >= 8);
  for (const [outcome, read, written] of rows) {
    const [name] = outcome.match(/(?<=`)[^`]+(?=`)/);
    assert.ok(measured.includes(`"${name}: ${read}/${written} in 1 call"`), outcome);
  }
});
