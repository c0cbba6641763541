// A short run of chaos, and one against a service that is not exactly once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chaos } from "./chaos.js";
import { figures, timeline } from "./report.js";

const options = { seed: 1, concurrency: 32, lifeMillisecondsMax: 1_500 };

test("killed twenty times under load, nothing is lost, duplicated or oversold", async () => {
  const run = await chaos({
    ...options,
    shouldContinue: (kills, operations) => kills < 20 || operations < 100,
  });
  const { found, ...happened } = figures(run);
  console.log(happened);
  for (const { kind, description, operation } of run.findings.slice(0, 5)) {
    console.log(kind, description, operation ? timeline(operation, run.kills) : "");
  }
  assert.deepEqual(
    Object.entries(found).filter(([, count]) => count > 0),
    [],
  );
  assert.ok(happened.kills > 20);
  // The run has exercised everything that it counts.
  for (const [name, count] of Object.entries(happened)) assert.ok(count > 0, name);
});

test("a service that decides and reserves in two transactions fails the check", async () => {
  const run = await chaos({
    ...options,
    fault: "apart",
    shouldContinue: (kills, operations) => kills < 3 || operations < 100,
  });
  assert.ok(figures(run).found.lost > 0);
});
