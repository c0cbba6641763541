// Tokens made by an independent library.

import { SignJWT } from "jose";

/**
 * The `Authorization` header of a program.
 * @param {string} name its actor is `t_<name>`
 * @param {string} secret
 */
export async function bearer(name, secret) {
  return `Bearer ${await token({ sub: `t_${name}`, aud: "einmal-token" }, secret)}`;
}

/**
 * A signed token; `claims` beside an expiry in an hour, `header` beside HS256.
 * @param {string | Uint8Array | CryptoKey} secret
 */
export function token(claims, secret, header = {}) {
  const key = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return new SignJWT({ exp, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT", ...header })
    .sign(key);
}
