// The scripts of tests/scenarios/ over HTTP. The native suite runs them on SQLite; tests/native/script.rs
// documents their language.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";

const worker = await startWorker();
after(worker.close);

const run = (sql, ...values) =>
  worker.database
    .prepare(sql)
    .bind(...values)
    .run();

const columns = {
  capacity: (number) => ["capacity", number],
  "per-actor": (number) => ["places_per_actor", number],
  closed: () => ["closes_at_ms", 0],
  open: () => ["closes_at_ms", null],
  hidden: () => ["published_at_ms", null],
  shown: () => ["published_at_ms", 0],
};

const verbs = {
  "looks up": ["GET", ""],
  abandons: ["POST", "/abandon"],
  cancels: ["POST", "/cancel"],
};

/** How the batch of a request fares, as a fault of the Worker. */
function fault(sending) {
  if (sending === "") return "none";
  if (sending === "sent twice") return "after";
  if (sending.startsWith("fails at ")) return "before,before,before";
  throw new Error(`cannot read: ${sending}`);
}

/** An interpreter in which the short names of one script stand for its own workshops and keys. */
function interpreter(name) {
  const keys = new Map();
  const keyOf = (short) => keys.get(short) ?? keys.set(short, randomUUID()).get(short);
  const workshopOf = (short) => `${name}-${short}`;
  const authorization = (actor) => bearer(`${name}-${actor}`, SECRET);

  async function workshop(short, words) {
    await run(
      `INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, 'W', 0, 0)
       ON CONFLICT (id) DO NOTHING`,
      workshopOf(short),
    );
    while (words.length > 0) {
      const setting = columns[words.shift()];
      const [column, value] = setting(setting.length > 0 ? Number(words.shift()) : undefined);
      await run(`UPDATE workshops SET ${column} = ?1 WHERE id = ?2`, value, workshopOf(short));
    }
    return "";
  }

  async function held(short, places) {
    const row = await worker.database
      .prepare(
        `SELECT reserved, (SELECT COALESCE(SUM(quantity), 0) FROM reservations
           WHERE workshop = ?1 AND cancelled_at_ms IS NULL) AS places
         FROM workshops WHERE id = ?1`,
      )
      .bind(workshopOf(short))
      .first();
    assert.deepEqual(row, { reserved: Number(places), places: Number(places) });
    return "";
  }

  /** `anna cancels k1`: requests for an existing operation. */
  async function settle(actor, verb, key, sending) {
    const [method, path] = verbs[verb];
    const { status, document } = await send(`${worker.origin}/operations/${keyOf(key)}${path}`, {
      method,
      headers: { Authorization: await authorization(actor), Fault: fault(sending) },
    });
    if (status === 404) return "unknown";
    if (document.error === "nothing_to_cancel") return "nothing";
    const { outcome, reservation } = document;
    return reservation === null ? outcome : `${outcome}, ${reservation.state}`;
  }

  async function request(actor, key, workshop, quantity, sending) {
    const { status, headers, document } = await send(`${worker.origin}/reserve`, {
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": keyOf(key),
        Authorization: await authorization(actor),
        Fault: fault(sending),
      },
      body: JSON.stringify({ workshop: workshopOf(workshop), quantity: Number(quantity) }),
    });
    if (status === 503) return "nothing";
    if (document.error === "operation_conflict") return "conflict";
    if (document.error === "unknown_workshop") return "unknown workshop";
    return document.status + (headers["idempotent-replayed"] === "true" ? ", replayed" : "");
  }

  return (line) => {
    const words = line.split(/\s+/);
    if (words[0] === "workshop") return workshop(words[1], words.slice(2));
    if (words[0] === "held") return held(words[1], words[2]);
    const [, actor, verb, key, sending] =
      /^(\w+) (looks up|abandons|cancels) (\w+) ?(.*)$/.exec(line) ?? [];
    if (verb) return settle(actor, verb, key, sending);
    return request(...words.slice(0, 4), words.slice(4).join(" "));
  };
}

for (const file of readdirSync("tests/scenarios")) {
  const name = file.replace(".txt", "");
  test(`scenario ${name} over HTTP`, async () => {
    const take = interpreter(name);
    const lines = readFileSync(`tests/scenarios/${file}`, "utf8")
      .split("\n")
      .map((line) => line.trim());
    for (const line of lines.filter((text) => text !== "" && !text.startsWith("#"))) {
      const [step, expected = ""] = line.split(" -> ");
      assert.equal(await take(step), expected, line);
    }
  });
}
