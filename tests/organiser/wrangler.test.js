// Commands through wrangler, locally and with a stand-in for Cloudflare's API, including its failures.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LOST, refused, startCloudflare } from "../support/cloudflare.js";
import { queryOf } from "../support/query.js";
import { migrate } from "../support/worker.js";
import { newState, type } from "./organiser.js";

const cloudflare = await startCloudflare();
after(cloudflare.close);
const account = await cloudflare.account();
const remote = account.env;
const { d1 } = account.createDatabase("einmal");
await migrate(d1);

const query = queryOf(d1);

test("the same commands reach the deployed database, each in one query of the API", async () => {
  const title = "It's; -- remote\r\n漢字";
  const add = ["add", "remote", "--title", title, "--capacity", "2", "--remote"];
  const added = await type(add, remote);
  assert.equal(added.exitCode, 0, added.error);
  assert.match(added.output, /To publish it, run: .* publish remote --remote$/m);
  assert.equal((await type(["publish", "remote", "--remote"], remote)).exitCode, 0);
  const reserve = ["reserve", "remote", "--quantity", "2", "--note", "Ada's", "--remote"];
  const reserved = await type([...reserve, "--json"], remote);
  assert.equal(reserved.exitCode, 0, reserved.error);
  assert.equal(account.queries.length, 3);
  assert.deepEqual(await query("SELECT title, reserved FROM workshops"), [{ title, reserved: 2 }]);
  const [{ note }] = await query("SELECT note FROM notes");
  assert.equal(note, "Ada's");
  const refused = await type(["set", "remote", "--capacity", "1", "--remote"], remote);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.error, /2 places of remote are reserved/);
  const broken = await type(["set", "remote", "--per-actor", "0", "--remote"], remote);
  assert.match(broken.error, /nothing was changed: --per-actor must be at least 1, or none/);
});

test("when the API's response is lost, the suggested command reserves once", async () => {
  const words = ["reserve", "lost", "--quantity", "1", "--remote"];
  await type(["add", "lost", "--title", "W", "--capacity", "2", "--remote"], remote);
  await type(["publish", "lost", "--remote"], remote);
  account.next("query", LOST);
  const lost = await type(words, remote);
  assert.equal(lost.exitCode, 1);
  const [, again] = /never does it twice:\nnpm run workshop -- (.+)\n/.exec(lost.error);
  const found = await type([...again.split(" "), "--json"], remote);
  assert.equal(JSON.parse(found.output).replayed, true, found.error);
  const [{ count }] = await query(
    "SELECT COUNT(*) AS count FROM reservations WHERE workshop = 'lost'",
  );
  assert.equal(count, 1);
});

test("without a terminal, nothing is cancelled without --yes", async () => {
  const [{ id }] = await query("SELECT id FROM reservations WHERE workshop = 'lost'");
  const words = ["cancel", id, "--remote"];
  const { exitCode, error } = await type(words, remote);
  assert.equal(exitCode, 1);
  assert.match(
    error,
    /^workshop: Cancel .* 1 place in lost .* No terminal to confirm at: add --yes$/m,
  );
  const held =
    "SELECT COUNT(*) AS count FROM reservations WHERE cancelled_at_ms IS NULL AND workshop = 'lost'";
  assert.deepEqual(await query(held), [{ count: 1 }]);
  assert.equal((await type([...words, "--yes"], remote)).exitCode, 0);
  assert.deepEqual(await query(held), [{ count: 0 }]);
});

test("a failure of the API is reported with its remedy", async () => {
  const message = "D1 DB is overloaded. Requests queued for too long.";
  account.next("query", refused(500, 7500, message));
  const overloaded = await type(["close", "lost", "--remote"], remote);
  assert.equal(overloaded.exitCode, 1);
  assert.match(overloaded.error, /overloaded.*\n.*outcome is unknown.*Run the command again/);
  account.next("query", refused(500, 7500, "no such table: notes: SQLITE_ERROR"));
  const behind = await type(["attendees", "lost", "--remote"], remote);
  assert.match(behind.error, /Run: npx wrangler d1 migrations apply DB --remote/);
});

test("without a login, the command says how to log in", async () => {
  const nobody = {
    CLOUDFLARE_API_TOKEN: "",
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
  };
  const { exitCode, error } = await type(["list", "--remote"], nobody);
  assert.equal(exitCode, 1);
  assert.match(error, /wrangler is not logged in. Run: npx wrangler login/);
});

test("a command retries while another process has locked the local file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(folder, { recursive: true }));
  // Fails twice as wrangler does on a locked file, then runs wrangler.
  const script = `#!/bin/sh
for turn in first second; do
  if mkdir '${folder}'/$turn 2>/dev/null; then
    echo '{"error":{"text":"database is locked: SQLITE_BUSY"}}'
    exit 1
  fi
done
exec '${join(process.cwd(), "node_modules/.bin/wrangler")}' "$@"
`;
  writeFileSync(join(folder, "wrangler"), script, { mode: 0o700 });
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const state = await newState();
  const words = ["add", "waits", "--title", "W", "--capacity", "1", "--persist-to", state];
  const { exitCode, error } = await type(words, env);
  assert.equal(exitCode, 0, error);
  assert.ok(existsSync(join(folder, "second")));
});

test("a database without tables is reported with the command that migrates it", async () => {
  const state = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(state, { recursive: true }));
  const { exitCode, error } = await type(["list", "--persist-to", state]);
  assert.equal(exitCode, 1);
  assert.match(error, /Run: npx wrangler d1 migrations apply DB --local/);
});
