// A service that is killed and started again on the same data.

import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { startWorker } from "../support/worker.js";

// Miniflare starts workerd, which runs the Worker and opens the database, but does not expose the process.
// Node.js does.
let workerd;
subscribe("child_process", ({ process: started }) => {
  workerd = started;
});

/**
 * @param {string} folder where its data is
 * @returns `start`; `kill`, which takes effect at once and resolves when the process has
 *   exited; `origin`, which resolves to the service's address once it listens
 */
export function killable(folder) {
  let worker;
  let listening = Promise.withResolvers();

  async function start() {
    worker = await startWorker({ state: folder, migrated: false });
    listening.resolve(worker.origin);
  }

  async function kill() {
    if (worker === undefined) return;
    listening = Promise.withResolvers();
    const exited = once(workerd, "exit");
    workerd.kill("SIGKILL");
    // In the same turn: otherwise Miniflare starts another one.
    await worker.close();
    worker = undefined;
    const [, signal] = await exited;
    if (signal !== "SIGKILL") throw new Error(`expected workerd to be killed, found ${signal}`);
  }

  return { start, kill, origin: () => listening.promise };
}
