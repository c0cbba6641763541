// `npm run statements`: how long SQLite itself takes for what an operation asks of it, without
// Worker, D1 or network around it: the statements of src/ in a transaction, on a file, with so
// many reservations already there. D1 runs one transaction after another, so this is what its
// time is divided by. Prints one table, also with the bytes that a reservation and its receipt take.

import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const BATCHES = 20_000;
const sql = (path) => readFileSync(`src/${path}.sql`, "utf8");
const hex = (bytes) =>
  randomUUID()
    .replaceAll("-", "")
    .slice(0, bytes * 2);

/** A database as the migrations make it. SQLite syncs as D1's does, to its log and not for each commit. */
function open(folder) {
  const database = new DatabaseSync(join(folder, "einmal.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  for (const name of readdirSync("migrations").sort())
    database.exec(readFileSync(`migrations/${name}`, "utf8"));
  database.exec(
    "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES ('workshop-demo', 'Demo workshop', 1000000, 0)",
  );
  return database;
}

/** One batch of `POST /reserve`, as src/store/receipts.rs plans it. */
function operations(database) {
  const decide = database.prepare(sql("reservations/sql/decide"));
  const take = database.prepare(sql("reservations/sql/take_places"));
  const read = database.prepare(sql("store/sql/read_receipt"));
  return (actor, key) => {
    const [attempt, id] = [hex(16), hex(16)];
    const fingerprint = createHash("sha256").update(key).digest("hex");
    const body = JSON.stringify({ status: "reserved", reservation_id: id, quantity: 1 });
    const began = performance.now();
    database.exec("BEGIN IMMEDIATE");
    decide.run(
      actor,
      key,
      1,
      fingerprint,
      attempt,
      1,
      body,
      '{"status":"unavailable"}',
      "workshop-demo",
      1,
    );
    take.run(actor, key, attempt, id, 1);
    const { attempt: decided } = read.get(actor, key);
    database.exec("COMMIT");
    if (decided !== attempt && actor !== "t_again") throw new Error("it was not decided");
    return performance.now() - began;
  };
}

/** Names as long as those of sessions. */
const actors = Array.from({ length: 100 }, () => `s_${hex(16)}`);

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

console.log(
  "| existing reservations | new, µs | replay, µs | bytes an operation |\n| --------------------: | ------: | ---------: | -----------------: |",
);
for (const existing of [0, 10_000, 100_000]) {
  const folder = mkdtempSync(join(tmpdir(), "einmal-statements-"));
  const database = open(folder);
  const operate = operations(database);
  for (let n = 0; n < existing; n += 1) operate(actors[n % 100], randomUUID());
  const [again, fresh, replayed] = [randomUUID(), [], []];
  operate("t_again", again);
  for (let n = 0; n < BATCHES; n += 1) {
    fresh.push(operate(actors[n % 100], randomUUID()));
    replayed.push(operate("t_again", again));
  }
  const { reserved } = database.prepare("SELECT reserved FROM workshops").get();
  if (reserved !== existing + BATCHES + 1) throw new Error(`${reserved} places are reserved`);
  const { page_count } = database.prepare("PRAGMA page_count").get();
  const { page_size } = database.prepare("PRAGMA page_size").get();
  const cells = [
    existing.toLocaleString("en"),
    ...[fresh, replayed].map((times) => (median(times) * 1000).toFixed(0)),
    ((page_count * page_size) / reserved).toFixed(0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  database.close();
  rmSync(folder, { recursive: true });
}
