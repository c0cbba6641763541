// A service that is killed and started again on the same data.

import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { startWorker } from "../support/worker.js";

// Miniflare starts workerd, which runs the Worker and has the database open, as a process of its
// own, and does not say which. Node does.
let workerd;
subscribe("child_process", ({ process: started }) => {
  workerd = started;
});

/**
 * @param {string} folder where its data is
 * @returns `start`, on the data; `kill`, which takes effect at once and resolves when all of the
 *   service is gone; `origin`, which resolves to where it listens, once it does
 */
export function killable(folder) {
  let stage;
  let listening = Promise.withResolvers();

  async function start() {
    stage = await startWorker({ state: folder, migrated: false });
    listening.resolve(stage.origin);
  }

  async function kill() {
    if (stage === undefined) return;
    listening = Promise.withResolvers();
    const exited = once(workerd, "exit");
    workerd.kill("SIGKILL");
    // In the same turn, or Miniflare starts another one.
    await stage.close();
    stage = undefined;
    const [, signal] = await exited;
    if (signal !== "SIGKILL") throw new Error(`expected workerd to be killed, found ${signal}`);
  }

  return { start, kill, origin: () => listening.promise };
}
