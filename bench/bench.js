// One whole run: rounds and fresh starts of all the contestants.

import { FLOOR } from "./contestants.js";
import { describeMachine } from "./machine.js";
import { tables } from "./report.js";
import { measure } from "./rounds.js";
import { measureStarts } from "./startup.js";

/**
 * @param {import("./rounds.js").Plan & {starts: number}} plan
 * @returns {Promise<Record<string, string>>} the tables, by name
 * @throws if a contestant answers wrongly, and for nothing that only took long
 */
export async function bench(plan) {
  const { contestants, starts, say } = plan;
  const machine = await describeMachine(plan);
  const { cells, costs } = await measure(plan);
  say("starting isolates");
  // The floor answers nothing without a database, and so does not start here.
  const starters = contestants.filter(({ name }) => name !== FLOOR);
  const started = await measureStarts({ contestants: starters, starts });
  return tables({ cells, costs, starts: started, contestants, machine });
}

/** Small enough for a test: it says nothing about speed. */
export const SMOKE = { sizes: [200], rounds: 1, seconds: 0.05, settled: 20, starts: 1 };
