// The JavaScript port of Einmal's `POST /reserve`: the same statements from the same files, the same
// checks in the same order, the same calls of the rate limiters, the same log line and the same
// headers, in idiomatic JavaScript.
//
// JSON.parse does not report a repeated member, so the port accepts its last value. It has no other
// route.

import decide from "sql/decide.sql";
import readReceipt from "sql/read_receipt.sql";
import runEffect from "sql/run_effect.sql";
import takePlaces from "sql/take_places.sql";
import writeReceipt from "sql/write_receipt.sql";
import { run } from "./database.js";
import { digest, fingerprintOf } from "./hashes.js";
import { authenticate, isSameSite, secretsOf } from "./identity.js";
import { addressBlock, allows } from "./limits.js";
import { rejection } from "./rejections.js";
import { operationKey, payloadOf, readBody } from "./request.js";
import { reserveBatch, valuesOf } from "./statements.js";

const FINGERPRINT_VERSION = 1;

const BATCH = reserveBatch({ writeReceipt, runEffect, readReceipt, decide, takePlaces });
const READ_RECEIPT = BATCH.slice(-1);

const ALWAYS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

export default {
  async fetch(request, env) {
    const began = Date.now();
    const log = { d1_calls: 0, rows_read: 0, rows_written: 0 };
    const answer = await route(request, env, log);
    const [actor, key] = await Promise.all([log.actor, log.key]);
    console[log.isError ? "error" : "log"](
      JSON.stringify({
        route: log.route,
        status: answer.status,
        outcome: answer.outcome,
        replayed: answer.replayed,
        actor,
        key,
        duration_ms: Date.now() - began,
        d1_calls: log.d1_calls,
        rows_read: log.rows_read,
        rows_written: log.rows_written,
        cause: log.cause,
      }),
    );
    const headers = { "Content-Type": answer.type ?? "application/json", ...ALWAYS };
    if (answer.replayed !== undefined) headers["Idempotent-Replayed"] = String(answer.replayed);
    if (answer.retryAfter !== undefined) headers["Retry-After"] = answer.retryAfter;
    if (answer.allow !== undefined) headers.Allow = answer.allow;
    if (answer.status === 401) headers["WWW-Authenticate"] = "Bearer";
    return new Response(answer.body, { status: answer.status, headers });
  },
};

async function route(request, env, log) {
  const { url, method, headers } = request;
  log.route = "any";
  const address = headers.get("CF-Connecting-IP");
  if (address !== null && !(await allows(env.ADDRESS_LIMIT, addressBlock(address)))) {
    return rejection("rate_limited");
  }
  const path = url.slice(url.indexOf("/", url.indexOf("://") + 3)).split(/[?#]/, 1)[0];
  if (path !== "/reserve") {
    log.route = "other";
    return rejection("not_found");
  }
  log.route = "/reserve";
  if (method !== "POST") return { ...rejection("method_not_allowed"), allow: "POST" };
  if (!isSameSite(headers, url)) return rejection("cross_site");
  return reserve(request, env, log);
}

async function reserve(request, env, log) {
  const { headers } = request;
  const secrets = secretsOf(env);
  if (env.DB === undefined || secrets.length === 0) return rejection("not_configured");
  const { actor, unauthenticated } = await authenticate(headers, secrets);
  if (actor === undefined) {
    log.cause = `unauthenticated: ${unauthenticated}`;
    return rejection("actor_required");
  }
  // Hashes are computed concurrently with other work.
  const actorId = digest(actor).then((hash) => hash.slice(0, 16));
  log.actor = actorId.then((text) => text.slice(0, 8));
  const expectedId = headers.get("Einmal-Actor");
  if (expectedId !== null && expectedId !== (await actorId)) return rejection("actor_changed");

  const type = headers.get("Content-Type")?.split(";", 1)[0].trim().toLowerCase();
  if (type !== "application/json") return rejection("content_type");
  const key = operationKey(headers.get("Idempotency-Key"));
  if (key === undefined) return rejection("operation_id");
  log.key = digest(key).then((hash) => hash.slice(0, 8));
  const body = await readBody(request);
  if (body.rejected !== undefined) return rejection(body.rejected);
  const payload = payloadOf(body.text);
  if (payload.rejected !== undefined) return rejection(payload.rejected, payload.detail);

  const { workshop, quantity } = payload;
  const hash = fingerprintOf(workshop, quantity);
  const withinLimit = await allows(env.ACTOR_LIMIT, actor);
  const random = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const [attempt, reservation_id] = [random.slice(0, 32), random.slice(32)];
  const fingerprint = await hash;
  const values = {
    ...{ actor, key, workshop, quantity, reservation_id, fingerprint },
    fingerprint_version: FINGERPRINT_VERSION,
    now_ms: Date.now(),
    responses: responsesOf(reservation_id, quantity),
  };
  const batch = (send) => {
    const all = { ...values, send_id: `${attempt}-${send}` };
    return (withinLimit ? BATCH : READ_RECEIPT).map((statement) =>
      env.DB.prepare(statement.text).bind(...valuesOf(statement, all)),
    );
  };
  const { rejected, row } = await run(env.DB, batch, log);
  if (rejected !== undefined) return rejection(rejected);
  if (row === undefined) return rejection(withinLimit ? "unknown_workshop" : "rate_limited");
  const replayed = !row.send_id.startsWith(`${attempt}-`);
  if (row.fingerprint_version !== null) {
    if (row.fingerprint_version !== FINGERPRINT_VERSION) return rejection("outcome_unknown");
    if (replayed && row.fingerprint !== fingerprint) return rejection("operation_conflict");
  }
  return { status: row.http_status, outcome: row.outcome, replayed, body: row.body };
}

/** For each outcome its status and body. */
function responsesOf(reservation_id, quantity) {
  const reserved = { status: "reserved", reservation_id, quantity };
  const unavailable = { status: "unavailable" };
  return JSON.stringify({
    reserved: { status: 201, body: JSON.stringify(reserved) },
    unavailable: { status: 409, body: JSON.stringify(unavailable) },
  });
}
