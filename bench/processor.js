// How long a workerd has been on a processor. It says what a request costs also while other
// programs take their share of the machine. Known where there is /proc, which is Linux.

import { existsSync, readdirSync, readFileSync } from "node:fs";

const known = new Set();

/** The process that this one has started last, or undefined where that cannot be told. */
export function newestWorkerd() {
  if (!existsSync("/proc/self/stat")) return undefined;
  const started = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || known.has(name)) return false;
    const stat = read(`/proc/${name}/stat`);
    // pid (command) state parent …
    const [, command, parent] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
    return command === "workerd" && Number(parent) === process.pid;
  });
  for (const name of started) known.add(name);
  return started.at(-1);
}

/** Seconds on a processor so far, of all threads, or undefined. */
export function processorSeconds(pid) {
  if (pid === undefined) return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** A file of a process or thread that may have ended meanwhile. */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "0";
  }
}
