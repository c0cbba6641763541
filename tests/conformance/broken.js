// Servers that break one promise each: the service behind a proxy that changes requests or answers.

import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request as open } from "node:http";

/**
 * Serves `origin` through a proxy.
 * @param {string} origin
 * @param {(request: Message, forward: (request: Message) => Promise<Message>) => Promise<Message>} change
 * @returns {Promise<{origin: string, close: () => void}>}
 * @typedef {object} Message a request or an answer
 * @property {string} [method]
 * @property {string} [path]
 * @property {number} [status]
 * @property {Record<string, string | string[]>} headers with names in lower case
 * @property {Buffer} body
 */
export async function breakService(origin, change) {
  const forward = (message) => send(origin, message);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path } = incoming;
    const message = { method, path, headers: headersOf(incoming), body: await bytesOf(incoming) };
    try {
      const { status, headers, body } = await change(message, forward);
      outgoing.writeHead(status, headers).end(body);
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    origin: `http://localhost:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function send(origin, { method, path, headers, body }) {
  const { "transfer-encoding": _, connection, ...others } = headers;
  const length = method === "GET" || method === "HEAD" ? {} : { "content-length": body.length };
  const { hostname, port } = new URL(origin);
  const request = open({ hostname, port, path, method, headers: { ...others, ...length } });
  request.end(body);
  const [response] = await once(request, "response");
  const { "transfer-encoding": _encoding, connection: _close, ...told } = headersOf(response);
  return { status: response.statusCode, headers: told, body: await bytesOf(response) };
}

/** A header of several lines stays an array. */
function headersOf({ headersDistinct }) {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, lines]) => [
      name,
      lines.length === 1 ? lines[0] : lines,
    ]),
  );
}

async function bytesOf(stream) {
  return Buffer.concat(await stream.toArray());
}

const isAttempt = ({ method, path }) => method === "POST" && path.split("?")[0] === "/reserve";

const KEY = /^"?([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"?$/;

/** The keys under which a service that changes keys has stored an operation. */
function aliases() {
  const known = new Map();
  return {
    note: (key, other) => known.set(key, [...(known.get(key) ?? []), other]),
    /** Cancels under all of them too, so that a broken service gives its places back. */
    async cancel(message, forward) {
      const [, key] = /^\/operations\/(.+)\/cancel$/.exec(message.path) ?? [];
      for (const other of known.get(key) ?? []) {
        await forward({ ...message, path: `/operations/${other}/cancel` });
      }
    },
  };
}

/** Every request is a new operation: its key is not looked up. */
export function noLookUp() {
  const stored = aliases();
  return async (message, forward) => {
    await stored.cancel(message, forward);
    const [, key] = (isAttempt(message) && KEY.exec(message.headers["idempotency-key"])) || [];
    if (key === undefined) return forward(message);
    const fresh = randomUUID();
    stored.note(key, fresh);
    return forward({ ...message, headers: { ...message.headers, "idempotency-key": fresh } });
  };
}

/** Operations are found by their key alone: for them, all authenticated actors are one. */
export function noScope(oneActor) {
  const actorIds = new Map();
  return async (message, forward) => {
    const { cookie, authorization, ...others } = message.headers;
    const credentials = authorization ?? cookie;
    const actorId = actorIds.get(credentials);
    if (message.path === "/session") {
      const answer = await forward(message);
      const used = credentials ?? answer.headers["set-cookie"]?.split(";")[0];
      if (answer.status === 200) actorIds.set(used, JSON.parse(answer.body).actor);
      return answer;
    }
    const scoped = isAttempt(message) || message.path.startsWith("/operations");
    if (!scoped || actorId === undefined) return forward(message);
    if (others["einmal-actor"] === actorId) delete others["einmal-actor"];
    return forward({ ...message, headers: { ...others, authorization: oneActor } });
  };
}

/** A refusal is not stored: its operation is decided again by every attempt. */
export function refusalsAgain() {
  const stored = aliases();
  let again = 0;
  return async (message, forward) => {
    await stored.cancel(message, forward);
    const answer = await forward(message);
    if (!isAttempt(message) || !String(answer.body).includes("unavailable")) return answer;
    if (answer.headers["idempotent-replayed"] === "false") return answer;
    const [, key] = KEY.exec(message.headers["idempotency-key"]);
    again += 1;
    const digest = createHash("sha256").update(`${key} ${again}`).digest("hex");
    const derived = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
    stored.note(key, derived);
    return forward({ ...message, headers: { ...message.headers, "idempotency-key": derived } });
  };
}

/** The first payload of a key replaces that of every later attempt. */
export function noComparison() {
  const bodies = new Map();
  return (message, forward) => {
    const key = message.headers["idempotency-key"];
    if (!isAttempt(message) || !String(message.body).includes('"quantity":'))
      return forward(message);
    if (!bodies.has(key)) bodies.set(key, message.body);
    return forward({ ...message, body: bodies.get(key) });
  };
}

/** Every request becomes a valid one of an authenticated actor. */
export function tolerant(oneActor, workshop) {
  return (message, forward) => {
    const { origin, "sec-fetch-site": _, "einmal-actor": _actor, ...headers } = message.headers;
    const known = { ...headers, authorization: oneActor };
    if (!isAttempt(message)) {
      const path = message.path
        .toLowerCase()
        .replaceAll("%22", "")
        .replace("/1/", `/${randomUUID()}/`);
      return forward({ ...message, path, headers: known });
    }
    const wellFormed = {
      ...known,
      "content-type": "application/json",
      "idempotency-key": KEY.exec(headers["idempotency-key"])?.[1] ?? randomUUID(),
    };
    const quantity = /"quantity":2/.test(message.body) ? 2 : 1;
    const body = Buffer.from(JSON.stringify({ workshop, quantity }));
    return forward({ ...message, headers: wellFormed, body });
  };
}

/** Every answer lacks its required headers, and has some that are wrong. */
export async function bareHeaders(message, forward) {
  const answer = await forward(message);
  const cookies = [answer.headers["set-cookie"]].flat().filter((cookie) => cookie !== undefined);
  const headers = {
    "content-type": "text/plain",
    "cache-control": "max-age=3600",
    "access-control-allow-origin": "*",
    "idempotent-replayed": "true",
    allow: "GET",
    "set-cookie": cookies.map((cookie) => cookie.split(";")[0]),
  };
  return { ...answer, headers };
}

/** Every answer is an empty success, except for sessions and workshops. */
export async function empty(message, forward) {
  if (message.path === "/session" || message.path.startsWith("/workshops")) return forward(message);
  return { status: 200, headers: {}, body: Buffer.from("{}") };
}

/** `GET /session` creates a new actor each time, even for a session or a program. */
export function alwaysNewActor(message, forward) {
  if (message.path !== "/session") return forward(message);
  const { cookie, authorization, ...headers } = message.headers;
  return forward({ ...message, headers });
}

/** A document is different each time it is read, and exists for every path. */
export async function changingDocuments(message, forward) {
  const answer = await forward(message);
  const isDocument = message.path.startsWith("/workshops/") || message.path.endsWith("/abandon");
  if (!isDocument) return answer;
  const { starts_at, ...document } = JSON.parse(answer.body);
  const { "content-length": _, ...headers } = answer.headers;
  const body = Buffer.from(JSON.stringify({ ...document, note: randomUUID() }));
  return { status: 200, headers, body };
}

/** Over a rate limit, the answer lacks `Retry-After`. */
export function limitWithoutRetryAfter() {
  let attempts = 0;
  return async (message, forward) => {
    if (isAttempt(message)) attempts += 1;
    return isAttempt(message) && attempts === 1 ? limited({}) : forward(message);
  };
}

/** Not broken: over a rate limit, the answer has `Retry-After`. */
export function limitOfASecond() {
  let attempts = 0;
  return async (message, forward) => {
    if (isAttempt(message)) attempts += 1;
    const isOver = isAttempt(message) && attempts === 1;
    return isOver ? limited({ "retry-after": "1" }) : forward(message);
  };
}

function limited(headers) {
  const body = Buffer.from('{"error":"rate_limited","retry":"same_key"}');
  return { status: 429, headers: { "cache-control": "no-store", ...headers }, body };
}
