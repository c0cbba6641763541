// `npm run conformance -- URL`: checks from outside whether a running instance keeps its contract.

import { parseArgs } from "node:util";
import { count, line, summary } from "./report.js";
import { run, Unreachable } from "./run.js";

const usage = `npm run conformance -- URL [--token A --token B] [--workshop ID] [--json]

URL         the instance, such as http://localhost:8787
--token     a bearer token of the service, at most two; a new session replaces each that is
            missing
--workshop  where to reserve and cancel: a workshop with three to twenty free places that no
            other client uses meanwhile. Default: the first open one with three free places
--json      prints the report as JSON

Exit code 0 if no condition failed, 1 if one did, 2 if the instance could not be checked.`;

const { url, ...options } = read();
const stop = new AbortController();
process.once("SIGINT", () => {
  console.error("conformance: stopping after this condition and cancelling its reservations");
  stop.abort();
});

const began = performance.now();
try {
  const report = await run(url, {
    ...options,
    signal: stop.signal,
    log: (text) => console.error(`conformance: ${text}`),
    onResult: options.json ? undefined : (result) => console.log(line(result)),
  });
  const seconds = (performance.now() - began) / 1000;
  if (options.json) console.log(JSON.stringify({ ...report, seconds }, null, 2));
  else console.log(summary(report, seconds));
  process.exitCode = count(report.results).failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof Unreachable)) throw error;
  console.error(`conformance: ${error.message}`);
  process.exitCode = 2;
}

function read() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        token: { type: "string", multiple: true, default: [] },
        workshop: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const [url, ...more] = positionals;
    if (!/^https?:$/.test(URL.parse(url ?? "")?.protocol) || more.length > 0) {
      throw new Error(
        `expected one URL of http or https, found ${positionals.join(" ") || "none"}`,
      );
    }
    if (values.token.length > 2) {
      throw new Error(`expected at most two --token, found ${values.token.length}`);
    }
    return { url, tokens: values.token, workshop: values.workshop, json: values.json };
  } catch (error) {
    console.error(`conformance: ${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
