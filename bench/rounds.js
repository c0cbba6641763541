// The measurement itself: rounds, in each of which every contestant has a slot at every load and
// size. After every slot the database is asked whether what was answered is true.

import { bearer } from "../tests/support/tokens.js";
import { SECRET } from "../tests/support/worker.js";
import { startClient } from "./client.js";
import { FLOOR } from "./contestants.js";
import { quantile, shuffle } from "./figures.js";
import { CROWD_PEOPLE, crowdReserved, crowdWorkshops, LOADS } from "./loads.js";
import { startWorker } from "./stage.js";

/** Who sends: as many programs, each with its token. */
const ACTORS = 100;

/**
 * What a run is to be.
 * @typedef {object} Plan
 * @property {import("./contestants.js").Contestant[]} contestants
 * @property {string[]} loads
 * @property {number[]} sizes how many reservations there are before
 * @property {number} rounds after one that warms up and is not counted
 * @property {number} seconds how long a slot is
 * @property {number} settled how many operations have a receipt before, for replays and conflicts
 * @property {(text: string) => void} say
 */

/**
 * What one contestant did with one load at one size; each list has a value a round.
 * @typedef {object} Cell
 * @property {string} contestant
 * @property {string} load
 * @property {number} existing
 * @property {number[]} rates requests a second
 * @property {number[]} p50 milliseconds
 * @property {number[]} p99 milliseconds
 * @property {number[]} processor milliseconds of a processor that workerd took for a request
 * @property {number} oversold places, in all rounds
 */

/**
 * What a request costs in D1, on average.
 * @typedef {object} Cost
 * @property {string} contestant
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
  const { contestants, loads, sizes, rounds, seconds, say } = plan;
  const client = startClient();
  const entered = [];
  try {
    for (const existing of sizes) {
      for (const contestant of contestants) {
        say(`setting the stage for ${contestant.name}, ${existing} existing reservations`);
        entered.push(await enter(contestant, existing, client, plan));
      }
    }
    say("counting what a request asks of D1");
    const costs = await countCosts(entered, loads);
    const cells = entered.flatMap(({ contestant, existing, slot }) =>
      loads.map((load) => ({
        ...{ contestant: contestant.name, existing, load, slot },
        ...{ rates: [], p50: [], p99: [], processor: [], oversold: 0 },
      })),
    );
    for (let round = 0; round <= rounds; round += 1) {
      say(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
      for (const load of shuffle(loads, round)) {
        for (const existing of shuffle(sizes, round)) {
          const here = cells.filter((cell) => cell.load === load && cell.existing === existing);
          for (const cell of shuffle(here, round)) {
            const done = await cell.slot(load, { milliseconds: seconds * 1000 });
            if (round > 0) note(cell, done);
          }
        }
      }
    }
    return { costs, cells: cells.map(({ slot: _, ...cell }) => cell) };
  } finally {
    await Promise.all(entered.map(({ close }) => close()));
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

/** What a request costs in D1: calls, and rows read and written, as D1 counts them. */
async function countCosts(entered, loads) {
  const costs = [];
  for (const { contestant, existing, counted, slot } of entered) {
    for (const load of loads) {
      // Twice through the load's kinds, and a whole workshop of a crowd.
      const requests = load === "crowd" ? CROWD_PEOPLE : 2 * LOADS[load].kinds.length;
      const ask = async () => (await fetch(`${counted}/counted`)).json();
      await ask();
      await slot(load, { origin: counted, requests });
      const sums = await ask();
      const [calls, read, written] = ["calls", "read", "written"].map(
        (name) => sums[name] / requests,
      );
      costs.push({ contestant: contestant.name, load, existing, calls, read, written });
    }
  }
  return costs;
}

/**
 * Sets a contestant's stage, and gives it operations that have a receipt. `slot` takes a load
 * through and fails if anything about it is wrong.
 */
async function enter(contestant, existing, client, { settled }) {
  const stage = await startWorker(contestant, existing);
  const names = Array.from({ length: ACTORS }, (_, n) => `actor-${n}`);
  const basis = {
    origin: stage.origin,
    tokens: await Promise.all(names.map((name) => bearer(name, SECRET))),
    isFloor: contestant.name === FLOOR,
    settled: [],
  };
  let before = await stage.counts();
  let number = 0;

  const slot = async (load, order) => {
    const what = `${contestant.name}, load ${load}, ${existing} existing reservations`;
    number += 1;
    if (load === "crowd") await stage.addCrowd(number, crowdWorkshops(order.milliseconds ?? 0));
    const began = stage.processorSeconds();
    let done;
    try {
      done = await client.run({ ...basis, load, slot: number, ...order });
    } catch (error) {
      const said = stage.complaints.length > 0 ? `; its log says: ${stage.complaints.at(-1)}` : "";
      throw new Error(`${what}: ${error.message}${said}`);
    }
    const processorSeconds = stage.processorSeconds() - began;
    const after = await stage.counts();
    const problem = after && untruth(load, before, after, done, contestant.mayOversell);
    if (problem) throw new Error(`${what}: ${problem}`);
    if (order.keep) await stage.settle();
    await stage.reset();
    before = await stage.counts();
    return { ...done, processorSeconds, oversold: after?.oversold ?? 0 };
  };

  try {
    basis.settled = (await slot("new", { requests: settled, keep: true })).kept;
  } catch (error) {
    await stage.close();
    throw error;
  }
  return { contestant, existing, counted: stage.counted, slot, close: stage.close };
}

/** What is not as it must be after a slot, in words, or undefined. */
function untruth(load, before, after, { tally, latencies }, mayOversell) {
  const { reserved = 0, refused = 0 } = tally;
  const expected = {
    reserved: before.reserved + reserved,
    refused: before.refused + refused,
    reservations: before.reservations + reserved,
    miscounted: 0,
    ...(!mayOversell && { oversold: 0 }),
  };
  const name = Object.keys(expected).find((each) => after[each] !== expected[each]);
  if (name) return `expected the database to say ${name} ${expected[name]}, found ${after[name]}`;
  const places = crowdReserved(latencies.length);
  if (load === "crowd" && !mayOversell && reserved !== places) {
    return `expected a crowd to get ${places} places, found ${reserved}`;
  }
  return undefined;
}
