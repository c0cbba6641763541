// One run of chaos: load on the built Worker, which is killed again and again, and then the
// question to the database whether all is as promised.

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
 * Where the service is killed before it has recovered from the last time: that is when it is
 * first asked something.
 */
const RECOVERS_MILLISECONDS_MAX = 60;

/** Places: from the last one, that everybody wants, to more than anybody takes. */
const CAPACITIES = [1, 3, 10, 100, 10_000, 100_000, 1_000_000];
const NOT_ON_OFFER = "not-on-offer";

/**
 * @param {object} how
 * @param {number} how.seed
 * @param {number} how.concurrency requests at once, about
 * @param {number} how.lifeMillisecondsMax how long the service runs before it is killed
 * @param {(kills: number, operations: number) => boolean} how.goesOn asked after each kill
 * @param {string} [how.fault] of every request
 */
export async function chaos({ seed, concurrency, lifeMillisecondsMax, goesOn, fault }) {
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
      goesOn: () => !over,
      fault,
    });
    const kills = await killAgainAndAgain({
      service,
      seed,
      lifeMillisecondsMax,
      now: load.now,
      goesOn: (kills) => goesOn(kills, load.operations.length),
    });
    over = true;
    await load.ended;
    await service.kill();
    const seconds = (performance.now() - began) / 1000;

    const stored = await onStage(folder, readStored);
    const { operations, seen } = load;
    const findings = check(operations, seen, stored);
    for (const row of stored.damage) findings.push({ kind: "damaged", says: JSON.stringify(row) });
    return { operations, seen, stored, kills: [...kills, load.now()], seconds, findings };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns the moments of the kills; the service runs when it returns */
async function killAgainAndAgain({ service, seed, lifeMillisecondsMax, now, goesOn }) {
  const { random, below } = seeded(seed);
  const kills = [];
  do {
    await service.start();
    await pause(below(random() < 0.1 ? RECOVERS_MILLISECONDS_MAX : lifeMillisecondsMax));
    await service.kill();
    kills.push(now());
  } while (goesOn(kills.length));
  await service.start();
  return kills;
}

/** Makes the database and its workshops. Gives their ids. */
function prepare(folder) {
  return onStage(
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
        insert(NOT_ON_OFFER, 1_000_000, null),
      ]);
      return [...ids, NOT_ON_OFFER];
    },
    { migrated: true },
  );
}

/** Does something with the database in the folder, while nothing else uses it. */
async function onStage(folder, action, { migrated = false } = {}) {
  const stage = await startWorker({ state: folder, migrated });
  try {
    return await action(stage.database);
  } finally {
    await stage.close();
  }
}
