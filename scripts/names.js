// `npm run names < trace`: a stack trace of the deployed Worker with the names of its functions,
// which the release build leaves in .wrangler/names.txt. Trace and names must be of one build.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The names of the last release build, by index. */
export function readNames(path = ".wrangler/names.txt") {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return new Map(lines.map((line) => /** @type {[string, string]} */ (line.split(/:(.*)/s, 2))));
}

/**
 * The trace, with the name beside each `wasm-function[…]` that has one.
 * @param {string} trace
 * @param {Map<string, string>} names
 */
export function withNames(trace, names) {
  return trace.replaceAll(/wasm-function\[(\d+)\]/g, (found, index) =>
    names.has(index) ? `${names.get(index)} (${found})` : found,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(withNames(readFileSync(0, "utf8"), readNames()));
}
