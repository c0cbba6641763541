// Who asks, and from where.

const TOKEN_CHARACTERS_MAX = 512;
const SECRET_BYTES_MIN = 32;
const ACTOR = /^[a-z][a-z0-9_-]{1,40}$/;

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The secrets that are bound and long enough, the one that signs first. */
export function secretsOf(env) {
  return [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined && encoder.encode(secret).length >= SECRET_BYTES_MIN,
  );
}

/** Who asks, by the `Authorization` header or else by the session's cookie. */
export async function actorOf(headers, secrets) {
  const authorization = headers.get("Authorization");
  if (authorization !== null) {
    const space = authorization.indexOf(" ");
    if (authorization.slice(0, space).toLowerCase() !== "bearer") return undefined;
    return verify(authorization.slice(space + 1), "einmal-token", "t_", secrets);
  }
  const cookies = (headers.get("Cookie") ?? "").split(";").map((pair) => pair.trimStart());
  const [session, ...more] = cookies.filter((pair) => pair.startsWith("__Host-einmal="));
  if (session === undefined || more.length > 0) return undefined;
  return verify(session.slice("__Host-einmal=".length), "einmal-session", "s_", secrets);
}

async function verify(token, audience, prefix, secrets) {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const [header, claims, signature] = parts.map((part) =>
      Uint8Array.fromBase64(part, { alphabet: "base64url" }),
    );
    const { alg, typ = "JWT", ...more } = JSON.parse(utf8.decode(header));
    if (alg !== "HS256" || typ !== "JWT" || Object.keys(more).length > 0) return undefined;
    const signed = encoder.encode(token.slice(0, token.lastIndexOf(".")));
    let ours = false;
    for (const secret of secrets) {
      ours ||= await crypto.subtle.verify("HMAC", await signingKey(secret), signature, signed);
    }
    if (!ours) return undefined;
    const { sub, aud, nbf = 0, exp } = JSON.parse(utf8.decode(claims));
    const now = Math.floor(Date.now() / 1000);
    if (aud !== audience || !(nbf <= now && now < exp)) return undefined;
    return ACTOR.test(sub) && sub.startsWith(prefix) ? sub : undefined;
  } catch {
    return undefined;
  }
}

const signingKeys = new Map();

/** The key of a secret, which is imported once. */
function signingKey(secret) {
  let key = signingKeys.get(secret);
  if (key === undefined) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    key = crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["verify"]);
    signingKeys.set(secret, key);
  }
  return key;
}

/** Whether no page of another site has made the request. */
export function isSameSite(headers, url) {
  const site = headers.get("Sec-Fetch-Site");
  const origin = headers.get("Origin");
  return (
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || url.startsWith(`${origin}/`))
  );
}
