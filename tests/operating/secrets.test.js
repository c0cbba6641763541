// SESSION_SECRET_PREVIOUS as documented in docs/operating.md, beyond the rotation itself.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { startWorker } from "../support/worker.js";

const [current, previous] = ["c", "p"].map((letter) => letter.repeat(32));

async function sessionOf(secrets, headers) {
  const worker = await startWorker({ secrets });
  after(worker.close);
  return send(`${worker.origin}/session`, { method: "GET", headers });
}

test("a token of the previous secret is valid while that secret is bound", async () => {
  const headers = { Authorization: await bearer("box-office", previous) };
  const both = { SESSION_SECRET: current, SESSION_SECRET_PREVIOUS: previous };
  assert.equal((await sessionOf(both, headers)).status, 200);
  assert.equal((await sessionOf({ SESSION_SECRET: current }, headers)).status, 401);
});

test("a previous secret of fewer than 32 bytes is ignored", async () => {
  const short = previous.slice(1);
  const secrets = { SESSION_SECRET: current, SESSION_SECRET_PREVIOUS: short };
  assert.equal((await sessionOf(secrets, {})).status, 200);
  const headers = { Authorization: await bearer("box-office", new TextEncoder().encode(short)) };
  assert.equal((await sessionOf(secrets, headers)).status, 401);
});
