// What most applications do: look up, check, count, insert, store, each a separate call of D1.
//
// Another request can take the place between counting and inserting, and this one can be lost between
// inserting and storing. Neither the capacity nor exactly once is guaranteed.

import {
  ACTOR,
  addressOf,
  allows,
  fingerprintOf,
  isKey,
  log,
  outcome,
  payloadOf,
  problem,
  reservedBody,
  UNAVAILABLE,
} from "./application.js";

export default {
  async fetch(request, env) {
    const began = Date.now();
    const response = await reserve(request, env);
    log(began, response);
    return response;
  },
};

async function reserve(request, { DB, ACTOR_LIMIT, ADDRESS_LIMIT }) {
  if (!(await allows(ADDRESS_LIMIT, addressOf(request)))) return problem(429, "rate_limited");
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || pathname !== "/reserve") return problem(404, "not_found");
  const key = request.headers.get("Idempotency-Key");
  if (!isKey(key)) return problem(400, "operation_id");
  const payload = payloadOf(await request.json().catch(() => undefined));
  if (payload === undefined) return problem(422, "request_contract");
  if (!(await allows(ACTOR_LIMIT, ACTOR))) return problem(429, "rate_limited");
  const { workshop, quantity } = payload;
  const fingerprint = fingerprintOf(payload);

  const stored = await DB.prepare(
    "SELECT fingerprint, http_status, body FROM receipts WHERE actor = ?1 AND key = ?2",
  )
    .bind(ACTOR, key)
    .first();
  if (stored !== null) {
    if (stored.fingerprint !== fingerprint) return problem(409, "operation_conflict");
    return outcome(stored.http_status, stored.body, true);
  }

  const found = await DB.prepare("SELECT capacity FROM workshops WHERE id = ?1")
    .bind(workshop)
    .first();
  if (found === null) return problem(404, "unknown_workshop");

  const { reserved } = await DB.prepare(
    "SELECT COALESCE(SUM(quantity), 0) AS reserved FROM reservations WHERE workshop = ?1",
  )
    .bind(workshop)
    .first();

  let [status, body] = [409, UNAVAILABLE];
  if (reserved + quantity <= found.capacity) {
    const id = crypto.randomUUID();
    await DB.prepare(
      `INSERT INTO reservations (id, workshop, actor, quantity, created_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)`,
    )
      .bind(id, workshop, ACTOR, quantity, Date.now())
      .run();
    [status, body] = [201, reservedBody(id, quantity)];
  }

  await DB.prepare(
    `INSERT INTO receipts (actor, key, fingerprint, locked_at_ms, http_status, body)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
  )
    .bind(ACTOR, key, fingerprint, Date.now(), status, body)
    .run();
  return outcome(status, body, false);
}
