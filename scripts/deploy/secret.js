// The secret that sessions and tokens are signed with: put once, never read, never replaced.

import { randomBytes } from "node:crypto";
import { Stopped } from "./stopped.js";
import { failed, readJson, runWrangler } from "./wrangler.js";

const NAME = "SESSION_SECRET";

/** As the service demands it. */
const SECRET_BYTES_MIN = 32;

const noSecret = `the Worker and its migrations are in place, but it is not known whether the Worker has its secret.
Without one the service answers 503. Run npm run deploy again: it makes a secret only if the Worker
has none, and goes on.`;

/**
 * Puts a secret, if the deployed Worker has none: the one in the environment, or a new one. A secret
 * that is in place stays, since another one would end every session.
 * @returns {Promise<string>} what was done, in a sentence
 */
export async function ensureSecret() {
  const secrets = await readJson(["secret", "list"], noSecret);
  if (secrets.some((/** @type {{name: string}} */ { name }) => name === NAME))
    return `the Worker has a ${NAME}; it stays`;
  const given = process.env[NAME];
  if (given !== undefined && Buffer.byteLength(given.trimEnd()) < SECRET_BYTES_MIN) {
    throw new Stopped(
      `expected ${NAME} in the environment to have at least ${SECRET_BYTES_MIN} bytes. The Worker and its
migrations are in place, but it has no secret yet. Run npm run deploy again with a longer one, or
without one: then it makes one.`,
    );
  }
  const secret = given ?? randomBytes(32).toString("hex");
  // By the standard input: arguments can be seen by every user of a machine.
  const run = await runWrangler(["secret", "put", NAME], { input: secret });
  if (!run.done) throw failed(run, noSecret);
  return given === undefined
    ? `made a ${NAME} and put it; nobody has seen it`
    : `put the ${NAME} of the environment`;
}
