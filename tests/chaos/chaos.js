// One chaos run: load on the built Worker, which is killed repeatedly; then its database is compared with
// the guarantees.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../support/random.js";
import { startWorker } from "../support/worker.js";
import { check } from "./check.js";
import { startLoad } from "./load.js";
import { killable } from "./service.js";
import { readStored } from "./stored.js";

/**
 * Some kills come within this time after a start, while SQLite still recovers from the previous one: it
 * does so on the first query.
 */
const RECOVERY_MILLISECONDS_MAX = 60;

/** From one contended place to more places than are ever reserved. */
const CAPACITIES = [1, 3, 10, 100, 10_000, 100_000, 1_000_000];
const UNPUBLISHED = "unpublished";

/**
 * @param {object} how
 * @param {number} options.seed
 * @param {number} options.concurrency requests at once, about
 * @param {number} options.lifeMillisecondsMax how long the service runs before it is killed
 * @param {(kills: number, operations: number) => boolean} options.shouldContinue called after each kill
 * @param {string} [options.fault] of every request
 */
export async function chaos({ seed, concurrency, lifeMillisecondsMax, shouldContinue, fault }) {
  const folder = mkdtempSync(join(tmpdir(), "einmal-chaos-"));
  const service = killable(folder);
  try {
    const workshops = await prepare(folder);
    const began = performance.now();
    let over = false;
    const load = startLoad({
      seed,
      concurrency,
      workshops,
      origin: service.origin,
      shouldContinue: () => !over,
      fault,
    });
    const kills = await killRepeatedly({
      service,
      seed,
      lifeMillisecondsMax,
      now: load.now,
      shouldContinue: (kills) => shouldContinue(kills, load.operations.length),
    });
    over = true;
    await load.ended;
    await service.kill();
    const seconds = (performance.now() - began) / 1000;

    const stored = await withDatabase(folder, readStored);
    const { operations, seen } = load;
    const findings = check(operations, seen, stored);
    for (const row of stored.damage)
      findings.push({ kind: "damaged", description: JSON.stringify(row) });
    return { operations, seen, stored, kills: [...kills, load.now()], seconds, findings };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns the times of the kills; the service is running afterwards */
async function killRepeatedly({ service, seed, lifeMillisecondsMax, now, shouldContinue }) {
  const { random, below } = seeded(seed);
  const kills = [];
  do {
    await service.start();
    await pause(below(random() < 0.1 ? RECOVERY_MILLISECONDS_MAX : lifeMillisecondsMax));
    await service.kill();
    kills.push(now());
  } while (shouldContinue(kills.length));
  await service.start();
  return kills;
}

/** Creates the database and its workshops; returns their ids. */
function prepare(folder) {
  return withDatabase(
    folder,
    async (database) => {
      const insert = (id, capacity, published_at_ms) =>
        database
          .prepare(
            "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, ?1, ?2, ?3)",
          )
          .bind(id, capacity, published_at_ms);
      const ids = CAPACITIES.map((places) => `places-${places}`);
      await database.batch([
        ...ids.map((id, n) => insert(id, CAPACITIES[n], 0)),
        insert(UNPUBLISHED, 1_000_000, null),
      ]);
      return [...ids, UNPUBLISHED];
    },
    { migrated: true },
  );
}

/** Runs an action on the database in the folder, while nothing else uses it. */
async function withDatabase(folder, action, { migrated = false } = {}) {
  const worker = await startWorker({ state: folder, migrated });
  try {
    return await action(worker.database);
  } finally {
    await worker.close();
  }
}
