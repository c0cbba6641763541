// Back-ups: what an export restores, and the keys decided after the restored state.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { blocks, section } from "../docs/operating-page.js";
import { startCloudflare } from "../support/cloudflare.js";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { migrate, SECRET } from "../support/worker.js";
import { contents, neededNames, newDatabase, newFolder, start } from "./database.js";

/** How many places of `linocut` are free when the back-up is made. */
const FREE_THEN = 2;

const studio = await studioInUse();
const home = newFolder();
cpSync(studio.backup, join(home, "einmal-backup.sql"));
const [, rehearsal] = blocks("sh", section("Back up"));
const rehearsed = await shell(rehearsal);
const restored = await newDatabase({ stateOf: join(home, "einmal-rehearsal") });
const migrated = await newDatabase({ migrated: true });
const data = await studio.database.export("data.sql", "--no-schema");

test("an export restores all rows and the schema into an empty database, and every old key replays", async () => {
  assert.equal(rehearsed.exitCode, 0, rehearsed.error);
  assert.match(rehearsed.output, /^4 workshops and 3 reservations checked: consistent$/m);
  const again = await newDatabase({ stateOf: restored.state });
  const applied = await again.wrangler("migrations", "apply", "DB", "--local");
  assert.match(applied, /No migrations to apply/);

  const worker = await again.serve();
  const { rows, differences } = await contents(worker.database);
  assert.deepEqual(rows, studio.contents.rows);
  for (const [table, found] of Object.entries(rows)) assert.notEqual(found.length, 0, table);
  assert.deepEqual(differences, []);
  assert.equal((await send(`${worker.origin}/health`, { method: "GET" })).status, 200);
  for (const [name, was] of Object.entries(studio.decided)) {
    assert.deepEqual(await repeat(worker.origin, was), { ...was, replayed: "true" }, name);
  }
  const fresh = await attempting(worker.origin)("mary", "linocut", 1);
  assert.deepEqual([fresh.status, fresh.replayed], [201, "false"]);
  await worker.close();
});

test("the documented commands restore a back-up into a new database of the account, beside the old one", async () => {
  const cloudflare = await startCloudflare();
  after(cloudflare.close);
  const account = await cloudflare.account();
  const old = account.createDatabase("einmal");
  await migrate(old.d1);
  const { folder } = await newDatabase();
  const here = { cwd: folder, env: account.env };
  const [create, check] = blocks("sh", section("Into a new database"));
  const created = await shell(create, here);
  assert.equal(created.exitCode, 0, created.output + created.error);
  const config = join(folder, "wrangler.toml");
  const named = readFileSync(config, "utf8").replace(
    /^database_name = .*$/m,
    'database_name = "einmal-restored"',
  );
  writeFileSync(config, named);
  const checked = await shell(check, here);
  assert.equal(checked.exitCode, 0, checked.output + checked.error);
  assert.match(checked.output, /^4 workshops and 3 reservations checked: consistent$/m);
  const [, { name, d1 }] = account.databases;
  assert.equal(name, "einmal-restored");
  assert.deepEqual((await contents(d1)).rows, studio.contents.rows);
  const untouched = await old.d1.prepare("SELECT COUNT(*) AS count FROM workshops").first();
  assert.equal(untouched.count, 0);
});

test("after a restore, a key that was decided later is decided again, once", async () => {
  const worker = await (await newDatabase({ stateOf: restored.state })).serve();
  const was = studio.since.reserved;
  const responses = await Promise.all(Array.from({ length: 5 }, () => repeat(worker.origin, was)));
  assert.deepEqual(
    responses.map(({ replayed }) => replayed).sort(),
    ["false", "true", "true", "true", "true"],
    "one request decided",
  );
  for (const { status, body } of responses)
    assert.deepEqual([status, body], [201, responses[0].body]);
  assert.notEqual(responses[0].body, was.body, "another reservation, with another code");
  const again = await repeat(worker.origin, studio.decided.held);
  assert.deepEqual(again, { ...studio.decided.held, replayed: "true" });
  await nothingDiffers(worker);
  await worker.close();
});

