// A checkout of the project in its own folder, and `npm run deploy` in it.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = resolve("scripts/deploy.js");

/**
 * A folder without any local state, whose Worker is built already: wrangler uploads the files that
 * the suites test, and compiles nothing.
 * @param {(config: string) => string} [edit] of wrangler.toml
 */
export function newCheckout(edit = (config) => config) {
  const folder = mkdtempSync(join(tmpdir(), "einmal-checkout-"));
  after(() => rmSync(folder, { recursive: true }));
  symlinkSync(resolve(".wrangler/built"), join(folder, "built"));
  symlinkSync(resolve("public"), join(folder, "public"));
  cpSync("migrations", join(folder, "migrations"), { recursive: true });
  const config = readFileSync("wrangler.toml", "utf8")
    .replace(/^main = .*$/m, 'main = "built/index.js"\nno_bundle = true')
    .replace(/^\[build\]\n(?:.+\n)+/m, "")
    .replace(/^(minify|keep_names) = .*\n/gm, "");
  writeFileSync(join(folder, "wrangler.toml"), edit(config));
  return folder;
}

/**
 * Deploys from a checkout to an account of the stand-in.
 * @param {string} checkout
 * @param {object} account
 * @param {{url?: string | null, env?: Record<string, string>}} options `null` gives no `--url`
 * @returns {Promise<{exitCode: number, output: string}>} with everything that was printed
 */
export async function deploy(checkout, account, { url = account.origin, env = {} } = {}) {
  const { SESSION_SECRET, ...rest } = process.env;
  const options = {
    cwd: checkout,
    env: {
      ...rest,
      NODE_COMPILE_CACHE: resolve(".wrangler/compiled"),
      ...account.env,
      ...env,
    },
  };
  const words = url === null ? [] : ["--url", url];
  const {
    code = 0,
    stdout,
    stderr,
  } = await run("node", [program, ...words], options).catch((error) => error);
  return { exitCode: code, output: stdout + stderr };
}

/** Runs wrangler in a checkout, towards an account. */
export async function wrangler(checkout, account, args) {
  const env = { ...process.env, NODE_COMPILE_CACHE: resolve(".wrangler/compiled"), ...account.env };
  const { stdout } = await run("wrangler", args, { cwd: checkout, env });
  return stdout;
}

/** What an account holds after all. */
export async function held(account) {
  const [database] = account.databases;
  const [worker] = account.workers.values();
  return {
    databases: account.databases.map(({ name }) => name),
    applied: database === undefined ? [] : await applied(database.d1),
    versions: worker?.versions.length ?? 0,
    secrets: Object.fromEntries(worker?.secrets ?? []),
    puts: [...(worker?.puts ?? [])],
  };
}

/** The migrations that are listed as applied, in their order. */
async function applied(d1) {
  const isListed = "SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'";
  if ((await d1.prepare(isListed).first()) === null) return [];
  const { results } = await d1.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  return results.map(({ name }) => name);
}
