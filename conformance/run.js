// Asks an instance every condition, one after the other, and gives back what was reserved.

import { conditions } from "./conditions/index.js";
import { Failed, NotNow, NotRun } from "./expect.js";
import { Instance } from "./instance.js";

/** How often a condition is asked while the instance cannot answer. */
const TRIES_MAX = 3;

/** The fewest free places with which every condition but those of a limit can be asked. */
const FREE_PLACES = 3;

/** The instance is not there, or nothing can be asked of it. */
export class Unreachable extends Error {}

/**
 * @param {string} url where the instance is
 * @param {object} [options]
 * @param {string[]} [options.tokens] up to two; for each that is missing a session is begun
 * @param {string} [options.workshop] otherwise the first that is open with three free places
 * @param {(condition: object) => boolean} [options.wanted] which conditions are asked
 * @param {AbortSignal} [options.signal] stops after the condition that is being asked
 * @param {(text: string) => void} [options.say] told what takes long
 * @param {(result: Result) => void} [options.onResult]
 * @returns {Promise<Report>}
 * @typedef {{id: string, claim: string, sources: object[], verdict: "ok" | "failed" | "not run", why?: string}} Result
 * @typedef {{instance: string, workshop: {id: string, capacity: number}, free: {before: number, after: number | undefined}, requests: number, waitedSeconds: number, results: Result[]}} Report
 */
export async function run(url, options = {}) {
  const { tokens = [], wanted = () => true, signal, say, onResult = () => {} } = options;
  const instance = new Instance(url, say);
  const workshop = await begin(instance, tokens, options.workshop);
  const results = [];
  for (const condition of conditions.filter(wanted)) {
    if (signal?.aborted) break;
    const { id, claim, sources } = condition;
    const result = { id, claim, sources, ...(await ask(condition, instance)) };
    results.push(result);
    onResult(result);
  }
  let after;
  try {
    await instance.giveBack();
    after = await instance.free();
  } catch {
    // The report says that it is not known.
  }
  return {
    instance: instance.origin,
    workshop: { id: workshop.id, capacity: workshop.capacity },
    free: { before: workshop.available, after },
    requests: instance.requests,
    waitedSeconds: instance.waitedSeconds,
    results,
  };
}

/** Finds out who asks and where. */
async function begin(instance, tokens, wanted) {
  try {
    await instance.meet(tokens);
    const { status, document } = await instance.send("/workshops");
    if (!Array.isArray(document?.workshops)) {
      throw new Unreachable(`GET /workshops answered ${status} without a list of workshops`);
    }
    const fits = ({ id, state, available }) =>
      wanted === undefined ? state === "open" && available >= FREE_PLACES : id === wanted;
    const workshop = document.workshops.find(fits);
    if (workshop === undefined) {
      throw new Unreachable(
        wanted === undefined
          ? `expected an open workshop with ${FREE_PLACES} free places, found ${shown(document.workshops)}`
          : `expected the workshop ${wanted} on offer, found ${shown(document.workshops)}`,
      );
    }
    instance.workshop = workshop.id;
    return workshop;
  } catch (error) {
    throw new Unreachable(`${instance.origin}: ${error.message}`);
  }
}

const shown = (workshops) =>
  workshops.map(({ id, available, state }) => `${id} (${available} free, ${state})`).join(", ") ||
  "none";

/** One condition's verdict. It is asked again if the instance could not answer. */
async function ask({ check }, instance) {
  for (let tries = 1; ; tries += 1) {
    let outcome;
    try {
      await check(instance);
      outcome = { verdict: "ok" };
    } catch (error) {
      outcome = verdict(error);
    }
    try {
      await instance.giveBack();
    } catch (error) {
      // They stay written down, and are given back after the next one.
      outcome.notNow ??= error instanceof NotNow ? error : undefined;
    }
    const { notNow, ...told } = outcome;
    if (notNow === undefined || tries === TRIES_MAX) return told;
    await instance.wait(notNow.seconds);
  }
}

function verdict(error) {
  if (error instanceof Failed) return { verdict: "failed", why: error.message };
  if (error instanceof NotRun) return { verdict: "not run", why: error.message };
  if (error instanceof NotNow) return { verdict: "not run", why: error.message, notNow: error };
  // An answer of another form than a condition could read.
  return { verdict: "failed", why: `the answer could not be read: ${error.message}` };
}
