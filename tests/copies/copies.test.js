// A copy of an example builds and serves with the commands of examples/README.md, beside the example and
// outside the project. Development builds.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const project = resolve(".");
// Always the same path, so that the compiler's cache in the project's folder is used.
const place = join(tmpdir(), "einmal-copies");
const remove = () => rmSync(place, { recursive: true, force: true });
remove();
mkdirSync(place);
after(remove);

const env = {
  ...process.env,
  // The tools that `cargo install` and `npm install` would install.
  PATH: `${project}/.tools/bin:${project}/node_modules/.bin:${process.env.PATH}`,
  CARGO_TARGET_DIR: `${project}/target`,
  CARGO_NET_OFFLINE: "true",
};

/** The blocks of shell of a section of the page. */
function shell(section) {
  const page = readFileSync("examples/README.md", "utf8");
  const text = page.split(`\n## ${section}\n`)[1].split("\n## ")[0];
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines);
}

function run(lines, cwd) {
  const { status, stderr, stdout } = spawnSync("sh", ["-euc", lines], {
    cwd,
    env,
    encoding: "utf8",
  });
  assert.equal(status, 0, `${lines}\n${stdout}${stderr}`);
}

async function freePort() {
  const probe = createServer().listen(0, "localhost");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

/** Starts a server with a line of shell, creates a note twice under one key, and stops it. */
async function createNote(line, cwd, port) {
  const server = spawn("sh", ["-c", `exec ${line}`], {
    cwd,
    env: { ...env, PORT: port },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "exit");
  let output = "";
  const ready = new Promise((done, failed) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes("Ready on")) done();
      });
    }
    server.on("exit", () => failed(new Error(`the server ended:\n${output}`)));
  });
  try {
    await ready;
    const origin = `http://localhost:${port}`;
    assert.equal((await fetch(`${origin}/health`)).status, 200, output);
    const session = await fetch(`${origin}/session`);
    const [Cookie] = session.headers.get("set-cookie").split(";");
    const key = randomUUID();
    const answers = [];
    for (const replayed of ["false", "true"]) {
      const answer = await fetch(`${origin}/notes`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": key, Cookie },
        body: JSON.stringify({ title: "Buy milk" }),
      });
      assert.deepEqual([answer.status, answer.headers.get("idempotent-replayed")], [201, replayed]);
      answers.push(await answer.json());
    }
    assert.deepEqual(answers[0], answers[1]);
    const list = await (await fetch(`${origin}/notes`, { headers: { Cookie } })).json();
    assert.deepEqual(list, { notes: [answers[0]] });
  } finally {
    // With its child processes.
    if (server.exitCode === null) process.kill(-server.pid, "SIGTERM");
    await ended;
  }
}

test("a copy in the project builds, serves, and creates a note once", async () => {
  const clone = join(place, "clone");
  for (const part of [
    "Cargo.toml",
    "Cargo.lock",
    "examples",
    "migrations",
    "scripts",
    "src",
    "worker",
  ]) {
    cpSync(part, join(clone, part), { recursive: true });
  }
  // Their paths are in Cargo.toml.
  for (const part of ["tests/native/main.rs", "tests/contract/main.rs"]) {
    cpSync(part, join(clone, part));
  }
  for (const part of ["node_modules", ".tools"]) symlinkSync(resolve(part), join(clone, part));
  const [copy] = shell("Copy it, in this project");
  run(copy, clone);
  await createNote("node scripts/example.js todo", clone, await freePort());
});

test("a copy in a folder of its own builds, serves, and creates a note once", async () => {
  symlinkSync(project, join(place, "einmal"));
  const folder = join(place, "todo");
  mkdirSync(folder);
  const [files, , , start] = shell("In a repository of your own");
  run(files, folder);
  symlinkSync(`${project}/node_modules`, join(folder, "node_modules"));
  const config = readFileSync(join(folder, "wrangler.toml"), "utf8");
  assert.doesNotMatch(
    config + readFileSync(join(folder, "Cargo.toml"), "utf8"),
    /\.\.\/\.\.|einmal-/,
  );
  writeFileSync(join(folder, "wrangler.toml"), config.replace("--release", "--dev"));

  const lines = start.trimEnd().split("\n");
  assert.equal(lines.pop(), "npx wrangler dev");
  run(lines.join("\n"), folder);
  const port = await freePort();
  const options = `--ip localhost --port ${port} --show-interactive-dev-session=false`;
  await createNote(`npx wrangler dev ${options}`, folder, port);
  // The schema that it needs is still the one that its migrations make.
  const schema = readFileSync(join(folder, "migrations/schema.txt"), "utf8");
  run("node --no-warnings ../einmal/scripts/schema.js .", folder);
  assert.equal(readFileSync(join(folder, "migrations/schema.txt"), "utf8"), schema);
});
