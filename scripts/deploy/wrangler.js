// wrangler as the deployment runs it, with its failures explained.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Stopped } from "./stopped.js";

/**
 * @typedef {object} Run a wrangler that has ended
 * @property {boolean} done whether it succeeded
 * @property {string} output its standard output, unless it had the terminal
 * @property {string} printed all that it printed, unless it had the terminal
 * @property {boolean} shown whether all that is on the screen already
 */

/**
 * Runs wrangler to its end, without a terminal: it never prompts, and takes its defaults.
 * @param {string[]} args
 * @param {object} how
 * @param {string} [how.input] its standard input
 * @param {boolean} [how.shown] whether what it prints is shown while it runs
 * @param {Record<string, string>} [how.env] beside the environment of this process
 * @returns {Promise<Run>}
 */
export async function runWrangler(args, { input = "", shown = false, env = {} } = {}) {
  const child = start(args, { NO_COLOR: "1", ...env });
  let [output, printed] = ["", ""];
  /** @type {(stream: import("node:stream").Readable, sink: NodeJS.WriteStream) => void} */
  const keep = (stream, sink) =>
    stream.setEncoding("utf8").on("data", (text) => {
      if (stream === child.stdout) output += text;
      printed += text;
      if (shown) sink.write(text);
    });
  keep(child.stdout, process.stdout);
  keep(child.stderr, process.stderr);
  // It may end before it has read its input; its exit code reports that.
  child.stdin.on("error", () => {}).end(input);
  return { done: await hasSucceeded(child), output, printed: printed.trim(), shown };
}

/**
 * Runs wrangler at the terminal of this process, if there is one, so that it can prompt. Without
 * a terminal wrangler takes a custom domain over from another Worker or DNS record by itself.
 * @param {string[]} args
 * @param {Record<string, string>} env beside the environment of this process
 * @returns {Promise<Run>}
 */
export async function runWranglerAtTerminal(args, env) {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return runWrangler(args, { shown: true, env });
  const done = await hasSucceeded(
    spawn("wrangler", args, { stdio: "inherit", env: environment(env) }),
  );
  return { done, output: "", printed: "", shown: true };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function start(args, env) {
  return spawn("wrangler", args, { stdio: "pipe", env: environment(env) });
}

/**
 * The environment of wrangler. Node.js caches its compiled code, so that it starts a third faster.
 * @param {Record<string, string>} env
 */
function environment(env) {
  return { NODE_COMPILE_CACHE: ".wrangler/compiled", ...process.env, ...env };
}

/** @param {import("node:child_process").ChildProcess} child */
async function hasSucceeded(child) {
  try {
    const [code] = await once(child, "close");
    return code === 0;
  } catch (error) {
    throw new Stopped(
      `wrangler could not be started (${error.message}). Run it as npm run deploy.`,
    );
  }
}

/**
 * Runs wrangler for the JSON that it prints.
 * @param {string[]} args
 * @param {string} failing what it means for the deployment if it fails, in sentences
 */
export async function readJson(args, failing) {
  const run = await runWrangler(args);
  if (!run.done) throw failed(run, failing);
  return parseJson(run, failing);
}

/**
 * The JSON that a wrangler printed.
 * @param {Run} run
 * @param {string} failing as in `readJson`
 */
export function parseJson(run, failing) {
  try {
    return JSON.parse(run.output);
  } catch {
    throw failed(
      run,
      `wrangler was expected to print JSON, and printed what stands above.\n${failing}`,
    );
  }
}

/** What wrangler prints for a failure that has a remedy of its own. */
const remedies = [
  {
    // No credentials at all: wrangler sent nothing.
    prints: /not logged in|set a CLOUDFLARE_API_TOKEN|could not authenticate|Did not login/i,
    remedy: `wrangler is not logged in to Cloudflare. Run: npx wrangler login
Where there is no browser, set CLOUDFLARE_API_TOKEN to an API token instead.`,
  },
  {
    prints:
      /\[code: (10000|10001|9106|9109|1000)\]|authentication error|invalid api token|unable to authenticate/i,
    remedy: `Cloudflare refused the credentials. Either they are wrong, or they have no right to do this.
With a login: npx wrangler login. With CLOUDFLARE_API_TOKEN: the token needs the permissions
"Workers Scripts: Edit" and "D1: Edit" in this account. npx wrangler whoami shows what they are.`,
  },
  {
    prints: /More than one account available/,
    remedy: `your login reaches several accounts, which are listed above. Say which one, each time:
CLOUDFLARE_ACCOUNT_ID=… npm run deploy`,
  },
  {
    prints: /register a workers\.dev subdomain/,
    remedy: `your account has no workers.dev subdomain yet. Choose one at the address that wrangler
printed above, once, and run npm run deploy again.`,
  },
];

/**
 * The error for a wrangler that failed.
 * @param {Run} run
 * @param {string} failing what failed, what is in place, and what to do next
 */
export function failed({ printed, shown }, failing) {
  const remedy = remedies.find(({ prints }) => prints.test(printed))?.remedy;
  const message = remedy === undefined ? failing : `${remedy}\n${failing}`;
  return new Stopped(message, { output: shown ? undefined : printed });
}
