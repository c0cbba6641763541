// `npm run deploy` on a stand-in for Cloudflare: what it creates, keeps and refuses. Lost responses are
// tested in again.test.js.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { pageAddress, waitUntilHealthy } from "../../scripts/deploy/address.js";
import { READ_SCHEMA, schemaDifferences } from "../../scripts/schema.js";
import { refused, startCloudflare } from "../support/cloudflare.js";
import { deploy, held, newCheckout, wrangler } from "./checkout.js";

const cloudflare = await startCloudflare();
after(cloudflare.close);

/** The account that the first tests share, in this order. */
const account = await cloudflare.account();
const migrations = readdirSync("migrations").filter((name) => name.endsWith(".sql"));

test("an empty account gets one migrated database, one secret, and a healthy service", async () => {
  const { exitCode, output } = await deploy(newCheckout(), account);
  assert.equal(exitCode, 0, output);
  const { databases, applied, secrets, puts } = await held(account);
  assert.deepEqual(databases, ["einmal"]);
  assert.deepEqual(applied, migrations);
  assert.deepEqual(puts, ["SESSION_SECRET"]);
  assert.match(secrets.SESSION_SECRET, /^[0-9a-f]{64}$/);
  assert.ok(!output.includes(secrets.SESSION_SECRET), "the secret was printed");
  const health = await fetch(`${account.origin}/health`);
  assert.equal(health.status, 200, await health.text());
  assert.ok(output.includes(`deploy: done. The page: ${account.origin}/\n`), output);
});

test("a deployment from another checkout keeps the database, the secret and the tables", async () => {
  const before = await held(account);
  account.done.length = 0;
  const { exitCode, output } = await deploy(newCheckout(), account);
  assert.equal(exitCode, 0, output);
  assert.deepEqual(await held(account), { ...before, versions: before.versions + 1 });
  assert.ok(!account.done.includes("create database"));
  const [{ uuid }] = account.databases;
  assert.ok(output.includes(`the Worker uses the database einmal (${uuid})`), output);
});

test("a checkout that names another database changes nothing and names both", async () => {
  const before = await held(account);
  const other = newCheckout((config) =>
    config.replace(/^database_name = .*/m, 'database_name = "other"'),
  );
  const missing = await deploy(other, account);
  assert.equal(missing.exitCode, 1, missing.output);
  assert.match(missing.output, /names one that does not exist.*\n.*nothing was changed/);
  assert.deepEqual(await held(account), before);
  const { uuid } = account.createDatabase("other");
  const found = await deploy(other, account);
  assert.equal(found.exitCode, 1, found.output);
  for (const named of [account.databases[0].uuid, `other (${uuid})`]) {
    assert.ok(found.output.includes(named), found.output);
  }
  assert.deepEqual(await held(account), { ...before, databases: ["einmal", "other"] });
});

test("a trigger that is missing in the deployed database stops the deployment, by its name", async () => {
  const [{ d1 }] = account.databases;
  await d1.prepare("DROP TRIGGER reservations_take_places").run();
  // Without --url the address is the one that wrangler reports.
  const { exitCode, output } = await deploy(newCheckout(), account, { url: null });
  assert.equal(exitCode, 1, output);
  assert.match(output, /its page is https:\/\/einmal\.localhost\/$/m);
  assert.match(output, /^ {2}- the trigger reservations_take_places is missing$/m);
  assert.doesNotMatch(output, /deploy: done/);
  // As documented in docs/deploying.md.
  const restored = newCheckout();
  const line = "CREATE TRIGGER reservations_take_places ";
  const script = `mkdir .wrangler; grep -h "${line}" migrations/*.sql > .wrangler/restore.sql`;
  execFileSync("sh", ["-c", script], { cwd: restored });
  const execute = ["d1", "execute", "DB", "--remote"];
  await wrangler(restored, account, [...execute, "--file", ".wrangler/restore.sql"]);
  const { results } = await d1.prepare(READ_SCHEMA).all();
  assert.deepEqual(schemaDifferences(results), []);
});

test("rejected credentials are reported, and nothing is changed", async () => {
  const { exitCode, output } = await deploy(newCheckout(), await cloudflare.account(), {
    env: { CLOUDFLARE_API_TOKEN: "another-token" },
  });
  assert.equal(exitCode, 1);
  assert.match(output, /Authentication error/, "wrangler's own words");
  assert.match(output, /^deploy: Cloudflare refused the credentials\./m);
  assert.match(output, /^Nothing was changed\./m);
});

test("without a login the message names the command that logs in", async () => {
  const nowhere = "/nonexistent";
  const { exitCode, output } = await deploy(newCheckout(), await cloudflare.account(), {
    env: { CLOUDFLARE_API_TOKEN: "", HOME: nowhere, XDG_CONFIG_HOME: nowhere },
  });
  assert.equal(exitCode, 1);
  assert.match(
    output,
    /^deploy: wrangler is not logged in to Cloudflare. Run: npx wrangler login$/m,
  );
});

test("an API that fails stops the deployment before anything is changed", async () => {
  const failing = await cloudflare.account();
  failing.next("list deployments", refused(500, 1, "internal error"));
  const { exitCode, output } = await deploy(newCheckout(), failing);
  assert.equal(exitCode, 1);
  assert.match(output, /internal error.*^deploy: Nothing was changed\./ms);
  assert.deepEqual(failing.done, []);
});

test("an unknown option or an invalid address is rejected with the usage", async () => {
  const { exitCode, output } = await deploy(newCheckout(), account, { url: "workshops.example" });
  assert.equal(exitCode, 2);
  assert.match(
    output,
    /expected --url to be a web address, found workshops.example\n\nnpm run deploy/,
  );
});

test("the page's address is that of workers.dev or a whole domain, never a route of a site", () => {
  const schedule = "schedule: 0 3 * * *";
  assert.equal(
    pageAddress([schedule, "https://einmal.name.workers.dev"]),
    "https://einmal.name.workers.dev/",
  );
  assert.equal(
    pageAddress(["workshops.example (custom domain - zone name: example)"]),
    "https://workshops.example/",
  );
  const route = "example.org/shop/* (zone name: example.org)";
  assert.throws(() => pageAddress([route, schedule]), /npm run deploy -- --url/);
  assert.equal(pageAddress([route], "https://example.org/shop"), "https://example.org/");
});

test("a service that does not become healthy is reported with its last response", async () => {
  const answers = [
    [404, "Not found"],
    [200, '{"status":"ok"}'],
    [503, '{"code":"not_configured"}'],
  ];
  let requests = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[Math.min(requests, 2)];
    requests += 1;
    response.writeHead(status).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => server.close());
  const page = `http://127.0.0.1:${server.address().port}/`;
  await waitUntilHealthy(page, 2);
  assert.equal(requests, 2);
  await assert.rejects(waitUntilHealthy(page, 0), /Found for 0 seconds: 503 .*not_configured/);
});
