// `npm start`: the service on this machine, with a demo workshop, rebuilt when a source
// changes. `PORT` chooses another port than 8787; `npm start -- --no-limits` lets one machine
// send as much as it likes.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { ensureLocalSecret } from "./local-secret.js";
import { unlimitedConfig } from "./unlimited-config.js";

const port = Number(process.env.PORT ?? 8787);
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  stop(`expected PORT to be a port number from 1 to 65535, found ${process.env.PORT}`);
}
if (!(await isFree(port))) {
  stop(`port ${port} is in use. Choose another one: PORT=${port + 1} npm start`);
}

if (ensureLocalSecret()) say("made a secret for local sessions, in .dev.vars");

say("bringing the local database up to date");
await wrangler(["d1", "migrations", "apply", "DB", "--local"]);
await wrangler(["d1", "execute", "DB", "--local", "--file", "scripts/demo-workshop.sql"]);

// Quick to build; what is deployed and tested is the release build.
const env = { ...process.env, EINMAL_BUILD: "dev" };
say("building the Worker, half a minute the first time");
const [built] = await once(spawn("sh", ["scripts/build.sh"], { stdio: "inherit", env }), "exit");
if (built !== 0) stop("the Worker could not be built; the compiler says why above");

const config = process.argv.includes("--no-limits") ? ["--config", unlimitedConfig()] : [];
const server = spawn(
  "wrangler",
  [
    "dev",
    ...config,
    "--ip",
    "localhost",
    "--port",
    String(port),
    "--show-interactive-dev-session=false",
  ],
  { stdio: ["ignore", "pipe", "inherit"], env },
);
server.stdout.on("data", (chunk) => {
  process.stdout.write(chunk);
  if (String(chunk).includes("Ready on")) greet();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
const [code] = await once(server, "exit");
process.exitCode = code ?? 0;

function greet() {
  const origin = `http://localhost:${port}`;
  say(`
The page:  ${origin}/

Reserve from a shell; send the same line again and the answer is the same:

curl -s -o /dev/null -b einmal.cookies -c einmal.cookies ${origin}/session; curl -i -b einmal.cookies ${origin}/reserve -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomUUID()}' -d '{"workshop":"workshop-demo","quantity":1}'
`);
}

/** Runs wrangler to its end; shows what it said only if it failed. */
async function wrangler(args) {
  const child = spawn("wrangler", args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) stop(`wrangler ${args.join(" ")} failed:\n${output}`);
}

async function isFree(port) {
  const probe = createServer();
  try {
    probe.listen(port, "localhost");
    await once(probe, "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

function say(text) {
  console.log(`start: ${text}`);
}

function stop(text) {
  console.error(`start: ${text}`);
  process.exit(1);
}
