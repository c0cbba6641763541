// Authentication, and the check for cross-site requests.

const TOKEN_CHARACTERS_MAX = 512;
const SECRET_BYTES_MIN = 32;
const ACTOR = /^[a-z][a-z0-9_-]{1,40}$/;

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bound secrets of the required length, the signing one first. */
export function secretsOf(env) {
  return [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined && encoder.encode(secret).length >= SECRET_BYTES_MIN,
  );
}

/**
 * The actor, by the `Authorization` header or else by the session's cookie.
 * @returns {Promise<{actor: string} | {unauthenticated: string}>} the reason is for the log
 */
export async function authenticate(headers, secrets) {
  const authorization = headers.get("Authorization");
  if (authorization !== null) {
    const space = authorization.indexOf(" ");
    if (authorization.slice(0, space).toLowerCase() !== "bearer") return MALFORMED;
    return verify(authorization.slice(space + 1), "einmal-token", "t_", secrets);
  }
  const cookies = (headers.get("Cookie") ?? "").split(";").map((pair) => pair.trimStart());
  const [session, ...more] = cookies.filter((pair) => pair.startsWith("__Host-einmal="));
  if (session === undefined) return { unauthenticated: "no session and no token" };
  if (more.length > 0) return { unauthenticated: "the session's cookie was sent twice" };
  return verify(session.slice("__Host-einmal=".length), "einmal-session", "s_", secrets);
}

const MALFORMED = { unauthenticated: "malformed token" };

async function verify(token, audience, prefix, secrets) {
  if (token.length > TOKEN_CHARACTERS_MAX) return MALFORMED;
  const parts = token.split(".");
  if (parts.length !== 3) return MALFORMED;
  try {
    const [header, claims, signature] = parts.map((part) =>
      Uint8Array.fromBase64(part, { alphabet: "base64url" }),
    );
    const { alg, typ = "JWT", ...more } = JSON.parse(utf8.decode(header));
    if (alg !== "HS256" || typ !== "JWT" || Object.keys(more).length > 0) return MALFORMED;
    const signed = encoder.encode(token.slice(0, token.lastIndexOf(".")));
    let ours = false;
    for (const secret of secrets) {
      ours ||= await crypto.subtle.verify("HMAC", await signingKey(secret), signature, signed);
    }
    if (!ours) return { unauthenticated: "bad signature" };
    const { sub, aud, nbf = 0, exp } = JSON.parse(utf8.decode(claims));
    const now = Math.floor(Date.now() / 1000);
    if (aud !== audience) return { unauthenticated: "wrong audience" };
    if (now < nbf) return { unauthenticated: "not valid yet" };
    if (!(now < exp)) return { unauthenticated: "expired" };
    const actor = ACTOR.test(sub) && sub.startsWith(prefix) ? sub : undefined;
    return actor === undefined ? { unauthenticated: "wrong audience" } : { actor };
  } catch {
    return MALFORMED;
  }
}

const signingKeys = new Map();

/** The imported key of a secret, cached. */
function signingKey(secret) {
  let key = signingKeys.get(secret);
  if (key === undefined) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    key = crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["verify"]);
    signingKeys.set(secret, key);
  }
  return key;
}

/** Rejects requests from pages of other sites (CSRF). */
export function isSameSite(headers, url) {
  const site = headers.get("Sec-Fetch-Site");
  const origin = headers.get("Origin");
  return (
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || url.startsWith(`${origin}/`))
  );
}
