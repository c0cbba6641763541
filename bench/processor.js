// The CPU time of a workerd, which measures the cost of a request even while other programs use the
// machine. Read from /proc, so it is available on Linux only.

import { existsSync, readdirSync, readFileSync } from "node:fs";

const known = new Set();

/** The id of the workerd that this process started last; undefined without /proc. */
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

/** The CPU seconds of all its threads so far, or undefined. */
export function processorSeconds(pid) {
  if (pid === undefined) return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Reads a file of a process or thread; `0` if that has ended. */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "0";
  }
}
