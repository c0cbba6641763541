// `npm run deploy`: brings this build to your own Cloudflare account, in steps that can each be
// repeated. docs/deploying.md describes every step, and what to do when one fails.
//
//   npm run deploy -- --url https://workshops.example

import { parseArgs } from "node:util";
import { pageAddress, waitUntilHealthy } from "./deploy/address.js";
import { applyMigrations, checkLink, checkSchema } from "./deploy/database.js";
import { ensureSecret } from "./deploy/secret.js";
import { Stopped } from "./deploy/stopped.js";
import { uploadWorker } from "./deploy/worker.js";

const usage = `npm run deploy [-- --url https://workshops.example]

--url  the page's address, if the Worker has a domain of its own; without it, the address that
       wrangler reports`;

/**
 * Each step finds what an earlier run has done, and does only the rest.
 * @param {{url?: string}} options
 */
async function deploy({ url }) {
  say("1 of 6: reads what is deployed already");
  say(await checkLink());

  say("2 of 6: builds the Worker and uploads it, about a minute");
  const targets = await uploadWorker();
  const page = pageAddress(targets, url);
  say(`the Worker is uploaded; its page is ${page}`);

  say("3 of 6: applies the migrations that the database does not have yet");
  say(await applyMigrations());

  say("4 of 6: makes the session secret, if the Worker has none");
  say(await ensureSecret());

  say("5 of 6: compares the schema of the database with the one that this build needs");
  await checkSchema();
  say("the schema is the one that this build needs");

  say(`6 of 6: requests ${new URL("health", page)}`);
  await waitUntilHealthy(page);
  say(`done. The page: ${page}`);
}

/** @param {string} text */
function say(text) {
  console.log(`deploy: ${text}`);
}

try {
  await deploy(readOptions());
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  if (error.output) console.error(`\n${error.output}`);
  console.error(`\ndeploy: ${error.message}`);
  process.exitCode = error.exitCode;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { url: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (values.url !== undefined && !/^https?:$/.test(URL.parse(values.url)?.protocol ?? "")) {
      throw new Error(`expected --url to be a web address, found ${values.url}`);
    }
    return values;
  } catch (error) {
    throw new Stopped(`${error.message}\n\n${usage}`, { exitCode: 2 });
  }
}
