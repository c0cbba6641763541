// The load generator, in a thread of its own: so many connections, each of which sends its next
// request when it has the answer to the last one. Every answer is read and judged.

import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Pool } from "undici";
import { judge, LOADS, requestOf } from "./loads.js";

/**
 * @typedef {object} Slot
 * @property {string} origin
 * @property {keyof LOADS} load
 * @property {number} slot its number, for the crowd's workshops
 * @property {boolean} [isFloor] its answers are empty, and right with the status 200
 * @property {string[]} tokens
 * @property {object[]} settled operations with their receipt, for replays and conflicts
 * @property {number} [milliseconds] no request begins later
 * @property {number} [requests] or no more are sent than these
 * @property {boolean} [keep] gives the operations back, as `settled`
 */

/** A client; `run` takes a slot through, and `close` ends it. */
export function startClient() {
  const worker = new Worker(new URL(import.meta.url));
  let current;
  worker.on("message", ({ error, result }) => {
    if (error === undefined) current.resolve(result);
    else current.reject(new Error(error));
  });
  worker.on("error", (error) => current.reject(error));
  return {
    /** @param {Slot} slot */
    run: (slot) => {
      current = Promise.withResolvers();
      worker.postMessage(slot);
      return current.promise;
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread) {
  parentPort.on("message", async (slot) => {
    try {
      parentPort.postMessage({ result: await run(slot) });
    } catch (error) {
      parentPort.postMessage({ error: error.message });
    }
  });
}

/** @param {Slot} slot */
async function run({ milliseconds = Infinity, requests = Infinity, ...slot }) {
  const { connections } = LOADS[slot.load];
  const { kinds } = slot.keep ? { kinds: ["settled"] } : LOADS[slot.load];
  const pool = new Pool(slot.origin, { connections });
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
      const request = requestOf({ ...slot, kind: kinds[n % kinds.length], n });
      const asked = performance.now();
      const answer = await send(pool, request);
      latencies.push(performance.now() - asked);
      const verdict = slot.isFloor ? answer.status === 200 && "answered" : judge(request, answer);
      if (!verdict) wrong ??= `a wrong answer to ${describe(request)}: ${describe(answer)}`;
      tally[verdict] = (tally[verdict] ?? 0) + 1;
      if (slot.keep) kept.push({ ...request, body: answer.body });
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
