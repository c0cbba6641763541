// The size of the upload, and the names of functions in its stack traces.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { readNames, withNames } from "../../scripts/names.js";

/** All that the build leaves, with everything in it. */
const BYTES_MAX = 90_000;

test("the build is at most 90 KB gzip", () => {
  const files = readdirSync("build", { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => [
      name,
      gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length,
    ]);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(sizes.some(([name]) => name === "index_bg.wasm"));
  assert.ok(bytes <= BYTES_MAX, `${bytes} bytes: ${JSON.stringify(Object.fromEntries(sizes))}`);
});

test("the names of the functions are beside the build and can be put into a trace", async () => {
  const module = new WebAssembly.Module(readFileSync("build/index_bg.wasm"));
  assert.deepEqual(WebAssembly.Module.customSections(module, "name"), []);
  // Never called: an engine names an exported function by its index.
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === "tag" ? WebAssembly.JSTag : () => undefined;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  const trace = `    at wasm-function[${exports.fetch.name}]:0x1234`;
  const names = readNames();
  assert.match(withNames(trace, names), /at fetch externref shim \(wasm-function\[\d+\]\):0x1234/);
  assert.ok([...names.values()].some((name) => name.includes("einmal::")));
});
