// The service as it is deployed, built for a tool that runs it.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Builds the service into `.wrangler/built`, where `startWorker` and `service.js` find it. */
export function buildService() {
  const out = ".wrangler/built";
  rmSync(out, { recursive: true, force: true });
  const { status } = spawnSync("wrangler", ["deploy", "--dry-run", "--outdir", out], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the Worker could not be built");
}
