// Back-ups: what an export restores, what an older state makes of the keys that were decided since,
// and what is refused.

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

test("an export restores every row and the whole schema into an empty database, and every old key its receipt", async () => {
  assert.equal(rehearsed.exitCode, 0, rehearsed.error);
  assert.match(rehearsed.output, /^4 workshops and 3 reservations checked: nothing differs$/m);
  const again = await newDatabase({ stateOf: restored.state });
  const applied = await again.wrangler("migrations", "apply", "DB", "--local");
  assert.match(applied, /No migrations to apply/);

  const stage = await again.serve();
  const { rows, differences } = await contents(stage.database);
  assert.deepEqual(rows, studio.contents.rows);
  for (const [table, found] of Object.entries(rows)) assert.notEqual(found.length, 0, table);
  assert.deepEqual(differences, []);
  assert.equal((await send(`${stage.origin}/health`, { method: "GET" })).status, 200);
  for (const [name, was] of Object.entries(studio.decided)) {
    assert.deepEqual(await repeat(stage.origin, was), { ...was, replayed: "true" }, name);
  }
  const fresh = await attempting(stage.origin)("mary", "linocut", 1);
  assert.deepEqual([fresh.status, fresh.replayed], [201, "false"]);
  await stage.close();
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
  assert.match(checked.output, /^4 workshops and 3 reservations checked: nothing differs$/m);
  const [, { name, d1 }] = account.databases;
  assert.equal(name, "einmal-restored");
  assert.deepEqual((await contents(d1)).rows, studio.contents.rows);
  const untouched = await old.d1.prepare("SELECT COUNT(*) AS count FROM workshops").first();
  assert.equal(untouched.count, 0);
});

test("after an earlier state is restored, a key that was decided since is decided anew, once", async () => {
  const stage = await (await newDatabase({ stateOf: restored.state })).serve();
  const was = studio.since.reserved;
  const anew = await Promise.all(Array.from({ length: 5 }, () => repeat(stage.origin, was)));
  assert.deepEqual(
    anew.map(({ replayed }) => replayed).sort(),
    ["false", "true", "true", "true", "true"],
    "one request decided",
  );
  for (const { status, body } of anew) assert.deepEqual([status, body], [201, anew[0].body]);
  assert.notEqual(anew[0].body, was.body, "another reservation, with another code");
  const again = await repeat(stage.origin, studio.decided.held);
  assert.deepEqual(again, { ...studio.decided.held, replayed: "true" });
  await nothingDiffers(stage);
  await stage.close();
});

test("after an earlier state is restored, a receipt given since may be decided otherwise, and no place is given twice", async () => {
  const stage = await (await newDatabase({ stateOf: restored.state })).serve();
  // Who was refused comes first this time.
  const refused = await repeat(stage.origin, studio.since.refused);
  assert.deepEqual([refused.status, refused.replayed], [201, "false"]);
  const reserved = await repeat(stage.origin, studio.since.reserved);
  assert.deepEqual([reserved.status, reserved.body], [409, '{"status":"unavailable"}']);
  const names = Array.from({ length: 12 }, (_, index) => `actor-${index}`);
  const rush = await Promise.all(names.map((name) => attempting(stage.origin)(name, "linocut", 1)));
  const taken = rush.filter(({ status }) => status === 201).length;
  assert.equal(taken, FREE_THEN - 1);
  await nothingDiffers(stage);
  await stage.close();
});

test("the documented statement deletes the notes of one workshop, and of no other", async () => {
  const { database, close } = await (await newDatabase({ stateOf: restored.state })).serve();
  await writeNote(database, studio.decided.elsewhere);
  const [command] = blocks("sh", section("Personal data"));
  const [, sql] = /"(DELETE FROM notes .*)"/.exec(command);
  await database.prepare(sql).run();
  const { results } = await database.prepare("SELECT key FROM notes").all();
  assert.deepEqual(results, [{ key: studio.decided.elsewhere.key }]);
  await close();
});

