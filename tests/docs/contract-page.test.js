// Runs the examples of docs/contract.md from top to bottom.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { execute, SECRET, startWorker } from "../support/worker.js";

const page = readFileSync("docs/contract.md", "utf8");
const worker = await startWorker();
after(worker.close);

/** The fenced blocks, with the heading that each stands under. */
function blocks() {
  let section = "";
  const found = [];
  for (const [, heading, language, text] of page.matchAll(
    /^#+ ([^\n]+)$|^```(\w+)\n(.*?)^```$/gms,
  )) {
    if (heading) section = heading;
    else found.push({ section, language, text: text.trim() });
  }
  return found;
}

/** Status line, headers and body of an answer as curl shows it. */
function parseAnswer(text) {
  const [head, ...body] = text.trim().split(/\r?\n\r?\n/);
  const [status, ...lines] = head.split(/\r?\n/);
  const headers = lines.map((line) => line.split(/: (.*)/s, 2));
  return {
    status: status.replace(/^HTTP\/\S+ /, "").trim(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: body.join("\n\n"),
  };
}

/**
 * Replaces ids and times by their order of appearance, so that equal ones stay equal. The times of
 * decisions differ in each run, and two of them may be equal.
 */
function named(names, text) {
  const varying = /\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
  const timeless = text.replace(/"decided_at":"[^"]+Z"/g, '"decided_at":"<time>"');
  return timeless.replace(varying, (value) => {
    if (!names.includes(value)) names.push(value);
    return `<${names.indexOf(value)}>`;
  });
}

test("every example of the contract page returns the response on the page", async () => {
  await execute(worker.database, readFileSync("scripts/demo-workshop.sql", "utf8"));
  const run = promisify(execFile);
  const folder = mkdtempSync(join(tmpdir(), "einmal-contract-"));
  after(() => rmSync(folder, { recursive: true }));
  const TOKEN = (await bearer("program", SECRET)).replace("Bearer ", "");
  const options = { cwd: folder, env: { ...process.env, TOKEN } };
  const [written, given] = [[], []];
  let command;
  let examples = 0;
  for (const { section, language, text } of blocks()) {
    if (language === "sh") {
      command = text.replaceAll("http://localhost:8787", worker.origin);
      continue;
    }
    assert.equal(language, "http", section);
    // A response without a request cannot come from a healthy service: see below.
    if (command === undefined) continue;
    const { stdout } = await run("sh", ["-c", command.replaceAll("curl ", "curl -s ")], options);
    const [expected, found] = [parseAnswer(text), parseAnswer(stdout)];
    assert.equal(found.status, expected.status, `${section}\n${stdout}`);
    for (const [name, value] of Object.entries(expected.headers)) {
      assert.equal(found.headers[name], value, `${section}: ${name}`);
    }
    assert.equal(named(given, found.body), named(written, expected.body), section);
    command = undefined;
    examples += 1;
  }
  assert.ok(examples >= 28, `${examples} examples were run`);
});

test("the responses of unhealthy services are those on the page", async () => {
  const unconfigured = await startWorker({ migrated: false });
  const limited = await startWorker({ limits: { ADDRESS_LIMIT: 1 } });
  const again = { method: "GET", headers: { "CF-Connecting-IP": "192.0.2.7" } };
  await send(`${limited.origin}/health`, again);
  const answers = {
    not_configured: await send(`${unconfigured.origin}/health`, { method: "GET" }),
    rate_limited: await send(`${limited.origin}/health`, again),
    outcome_unknown: await send(`${worker.origin}/health`, {
      method: "GET",
      headers: { Fault: "before,before,before" },
    }),
  };
  await Promise.all([unconfigured.close(), limited.close()]);
  for (const [code, found] of Object.entries(answers)) {
    const { text } = blocks().find(({ section }) => section === code);
    const expected = parseAnswer(text);
    assert.equal(found.body, expected.body);
    assert.ok(expected.status.startsWith(String(found.status)));
    for (const [name, value] of Object.entries(expected.headers)) {
      assert.equal(found.headers[name], value, `${code}: ${name}`);
    }
  }
});
