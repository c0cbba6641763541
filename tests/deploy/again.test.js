// `npm run deploy` when a response is lost or a migration fails: the next run completes the deployment.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { LOST, refused, splitNaively, startCloudflare } from "../support/cloudflare.js";
import { deploy, held, newCheckout, wrangler } from "./checkout.js";

const cloudflare = await startCloudflare();
after(cloudflare.close);

const migrations = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
const isMigration = (body) => body.includes("CREATE TRIGGER");

test("whichever response is lost, another run continues: one database, one secret, each migration once", async () => {
  const account = await cloudflare.account();
  const checkout = newCheckout();
  const loseAnswerTo = async (operation, when) => {
    account.next(operation, LOST, { when });
    const { exitCode, output } = await deploy(checkout, account);
    assert.equal(exitCode, 1, output);
    assert.match(output, /Run npm run deploy again/);
    return held(account);
  };

  const created = await loseAnswerTo("create database");
  assert.deepEqual([created.databases, created.versions], [["einmal"], 0]);

  // wrangler itself retries an upload whose response is lost.
  account.next("upload Worker", LOST);
  const migrated = await loseAnswerTo("query", isMigration);
  assert.deepEqual([migrated.applied, migrated.versions, migrated.puts], [migrations, 1, []]);

  const secretPut = await loseAnswerTo("put secret");
  assert.deepEqual(secretPut.puts, ["SESSION_SECRET"]);

  account.next("upload version", LOST);
  await loseAnswerTo("deploy version");

  const { exitCode, output } = await deploy(checkout, account);
  assert.equal(exitCode, 0, output);
  const { databases, applied, secrets, puts } = await held(account);
  assert.deepEqual([databases, applied], [["einmal"], migrations]);
  assert.deepEqual([secrets, puts], [secretPut.secrets, ["SESSION_SECRET"]]);
});

test("a migration that the API splits wrongly is imported once, even if that response is lost", async () => {
  const account = await cloudflare.account();
  const checkout = newCheckout();
  const incomplete = refused(400, 7500, "incomplete input: SQLITE_ERROR");
  account.next("query", incomplete, { when: isMigration });
  // The file is imported; the response that it has finished is lost.
  account.next("import", LOST, { when: (body) => body.includes('"poll"') });
  const lost = await deploy(checkout, account);
  assert.equal(lost.exitCode, 1, lost.output);
  assert.match(lost.output, /not every migration is applied, or it is not known/);
  const imported = await held(account);
  assert.deepEqual([imported.databases, imported.applied], [["einmal"], migrations]);

  const { exitCode, output } = await deploy(checkout, account, {
    env: { SESSION_SECRET: "a secret that somebody keeps elsewhere too" },
  });
  assert.equal(exitCode, 0, output);
  assert.match(output, /the database has every migration/);
  const { applied, secrets } = await held(account);
  assert.deepEqual(applied, migrations);
  assert.equal(secrets.SESSION_SECRET, "a secret that somebody keeps elsewhere too");

  const apply = ["d1", "migrations", "apply", "DB", "--remote"];
  assert.match(await wrangler(checkout, account, apply), /No migrations to apply/);
});

test("the migrations work with an API that ends statements at every semicolon at a line's end", async () => {
  const account = await cloudflare.account({ split: splitNaively });
  account.createDatabase("einmal");
  await wrangler(newCheckout(), account, ["d1", "migrations", "apply", "DB", "--remote"]);
  const { applied } = await held(account);
  assert.deepEqual(applied, migrations);
  assert.ok(!account.done.includes("import"));
});
