// A contestant in a workerd of its own, on a local D1 of its own with reservations in it.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { SECRET } from "../tests/support/worker.js";
import { newestWorkerd, processorSeconds } from "./processor.js";
import {
  CROWD_PLACES,
  crowdWorkshop,
  FULL_WORKSHOP,
  SETTLED_WORKSHOP,
  WORKSHOPS,
  workshop,
} from "./workshops.js";

export const COMPATIBILITY_DATE = "2026-08-01";

/** In memory where there is such a folder: a disk that waits for each write would hide the rest. */
const IN_MEMORY = "/dev/shm";
export const storesInMemory = existsSync(IN_MEMORY);

/** How many reservations one statement makes, well within the time that D1 gives a statement. */
const FILLED_AT_ONCE = 20_000;

/**
 * Stands before every contestant: hands it limiters that count in memory and that nobody reaches.
 * The platform's own count in the memory of its machines; Miniflare's write to a database for each
 * call, which would be half of what is measured.
 */
const ENTRY = `
import Inner from "./index.js";
import { WorkerEntrypoint } from "cloudflare:workers";

class RateLimit {
  counts = new Map();
  async limit({ key }) {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return { success: true };
  }
}

const limiters = { ACTOR_LIMIT: new RateLimit(), ADDRESS_LIMIT: new RateLimit() };

export default class extends WorkerEntrypoint {
  fetch(request) {
    const env = { ...this.env, ...limiters };
    if (typeof Inner === "function") return new Inner(this.ctx, env).fetch(request);
    return Inner.fetch(request, env, this.ctx);
  }
}
`;

/**
 * The same contestant on the same database once more, with a counter between the two that is
 * never timed. `GET /counted` gives the sums, and the texts of the statements, since the last such request.
 */
const COUNTING = `
import Entry from "./entry.js";
import { WorkerEntrypoint } from "cloudflare:workers";

const nothing = () => ({ calls: 0, read: 0, written: 0, statements: [] });
let sums = nothing();

function counted(results) {
  sums.calls += 1;
  for (const { meta } of [results].flat()) {
    sums.read += meta.rows_read;
    sums.written += meta.rows_written;
  }
  return results;
}

class Statement {
  constructor(inner) { this.inner = inner; }
  bind(...values) { return new Statement(this.inner.bind(...values)); }
  async all() { return counted(await this.inner.all()); }
  async run() { return counted(await this.inner.run()); }
  async first() { return (await this.all()).results[0] ?? null; }
}

class D1Database {
  constructor(inner) { this.inner = inner; }
  prepare(sql) {
    if (!sums.statements.includes(sql)) sums.statements.push(sql);
    return new Statement(this.inner.prepare(sql));
  }
  async batch(statements) {
    return counted(await this.inner.batch(statements.map(({ inner }) => inner)));
  }
}

export default class extends WorkerEntrypoint {
  async fetch(request) {
    if (new URL(request.url).pathname === "/counted") {
      const answer = Response.json(sums);
      sums = nothing();
      return answer;
    }
    const env = { ...this.env, DB: new D1Database(this.env.DB) };
    return new Entry(this.ctx, env).fetch(request);
  }
}
`;

/**
 * @param {import("./contestants.js").Contestant} contestant
 * @param {number} existing how many reservations there are
 */
export async function startWorker(contestant, existing) {
  const folder = mkdtempSync(join(storesInMemory ? IN_MEMORY : tmpdir(), "einmal-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Memory that nobody gives back, if the run ends in between.
  process.once("exit", remove);
  const complaints = [];
  const env = {
    DB: { type: "d1", id: "database" },
    SESSION_SECRET: { type: "text", value: SECRET },
  };
  const modules = { ...contestant.modules, "entry.js": { type: "esm", contents: ENTRY } };
  const worker = (name, mainModule, modules) => ({
    config: { name, compatibilityDate: COMPATIBILITY_DATE, manifest: { mainModule, modules }, env },
  });
  const miniflare = new Miniflare({
    resourcePersistencePath: folder,
    // One request of Miniflare's own for each of ours, otherwise.
    logRequests: false,
    // The lines of log arrive and are thrown away, for every contestant alike.
    handleStructuredLogs: ({ level, message }) => {
      if (level !== "log" && level !== "info") complaints.push(message);
    },
    workers: [
      worker("contestant", "entry.js", modules),
      {
        ...worker("counted", "counting.js", {
          ...modules,
          "counting.js": { type: "esm", contents: COUNTING },
        }),
        dev: { unsafeDirectSockets: [{}] },
      },
    ],
  });
  const close = async () => {
    await miniflare.dispose();
    process.off("exit", remove);
    remove();
  };
  try {
    return { ...(await furnish(miniflare, contestant, existing)), complaints, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Fills the database, and gives what is done with a stage. */
async function furnish(miniflare, { data }, existing) {
  const { port } = await miniflare.ready;
  const pid = newestWorkerd();
  const { DB: database } = await miniflare.getBindings();
  const run = async (sql, ...values) => {
    const statement = database.prepare(sql);
    await statement.bind(...values).run();
  };
  const addWorkshops = (ids, places) => run(data.addWorkshops, JSON.stringify(ids), places);
  if (data !== undefined) {
    await data.make(database);
    const ids = Array.from({ length: WORKSHOPS }, (_, n) => workshop(n));
    await addWorkshops([...ids, SETTLED_WORKSHOP], 1_000_000);
    await addWorkshops([FULL_WORKSHOP], 0);
    for (let from = 0; from < existing; from += FILLED_AT_ONCE) {
      const to = Math.min(from + FILLED_AT_ONCE, existing);
      const [receipts, reservations] = data.fill;
      await run(receipts, from, to, WORKSHOPS);
      await run(reservations);
    }
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    /** The address of the contestant with the counter. */
    counted: (await miniflare.unsafeGetDirectURL("counted")).origin,
    /** Seconds that its workerd has been on a processor. */
    processorSeconds: () => processorSeconds(pid),
    /** What the database holds, or undefined for the floor. */
    counts: async () => data && database.prepare(data.counts).first(),
    addCrowd: async (slot, workshops) => {
      const ids = Array.from({ length: workshops }, (_, n) => crowdWorkshop(slot, n));
      if (data !== undefined) await addWorkshops(ids, CROWD_PLACES);
    },
    settle: async () => {
      for (const sql of data?.settle ?? []) await run(sql);
    },
    reset: async () => {
      for (const sql of data?.reset ?? []) await run(sql);
    },
  };
}
