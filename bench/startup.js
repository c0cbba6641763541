// The time of a new isolate from loading to its first response. A host Worker loads each candidate
// repeatedly, with slightly different bytes each time: otherwise V8 would reuse the WebAssembly that
// it has already compiled.

import { Miniflare } from "miniflare";
import { COMPATIBILITY_DATE } from "./worker.js";

/** Started one after the other and timed together, since a Worker's clock has a resolution of 1 ms. */
const STARTS_AT_ONCE = 5;

const HOST = `
import files from "./files.json";

const bytesOf = (base64) => Uint8Array.fromBase64(base64).buffer;

/** A custom section at the end of a WebAssembly module changes its bytes and nothing else. */
function unique(module, n) {
  const bytes = new Uint8Array(module.byteLength + 7);
  bytes.set(new Uint8Array(module));
  bytes.set([0, 5, 0, n, n >> 8, n >> 16, n >> 24], module.byteLength);
  return bytes.buffer;
}

let loaded = 0;

/** A module map of which every module is new to V8. */
function fresh(name) {
  loaded += 1;
  const modules = {};
  for (const [file, { type, contents }] of Object.entries(files[name])) {
    modules[file] = type === "wasm"
      ? { wasm: unique(bytesOf(contents), loaded) }
      : { js: contents + "\\n//" + loaded };
  }
  return { compatibilityDate: "${COMPATIBILITY_DATE}", mainModule: "index.js", modules, globalOutbound: null };
}

export default {
  async fetch(request, env) {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const codes = Array.from({ length: ${STARTS_AT_ONCE} }, () => fresh(name));
    const statuses = [];
    const began = performance.now();
    for (const code of codes) {
      const answer = await env.LOADER.load(code).getEntrypoint().fetch("http://localhost/nowhere");
      await answer.text();
      statuses.push(answer.status);
    }
    const milliseconds = (performance.now() - began) / codes.length;
    return Response.json({ statuses, milliseconds });
  },
};
`;

/**
 * @param {object} what
 * @param {import("./candidates.js").Candidate[]} what.candidates
 * @param {number} what.starts samples of each, in turn, after two warm-up samples that are not counted
 * @returns {Promise<{candidate: string, milliseconds: number[]}[]>}
 */
export async function measureStarts({ candidates, starts }) {
  const files = Object.fromEntries(
    candidates.map(({ name, modules }) => [
      name,
      Object.fromEntries(
        Object.entries(modules).map(([file, { type, contents }]) => [
          file,
          { type, contents: type === "wasm" ? contents.toString("base64") : contents },
        ]),
      ),
    ]),
  );
  const miniflare = new Miniflare({
    logRequests: false,
    handleStructuredLogs: () => {},
    workers: [
      {
        config: {
          name: "host",
          compatibilityDate: COMPATIBILITY_DATE,
          manifest: {
            mainModule: "index.js",
            modules: {
              "index.js": { type: "esm", contents: HOST },
              "files.json": { type: "json", contents: JSON.stringify(files) },
            },
          },
          env: { LOADER: { type: "worker-loader" } },
        },
      },
    ],
  });
  try {
    const { port } = await miniflare.ready;
    const times = candidates.map(({ name }) => ({ candidate: name, milliseconds: [] }));
    for (let start = -2; start < starts; start += 1) {
      for (const { candidate, milliseconds } of times) {
        const response = await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(candidate)}`);
        const answer = await response.json();
        if (!answer.statuses.every((status) => status === 404)) {
          throw new Error(
            `${candidate}: expected cold starts to return 404, found ${answer.statuses}`,
          );
        }
        if (start >= 0) milliseconds.push(answer.milliseconds);
      }
    }
    return times;
  } finally {
    await miniflare.dispose();
  }
}
