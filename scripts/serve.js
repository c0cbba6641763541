// A Worker on this machine, rebuilt when a source changes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { ensureLocalSecret } from "./local-secret.js";

/**
 * @param {object} what
 * @param {string} [what.crate] the Worker's crate
 * @param {string} [what.folder] where its wrangler.toml is
 * @param {string[]} [what.seed] arguments of `wrangler d1 execute DB --local`, to prepare data
 * @param {string[]} [what.config] arguments that name another configuration for `wrangler dev`
 * @param {(origin: string) => string} what.greeting the message once it is served
 */
export async function serve({ crate = "worker", folder = ".", seed = [], config = [], greeting }) {
  const build = resolve("scripts/build.sh");
  process.chdir(folder);
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    stop(`expected PORT to be a port number from 1 to 65535, found ${process.env.PORT}`);
  }
  if (!(await isFree(port))) {
    stop(`port ${port} is in use. Choose another one, such as PORT=${port + 1}`);
  }

  if (ensureLocalSecret()) say("made a secret for local sessions, in .dev.vars");

  say("bringing the local database up to date");
  await wrangler(["d1", "migrations", "apply", "DB", "--local"]);
  if (seed.length > 0) await wrangler(["d1", "execute", "DB", "--local", ...seed]);

  // Quick to build; what is deployed and tested is the release build.
  const env = { ...process.env, EINMAL_BUILD: "dev" };
  say("building the Worker, half a minute the first time");
  const [built] = await once(
    spawn("sh", [build, crate, folder], { stdio: "inherit", env }),
    "exit",
  );
  if (built !== 0) stop("the Worker could not be built; see the compiler's output above");

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
    if (String(chunk).includes("Ready on"))
      console.log(`\n${greeting(`http://localhost:${port}`)}\n`);
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => server.kill(signal));
  const [code] = await once(server, "exit");
  process.exitCode = code ?? 0;
}

/**
 * Runs wrangler to its end; shows its output only if it fails.
 * @param {string[]} args
 */
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

/** @param {number} port */
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

/** @param {string} text */
function say(text) {
  console.log(`start: ${text}`);
}

/** @param {string} text */
function stop(text) {
  console.error(`start: ${text}`);
  process.exit(1);
}
