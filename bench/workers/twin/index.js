// The twin: Einmal's `POST /reserve` in JavaScript. The same statements from the same files, the
// same checks in the same order, the same calls of the limiters, the same line of log and the
// same headers, written for the platform as one would write it in JavaScript.
//
// Where JavaScript's own JSON cannot tell, neither can the twin: it takes the last of a
// repeated member. It has no other route.

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
import { intentionOf, operationKey, readBody } from "./request.js";
import { reserveBatch, valuesOf } from "./statements.js";

const FINGERPRINT_VERSION = 1;

const BATCH = reserveBatch({ writeReceipt, runEffect, readReceipt, decide, takePlaces });
const LOOK_UP = BATCH.slice(-1);

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
  // Hashes for the log and the fingerprint are made while something else is waited for.
  const tag = digest(actor).then((hash) => hash.slice(0, 16));
  log.actor = tag.then((text) => text.slice(0, 8));
  const expectedTag = headers.get("Einmal-Actor");
  if (expectedTag !== null && expectedTag !== (await tag)) return rejection("actor_changed");

  const type = headers.get("Content-Type")?.split(";", 1)[0].trim().toLowerCase();
  if (type !== "application/json") return rejection("content_type");
  const key = operationKey(headers.get("Idempotency-Key"));
  if (key === undefined) return rejection("operation_id");
  log.key = digest(key).then((hash) => hash.slice(0, 8));
  const body = await readBody(request);
  if (body.rejected !== undefined) return rejection(body.rejected);
  const intention = intentionOf(body.text);
  if (intention.rejected !== undefined) return rejection(intention.rejected, intention.detail);

  const { workshop, quantity } = intention;
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
    return (withinLimit ? BATCH : LOOK_UP).map((statement) =>
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
