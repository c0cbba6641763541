// The conformance suite itself: the built Worker keeps every condition, and each condition is
// failed by a service that breaks a promise.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { conditions, themes } from "../../conformance/conditions/index.js";
import { conformancePage } from "../../conformance/document.js";
import { line } from "../../conformance/report.js";
import { run } from "../../conformance/run.js";
import { documents } from "../../conformance/sources.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import * as broken from "./broken.js";

const stage = await startWorker({ assets: true });
after(stage.close);

const overHttp = conditions.filter(({ elsewhere }) => elsewhere === undefined);
const everybody = await bearer("everybody", SECRET);
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

/** The places that the database counts in a workshop, and those that are held. */
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

/** Runs the command and gives its exit code and what it printed. */
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

test("the built Worker keeps every condition, asked by two sessions, and has all its places again", async () => {
  const workshop = await makeWorkshop();
  const { code, stdout } = await command(stage.origin, "--workshop", workshop, "--json");
  const { results, free } = JSON.parse(stdout);
  const failed = results.filter(({ verdict }) => verdict === "failed");
  assert.deepEqual(failed, [], failed.map(line).join("\n"));
  assert.equal(code, 0);
  const elsewhere = conditions.filter((condition) => condition.elsewhere).map(({ id }) => id);
  const forPrograms = ["bearer-no-cookie", "program", "bearer-scheme"];
  assert.deepEqual(idsOf(results, "not run"), [...forPrograms, "limit", ...elsewhere]);
  assert.deepEqual(free, { before: 4, after: 4 });
  assert.deepEqual(await held(workshop), { reserved: 0, places: 0 });
});

test("the built Worker keeps what is asked of two programs, and the suite waits as a limit says", async () => {
  const workshop = await makeWorkshop();
  const { origin, close } = await broken.breakService(stage.origin, broken.limitsForASecond());
  const asked = [...themes["Two who ask"], ...themes["Who asks"], ...themes.Rejections];
  const wanted = (condition) => asked.includes(condition);
  const { results, waitedSeconds } = await run(origin, { workshop, tokens, wanted });
  close();
  const others = results.filter(({ verdict }) => verdict !== "ok");
  assert.deepEqual(others, [], others.map(line).join("\n"));
  assert.equal(waitedSeconds, 1);
  assert.deepEqual(await held(workshop), { reserved: 0, places: 0 });
});

const caught = new Set();

// What is broken, the conditions that have to catch it, and the themes that are asked: without, all
// that no other service has failed before.
for (const [what, change, catchers, themesAsked] of [
  [
    "no look-up",
    broken.noLookUp,
    [
      "replay-bytes",
      "replay-marked",
      "replay-once",
      "lost-answer",
      "conflict-quantity",
      "at-once-one-reservation",
    ],
    ["Replays", "Conflicts", "At once", "After an operation"],
  ],
  [
    "no scope",
    () => broken.noScope(everybody),
    [
      "scope-same-key",
      "scope-places",
      "scope-own-receipt",
      "scope-look-up",
      "scope-list",
      "scope-cancel",
    ],
    ["Two who ask"],
  ],
  [
    "refusals decided again",
    broken.refusalsAgain,
    ["replay-refusal", "refusal-final"],
    ["Replays"],
  ],
  [
    "values not compared",
    broken.noComparison,
    ["conflict-quantity", "conflict-places", "conflict-after-refusal"],
    ["Conflicts"],
  ],
  [
    "tolerance",
    (workshop) => broken.tolerant(everybody, workshop),
    [
      "key-missing",
      "body-quantity-text",
      "body-extra-member",
      "cross-site-origin",
      "nobody-invented",
    ],
  ],
  [
    "headers left out",
    () => broken.bareHeaders,
    ["not-kept", "method-allow", "challenge", "session-cookie"],
  ],
  ["documents that change", () => broken.changingDocuments, ["abandon-again", "workshop-in-list"]],
  ["sessions that do not last", () => broken.everybodyIsNew, ["session-stays", "program"]],
  ["a limit without an end", broken.limitsWithoutEnd, ["limit"]],
  ["empty answers", () => broken.empty, ["health", "reserved-status", "page-contract"]],
]) {
  test(`${what}: it is caught`, async () => {
    const workshop = await makeWorkshop();
    const { origin, close } = await broken.breakService(stage.origin, change(workshop));
    const asked = themesAsked?.flatMap((theme) => themes[theme]);
    const wanted = (condition) =>
      asked?.includes(condition) ?? (!caught.has(condition.id) || catchers.includes(condition.id));
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

test("every condition is failed by one of them", () => {
  assert.deepEqual(
    overHttp.filter(({ id }) => !caught.has(id)).map(({ id }) => id),
    [],
  );
});

test("there are more conditions than the 83 of the sources, each with a claim and a source of its own", () => {
  assert.ok(overHttp.length > 83, String(overHttp.length));
  for (const member of ["id", "claim"]) {
    const values = conditions.map((condition) => condition[member]);
    assert.equal(new Set(values).size, conditions.length, member);
  }
  for (const { id, sources } of conditions) {
    assert.ok(sources.length > 0, id);
    for (const { document } of sources) assert.ok(document in documents, id);
  }
});

test("a section of the contract that is named as a source is there", () => {
  const contract = readFileSync("docs/contract.md", "utf8");
  const headings = new Set([...contract.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
  for (const { id, sources } of conditions) {
    for (const { document, clause } of sources) {
      if (document === "Contract") assert.ok(headings.has(clause), `${id}: ${clause}`);
    }
  }
});

test("docs/conformance.md is what the conditions say", () => {
  assert.equal(
    readFileSync("docs/conformance.md", "utf8"),
    conformancePage(),
    "docs/conformance.md is not up to date: npm run conformance-page",
  );
});

test("the command says what it expected, and that it could not ask: exit code 2", async () => {
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
