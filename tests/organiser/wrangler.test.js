// What lies between a command and the database: wrangler, here and towards Cloudflare's API, and
// everything that it can answer.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";
import { setStage } from "../worker/stage.js";
import { newState, type } from "./organiser.js";

const stage = await setStage();
after(stage.close);

/** The SQL texts that the API was sent, and what it does instead of running the next one. */
const sent = [];
let instead;

// As much of Cloudflare's API as `wrangler d1 execute --remote` uses, over a database of this test.
const api = createServer(async (request, response) => {
  const body = (await request.setEncoding("utf8").toArray()).join("");
  const answer = (status, document) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ errors: [], messages: [], result: null, ...document }));
  };
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/accounts/an-account/d1/database/einmal") {
    return answer(200, { success: true, result: { uuid: "a-uuid", name: "einmal" } });
  }
  if (pathname !== "/accounts/an-account/d1/database/a-uuid/query") {
    return answer(404, { success: false, errors: [{ code: 7000, message: `no ${pathname}` }] });
  }
  const { sql } = JSON.parse(body);
  sent.push(sql);
  const [fault, message] = instead ?? [];
  instead = undefined;
  if (fault === "before") {
    return answer(500, { success: false, errors: [{ code: 7500, message }] });
  }
  try {
    const batch = splitStatements(sql).map((text) => stage.database.prepare(text));
    const results = await stage.database.batch(batch);
    if (fault === "after") return request.socket.destroy();
    const result = results.map(({ results: rows, meta }) => ({
      results: rows,
      success: true,
      meta,
    }));
    answer(200, { success: true, result });
  } catch (error) {
    answer(400, { success: false, errors: [{ code: 7500, message: error.message }] });
  }
});
await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
after(() => api.close());

const remote = {
  CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${api.address().port}`,
  CLOUDFLARE_API_TOKEN: "a-token",
  CLOUDFLARE_ACCOUNT_ID: "an-account",
};

const ask = async (sql) => (await stage.database.prepare(sql).all()).results;

test("the same commands reach the deployed database, each in one query of the API", async () => {
  const title = "It's; -- remote\r\n漢字";
  const add = ["add", "remote", "--title", title, "--capacity", "2", "--remote"];
  const added = await type(add, remote);
  assert.equal(added.exitCode, 0, added.error);
  assert.match(added.output, /Nobody else sees it until: .* publish remote --remote$/m);
  assert.equal((await type(["publish", "remote", "--remote"], remote)).exitCode, 0);
  const reserve = ["reserve", "remote", "--quantity", "2", "--note", "Ada's", "--remote"];
  const reserved = await type([...reserve, "--json"], remote);
  assert.equal(reserved.exitCode, 0, reserved.error);
  assert.equal(sent.length, 3);
  assert.deepEqual(await ask("SELECT title, reserved FROM workshops"), [{ title, reserved: 2 }]);
  const [{ note }] = await ask("SELECT note FROM notes");
  assert.equal(note, "Ada's");
  const refused = await type(["set", "remote", "--capacity", "1", "--remote"], remote);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.error, /2 places of remote are reserved/);
  const broken = await type(["set", "remote", "--per-actor", "0", "--remote"], remote);
  assert.match(broken.error, /nothing was changed: --per-actor is at least 1, or none/);
});

test("when the API loses the answer, the command that is offered does it once", async () => {
  const words = ["reserve", "lost", "--quantity", "1", "--remote"];
  await type(["add", "lost", "--title", "W", "--capacity", "2", "--remote"], remote);
  await type(["publish", "lost", "--remote"], remote);
  instead = ["after"];
  const lost = await type(words, remote);
  assert.equal(lost.exitCode, 1);
  const [, again] = /never done twice:\nnpm run workshop -- (.+)\n/.exec(lost.error);
  const found = await type([...again.split(" "), "--json"], remote);
  assert.equal(JSON.parse(found.output).replayed, true, found.error);
  const [{ count }] = await ask(
    "SELECT COUNT(*) AS count FROM reservations WHERE workshop = 'lost'",
  );
  assert.equal(count, 1);
});

test("where there is no terminal to ask at, nothing is cancelled without --yes", async () => {
  const [{ id }] = await ask("SELECT id FROM reservations WHERE workshop = 'lost'");
  const words = ["cancel", id, "--remote"];
  const { exitCode, error } = await type(words, remote);
  assert.equal(exitCode, 1);
  assert.match(
    error,
    /^workshop: Cancel .* 1 place in lost .* There is no terminal.*: add --yes$/m,
  );
  const held =
    "SELECT COUNT(*) AS count FROM reservations WHERE cancelled_at_ms IS NULL AND workshop = 'lost'";
  assert.deepEqual(await ask(held), [{ count: 1 }]);
  assert.equal((await type([...words, "--yes"], remote)).exitCode, 0);
  assert.deepEqual(await ask(held), [{ count: 0 }]);
});

test("a failure of the API is told, with what to do", async () => {
  instead = ["before", "D1 DB is overloaded. Requests queued for too long."];
  const overloaded = await type(["close", "lost", "--remote"], remote);
  assert.equal(overloaded.exitCode, 1);
  assert.match(overloaded.error, /overloaded.*\n.*not known whether that was done. Send it again/);
  instead = ["before", "no such table: notes: SQLITE_ERROR"];
  const behind = await type(["attendees", "lost", "--remote"], remote);
  assert.match(behind.error, /Run: npx wrangler d1 migrations apply DB --remote/);
});

test("who is not logged in is told to", async () => {
  const nobody = {
    CLOUDFLARE_API_TOKEN: "",
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
  };
  const { exitCode, error } = await type(["list", "--remote"], nobody);
  assert.equal(exitCode, 1);
  assert.match(error, /wrangler is not logged in. Run: npx wrangler login/);
});

test("a command that is turned away from the local file, since another writes, tries again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(folder, { recursive: true }));
  // Says twice what wrangler says then, and is wrangler from then on.
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

test("a database without tables says which command makes them", async () => {
  const state = mkdtempSync(join(tmpdir(), "einmal-organiser-"));
  after(() => rmSync(state, { recursive: true }));
  const { exitCode, error } = await type(["list", "--persist-to", state]);
  assert.equal(exitCode, 1);
  assert.match(error, /Run: npx wrangler d1 migrations apply DB --local/);
});
