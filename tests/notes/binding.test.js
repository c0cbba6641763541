// A Worker that saves a note with the client through a service binding: exactly once between two
// Workers, even across restarts of the caller.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { Miniflare } from "miniflare";
import { bearer } from "../support/tokens.js";
import { builtModules, migrate, SECRET } from "../support/worker.js";
import { notesWorker } from "./service.js";

const Authorization = await bearer("caller", SECRET);

/**
 * The caller. `POST /` with a title makes an operation, or with an operation goes on with it. The
 * header `Lose` is the number of responses to lose.
 */
const caller = `
import { newOperation, restoreOperation, send } from "./client.js";

export default {
  async fetch(request, { NOTES, AUTHORIZATION }) {
    const { title, operation } = await request.json();
    let lose = Number(request.headers.get("Lose"));
    const attempts = [];
    try {
      const decided = await send(
        restoreOperation(operation) ?? newOperation("https://notes.internal/notes", { title }),
        {
          headers: { Authorization: AUTHORIZATION },
          wait: async () => {},
          fetch: async (url, init) => {
            attempts.push(init.headers.get("Idempotency-Key"));
            const response = await NOTES.fetch(url, init);
            await response.clone().text();
            if (lose-- > 0) throw new Error("the answer was lost");
            return response;
          },
        },
      );
      return Response.json({ ...decided, keys: attempts });
    } catch ({ name, operation, reason }) {
      return Response.json({ name, operation, reason, keys: attempts }, { status: 502 });
    }
  },
};
`;

const esm = (contents) => ({ type: "esm", contents });
const compatibilityDate = "2026-08-01";
const worker = new Miniflare({
  // tests/worker checks the log.
  handleStructuredLogs: () => {},
  workers: [
    {
      config: {
        name: "caller",
        compatibilityDate,
        manifest: {
          mainModule: "caller.js",
          modules: {
            "caller.js": esm(caller),
            "client.js": esm(readFileSync("public/client.js", "utf8")),
          },
        },
        env: {
          NOTES: { type: "worker", worker: "notes" },
          AUTHORIZATION: { type: "text", value: Authorization },
        },
      },
    },
    {
      config: {
        name: "notes",
        compatibilityDate,
        manifest: { mainModule: "index.js", modules: builtModules(notesWorker.built) },
        env: { DB: { type: "d1", id: "notes" }, SESSION_SECRET: { type: "text", value: SECRET } },
      },
    },
  ],
});
after(() => worker.dispose());
const origin = await worker.ready;
const { DB } = await worker.getBindings("notes");
await migrate(DB, notesWorker.migrations);

async function call(body, Lose = "0") {
  const response = await fetch(origin, {
    method: "POST",
    headers: { Lose },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** The notes of a title. */
const stored = async (title) =>
  (await DB.prepare("SELECT id, title FROM notes WHERE title = ?1").bind(title).all()).results;

test("a Worker whose first response is lost saves one note and receives its id", async () => {
  const decided = await call({ title: "one lost" }, "1");
  assert.deepEqual([decided.status, decided.replayed, decided.attempts], [201, true, 2]);
  assert.equal(new Set(decided.keys).size, 1);
  assert.deepEqual(await stored("one lost"), [decided.document]);
});

test("a Worker that receives no response keeps the operation, and another one continues it", async () => {
  const open = await call({ title: "all lost" }, "2");
  assert.deepEqual([open.name, open.reason], ["OperationOpen", "unreachable"]);
  const [note] = await stored("all lost");
  const decided = await call({ operation: open.operation });
  assert.deepEqual([decided.document, decided.replayed], [note, true]);
  assert.deepEqual(decided.keys, [open.keys[0]]);
  assert.equal((await stored("all lost")).length, 1);
});