test("after a restore, a later key may get another outcome, and no place is reserved twice", async () => {
  const worker = await (await newDatabase({ stateOf: restored.state })).serve();
  // The refused client is first this time.
  const refused = await repeat(worker.origin, studio.since.refused);
  assert.deepEqual([refused.status, refused.replayed], [201, "false"]);
  const reserved = await repeat(worker.origin, studio.since.reserved);
  assert.deepEqual([reserved.status, reserved.body], [409, '{"status":"unavailable"}']);
  const names = Array.from({ length: 12 }, (_, index) => `actor-${index}`);
  const rush = await Promise.all(
    names.map((name) => attempting(worker.origin)(name, "linocut", 1)),
  );
  const taken = rush.filter(({ status }) => status === 201).length;
  assert.equal(taken, FREE_THEN - 1);
  await nothingDiffers(worker);
  await worker.close();
});

test("the documented statement deletes only the notes of one workshop", async () => {
  const { database, close } = await (await newDatabase({ stateOf: restored.state })).serve();
  await writeNote(database, studio.decided.elsewhere);
  const [command] = blocks("sh", section("Personal data"));
  const [, sql] = /"(DELETE FROM notes .*)"/.exec(command);
  await database.prepare(sql).run();
  const { results } = await database.prepare("SELECT key FROM notes").all();
  assert.deepEqual(results, [{ key: studio.decided.elsewhere.key }]);
  await close();
});

test("the schema refuses an import of the data alone, and nothing is imported", async () => {
  // Without the list of migrations, which the migrated database has already.
  const rest = join(migrated.folder, "rest.sql");
  writeFileSync(rest, readFileSync(data, "utf8").replace(/^INSERT INTO "d1_migrations" .*\n/m, ""));
  for (const [file, reason] of [
    [data, "UNIQUE constraint failed: d1_migrations.id"],
    [rest, "workshops_start_empty: only reservations change the count"],
  ]) {
    const { exitCode, printed } = await migrated.execute(file);
    assert.notEqual(exitCode, 0, file);
    assert.ok(printed.includes(reason), printed);
  }
  const worker = await migrated.serve();
  const { rows } = await contents(worker.database);
  await worker.close();
  for (const table of ["workshops", "operations", "reservations", "notes"]) {
    assert.deepEqual(rows[table], [], table);
  }
});

test("the data alone is restored with the schema, as documented", async () => {
  cpSync(data, join(home, "einmal-data.sql"));
  const [script] = blocks("sh", section("If there is only the data"));
  const made = await shell(script, { cwd: migrated.folder });
  assert.equal(made.exitCode, 0, made.error);
  const whole = await newDatabase();
  const { printed } = await whole.execute(join(home, "einmal-whole.sql"));
  const worker = await whole.serve();
  const found = await contents(worker.database);
  assert.deepEqual(found.differences, [], printed);
  // Operations after the back-up.
  assert.equal(found.rows.operations.length, studio.contents.rows.operations.length + 2);
  await nothingDiffers(worker);
  await worker.close();
});

test("a database restored without triggers is not_configured, log and check name them, and the migrations restore them", async () => {
  const partly = await newDatabase();
  const tables = Object.keys(studio.contents.rows).flatMap((table) => ["--table", table]);
  await partly.execute(await studio.database.export("tables.sql", ...tables));
  // An export of tables contains no triggers and no views.
  const missing = ["trigger", "view"].flatMap((type) =>
    neededNames(type).map((name) => `the ${type} ${name} is missing`),
  );

  let worker = await partly.serve();
  const { exitCode, output } = await worker.check();
  assert.equal(exitCode, 1);
  for (const sentence of missing) assert.ok(output.includes(`schema: ${sentence}\n`), sentence);
  const health = () => send(`${worker.origin}/health`, { method: "GET" });
  const [{ status, document }, line] = await worker.logOf(health);
  assert.deepEqual([status, document.error], [503, "not_configured"]);
  assert.equal(line.cause, `the schema differs: ${missing.join(", ")}`);
  await worker.close();

  const [script] = blocks("sh", section("If the triggers are missing"));
  const locally = script.replace("DB --remote", "DB --local").replace("check --remote", "check");
  const repaired = await shell(locally, { cwd: partly.folder });
  assert.equal(repaired.exitCode, 0, repaired.error);
  worker = await partly.serve();
  assert.equal((await health()).status, 200);
  await nothingDiffers(worker);
  await worker.close();
});

