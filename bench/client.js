// The load generator, in its own thread: each connection sends its next request when it has received
// the previous response. Every response is read and verified.

import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Pool } from "undici";
import { LOADS, requestOf, verify } from "./loads.js";

/**
 * @typedef {object} Sample
 * @property {string} origin
 * @property {keyof LOADS} load
 * @property {number} sample its number, part of the ids of the crowd's workshops
 * @property {boolean} [isBaseline] any response with the status 200 is right
 * @property {string[]} tokens
 * @property {object[]} settled decided operations, for replays and conflicts
 * @property {number} [milliseconds] the duration: no request begins later
 * @property {number} [requests] the number of requests, instead of a duration
 * @property {boolean} [keep] returns the operations, to be passed as `settled`
 */

/** Starts a client thread: `run` runs a sample, `close` ends the thread. */
export function startClient() {
  const worker = new Worker(new URL(import.meta.url));
  let current;
  worker.on("message", ({ error, result }) => {
    if (error === undefined) current.resolve(result);
    else current.reject(new Error(error));
  });
  worker.on("error", (error) => current.reject(error));
  return {
    /** @param {Sample} sample */
    run: (sample) => {
      current = Promise.withResolvers();
      worker.postMessage(sample);
      return current.promise;
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread) {
  parentPort.on("message", async (sample) => {
    try {
      parentPort.postMessage({ result: await run(sample) });
    } catch (error) {
      parentPort.postMessage({ error: error.message });
    }
  });
}

/** @param {Sample} sample */
async function run({ milliseconds = Infinity, requests = Infinity, ...sample }) {
  const { connections } = LOADS[sample.load];
  const { kinds } = sample.keep ? { kinds: ["settled"] } : LOADS[sample.load];
  const pool = new Pool(sample.origin, { connections });
  const latencies = [];
  const tally = {};
  const kept = [];
  let sent = 0;
  let wrong;
  const began = performance.now();
  const connection = async () => {
    while (wrong === undefined && sent < requests && performance.now() - began < milliseconds) {
      const n = sent;
      sent += 1;
      const request = requestOf({ ...sample, kind: kinds[n % kinds.length], n });
      const sentAt = performance.now();
      const answer = await send(pool, request);
      latencies.push(performance.now() - sentAt);
      const result = sample.isBaseline
        ? answer.status === 200 && "answered"
        : verify(request, answer);
      if (!result) wrong ??= `a wrong response to ${describe(request)}: ${describe(answer)}`;
      tally[result] = (tally[result] ?? 0) + 1;
      if (sample.keep) kept.push({ ...request, body: answer.body });
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  if (wrong !== undefined) throw new Error(wrong);
  return { seconds, tally, latencies: Float64Array.from(latencies).sort(), kept };
}

async function send(pool, { key, authorization, workshop, quantity }) {
  const { statusCode, headers, body } = await pool.request({
    method: "POST",
    path: "/reserve",
    headers: {
      authorization,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({ workshop, quantity }),
  });
  const text = await body.text();
  return { status: statusCode, replayed: headers["idempotent-replayed"], body: text };
}

const describe = ({ authorization: _, ...what }) => JSON.stringify(what);
