// Who asks: sessions, tokens, and what is neither.

import { createHmac, randomUUID } from "node:crypto";
import { different, equal, Failed, matches, NotRun, rejected, reserved } from "../expect.js";
import { bearerTokens, contract, cookies, http, jws, prevent, tokenPractice } from "../sources.js";

const scoped = prevent("Scope the identifier to the correct actor");
const whoAsks = contract("Who asks");

/** A condition on what is no identity. `forged` is given the cookie of a new session. */
function nobody(id, claim, sources, forged) {
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
  if (signature === undefined) throw new NotRun("the cookie is no token of three parts");
  return { name, header, payload, signature };
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part) => JSON.parse(Buffer.from(part, "base64url"));

export const identity = [
  {
    id: "session-new",
    claim: "A browser that is nobody becomes somebody: a tag, and a cookie.",
    sources: [whoAsks, cookies("4.1")],
    async check(instance) {
      const { status, document, cookies: set } = await instance.send("/session");
      equal("status", status, 200);
      matches("actor", document?.actor, /^[0-9a-f]{16}$/);
      equal("cookies", set.length, 1);
    },
  },
  {
    id: "session-cookie",
    claim: "The cookie is for this host alone, never for scripts, never without TLS.",
    sources: [cookies("4.1.2"), whoAsks],
    async check(instance) {
      const [cookie] = (await instance.send("/session")).cookies;
      const [pair, ...attributes] = cookie.split("; ");
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
    claim: "A browser with its cookie stays who it is, and its cookie is renewed.",
    sources: [whoAsks],
    async check(instance) {
      const { headers, tag } = await instance.newSession();
      const again = await instance.send("/session", { headers });
      equal("actor", again.document?.actor, tag);
      equal("cookies", again.cookies.length, 1);
    },
  },
  {
    id: "session-differs",
    claim: "Two browsers are two who ask.",
    sources: [scoped],
    async check(instance) {
      const [one, other] = [await instance.newSession(), await instance.newSession()];
      different("actor", one.tag, other.tag);
    },
  },
  {
    id: "session-end",
    claim: "The end of a session takes the cookie away.",
    sources: [whoAsks, cookies("5.2.2")],
    async check(instance) {
      const { headers } = await instance.newSession();
      const {
        status,
        document,
        cookies: set,
      } = await instance.send("/session/end", {
        method: "POST",
        headers,
      });
      equal("status and document", [status, document], [200, { actor: null }]);
      matches("the cookie", set[0], /^__Host-[\w-]+=;.*Max-Age=0/);
    },
  },
  {
    id: "session-end-other",
    claim: "A session is not ended in the name of somebody else.",
    sources: [contract("actor_changed")],
    async check(instance) {
      const [one, other] = [await instance.newSession(), await instance.newSession()];
      const headers = { ...one.headers, "Einmal-Actor": other.tag };
      const answer = await instance.send("/session/end", { method: "POST", headers });
      rejected(answer, 403, "actor_changed");
    },
  },
  {
    id: "nobody-invented",
    claim: "Who reserves without saying who asks is refused, and made nobody new.",
    sources: [whoAsks, http("15.5.2")],
    async check(instance) {
      const free = await instance.free();
      const answer = await instance.reserve({ as: { headers: {} } });
      rejected(answer, 401, "actor_required");
      equal("cookies", answer.cookies, []);
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "nobody-list",
    claim: "Who does not say who asks sees no operations.",
    sources: [whoAsks],
    async check(instance) {
      rejected(await instance.send("/operations"), 401, "actor_required");
    },
  },
  {
    id: "challenge",
    claim: "An answer 401 says which scheme is asked for.",
    sources: [http("15.5.2"), bearerTokens("3")],
    async check(instance) {
      const { status, headers } = await instance.send("/operations");
      equal("status", status, 401);
      matches("WWW-Authenticate", headers["www-authenticate"], /^Bearer\b/);
    },
  },
  nobody(
    "forged-signature",
    "A cookie whose signature was changed is nobody's.",
    [jws("5.2"), whoAsks],
    (cookie) => {
      const first = cookie.lastIndexOf(".") + 1;
      const changed = cookie[first] === "A" ? "B" : "A";
      return [
        { Cookie: cookie.slice(0, first) + changed + cookie.slice(first + 1) },
        { Cookie: cookie.slice(0, first) },
      ];
    },
  ),
  nobody(
    "forged-payload",
    "A cookie that names somebody else under the old signature is nobody's.",
    [jws("5.2"), scoped],
    (cookie) => {
      const { name, header, payload, signature } = partsOf(cookie);
      const claims = { ...decode(payload), sub: `s_${"0".repeat(32)}` };
      return [{ Cookie: `${name}=${header}.${encode(claims)}.${signature}` }];
    },
  ),
  nobody(
    "forged-algorithm",
    "A cookie that says it needs no signature, or another one, is nobody's.",
    [tokenPractice("3.1"), whoAsks],
    (cookie) => {
      const { name, payload } = partsOf(cookie);
      return ["none", "None", "HS512"].flatMap((alg) => {
        const text = `${encode({ alg, typ: "JWT" })}.${payload}`;
        const signed = createHmac("sha256", "").update(text).digest("base64url");
        return [{ Cookie: `${name}=${text}.` }, { Cookie: `${name}=${text}.${signed}` }];
      });
    },
  ),
  nobody(
    "two-cookies",
    "Two cookies of the name are nobody's: another program has set one of them.",
    [cookies("4.2.2"), contract("actor_required")],
    (cookie) => [{ Cookie: `${cookie}; ${cookie}` }],
  ),
  nobody(
    "bearer-decides",
    "A bearer token that is none is not made good by a cookie.",
    [whoAsks, bearerTokens("2.1")],
    (cookie) => [
      { Cookie: cookie, Authorization: "Bearer x" },
      { Cookie: cookie, Authorization: "Basic YTpi" },
    ],
  ),
  nobody(
    "cookie-no-bearer",
    "The token of a session's cookie is no bearer token.",
    [whoAsks],
    (cookie) => [{ Authorization: `Bearer ${cookie.split(/=(.*)/s)[1]}` }],
  ),
  nobody(
    "bearer-no-cookie",
    "A bearer token is no session's cookie.",
    [whoAsks],
    (cookie, instance) => {
      const token = instance.needProgram().headers.Authorization.split(" ")[1];
      return [{ Cookie: `${cookie.split("=")[0]}=${token}` }];
    },
  ),
  {
    id: "program",
    claim: "A program is told who it is, and gets no cookie.",
    sources: [whoAsks],
    async check(instance) {
      const { headers } = instance.needProgram();
      const answer = await instance.send("/session", { headers });
      matches("actor", answer.document?.actor, /^[0-9a-f]{16}$/);
      equal("cookies", answer.cookies, []);
    },
  },
  {
    id: "bearer-scheme",
    claim: "The scheme of a bearer token is read in any case.",
    sources: [http("11.1")],
    async check(instance) {
      const { headers, tag } = instance.needProgram();
      const Authorization = headers.Authorization.replace("Bearer", "bEARER");
      const answer = await instance.send("/session", { headers: { Authorization } });
      equal("actor", answer.document?.actor, tag);
    },
  },
  {
    id: "actor-named",
    claim: "A request that names its own actor is decided.",
    sources: [contract("The request")],
    async check(instance) {
      await instance.needFree(1);
      reserved(await instance.reserve({ headers: { "Einmal-Actor": instance.a.tag } }));
    },
  },
  {
    id: "actor-changed",
    claim: "A request saved for somebody else is not carried out for who asks now.",
    sources: [scoped, contract("actor_changed")],
    async check(instance) {
      const free = await instance.free();
      const key = randomUUID();
      const { tag } = await instance.newSession();
      const headers = { "Einmal-Actor": tag };
      rejected(await instance.reserve({ key, headers }), 403, "actor_changed");
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "tag-not-told",
    claim: "No answer tells the actor itself, only its tag.",
    sources: [whoAsks],
    async check(instance) {
      const { headers } = await instance.newSession();
      const { sub } = decode(partsOf(headers.Cookie).payload);
      if (typeof sub !== "string") throw new NotRun("the cookie is no token that names an actor");
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
