// The README: `npm run demo`, the curl commands and the program, run against the built Worker.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { held, makeWorkshop, origin, SECRET } from "../support/service.js";
import { bearer } from "../support/tokens.js";

const run = promisify(execFile);
const readme = readFileSync("README.md", "utf8");
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text]) => text,
  );
/** A text without the keys and ids, which differ in each run. */
const constant = (text) => text.replaceAll(/\b[0-9a-f-]{32,36}\b/g, "<id>").trimEnd();

await makeWorkshop({ id: "workshop-demo" });

test("the demo loses an answer, sends the reservation again, and one place is reserved", async () => {
  const { port } = new URL(origin);
  const env = { ...process.env, PORT: port };
  const { stdout } = await run(process.execPath, ["scripts/demo.js"], { env });
  const [, shown] = blocks("console").join("").split("$ npm run demo\n");
  assert.equal(constant(stdout), constant(shown));
  assert.deepEqual(await held("workshop-demo"), {
    reserved: 1,
    places: 1,
    reservations: 1,
    receipts: 1,
  });
});

test("the demo names the missing service", async () => {
  const env = { ...process.env, PORT: "1" };
  await assert.rejects(run(process.execPath, ["scripts/demo.js"], { env }), {
    code: 1,
    stderr: /Is npm start running at http:\/\/localhost:1\?/,
  });
});

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "einmal-readme-"));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the README's curl commands reserve a place once and return the answer that it shows", async () => {
  const cwd = newFolder();
  const [commands] = blocks("sh").filter((text) => text.includes("/reserve"));
  const [answer] = blocks("http");
  for (const replayed of ["false", "true"]) {
    const lines = commands.replaceAll("http://localhost:8787", origin);
    const again = replayed === "true" ? lines.replace(/^curl .*\/session$/m, "") : lines;
    const { stdout } = await run("sh", ["-euc", again.replaceAll("curl -i", "curl -si")], { cwd });
    const received = stdout.replaceAll("\r\n", "\n").replace("Replayed: true", "Replayed: false");
    assert.ok(stdout.includes(`Idempotent-Replayed: ${replayed}`), stdout);
    for (const line of constant(answer).split("\n")) {
      assert.ok(constant(received).includes(line), `${line}\n${stdout}`);
    }
  }
  assert.equal((await held("workshop-demo")).reservations, 2, "one by the demo, one by curl");
});

test("the README's program reserves a place", async () => {
  const [program] = blocks("js");
  const file = join(newFolder(), "program.mjs");
  const client = new URL("../../public/client.js", import.meta.url);
  writeFileSync(
    file,
    program.replace("./client.js", client).replace("http://localhost:8787", origin),
  );
  const TOKEN = (await bearer("my-program", SECRET)).replace("Bearer ", "");
  await run(process.execPath, [file], { env: { ...process.env, TOKEN } });
  assert.equal((await held("workshop-demo")).reservations, 3, "one more by the program");
});
