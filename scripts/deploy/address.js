// The deployed page: where it is, and whether the service behind it can decide.

import { setTimeout as pause } from "node:timers/promises";
import { Stopped } from "./stopped.js";

/** How long a new address, or a new secret, may take until every location knows it. */
const HEALTH_SECONDS_MAX = 60;

/** The longest pause between two requests, and the longest wait for one answer. */
const PAUSE_SECONDS_MAX = 10;
const ANSWER_SECONDS_MAX = 10;

/**
 * The page's address: the given one, or the first one that is a whole host.
 * @param {string[]} targets as wrangler reports them: `https://einmal.name.workers.dev`,
 *   `workshops.example (custom domain)`, `example.org/shop/* (zone name: example.org)`, `schedule: …`
 * @param {string} [url] as it was given with `--url`
 * @returns {string} with a slash at the end
 */
export function pageAddress(targets, url) {
  if (url !== undefined) return new URL("/", url).href;
  const addresses = targets.flatMap((target) => {
    const [, host] =
      /^(?:https:\/\/)?([a-z0-9.-]+\.[a-z]+)(?: \(custom domain.*)?$/i.exec(target) ?? [];
    return host === undefined ? [] : [`https://${host}/`];
  });
  if (addresses.length > 0) return addresses[0];
  throw new Stopped(
    `the Worker is deployed, but wrangler reports no address that is the page's (it reports:
${targets.join(", ") || "none"}). Nothing else was done yet.
Run npm run deploy -- --url https://… with the address of the page.`,
  );
}

/**
 * Requests `/health` until it answers that the service can decide.
 * @param {string} page its address
 * @param {number} [secondsMax]
 * @throws {Stopped} if no such answer came until then
 */
export async function waitUntilHealthy(page, secondsMax = HEALTH_SECONDS_MAX) {
  const deadline = performance.now() + secondsMax * 1000;
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, PAUSE_SECONDS_MAX)) {
    const answer = await health(page);
    if (answer === "ok") return;
    if (performance.now() + seconds * 1000 > deadline) {
      throw new Stopped(unhealthy(page, answer, secondsMax));
    }
    await pause(seconds * 1000);
  }
}

/**
 * `ok`, or what came instead.
 * @param {string} page
 */
async function health(page) {
  try {
    const signal = AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000);
    const response = await fetch(new URL("health", page), { signal, redirect: "manual" });
    const text = await response.text();
    const isOk = response.status === 200 && JSON.parse(text).status === "ok";
    return isOk ? "ok" : `${response.status} ${text.slice(0, 500)}`;
  } catch (error) {
    return `no answer of the service (${error.cause?.message ?? error.message})`;
  }
}

/**
 * @param {string} page
 * @param {string} answer
 * @param {number} seconds
 */
function unhealthy(page, answer, seconds) {
  return `everything is deployed, but the service does not answer that it is well.
Expected from ${new URL("health", page)}: 200 and {"status":"ok"}. Found for ${seconds} seconds: ${answer}
A new address may take some minutes. Run npm run deploy again then: it finds everything done, and
requests this again. If the answer is 503, npx wrangler tail shows the reason of the next request.`;
}