/**
 * A database and its back-up. `contents` are the rows of the back-up, `decided` its operations, `since`
 * the later ones.
 */
async function studioInUse() {
  const database = await newDatabase({ migrated: true });
  const worker = await database.serve();
  await makeWorkshops(worker.database);
  const attempt = attempting(worker.origin);
  const abandoned = operation("mary", "linocut", 1);
  await post(worker.origin, `/operations/${abandoned.key}/abandon`, "mary");
  const decided = {
    held: await attempt("ada", "linocut", 2),
    cancelled: await attempt("grace", "linocut", 1),
    refused: await attempt("mary", "full", 2),
    elsewhere: await attempt("mary", "limited", 2),
    abandoned: await repeat(worker.origin, abandoned),
  };
  await post(worker.origin, `/operations/${decided.cancelled.key}/cancel`, "grace");
  await writeNote(worker.database, decided.held);
  const then = await contents(worker.database);
  await worker.close();
  const backup = await database.export("backup.sql");

  const later = await database.serve();
  const since = {
    reserved: await attempting(later.origin)("grace", "linocut", FREE_THEN),
    refused: await attempting(later.origin)("mary", "linocut", 1),
  };
  assert.deepEqual([since.reserved.status, since.refused.status], [201, 409]);
  await later.close();
  return { database, backup, contents: then, decided, since };
}

/**
 * Runs commands of the page with their own home folder.
 * @param {string} script `npx wrangler …` and `npm run workshop -- …` start the project's own
 * @param {{cwd?: string, env?: Record<string, string>}} options
 */
function shell(script, { cwd, env } = {}) {
  const workshop = resolve("organiser/main.js");
  const tools = `npx() { "$@"; }\nnpm() { shift 3; node '${workshop}' "$@"; }\n`;
  return start("sh", ["-ec", tools + script], { cwd, env: { HOME: home, ...env } });
}

async function nothingDiffers(worker) {
  const { exitCode, output } = await worker.check();
  assert.match(output, /checked: consistent$/);
  assert.equal(exitCode, 0);
}

/** Workshops with every kind of text and of number, one of them without any reservation. */
async function makeWorkshops(database) {
  for (const [id, title, capacity, perActor] of [
    ["linocut", `It's "Linocut"; -- für 漢字\nCREATE TRIGGER`, 2 + FREE_THEN, null],
    ["full", "Full", 1, null],
    ["limited", "Limited", 5, 2],
    ["empty", "Nobody yet", 5, null],
  ]) {
    await database
      .prepare(
        `INSERT INTO workshops (id, title, venue, starts_at_ms, ends_at_ms, time_zone, capacity,
           places_per_actor, published_at_ms)
         VALUES (?1, ?2, 'Room 1', 253402290000000, 253402300799000, 'Europe/Zurich', ?3, ?4, 0)`,
      )
      .bind(id, title, capacity, perActor)
      .run();
  }
}

async function writeNote(database, { actor, key }) {
  await database
    .prepare("INSERT INTO notes (actor, key, note) VALUES (?1, ?2, ?3)")
    .bind(actor, key, "Ada's; 079 000 00 00\r\nINSERT INTO notes VALUES ('x');\n=1+1")
    .run();
}

function operation(name, workshop, quantity) {
  return { actor: `t_${name}`, key: randomUUID(), workshop, quantity };
}

/** One attempt of a new operation. */
function attempting(origin) {
  return (name, workshop, quantity) => repeat(origin, operation(name, workshop, quantity));
}

/** One attempt of an operation, and what it was answered. */
async function repeat(origin, { actor, key, workshop, quantity }) {
  const { status, headers, body } = await send(`${origin}/reserve`, {
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      Authorization: await bearer(actor.slice(2), SECRET),
    },
    body: JSON.stringify({ workshop, quantity }),
  });
  const replayed = headers["idempotent-replayed"];
  return { actor, key, workshop, quantity, status, replayed, body };
}

async function post(origin, path, name) {
  const Authorization = await bearer(name, SECRET);
  const { status, body } = await send(origin + path, { headers: { Authorization } });
  assert.equal(status, 200, body);
}
