// Starts a candidate in its own workerd, on its own local D1 filled with reservations.

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

/** In memory where possible: the latency of a disk would dominate the measurement. */
const IN_MEMORY = "/dev/shm";
export const storesInMemory = existsSync(IN_MEMORY);

/** Reservations inserted by one statement; well within D1's limit for a statement's duration. */
const FILL_BATCH = 20_000;

/**
 * Wraps every candidate and binds rate limiters that count in memory and never reject. The
 * platform's own limiters count in memory too; Miniflare's write to a database on each call, which
 * would be half of what is measured.
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
 * The same candidate on the same database, with a counter between them; it is never timed.
 * `GET /counted` returns the sums and the texts of the statements since the previous such request.
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
 * @param {import("./candidates.js").Candidate} candidate
 * @param {number} existing how many reservations there are
 */
export async function startWorker(candidate, existing) {
  const folder = mkdtempSync(join(storesInMemory ? IN_MEMORY : tmpdir(), "einmal-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Otherwise an interrupted run would leave the memory allocated.
  process.once("exit", remove);
  const errors = [];
  const env = {
    DB: { type: "d1", id: "database" },
    SESSION_SECRET: { type: "text", value: SECRET },
  };
  const modules = { ...candidate.modules, "entry.js": { type: "esm", contents: ENTRY } };
  const worker = (name, mainModule, modules) => ({
    config: { name, compatibilityDate: COMPATIBILITY_DATE, manifest: { mainModule, modules }, env },
  });
  const miniflare = new Miniflare({
    resourcePersistencePath: folder,
    // Otherwise Miniflare makes an additional request for each measured one.
    logRequests: false,
    // Log lines are received and discarded, for every candidate alike.
    handleStructuredLogs: ({ level, message }) => {
      if (level !== "log" && level !== "info") errors.push(message);
    },
    workers: [
      worker("candidate", "entry.js", modules),
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
    return { ...(await prepare(miniflare, candidate, existing)), errors, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Fills the database, and returns the operations of a measured Worker. */
async function prepare(miniflare, { data }, existing) {
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
    for (let from = 0; from < existing; from += FILL_BATCH) {
      const to = Math.min(from + FILL_BATCH, existing);
      const [receipts, reservations] = data.fill;
      await run(receipts, from, to, WORKSHOPS);
      await run(reservations);
    }
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    /** The address of the candidate with the counter. */
    counted: (await miniflare.unsafeGetDirectURL("counted")).origin,
    /** Seconds that its workerd has been on a processor. */
    processorSeconds: () => processorSeconds(pid),
    /** The contents of the database as counts; undefined for the baseline. */
    counts: async () => data && database.prepare(data.counts).first(),
    addCrowd: async (sample, workshops) => {
      const ids = Array.from({ length: workshops }, (_, n) => crowdWorkshop(sample, n));
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
