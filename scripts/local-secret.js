// The secret of the local service: made once, kept in a file that git ignores and that
// `wrangler dev` reads.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = ".dev.vars";

/** Makes the secret if there is none; returns whether it did. */
export function ensureLocalSecret() {
  if (existsSync(FILE) && localSecret() !== undefined) return false;
  const line = `SESSION_SECRET=${randomBytes(32).toString("hex")}\n`;
  writeFileSync(FILE, line, { flag: "a", mode: 0o600 });
  return true;
}

/** The local secret, or undefined if there is none. */
export function localSecret() {
  if (!existsSync(FILE)) return undefined;
  return /^SESSION_SECRET="?([^"\n]+)"?$/m.exec(readFileSync(FILE, "utf8"))?.[1];
}
