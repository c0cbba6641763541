// Checks the conditions against an instance, one after the other, and cancels what they reserve.

import { conditions } from "./conditions/index.js";
import { Failed, NotRun, Unavailable } from "./expect.js";
import { Instance } from "./instance.js";

/** How often a condition is tried while the instance is unavailable. */
const TRIES_MAX = 3;

/** Minimum of free places with which every condition but that of a rate limit can be checked. */
const FREE_PLACES_MIN = 3;

/** The instance does not answer, or has no suitable workshop. */
export class Unreachable extends Error {}

/**
 * @param {string} url where the instance is
 * @param {object} [options]
 * @param {string[]} [options.tokens] up to two; a new session replaces each that is missing
 * @param {string} [options.workshop] default: the first open one with three free places
 * @param {(condition: object) => boolean} [options.wanted] which conditions are checked
 * @param {AbortSignal} [options.signal] stops after the current condition
 * @param {(text: string) => void} [options.log] receives a line for each wait
 * @param {(result: Result) => void} [options.onResult]
 * @returns {Promise<Report>}
 * @typedef {object} Result
 * @property {string} id
 * @property {string} claim
 * @property {object[]} sources
 * @property {"ok" | "failed" | "not run"} verdict
 * @property {string} [reason] why it failed, or was not run
 * @typedef {object} Report
 * @property {string} instance
 * @property {{id: string, capacity: number}} workshop
 * @property {{before: number, after: number | undefined}} free
 * @property {number} requests
 * @property {number} waitedSeconds
 * @property {Result[]} results
 */
export async function run(url, options = {}) {
  const { tokens = [], wanted = () => true, signal, log, onResult = () => {} } = options;
  const instance = new Instance(url, log);
  const workshop = await begin(instance, tokens, options.workshop);
  const results = [];
  for (const condition of conditions.filter(wanted)) {
    if (signal?.aborted) break;
    const { id, claim, sources } = condition;
    const result = { id, claim, sources, ...(await evaluate(condition, instance)) };
    results.push(result);
    onResult(result);
  }
  let after;
  try {
    await instance.cleanUp();
    after = await instance.free();
  } catch {
    // The report has "unknown".
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

/** Authenticates the actors and chooses the workshop. */
async function begin(instance, tokens, wanted) {
  try {
    await instance.authenticate(tokens);
    const { status, document } = await instance.send("/workshops");
    if (!Array.isArray(document?.workshops)) {
      throw new Unreachable(`GET /workshops answered ${status} without a list of workshops`);
    }
    const fits = ({ id, state, available }) =>
      wanted === undefined ? state === "open" && available >= FREE_PLACES_MIN : id === wanted;
    const workshop = document.workshops.find(fits);
    if (workshop === undefined) {
      throw new Unreachable(
        wanted === undefined
          ? `expected an open workshop with ${FREE_PLACES_MIN} free places, found ${shown(document.workshops)}`
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

/** One condition's verdict. Retries while the instance is unavailable. */
async function evaluate({ check }, instance) {
  for (let tries = 1; ; tries += 1) {
    let result;
    try {
      await check(instance);
      result = { verdict: "ok" };
    } catch (error) {
      result = verdictOf(error);
    }
    try {
      await instance.cleanUp();
    } catch (error) {
      // Its reservations stay recorded, and are cancelled after the next condition.
      result.unavailable ??= error instanceof Unavailable ? error : undefined;
    }
    const { unavailable, ...verdict } = result;
    if (unavailable === undefined || tries === TRIES_MAX) return verdict;
    await instance.wait(unavailable.seconds);
  }
}

function verdictOf(error) {
  const reason = error.message;
  if (error instanceof Failed) return { verdict: "failed", reason };
  if (error instanceof NotRun) return { verdict: "not run", reason };
  if (error instanceof Unavailable) return { verdict: "not run", reason, unavailable: error };
  // A TypeError, since the answer has another form than the condition reads.
  return { verdict: "failed", reason: `the answer could not be read: ${reason}` };
}
