// The measurement: in each round every candidate runs one sample at every load and size. After each
// sample the database is compared with the responses.

import { bearer } from "../tests/support/tokens.js";
import { SECRET } from "../tests/support/worker.js";
import { BASELINE } from "./candidates.js";
import { startClient } from "./client.js";
import { quantile, shuffle } from "./figures.js";
import { CROWD_PEOPLE, crowdReserved, crowdWorkshops, LOADS } from "./loads.js";
import { startWorker } from "./worker.js";

/** The number of authenticated clients, each with its token. */
const ACTORS = 100;

/**
 * The parameters of a run.
 * @typedef {object} Plan
 * @property {import("./candidates.js").Candidate[]} candidates
 * @property {string[]} loads
 * @property {number[]} sizes reservations in the database beforehand
 * @property {number} rounds after a warm-up round that is not counted
 * @property {number} seconds duration of a sample
 * @property {number} settled operations decided beforehand, for replays and conflicts
 * @property {(text: string) => void} progress
 */

/**
 * The results of one candidate at one load and size; each list has one value per round.
 * @typedef {object} Cell
 * @property {string} candidate
 * @property {string} load
 * @property {number} existing
 * @property {number[]} rates requests a second
 * @property {number[]} p50 milliseconds
 * @property {number[]} p99 milliseconds
 * @property {number[]} processor milliseconds of workerd's CPU time per request
 * @property {number} oversold places, in all rounds
 */

/**
 * What a request costs in D1, on average.
 * @typedef {object} Cost
 * @property {string} candidate
 * @property {string} load
 * @property {number} existing
 * @property {number} calls
 * @property {number} read rows
 * @property {number} written rows
 */

/**
 * @param {Plan} plan
 * @returns {Promise<{cells: Cell[], costs: Cost[]}>}
 */
export async function measure(plan) {
  const { candidates, loads, sizes, rounds, seconds, progress } = plan;
  const client = startClient();
  const prepared = [];
  try {
    for (const existing of sizes) {
      for (const candidate of candidates) {
        progress(`preparing ${candidate.name}, ${existing} existing reservations`);
        prepared.push(await prepare(candidate, existing, client, plan));
      }
    }
    progress("counting the D1 calls and rows of each request");
    const costs = await countCosts(prepared, loads);
    const cells = prepared.flatMap(({ candidate, existing, sample }) =>
      loads.map((load) => ({
        ...{ candidate: candidate.name, existing, load, sample },
        ...{ rates: [], p50: [], p99: [], processor: [], oversold: 0 },
      })),
    );
    for (let round = 0; round <= rounds; round += 1) {
      progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
      for (const load of shuffle(loads, round)) {
        for (const existing of shuffle(sizes, round)) {
          const here = cells.filter((cell) => cell.load === load && cell.existing === existing);
          for (const cell of shuffle(here, round)) {
            const done = await cell.sample(load, { milliseconds: seconds * 1000 });
            if (round > 0) note(cell, done);
          }
        }
      }
    }
    return { costs, cells: cells.map(({ sample: _, ...cell }) => cell) };
  } finally {
    await Promise.all(prepared.map(({ close }) => close()));
    await client.close();
  }
}

function note(cell, { latencies, seconds, processorSeconds, oversold }) {
  cell.rates.push(latencies.length / seconds);
  cell.p50.push(quantile(latencies, 0.5));
  cell.p99.push(quantile(latencies, 0.99));
  cell.processor.push((processorSeconds * 1000) / latencies.length);
  cell.oversold += oversold;
}

/** Calls, and rows read and written, per request, as D1 counts them. */
async function countCosts(prepared, loads) {
  const costs = [];
  for (const { candidate, existing, counted, sample } of prepared) {
    for (const load of loads) {
      // Each kind of the load twice, or one whole workshop of the crowd.
      const requests = load === "crowd" ? CROWD_PEOPLE : 2 * LOADS[load].kinds.length;
      const readCounts = async () => (await fetch(`${counted}/counted`)).json();
      await readCounts();
      await sample(load, { origin: counted, requests });
      const sums = await readCounts();
      const [calls, read, written] = ["calls", "read", "written"].map(
        (name) => sums[name] / requests,
      );
      costs.push({ candidate: candidate.name, load, existing, calls, read, written });
    }
  }
  return costs;
}

/**
 * Starts a candidate and lets it decide the operations for replays. `sample` runs a load and throws
 * if the responses or the database are wrong.
 */
async function prepare(candidate, existing, client, { settled }) {
  const worker = await startWorker(candidate, existing);
  const names = Array.from({ length: ACTORS }, (_, n) => `actor-${n}`);
  const basis = {
    origin: worker.origin,
    tokens: await Promise.all(names.map((name) => bearer(name, SECRET))),
    isBaseline: candidate.name === BASELINE,
    settled: [],
  };
  let before = await worker.counts();
  let number = 0;

  const sample = async (load, order) => {
    const what = `${candidate.name}, load ${load}, ${existing} existing reservations`;
    number += 1;
    if (load === "crowd") await worker.addCrowd(number, crowdWorkshops(order.milliseconds ?? 0));
    const began = worker.processorSeconds();
    let done;
    try {
      done = await client.run({ ...basis, load, sample: number, ...order });
    } catch (error) {
      const logged = worker.errors.length > 0 ? `; its log: ${worker.errors.at(-1)}` : "";
      throw new Error(`${what}: ${error.message}${logged}`);
    }
    const processorSeconds = worker.processorSeconds() - began;
    const after = await worker.counts();
    const problem = after && inconsistency(load, before, after, done, candidate.mayOversell);
    if (problem) throw new Error(`${what}: ${problem}`);
    if (order.keep) await worker.settle();
    await worker.reset();
    before = await worker.counts();
    return { ...done, processorSeconds, oversold: after?.oversold ?? 0 };
  };

  try {
    basis.settled = (await sample("new", { requests: settled, keep: true })).kept;
  } catch (error) {
    await worker.close();
    throw error;
  }
  return { candidate, existing, counted: worker.counted, sample, close: worker.close };
}

/** Describes how the database differs from the responses of a sample; undefined if it does not. */
function inconsistency(load, before, after, { tally, latencies }, mayOversell) {
  const { reserved = 0, refused = 0 } = tally;
  const expected = {
    reserved: before.reserved + reserved,
    refused: before.refused + refused,
    reservations: before.reservations + reserved,
    miscounted: 0,
    ...(!mayOversell && { oversold: 0 }),
  };
  const name = Object.keys(expected).find((each) => after[each] !== expected[each]);
  if (name) return `expected the database to have ${name} ${expected[name]}, found ${after[name]}`;
  const places = crowdReserved(latencies.length);
  if (load === "crowd" && !mayOversell && reserved !== places) {
    return `expected a crowd to get ${places} places, found ${reserved}`;
  }
  return undefined;
}
