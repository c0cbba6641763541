// The Worker: `wrangler deploy` builds it, creates the database if there is none, and uploads it
// with the page.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failed, runWranglerAtTerminal } from "./wrangler.js";

/**
 * Builds and uploads.
 * @returns {Promise<string[]>} where the Worker is reached, as wrangler reports it
 */
export async function uploadWorker() {
  const folder = mkdtempSync(join(tmpdir(), "einmal-deploy-"));
  const report = join(folder, "report.ndjson");
  try {
    const run = await runWranglerAtTerminal(["deploy"], { WRANGLER_OUTPUT_FILE_PATH: report });
    const deployed = run.done ? readReport(readFileSync(report, "utf8")) : undefined;
    // Somebody may have answered no at the terminal: then there is no version.
    if (deployed?.version_id) return deployed.targets ?? [];
    throw failed(
      run,
      `the Worker was not deployed, or it is not known whether it was; wrangler shows why above.
A Worker that was deployed before goes on as it is. Run npm run deploy again: it uses the database
that was created, if one was, and uploads the Worker again.`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What wrangler reports about the deployment: its report is a JSON document a line.
 * @param {string} report
 * @returns {{type: string, version_id?: string, targets?: string[]} | undefined}
 */
function readReport(report) {
  const entries = report
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return entries.findLast(({ type }) => type === "deploy");
}
