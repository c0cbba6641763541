// The benchmark itself: it detects wrong responses, its candidates are comparable, and a short run
// fills every table. Not how fast anything is.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bench, SMOKE } from "../../bench/bench.js";
import { candidates, EINMAL, PORT, SEQUENTIAL } from "../../bench/candidates.js";
import { ratio, shuffle, spread } from "../../bench/figures.js";
import { LOADS } from "../../bench/loads.js";
import { tables, writeTables } from "../../bench/report.js";
import { measure } from "../../bench/rounds.js";
import { startWorker } from "../../bench/worker.js";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET } from "../support/worker.js";

const all = await candidates();
const named = (name) => all.find((candidate) => candidate.name === name);
const plan = { ...SMOKE, loads: Object.keys(LOADS), progress: () => {} };

test("every candidate responds correctly in a short run, which fills every table of the document", async () => {
  const result = await bench({ ...plan, candidates: all });
  for (const load of plan.loads) {
    for (const { name } of all) assert.match(result[load], new RegExp(`\\| ${name} +\\|`), load);
    assert.match(
      result.ratios,
      new RegExp(`^\\| ${load} +\\|( +[\\d.,]+( \\(.*?\\))? \\|){5}$`, "m"),
    );
  }
  assert.match(result.costs, /^\| new +\| +200 \| Einmal +\| +1 \| +5 \| +3 \|$/m);
  assert.match(result.costs, /^\| replay +\| +200 \| JS port +\| +1 \| +4 \| +0 \|$/m);
  assert.match(result.costs, /^\| new +\| +200 \| sequential +\| +5 \| +2\d(\.\d+)? \| +3 \|$/m);
  assert.match(result.startup, /^\| Einmal +\| +[\d.]+ \(/m);
  assert.match(result.sizes, /^\| Einmal +\| WebAssembly \| +[\d,]+ \| +[\d,]+ \|$/m);

  const folder = mkdtempSync(join(tmpdir(), "einmal-document-"));
  try {
    const copy = join(folder, "performance.md");
    copyFileSync("docs/performance.md", copy);
    writeTables(copy, result);
    const text = readFileSync(copy, "utf8");
    for (const [name, table] of Object.entries(result)) assert.ok(text.includes(table), name);
    const places = [...text.matchAll(/<!-- bench: (?!end)(\w+) -->/g)].map(([, name]) => name);
    assert.deepEqual(places.sort(), Object.keys(result).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const reserved = `{"status":"reserved","reservation_id":"${"0".repeat(32)}","quantity":1}`;

for (const [what, answer, expected] of [
  [
    "a candidate that responds reserved and stores nothing",
    `new Response('${reserved}', { status: 201, headers: { "Idempotent-Replayed": "false" } })`,
    /^Error: liar, load new, 0 .*: expected the database to have reserved \d+, found 0$/,
  ],
  [
    "a candidate that fails",
    `new Response("out of order", { status: 500 })`,
    /^Error: liar, load new, 0 .*: a wrong response to \{.*"status":500.*out of order/,
  ],
]) {
  test(`${what} ends the run`, async () => {
    const contents = `export default { fetch: () => ${answer} };`;
    const modules = { "index.js": { type: "esm", contents } };
    const liar = { name: "liar", modules, data: named(PORT).data };
    await assert.rejects(
      measure({ ...plan, sizes: [0], loads: ["new"], candidates: [liar] }),
      expected,
    );
  });
}

test("overselling ends the run, unless the candidate does not guarantee the capacity", async () => {
  const guaranteed = { ...named(SEQUENTIAL), mayOversell: false };
  // With 64 concurrent requests, one always comes between counting and inserting.
  const crowd = { ...plan, sizes: [0], loads: ["crowd"], candidates: [guaranteed] };
  await assert.rejects(measure(crowd), /expected the database to have oversold 0, found [1-9]/);
  const { cells } = await measure({ ...crowd, candidates: [named(SEQUENTIAL)] });
  assert.ok(cells[0].oversold > 0);
});

test("the JavaScript port responds like Einmal, byte for byte, except to repeated members", async () => {
  const { accepted, ...refused } = JSON.parse(readFileSync("tests/cases/bodies.json", "utf8"));
  const keys = JSON.parse(readFileSync("tests/cases/keys.json", "utf8"));
  const authorization = await bearer("somebody", SECRET);
  const body = '{"workshop":"workshop-1","quantity":1}';
  const known = randomUUID();
  const request = (headers, sent = body) => ({
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
      Authorization: authorization,
      ...headers,
    },
    body: sent,
  });
  const cases = [
    ...[request({ "Idempotency-Key": known }), request({ "Idempotency-Key": known })],
    request({ "Idempotency-Key": known }, '{"workshop":"workshop-1","quantity":2}'),
    request({}, '{"workshop":"workshop-full","quantity":1}'),
    request({}, '{"workshop":"no-such","quantity":1}'),
    ...[request({ "Content-Type": "text/plain" }), request({ "Sec-Fetch-Site": "cross-site" })],
    // Precedence: two rejections apply.
    request({ "Content-Type": "text/plain", Authorization: "Bearer nobody" }),
    request({ "Content-Type": "text/plain", "Idempotency-Key": "no key" }),
    request({ "Idempotency-Key": "no key" }, "x".repeat(1025)),
    ...[request({ Origin: "https://elsewhere.example" }), request({}, "x".repeat(1025))],
    ...[request({ Authorization: "Bearer nobody" }), request({ Authorization: "Basic eA==" })],
    request({ Authorization: `${authorization.slice(0, -2)}xx` }),
    request({ Authorization: await bearer("somebody", `${SECRET} not`) }),
    request({ "Einmal-Actor": "0000000000000000" }),
    ...[accepted, ...Object.values(refused)].flat().flatMap(({ what, body: sent }) => {
      return what.includes("twice") ? [] : [request({}, sent)];
    }),
    ...[keys.accepted, keys.refused].flat().map(({ key }) => request({ "Idempotency-Key": key })),
  ];
  const [einmal, port] = await Promise.all(
    [EINMAL, PORT].map((name) => startWorker(named(name), 0)),
  );
  try {
    for (const sent of cases) {
      const [expected, found] = await Promise.all(
        [einmal, port].map(({ origin }) => send(`${origin}/reserve`, sent)),
      );
      assert.deepEqual(comparable(found), comparable(expected), JSON.stringify(sent));
    }
    assert.deepEqual(await port.counts(), await einmal.counts());
  } finally {
    await Promise.all([einmal.close(), port.close()]);
  }
});

/** An answer without what is random in it. */
function comparable({ status, headers, body }) {
  const { date: _, "content-length": __, ...rest } = headers;
  return { status, headers: rest, body: body.replace(/[0-9a-f]{32}/, "(random)") };
}

test("the JavaScript port runs the statements of Einmal, to the byte", async () => {
  const [einmal, port] = await Promise.all(
    [EINMAL, PORT].map(async (name) => {
      const { counted, close } = await startWorker(named(name), 0);
      const headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": randomUUID(),
        Authorization: await bearer("somebody", SECRET),
      };
      const body = '{"workshop":"workshop-1","quantity":1}';
      assert.equal((await send(`${counted}/reserve`, { headers, body })).status, 201);
      const { statements } = await (await fetch(`${counted}/counted`)).json();
      await close();
      return statements;
    }),
  );
  assert.equal(einmal.length, 3);
  assert.deepEqual(port, einmal);
});

test("a ratio is computed for each round, and shown as its median and quartiles", () => {
  assert.deepEqual(spread([4, 1, 3, 2, 5]), { low: 2, median: 3, high: 4 });
  assert.deepEqual(spread([10, 20]), { low: 12.5, median: 15, high: 17.5 });
  // Half as fast in each round, though the rounds differ by ten.
  assert.deepEqual(ratio([1, 10, 100], [2, 20, 200]), { low: 0.5, median: 0.5, high: 0.5 });
});

test("every round has its own order, which is the same in every run", () => {
  const list = ["a", "b", "c", "d", "e", "f"];
  const orders = Array.from({ length: 9 }, (_, round) => shuffle(list, round).join(""));
  assert.ok(new Set(orders).size > 6, orders.join());
  assert.deepEqual(
    orders,
    orders.map((_, round) => shuffle(list, round).join("")),
  );
  for (const order of orders) assert.deepEqual([...order].sort(), list);
});

test("the tables show what was measured", () => {
  const cell = (candidate, existing, rates) => ({
    ...{ candidate, existing, rates, load: "new", oversold: 0 },
    ...{ p50: [10, 20, 30], p99: [40, 50, 60], processor: rates.map((rate) => 1000 / rate) },
  });
  const speeds = {
    baseline: 10,
    "JS port": 5,
    sequential: 2,
    middleware: 2.5,
    Einmal: 4,
    again: 4,
  };
  const cells = Object.entries(speeds).flatMap(([name, speed]) => [
    cell(name, 0, [speed * 100, speed * 110, speed * 120]),
    cell(name, 9000, [speed * 50, speed * 55, speed * 60]),
  ]);
  const made = tables({
    cells,
    costs: [
      { candidate: "JS port", load: "new", existing: 9000, calls: 1, read: 4.625, written: 3 },
    ],
    starts: [
      { candidate: "JS port", milliseconds: [10, 10] },
      { candidate: "Einmal", milliseconds: [20, 30] },
    ],
    candidates: [{ name: "again", modules: { "a.wasm": { contents: Buffer.alloc(5000) } } }],
    machine: ["one", "two"],
  });
  const line = (name, ...parts) => {
    const row = parts.map((part) => part.replace(/[.()]/g, "\\$&")).join(" +\\| +");
    assert.match(made[name], new RegExp(`^\\| *${row} \\|$`, "m"), name);
  };
  const same = (factor) => `${factor} (${factor}–${factor})`;
  line("ratios", "new", "9,000", same("0.40"), same("0.80"), same("2.00"), same("1.60"));
  line("processor", "new", "0", same("2.50"), same("1.25"), same("0.50"), same("0.63"));
  line("growth", "new", "9,000", "Einmal", same("0.50"));
  line("noise", "new", "0", same("1.00"), "1.00–1.00", same("1.00"));
  line("costs", "new", "9,000", "JS port", "1", "4.63", "3");
  line("startup", "Einmal", "2.50 (2.25–2.75)", "25.0 (22.5–27.5)");
  line(
    "new",
    "0",
    "Einmal",
    "440 (420–460)",
    "20.0 (15.0–25.0)",
    "50.0 (45.0–55.0)",
    "2.3 (2.2–2.4)",
  );
  assert.match(made.sizes, /^\| again +\| WebAssembly \| 5,000 \| +\d\d \|$/m);
  assert.equal(made.machine, "- one\n- two");
});
