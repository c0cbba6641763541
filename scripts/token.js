// `npm run token -- NAME --days 90`: prints a bearer token for a program, signed with the
// SESSION_SECRET of the environment or, without one, with the local service's.

import { parseArgs } from "node:util";
import { SignJWT } from "jose";
import { ensureLocalSecret, localSecret } from "./local-secret.js";

const usage = `npm run token -- NAME [--days 90]

NAME    the program's name, 1 to 39 characters of a-z, 0-9, - and _; its actor is t_NAME
--days  validity in days, from 1 to 3650; default 90

The token is signed with SESSION_SECRET of the environment, otherwise with the secret of the
local service in .dev.vars. For a deployed service:

  SESSION_SECRET=… npm run token -- NAME`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { days: { type: "string", default: "90" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const [name, ...more] = positionals;
  if (more.length > 0) throw new Error(`expected one name, found ${positionals.join(" ")}`);
  if (!/^[a-z0-9_-]{1,39}$/.test(name ?? "")) {
    throw new Error(`expected a name of 1 to 39 of a-z, 0-9, - and _, found ${name ?? "none"}`);
  }
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650) {
    throw new Error(`expected --days to be a whole number from 1 to 3650, found ${values.days}`);
  }
  if (process.env.SESSION_SECRET === undefined) ensureLocalSecret();
  const secret = process.env.SESSION_SECRET ?? localSecret() ?? "";
  if (Buffer.byteLength(secret) < 32) {
    throw new Error(
      `expected SESSION_SECRET to have at least 32 bytes, found ${Buffer.byteLength(secret)}`,
    );
  }
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(`t_${name}`)
    .setAudience("einmal-token")
    .setExpirationTime(`${days} days`)
    .sign(new TextEncoder().encode(secret));
  console.log(token);
} catch (error) {
  console.error(`token: ${error.message}\n\n${usage}`);
  process.exit(1);
}
