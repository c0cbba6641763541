// Authentication: sessions, tokens and attacks on them. An independent library makes the tokens.

import assert from "node:assert/strict";
import { createHash, createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { held, logOf, makeWorkshop, origin, query, reserve, SECRET } from "../support/service.js";
import { bearer, token } from "../support/tokens.js";
import { startWorker } from "../support/worker.js";

const actorIdOf = (actor) => createHash("sha256").update(actor).digest("hex").slice(0, 16);

/** `GET /session`: the actor id, and the cookie as a browser keeps it. */
async function session(headers = {}, at = origin) {
  const answer = await send(`${at}/session`, { method: "GET", headers });
  const [setCookie] = answer.headers["set-cookie"] ?? [];
  return {
    ...answer,
    setCookie,
    cookie: setCookie?.split(";")[0],
    actorId: answer.document?.actor,
  };
}

const session_claims = { sub: "s_somebody", aud: "einmal-session" };

test("the actor id is a hash of the actor, which no response contains", async () => {
  const { cookie, actorId, body } = await session();
  const { sub } = JSON.parse(Buffer.from(cookie.split(".")[1], "base64url"));
  assert.match(sub, /^s_[0-9a-f]{32}$/);
  assert.equal(actorId, actorIdOf(sub));
  assert.ok(!body.includes(sub));
});

test("a session reserves, and its receipts are its own", async () => {
  const workshop = await makeWorkshop({ capacity: 9 });
  const key = randomUUID();
  const [one, other] = [await session(), await session()];
  const first = await reserve(workshop, 1, key, { Cookie: one.cookie });
  const second = await reserve(workshop, 2, key, { Cookie: other.cookie });
  assert.deepEqual([first.status, second.status], [201, 201], "the key is no conflict");
  assert.deepEqual([first.replayed, second.replayed], ["false", "false"]);
  const id = JSON.parse(first.body).reservation_id;
  assert.ok(!second.body.includes(id) && ![...second.headers].flat().join().includes(id));
  const again = await reserve(workshop, 1, key, { Cookie: one.cookie });
  assert.deepEqual([again.body, again.replayed], [first.body, "true"]);
  assert.deepEqual(await held(workshop), { reserved: 3, places: 3, reservations: 2, receipts: 2 });
  const actors = await query("SELECT actor FROM operations WHERE key = ?1 ORDER BY actor", key);
  assert.equal(new Set(actors.map(({ actor }) => actorIdOf(actor))).size, 2);
});

test("ending a session clears the cookie; the next session is another actor", async () => {
  const { cookie, actorId } = await session();
  const end = await send(`${origin}/session/end`, {
    headers: { Cookie: cookie, "Einmal-Actor": actorId },
  });
  assert.deepEqual([end.status, end.document], [200, { actor: null }]);
  assert.match(end.headers["set-cookie"][0], /^__Host-einmal=; Path=\/; Max-Age=0; /);
  const another = await send(`${origin}/session/end`, {
    headers: { Cookie: cookie, "Einmal-Actor": actorIdOf("s_other") },
  });
  assert.equal(another.document.error, "actor_changed");
  assert.equal((await send(`${origin}/session/end`)).status, 200, "without a session too");
});

test("an operation of one actor is never decided for another", async () => {
  const workshop = await makeWorkshop();
  const [one, other] = [await session(), await session()];
  const key = randomUUID();
  const as = ({ cookie }, actorId) =>
    reserve(workshop, 1, key, { Cookie: cookie, "Einmal-Actor": actorId });
  assert.equal((await as(one, one.actorId)).status, 201);
  const swapped = await as(other, one.actorId);
  assert.deepEqual([swapped.status, JSON.parse(swapped.body).error], [403, "actor_changed"]);
  assert.deepEqual(await held(workshop), { reserved: 1, places: 1, reservations: 1, receipts: 1 });
});

/** Each is no identity: as a bearer token, and as a cookie with the claims of a session. */
async function attacks() {
  const program = { sub: "t_somebody", aud: "einmal-token" };
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const unsigned = (alg, claims) =>
    `${encode({ alg, typ: "JWT" })}.${encode({ exp: 4_000_000_000, ...claims })}.`;
  const byHand = (header, claims) => {
    const signed = `${encode(header)}.${encode({ exp: 4_000_000_000, ...claims })}`;
    return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
  };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const secret = new TextEncoder().encode(SECRET.padEnd(64, "."));
  const past = Math.floor(Date.now() / 1000) - 1;
  const list = [];
  for (const claims of [program, session_claims]) {
    const good = await token(claims, SECRET);
    const [header, payload, signature] = good.split(".");
    const swapped = encode({ ...claims, sub: `${claims.sub}-other`, exp: 4_000_000_000 });
    list.push(
      ...["none", "None", "NONE", "nOnE", ""].map((alg) => [`alg ${alg}`, unsigned(alg, claims)]),
      ...["none", "HS384", "RS256", "hs256"].map((alg) => [
        `alg ${alg}, signed all the same`,
        byHand({ alg }, claims),
      ]),
      ["no alg", byHand({ typ: "JWT" }, claims)],
      ["another type", byHand({ alg: "HS256", typ: "JWS" }, claims)],
      ["a critical header", byHand({ alg: "HS256", crit: ["exp"] }, claims)],
      ["a key of its own", byHand({ alg: "HS256", jwk: { kty: "oct", k: "" } }, claims)],
      ["HS512", await token(claims, secret, { alg: "HS512" })],
      ["RS256", await token(claims, privateKey, { alg: "RS256" })],
      ["another secret", await token(claims, `${SECRET}.`)],
      ["a swapped payload", `${header}.${swapped}.${signature}`],
      ["a cut signature", `${header}.${payload}.${signature.slice(0, -1)}`],
      ["no signature", `${header}.${payload}.`],
      ["two parts", `${header}.${payload}`],
      ["four parts", `${good}.${signature}`],
      ["padded", `${header}.${payload}.${signature}=`],
      ["a byte more", `${good}A`],
      ["expired", await token({ ...claims, exp: past }, SECRET)],
      ["not yet valid", await token({ ...claims, nbf: past + 3600 }, SECRET)],
      ["without an end", byHand({ alg: "HS256" }, { ...claims, exp: undefined })],
      ["an end that is a text", byHand({ alg: "HS256" }, { ...claims, exp: "4000000000" })],
      ["without an audience", await token({ sub: claims.sub }, SECRET)],
      ["another audience", await token({ ...claims, aud: "einmal" }, SECRET)],
      ["several audiences", await token({ ...claims, aud: [claims.aud] }, SECRET)],
      ["without a subject", await token({ aud: claims.aud }, SECRET)],
      ["a subject of another form", await token({ ...claims, sub: "a@b.example" }, SECRET)],
      ["5 KB", byHand({ alg: "HS256" }, { ...claims, x: "x".repeat(5_000) })],
    );
  }
  list.push(
    ["a session's token as bearer", await token(session_claims, SECRET), "bearer"],
    ["a program's token as cookie", await token(program, SECRET), "cookie"],
    [
      "a program's name in a session",
      await token({ ...session_claims, sub: "t_x" }, SECRET),
      "cookie",
    ],
    ["a session's name in a program", await token({ ...program, sub: "s_x" }, SECRET), "bearer"],
  );
  return list;
}

test("a token that is not of this service authenticates no one", async () => {
  const workshop = await makeWorkshop();
  const good = await token(session_claims, SECRET);
  assert.equal(
    (await reserve(workshop, 1, randomUUID(), { Cookie: `__Host-einmal=${good}` })).status,
    201,
  );
  const before = await held(workshop);
  for (const [what, attack, only] of await attacks()) {
    for (const [as, headers] of [
      ["bearer", { Authorization: `Bearer ${attack}` }],
      ["cookie", { Cookie: `__Host-einmal=${attack}` }],
    ]) {
      if (only !== undefined && only !== as) continue;
      const { status, body } = await reserve(workshop, 1, randomUUID(), headers);
      assert.deepEqual(
        [status, JSON.parse(body).error],
        [401, "actor_required"],
        `${what} as ${as}`,
      );
    }
  }
  assert.deepEqual(await held(workshop), before);
});

test("the reason of a failed authentication is in the log and not in the response", async () => {
  const program = { sub: "t_somebody", aud: "einmal-token" };
  const now = Math.floor(Date.now() / 1000);
  const by = async (claims, secret = SECRET) => ({
    Authorization: `Bearer ${await token(claims, secret)}`,
  });
  const { cookie } = await session();
  const bodies = [];
  for (const [reason, headers] of [
    ["no session and no token", {}],
    ["no session and no token", { Cookie: "other=1" }],
    ["the session's cookie was sent twice", { Cookie: `${cookie}; ${cookie}` }],
    ["malformed token", { Authorization: "Basic eA==" }],
    ["malformed token", { Authorization: "Bearer x" }],
    ["malformed token", { Cookie: "__Host-einmal=" }],
    ["bad signature", await by(program, `${SECRET}.`)],
    ["wrong audience", { Authorization: `Bearer ${cookie.split("=")[1]}` }],
    ["wrong audience", await by({ ...program, sub: "s_somebody" })],
    ["expired", await by({ ...program, exp: now - 1 })],
    ["not valid yet", await by({ ...program, nbf: now + 3600 })],
  ]) {
    const [line] = await logOf(async () => {
      const { status, body } = await reserve("ws", 1, randomUUID(), headers);
      assert.equal(status, 401, reason);
      bodies.push(body);
    });
    assert.deepEqual(
      [line.outcome, line.cause, line.actor, line.d1_calls],
      ["actor_required", `unauthenticated: ${reason}`, undefined, 0],
    );
  }
  assert.equal(new Set(bodies).size, 1, "to a client, all reasons are one");
});

test("an invalid session is replaced without an error", async () => {
  const [line] = await logOf(() => session({ Cookie: "__Host-einmal=x" }));
  assert.deepEqual([line.status, line.cause], [200, undefined]);
});

test("duplicate session cookies are ignored, and a cookie does not replace an invalid token", async () => {
  const workshop = await makeWorkshop();
  const { cookie } = await session();
  const other = (await session()).cookie;
  for (const headers of [
    { Cookie: `${cookie}; ${other}` },
    { Cookie: `${cookie}; ${cookie}` },
    { Cookie: cookie, Authorization: "Bearer x" },
    { Cookie: cookie, Authorization: "Bearer" },
  ]) {
    assert.equal(
      (await reserve(workshop, 1, randomUUID(), headers)).status,
      401,
      JSON.stringify(headers),
    );
  }
  const renewed = await session({ Cookie: `${cookie}; ${other}` });
  assert.equal(renewed.status, 200, "the page gets a new session instead");
  assert.ok(renewed.setCookie);
});

test("tokens and cookies are never in the log", async () => {
  const { cookie } = await session();
  const Authorization = await bearer("secretive", SECRET);
  const lines = await logOf(async () => {
    await session({ Cookie: cookie });
    await session({ Authorization });
  }, 2);
  const text = JSON.stringify(lines);
  for (const part of [
    ...cookie.split(/[=.]/).slice(1),
    ...Authorization.split(/[ .]/).slice(1),
    "t_secretive",
  ]) {
    assert.ok(!text.includes(part), part);
  }
  assert.equal(lines[1].actor, actorIdOf("t_secretive").slice(0, 8));
});

test("a secret is rotated while an operation is open: the same actor gets the same receipt", async () => {
  const [old, next] = ["o", "n"].map((letter) => letter.repeat(32));
  const workers = [];
  after(() => Promise.all(workers.map(({ close }) => close())));
  const worker = async (secrets) => {
    workers.push(await startWorker({ secrets }));
    return workers.at(-1).origin;
  };
  const before = await session({}, await worker({ SESSION_SECRET: old }));
  const rotating = await worker({ SESSION_SECRET: next, SESSION_SECRET_PREVIOUS: old });
  const renewed = await session({ Cookie: before.cookie }, rotating);
  assert.equal(renewed.actorId, before.actorId);
  assert.notEqual(renewed.cookie, before.cookie, "signed with the new secret from now on");
  const done = await worker({ SESSION_SECRET: next });
  assert.equal((await session({ Cookie: renewed.cookie }, done)).actorId, before.actorId);
  assert.notEqual((await session({ Cookie: before.cookie }, done)).actorId, before.actorId);
});

test("without a secret of 32 bytes every authenticated route is not_configured", async () => {
  for (const secrets of [
    {},
    { SESSION_SECRET: "x".repeat(31) },
    { SESSION_SECRET_PREVIOUS: SECRET },
  ]) {
    const worker = await startWorker({ secrets });
    const headers = {
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
      Authorization: await bearer("somebody", secrets.SESSION_SECRET?.padEnd(32) ?? SECRET),
    };
    for (const [path, options] of [
      ["/reserve", { headers, body: '{"workshop":"ws","quantity":1}' }],
      ["/session", { method: "GET" }],
      ["/session/end", {}],
      ["/health", { method: "GET" }],
    ]) {
      const { status, document } = await send(worker.origin + path, options);
      assert.deepEqual([status, document.error], [503, "not_configured"], path);
    }
    assert.equal((await send(`${worker.origin}/workshops`, { method: "GET" })).status, 200);
    await worker.close();
  }
});
