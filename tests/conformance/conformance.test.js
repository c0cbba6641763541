// The conformance conditions: the built Worker meets all of them, and each is failed by a server
// that breaks a promise.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { conditions, themes } from "../../conformance/conditions/index.js";
import { conformancePage, elsewhere } from "../../conformance/document.js";
import { line } from "../../conformance/report.js";
import { run } from "../../conformance/run.js";
import { documents } from "../../conformance/sources.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import * as broken from "./broken.js";

const stage = await startWorker({ assets: true });
after(stage.close);

const oneActor = await bearer("one-actor", SECRET);
const tokens = [];
for (const name of ["one", "other"]) tokens.push((await bearer(name, SECRET)).split(" ")[1]);

let made = 0;

/** A workshop of four places that no other test uses. */
async function makeWorkshop() {
  made += 1;
  const id = `workshop-${made}`;
  await stage.database
    .prepare(
      `INSERT INTO workshops (id, title, capacity, published_at_ms, starts_at_ms, ends_at_ms, time_zone)
       VALUES (?1, 'W', 4, 0, 4000000000000, 4000003600000, 'Europe/Zurich')`,
    )
    .bind(id)
    .run();
  return id;
}

/** The places that the database counts in a workshop, and the sum of its reservations. */
function held(workshop) {
  return stage.database
    .prepare(
      `SELECT reserved, (SELECT COALESCE(SUM(quantity), 0) FROM reservations
         WHERE workshop = ?1 AND cancelled_at_ms IS NULL) AS places
       FROM workshops WHERE id = ?1`,
    )
    .bind(workshop)
    .first();
}

