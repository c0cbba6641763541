// The retry client in Node.js and in a Worker, case by case. The browser suite has them in Chromium.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { Miniflare } from "miniflare";
import * as client from "../../public/client.js";
import { cases } from "./cases.js";
import { attemptOnBrokenConnection, breakingService } from "./connection.js";

for (const [name, run] of Object.entries(cases)) {
  test(`in Node.js: ${name}`, () => run(client));
}

/** Runs the requested case, and returns what it throws. */
const entry = `
import * as client from "./client.js";
import { cases } from "./cases.js";

${attemptOnBrokenConnection}

export default {
  async fetch(request) {
    try {
      if (request.url.endsWith("/broken")) {
        return Response.json(await attemptOnBrokenConnection(client, await request.text()));
      }
      await cases[await request.text()](client);
      return new Response("it holds");
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
`;

const esm = (contents) => ({ type: "esm", contents });
const worker = new Miniflare({
  workers: [
    {
      config: {
        name: "client",
        compatibilityDate: "2026-08-01",
        manifest: {
          mainModule: "entry.js",
          modules: {
            "entry.js": esm(entry),
            "client.js": esm(readFileSync("public/client.js", "utf8")),
            "cases.js": esm(readFileSync("tests/client/cases.js", "utf8")),
          },
        },
        env: {},
      },
    },
  ],
});
const origin = await worker.ready;
after(() => worker.dispose());

for (const name of Object.keys(cases)) {
  test(`in a Worker: ${name}`, async () => {
    const answer = await fetch(origin, { method: "POST", body: name });
    if (!answer.ok) throw new Error(await answer.text());
  });
}

// Below the client, a browser may repeat a request. These runtimes do not.
const inWorker = async (service) =>
  (await fetch(new URL("/broken", origin), { method: "POST", body: service })).json();
for (const [where, attempt] of [
  ["in Node.js", (service) => attemptOnBrokenConnection(client, service)],
  ["in a Worker", inWorker],
]) {
  test(`${where}: one attempt is one request, even on a connection that breaks`, async () => {
    const service = await breakingService();
    const { reason, key } = await attempt(service.origin);
    service.close();
    assert.deepEqual([reason, service.keys], ["unreachable", [key]]);
  });
}
