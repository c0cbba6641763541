// Authentication: sessions, tokens, and what is neither.

import { createHmac, randomUUID } from "node:crypto";
import { different, equal, Failed, matches, NotRun, rejected, reserved } from "../expect.js";
import {
  bearerTokens,
  contract,
  cookies,
  cookiesDraft,
  http,
  signatures,
  tokenPractices,
} from "../sources.js";

const section = contract("Authentication");

/** A condition on invalid credentials. `forged` receives the cookie of a new session. */
function rejects(id, claim, sources, forged) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      const { headers } = await instance.newSession();
      for (const other of await forged(headers.Cookie, instance)) {
        const key = randomUUID();
        rejected(await instance.reserve({ as: { headers: other }, key }), 401, "actor_required");
      }
    },
  };
}

/** The name of a cookie, and the three parts of its token. */
function partsOf(cookie) {
  const [name, token] = cookie.split(/=(.*)/s);
  const [header, payload, signature] = token.split(".");
  if (signature === undefined) throw new NotRun("the cookie is not a token of three parts");
  return { name, header, payload, signature };
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part) => JSON.parse(Buffer.from(part, "base64url"));

export const authentication = [
  {
    id: "session-new",
    claim: "A browser without a session becomes a new actor, with a cookie for this host only.",
    sources: [section, cookies("4.1.2"), cookiesDraft("4.1.2.7"), cookiesDraft("4.1.3.2")],
    async check(instance) {
      const { status, document, cookies: set } = await instance.send("/session");
      equal("status", status, 200);
      matches("actor", document?.actor, /^[0-9a-f]{16}$/);
      equal("cookies", set.length, 1);
      const [pair, ...attributes] = set[0].split("; ");
      matches("the cookie", pair, /^__Host-[\w-]+=[^\s;,]+$/);
      for (const attribute of ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]) {
        equal(`it has ${attribute}`, attributes.includes(attribute), true);
      }
      equal(
        "it has a Domain",
        attributes.some((text) => /^domain/i.test(text)),
        false,
      );
    },
  },
  {
    id: "session-stays",
    claim: "A session keeps its actor and renews its cookie; two sessions are two actors.",
    sources: [section],
    async check(instance) {
      const { headers, actorId } = await instance.newSession();
      const again = await instance.send("/session", { headers });
      equal("actor", again.document?.actor, actorId);
      equal("cookies", again.cookies.length, 1);
      different("actor of another session", (await instance.newSession()).actorId, actorId);
    },
  },
  {
    id: "session-end",
    claim: "Ending a session expires its cookie.",
    sources: [section, cookies("4.1.2.2")],
    async check(instance) {
      const { headers } = await instance.newSession();
      const answer = await instance.send("/session/end", { method: "POST", headers });
      equal("status and document", [answer.status, answer.document], [200, { actor: null }]);
      matches("the cookie", answer.cookies[0], /^__Host-[\w-]+=;.*Max-Age=0/);
    },
  },
  {
    id: "unauthenticated",
    claim:
      "Without authentication nothing is reserved, listed or abandoned, and no actor is created.",
    sources: [section, contract("actor_required"), http("15.5.2")],
    async check(instance) {
      const nobody = { headers: {} };
      const free = await instance.free();
      const answer = await instance.reserve({ as: nobody });
      rejected(answer, 401, "actor_required", "reserve");
      equal("cookies", answer.cookies, []);
      equal("free places", await instance.free(), free);
      rejected(await instance.send("/operations"), 401, "actor_required", "the list");
      const key = randomUUID();
      rejected(await instance.abandon(key, nobody), 401, "actor_required", "abandon");
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
    },
  },
  {
    id: "challenge",
    claim: "An answer 401 has a challenge with the scheme Bearer.",
    sources: [http("15.5.2"), http("11.6.1"), bearerTokens("3")],
    async check(instance) {
      const { status, headers } = await instance.send("/operations");
      equal("status", status, 401);
      matches("WWW-Authenticate", headers["www-authenticate"], /^Bearer\b/);
    },
  },
  rejects(
    "forged-signature",
    "A cookie with a changed signature, or with another actor under the old one, is invalid.",
    [signatures("5.2"), section],
    (cookie) => {
      const first = cookie.lastIndexOf(".") + 1;
      const changed = cookie[first] === "A" ? "B" : "A";
      const { name, header, payload, signature } = partsOf(cookie);
      const claims = { ...decode(payload), sub: `s_${"0".repeat(32)}` };
      return [
        { Cookie: cookie.slice(0, first) + changed + cookie.slice(first + 1) },
        { Cookie: cookie.slice(0, first) },
        { Cookie: `${name}=${header}.${encode(claims)}.${signature}` },
      ];
    },
  ),
  rejects(
    "forged-algorithm",
    "A cookie that names no signature algorithm, or another one, is invalid.",
    [tokenPractices("3.1"), section],
    (cookie) => {
      const { name, payload } = partsOf(cookie);
      return ["none", "None", "HS512"].flatMap((alg) => {
        const text = `${encode({ alg, typ: "JWT" })}.${payload}`;
        const signed = createHmac("sha256", "").update(text).digest("base64url");
        return [{ Cookie: `${name}=${text}.` }, { Cookie: `${name}=${text}.${signed}` }];
      });
    },
  ),
  rejects(
    "two-cookies",
    "If the cookie is present twice, both are ignored, since one may have been planted.",
    [contract("actor_required"), cookies("4.2.2")],
    (cookie) => [{ Cookie: `${cookie}; ${cookie}` }],
  ),
  rejects(
    "authorization-first",
    "With an invalid Authorization header, a valid cookie is ignored.",
    [section, bearerTokens("2.1")],
    (cookie) => [
      { Cookie: cookie, Authorization: "Bearer x" },
      { Cookie: cookie, Authorization: "Basic YTpi" },
    ],
  ),
  rejects(
    "cookie-not-bearer",
    "The token of a session's cookie is not accepted as a bearer token.",
    [section, tokenPractices("3.9"), tokenPractices("3.12")],
    (cookie) => [{ Authorization: `Bearer ${cookie.split(/=(.*)/s)[1]}` }],
  ),
  rejects(
    "bearer-not-cookie",
    "A bearer token is not accepted as a session's cookie.",
    [section, tokenPractices("3.9"), tokenPractices("3.12")],
    (cookie, instance) => {
      const token = instance.requireProgram().headers.Authorization.split(" ")[1];
      return [{ Cookie: `${cookie.split("=")[0]}=${token}` }];
    },
  ),
  {
    id: "program",
    claim: "A program receives its actor id and no cookie; its scheme is case-insensitive.",
    sources: [section, http("11.1")],
    async check(instance) {
      const { headers, actorId } = instance.requireProgram();
      const answer = await instance.send("/session", { headers });
      matches("actor", answer.document?.actor, /^[0-9a-f]{16}$/);
      equal("cookies", answer.cookies, []);
      const Authorization = headers.Authorization.replace("Bearer", "bEARER");
      const other = await instance.send("/session", { headers: { Authorization } });
      equal("actor with bEARER", other.document?.actor, actorId);
    },
  },
  {
    id: "actor-named",
    claim: "A request with the actor id of its own actor is decided.",
    sources: [contract("The request")],
    async check(instance) {
      await instance.requireFree(1);
      reserved(await instance.reserve({ headers: { "Einmal-Actor": instance.a.actorId } }));
    },
  },
  {
    id: "actor-changed",
    claim: "A request with another actor's id is rejected with 403, and nothing is done.",
    sources: [contract("actor_changed")],
    async check(instance) {
      const free = await instance.free();
      const key = randomUUID();
      const [one, other] = [await instance.newSession(), await instance.newSession()];
      const headers = { "Einmal-Actor": other.actorId };
      rejected(await instance.reserve({ key, headers }), 403, "actor_changed");
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      equal("free places", await instance.free(), free);
      const end = await instance.send("/session/end", { as: one, method: "POST", headers });
      rejected(end, 403, "actor_changed", "the end of a session");
    },
  },
  {
    id: "actor-not-revealed",
    claim: "No body contains the actor itself, only its id.",
    sources: [section],
    async check(instance) {
      const { headers } = await instance.newSession();
      const { sub } = decode(partsOf(headers.Cookie).payload);
      if (typeof sub !== "string") throw new NotRun("the cookie does not name an actor");
      const as = { headers };
      const { key } = await instance.reservation({ as });
      for (const answer of [
        await instance.send("/session", { headers }),
        await instance.reserve({ as, key }),
        await instance.lookUp(key, as),
      ]) {
        if (answer.body.includes(sub)) throw new Failed(`found the actor in ${answer.body}`);
      }
    },
  },
];