/** Runs the command; returns its exit code and its output. */
function command(...options) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["conformance/main.js", ...options],
      { maxBuffer: 16_000_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const idsOf = (results, verdict) =>
  results.filter((result) => result.verdict === verdict).map(({ id }) => id);

test("the built Worker meets every condition with two sessions, and gets its places back", async () => {
  const workshop = await makeWorkshop();
  const { code, stdout } = await command(stage.origin, "--workshop", workshop, "--json");
  const { results, free } = JSON.parse(stdout);
  const failed = results.filter(({ verdict }) => verdict === "failed");
  assert.deepEqual(failed, [], failed.map(line).join("\n"));
  assert.equal(code, 0);
  assert.deepEqual(idsOf(results, "not run"), ["bearer-not-cookie", "program", "rate-limit"]);
  assert.deepEqual(free, { before: 4, after: 4 });
  assert.deepEqual(await held(workshop), { reserved: 0, places: 0 });
});

test("the built Worker meets the conditions for two programs, and the suite waits for Retry-After", async () => {
  const workshop = await makeWorkshop();
  const { origin, close } = await broken.breakService(stage.origin, broken.limitOfASecond());
  const checked = [
    ...themes["Two actors"],
    ...themes.Authentication,
    ...themes["Cross-site requests"],
    ...themes.Rejections,
  ];
  const wanted = (condition) => checked.includes(condition);
  const { results, waitedSeconds } = await run(origin, { workshop, tokens, wanted });
  close();
  const others = results.filter(({ verdict }) => verdict !== "ok");
  assert.deepEqual(others, [], others.map(line).join("\n"));
  assert.equal(waitedSeconds, 1);
  assert.deepEqual(await held(workshop), { reserved: 0, places: 0 });
});

const caught = new Set();

// What is broken, the conditions that have to fail, and the themes that are checked; by default all
// conditions that no earlier server has failed.
for (const [what, change, catchers, checkedThemes] of [
  [
    "no look-up",
    broken.noLookUp,
    ["replay", "lost-response", "conflict", "concurrent-one-reservation"],
    ["Replays", "Conflicts", "Concurrency", "Look up, abandon, cancel"],
  ],
  [
    "no scope",
    () => broken.noScope(oneActor),
    ["scope-same-key", "scope-no-conflict", "scope-read", "scope-cancel", "scope-abandon"],
    ["Two actors"],
  ],
  ["refusals decided again", broken.refusalsAgain, ["refusal-final"], ["Replays"]],
  [
    "payloads not compared",
    broken.noComparison,
    ["conflict", "conflict-reveals-nothing", "conflict-after-refusal"],
    ["Conflicts"],
  ],
  [
    "every request accepted",
    (workshop) => broken.tolerant(oneActor, workshop),
    ["key-missing", "body-quantity-type", "body-members", "cross-site", "unauthenticated"],
  ],
  [
    "wrong headers",
    () => broken.bareHeaders,
    [
      "reserved",
      "refused",
      "not-stored",
      "security-headers",
      "method-not-allowed",
      "challenge",
      "session-new",
      "problem-document",
    ],
  ],
  ["documents that change", () => broken.changingDocuments, ["abandon", "workshop-in-list"]],
  ["sessions that do not last", () => broken.alwaysNewActor, ["session-stays", "program"]],
  ["a rate limit without Retry-After", broken.limitWithoutRetryAfter, ["rate-limit"]],
  ["empty answers", () => broken.empty, ["health", "reserved", "page-contract"]],
]) {
  test(`${what}: conditions fail`, async () => {
    const workshop = await makeWorkshop();
    const { origin, close } = await broken.breakService(stage.origin, change(workshop));
    const checked = checkedThemes?.flatMap((theme) => themes[theme]);
    const wanted = (condition) =>
      checked?.includes(condition) ??
      (!caught.has(condition.id) || catchers.includes(condition.id));
    const { results } = await run(origin, { workshop, tokens, wanted });
    close();
    const failed = idsOf(results, "failed");
    for (const id of failed) caught.add(id);
    assert.deepEqual(
      catchers.filter((id) => !failed.includes(id)),
      [],
    );
  });
}

test("every condition is failed by one of the broken servers", () => {
  assert.deepEqual(
    conditions.filter(({ id }) => !caught.has(id)).map(({ id }) => id),
    [],
  );
});

test("every condition has its own id and claim, and a source", () => {
  for (const member of ["id", "claim"]) {
    const values = conditions.map((condition) => condition[member]);
    assert.equal(new Set(values).size, conditions.length, member);
  }
  assert.deepEqual(
    conditions.filter(({ sources }) => sources.length === 0),
    [],
  );
});

test("every section of the contract that a condition cites exists", () => {
  const contract = readFileSync("docs/contract.md", "utf8");
  const headings = new Set([...contract.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
  const missing = conditions.flatMap(({ id, sources }) =>
    sources
      .filter(({ heading }) => heading !== undefined && !headings.has(heading))
      .map(({ heading }) => `${id}: ${heading}`),
  );
  assert.deepEqual(missing, []);
});

test("every document is cited, and every suite of the table of other promises exists", () => {
  const cited = conditions.flatMap(({ sources }) => sources.map(({ name }) => name));
  for (const document of Object.keys(documents)) {
    assert.ok(
      cited.some((name) => name.startsWith(`${document}, `)),
      document,
    );
  }
  const suites = readFileSync("scripts/test.js", "utf8");
  for (const [, suite] of elsewhere) assert.ok(suites.includes(`{ name: "${suite}"`), suite);
});

test("docs/conformance.md is generated from the conditions", () => {
  assert.equal(
    readFileSync("docs/conformance.md", "utf8"),
    conformancePage(),
    "docs/conformance.md is outdated: npm run conformance-page",
  );
});

test("the command exits with 2 and states what it expected when it cannot check", async () => {
  for (const [options, expected] of [
    [[], /expected one URL/],
    [["ftp://localhost"], /expected one URL/],
    [[stage.origin, ...["a", "b", "c"].flatMap((token) => ["--token", token])], /at most two/],
    [[stage.origin, "--workshop", "nowhere"], /expected the workshop nowhere on offer/],
    [[stage.origin, "--token", "x"], /GET \/session with the token of A: expected 200, found 401/],
    [["http://localhost:9"], /ECONNREFUSED/],
  ]) {
    const { code, stderr } = await command(...options);
    assert.equal(code, 2, options.join(" "));
    assert.match(stderr, expected);
  }
});