test("an import of the data alone is refused by the schema, and nothing of it is imported", async () => {
  // The same without the list of migrations, which the migrated database has already.
  const rest = join(migrated.folder, "rest.sql");
  writeFileSync(rest, readFileSync(data, "utf8").replace(/^INSERT INTO "d1_migrations" .*\n/m, ""));
  for (const [file, reason] of [
    [data, "UNIQUE constraint failed: d1_migrations.id"],
    [rest, "workshops_start_empty: only reservations move the count"],
  ]) {
    const { exitCode, printed } = await migrated.execute(file);
    assert.notEqual(exitCode, 0, file);
    assert.ok(printed.includes(reason), printed);
  }
  const stage = await migrated.serve();
  const { rows } = await contents(stage.database);
  await stage.close();
  for (const table of ["workshops", "operations", "reservations", "notes"]) {
    assert.deepEqual(rows[table], [], table);
  }
});

test("data alone becomes whole with the schema around it, as the page has it", async () => {
  cpSync(data, join(home, "einmal-data.sql"));
  const [script] = blocks("sh", section("If there is only the data"));
  const made = await shell(script, { cwd: migrated.folder });
  assert.equal(made.exitCode, 0, made.error);
  const whole = await newDatabase();
  const { printed } = await whole.execute(join(home, "einmal-whole.sql"));
  const stage = await whole.serve();
  const found = await contents(stage.database);
  assert.deepEqual(found.differences, [], printed);
  // The studio went on after the back-up.
  assert.equal(found.rows.operations.length, studio.contents.rows.operations.length + 2);
  await nothingDiffers(stage);
  await stage.close();
});

test("a database restored without its triggers is not_configured, the log and the check name them, and the migrations put them back", async () => {
  const partly = await newDatabase();
  const tables = Object.keys(studio.contents.rows).flatMap((table) => ["--table", table]);
  await partly.execute(await studio.database.export("tables.sql", ...tables));
  const triggers = neededNames("trigger");
  const missing = triggers.map((name) => `the trigger ${name} is missing`);

  let stage = await partly.serve();
  const { exitCode, output } = await stage.check();
  assert.equal(exitCode, 1);
  for (const sentence of missing) assert.ok(output.includes(`schema: ${sentence}\n`), sentence);
  const health = () => send(`${stage.origin}/health`, { method: "GET" });
  const [{ status, document }, line] = await stage.logOf(health);
  assert.deepEqual([status, document.error], [503, "not_configured"]);
  assert.equal(line.cause, `the schema differs: ${missing.join(", ")}`);
  await stage.close();

  const [script] = blocks("sh", section("If the triggers are missing"));
  const locally = script.replace("DB --remote", "DB --local").replace("check --remote", "check");
  const repaired = await shell(locally, { cwd: partly.folder });
  assert.equal(repaired.exitCode, 0, repaired.error);
  stage = await partly.serve();
  assert.equal((await health()).status, 200);
  await nothingDiffers(stage);
  await stage.close();
});

/**
 * A studio with a back-up. `contents` is what the database held then, `decided` the operations of
 * that time, `since` those that were decided later.
 */
async function studioInUse() {
  const database = await newDatabase({ migrated: true });
  const stage = await database.serve();
  await makeWorkshops(stage.database);
  const attempt = attempting(stage.origin);
  const abandoned = operation("mary", "linocut", 1);
  await post(stage.origin, `/operations/${abandoned.key}/abandon`, "mary");
  const decided = {
    held: await attempt("ada", "linocut", 2),
    cancelled: await attempt("grace", "linocut", 1),
    refused: await attempt("mary", "full", 2),
    elsewhere: await attempt("mary", "limited", 2),
    abandoned: await repeat(stage.origin, abandoned),
  };
  await post(stage.origin, `/operations/${decided.cancelled.key}/cancel`, "grace");
  await writeNote(stage.database, decided.held);
  const then = await contents(stage.database);
  await stage.close();
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
 * Runs lines of the page, as they stand there, with a home folder of their own.
 * @param {string} script `npx wrangler …` and `npm run workshop -- …` start the project's own
 * @param {{cwd?: string, env?: Record<string, string>}} options
 */
function shell(script, { cwd, env } = {}) {
  const workshop = resolve("organiser/main.js");
  const tools = `npx() { "$@"; }\nnpm() { shift 3; node '${workshop}' "$@"; }\n`;
  return start("sh", ["-ec", tools + script], { cwd, env: { HOME: home, ...env } });
}

async function nothingDiffers(stage) {
  const { exitCode, output } = await stage.check();
  assert.match(output, /checked: nothing differs$/);
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
        `INSERT INTO workshops (id, title, place, starts_at_ms, ends_at_ms, time_zone, capacity,
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
