// A wrangler.toml whose limits nobody reaches, for tests and for many requests from one
// machine. Everything else in it is as it is deployed.

import { readFileSync, writeFileSync } from "node:fs";

/** Writes the file, which git ignores, and gives its name. */
export function unlimitedConfig() {
  const name = ".wrangler.unlimited.toml";
  const config = readFileSync("wrangler.toml", "utf8");
  writeFileSync(name, config.replaceAll(/\blimit = \d+/g, "limit = 1000000000"));
  return name;
}
