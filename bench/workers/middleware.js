// A framework with an idempotency middleware, as commonly recommended: lock the key, run the handler,
// store the response under the key. The handler's insert is conditional, so that no place is
// reserved twice.
//
// If the request is lost between the handler and storing the response, the lock expires and the
// reservation remains without a receipt. The capacity is guaranteed, exactly once is not.

import { Hono } from "hono";
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

const LOCK_MILLISECONDS = 60_000;

const app = new Hono();

app.use(async (context, next) => {
  const began = Date.now();
  await next();
  log(began, context.res);
});

app.use(async (context, next) => {
  const within = await allows(context.env.ADDRESS_LIMIT, addressOf(context.req.raw));
  return within ? next() : problem(429, "rate_limited");
});

app.use("/reserve", async (context, next) => {
  const { DB, ACTOR_LIMIT } = context.env;
  const key = context.req.header("Idempotency-Key");
  if (!isKey(key)) return problem(400, "operation_id");
  const payload = payloadOf(await context.req.json().catch(() => undefined));
  if (payload === undefined) return problem(422, "request_contract");
  if (!(await allows(ACTOR_LIMIT, ACTOR))) return problem(429, "rate_limited");
  const fingerprint = fingerprintOf(payload);

  const now = Date.now();
  const lock = await DB.prepare(
    `INSERT INTO receipts (actor, key, fingerprint, locked_at_ms) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (actor, key) DO UPDATE SET locked_at_ms = ?4
     WHERE http_status IS NULL AND locked_at_ms < ?5
     RETURNING key`,
  )
    .bind(ACTOR, key, fingerprint, now, now - LOCK_MILLISECONDS)
    .first();
  if (lock === null) {
    const stored = await DB.prepare(
      "SELECT fingerprint, http_status, body FROM receipts WHERE actor = ?1 AND key = ?2",
    )
      .bind(ACTOR, key)
      .first();
    if (stored?.fingerprint !== fingerprint) return problem(409, "operation_conflict");
    if (stored.http_status === null) return problem(409, "in_progress");
    return outcome(stored.http_status, stored.body, true);
  }

  try {
    context.set("payload", payload);
    await next();
    const { status } = context.res;
    const body = await context.res.clone().text();
    await DB.prepare(
      "UPDATE receipts SET http_status = ?3, body = ?4 WHERE actor = ?1 AND key = ?2",
    )
      .bind(ACTOR, key, status, body)
      .run();
  } catch (error) {
    await DB.prepare("DELETE FROM receipts WHERE actor = ?1 AND key = ?2 AND http_status IS NULL")
      .bind(ACTOR, key)
      .run();
    throw error;
  }
});

app.post("/reserve", async (context) => {
  const { workshop, quantity } = context.get("payload");
  const id = crypto.randomUUID();
  const made = await context.env.DB.prepare(
    `INSERT INTO reservations (id, workshop, actor, quantity, created_at_ms)
     SELECT ?1, id, ?3, ?4, ?5
     FROM workshops
     WHERE id = ?2 AND capacity >= ?4 + (
       SELECT COALESCE(SUM(quantity), 0) FROM reservations WHERE workshop = ?2
     )
     RETURNING id`,
  )
    .bind(id, workshop, ACTOR, quantity, Date.now())
    .first();
  return made === null
    ? outcome(409, UNAVAILABLE, false)
    : outcome(201, reservedBody(id, quantity), false);
});

export default app;
