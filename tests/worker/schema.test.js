// Health compares the schema of the database with the one that this build needs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { startWorker } from "../support/worker.js";

const worker = await startWorker();
after(worker.close);
const run = (sql) => worker.database.prepare(sql).run();
const health = () => worker.logOf(() => send(`${worker.origin}/health`, { method: "GET" }));

/** The statement of the migration that makes a trigger. */
function triggerSql(name) {
  const migration = readFileSync("migrations/0001_initial_schema.sql", "utf8");
  return new RegExp(`^CREATE TRIGGER ${name} .*$`, "m").exec(migration)[0];
}

test("with the complete schema the service is healthy", async () => {
  const [{ status, body }, line] = await health();
  assert.deepEqual([status, body], [200, `{"status":"ok"}`]);
  assert.deepEqual([line.d1_calls, line.cause], [1, undefined]);
});

test("a missing, changed or unknown trigger, or a missing table, is not_configured and named in the log", async () => {
  const trigger = "reservations_take_places";
  const notes = (
    await worker.database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'notes'").first()
  ).sql;
  for (const [change, repair, difference] of [
    [`DROP TRIGGER ${trigger}`, triggerSql(trigger), `the trigger ${trigger} is missing`],
    [
      `CREATE TRIGGER surprise AFTER INSERT ON reservations BEGIN SELECT 1; END`,
      "DROP TRIGGER surprise",
      "the trigger surprise is not known to this build",
    ],
    ["DROP TABLE notes", notes, "the table notes is missing"],
  ]) {
    await run(change);
    const [{ status, body }, line] = await health();
    assert.deepEqual([status, JSON.parse(body).error], [503, "not_configured"], change);
    assert.equal(line.cause, `the schema differs: ${difference}`);
    await run(repair);
    assert.equal((await health())[0].status, 200, repair);
  }
  await run(`DROP TRIGGER ${trigger}`);
  await run(triggerSql(trigger).replace("reserved + NEW.quantity", "reserved + 1"));
  const [{ status }, line] = await health();
  assert.equal(status, 503);
  assert.match(
    line.cause,
    new RegExp(`the trigger ${trigger} is not the one that this build needs$`),
  );
});
