// One complete run: the rounds and the cold starts of all candidates.

import { BASELINE } from "./candidates.js";
import { describeMachine } from "./machine.js";
import { tables } from "./report.js";
import { measure } from "./rounds.js";
import { measureStarts } from "./startup.js";

/**
 * @param {import("./rounds.js").Plan & {starts: number}} plan
 * @returns {Promise<Record<string, string>>} the tables, by name
 * @throws if a response is wrong; never because something was slow
 */
export async function bench(plan) {
  const { candidates, starts, progress } = plan;
  const machine = await describeMachine(plan);
  const { cells, costs } = await measure(plan);
  progress("measuring cold starts");
  // The baseline cannot respond without a database.
  const starters = candidates.filter(({ name }) => name !== BASELINE);
  const started = await measureStarts({ candidates: starters, starts });
  return tables({ cells, costs, starts: started, candidates, machine });
}

/** Short enough for a test; the figures mean nothing. */
export const SMOKE = { sizes: [200], rounds: 1, seconds: 0.05, settled: 20, starts: 1 };
