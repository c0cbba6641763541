// `npm run statements`: the time that SQLite alone needs for an operation, without Worker, D1 or
// network: the statements of src/ in one transaction, on a file, with existing reservations. D1 runs
// one transaction at a time, so this bounds its throughput. Prints one table, which includes the
// bytes that a reservation and its receipt occupy.

import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { reserveBatch, valuesOf } from "./workers/port/statements.js";

const BATCHES = 20_000;
const sql = (path) => readFileSync(`src/${path}.sql`, "utf8");
const hex = (bytes) =>
  randomUUID()
    .replaceAll("-", "")
    .slice(0, bytes * 2);

/** A migrated database. Like D1's, it syncs to its write-ahead log and not on each commit. */
function open(folder) {
  const database = new DatabaseSync(join(folder, "einmal.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  const names = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  for (const name of names.sort()) database.exec(readFileSync(`migrations/${name}`, "utf8"));
  database.exec(
    `INSERT INTO workshops (id, title, capacity, published_at_ms)
     VALUES ('workshop-demo', 'Demo workshop', 1000000, 0)`,
  );
  return database;
}

/** One batch of `POST /reserve`, as the Worker sends it. */
function operations(database) {
  const batch = reserveBatch({
    writeReceipt: sql("store/sql/write_receipt"),
    runEffect: sql("store/sql/run_effect"),
    readReceipt: sql("store/sql/read_receipt"),
    decide: sql("reservations/sql/decide"),
    takePlaces: sql("reservations/sql/take_places"),
  });
  const prepared = batch.map(({ text }) => database.prepare(text));
  return (actor, key) => {
    const [send_id, reservation_id] = [`${hex(16)}-1`, hex(16)];
    const reserved = JSON.stringify({ status: "reserved", reservation_id, quantity: 1 });
    const values = {
      ...{ actor, key, send_id, reservation_id, workshop: "workshop-demo", quantity: 1 },
      ...{ fingerprint_version: 1, fingerprint: createHash("sha256").update(key).digest("hex") },
      now_ms: 1,
      responses: JSON.stringify({
        reserved: { status: 201, body: reserved },
        unavailable: { status: 409, body: '{"status":"unavailable"}' },
      }),
    };
    const bound = batch.map((statement) => valuesOf(statement, values));
    const began = performance.now();
    database.exec("BEGIN IMMEDIATE");
    const rows = prepared.map((statement, index) => statement.all(...bound[index]));
    database.exec("COMMIT");
    const took = performance.now() - began;
    const [receipt] = rows.at(-1);
    if (receipt.send_id !== send_id && actor !== "t_again")
      throw new Error("expected a new receipt");
    return took;
  };
}

/** As long as the actors of sessions. */
const actors = Array.from({ length: 100 }, () => `s_${hex(16)}`);

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

console.log(
  `| existing reservations | new, µs | replay, µs | bytes an operation |
| --------------------: | ------: | ---------: | -----------------: |`,
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
