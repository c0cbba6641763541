// What the two applications share: reading a request and building a response. They call the same
// rate limiters as Einmal and log one line a request too; but their actor is fixed, so they verify
// no token.

export const ACTOR = "somebody";

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isKey = (text) => text != null && KEY.test(text);

/** The payload of a body, or undefined if it is invalid. */
export function payloadOf(value) {
  const { workshop, quantity } = value ?? {};
  const valid = typeof workshop === "string" && (quantity === 1 || quantity === 2);
  return valid ? { workshop, quantity } : undefined;
}

/** Whether the request is within the rate limit; without a binding it is. */
export async function allows(limiter, key) {
  return limiter === undefined || (await limiter.limit({ key })).success;
}

export const addressOf = (request) => request.headers.get("CF-Connecting-IP") ?? "";

/** One line of JSON a request. */
export function log(began, { status }) {
  console.log(JSON.stringify({ route: "/reserve", status, duration_ms: Date.now() - began }));
}

/** Equal for equal payloads. */
export const fingerprintOf = ({ workshop, quantity }) => `${workshop} ${quantity}`;

export const UNAVAILABLE = JSON.stringify({ status: "unavailable" });

export const reservedBody = (id, quantity) =>
  JSON.stringify({ status: "reserved", reservation_id: id, quantity });

/** An outcome, new or replayed. */
export function outcome(status, body, replayed) {
  const headers = { "Content-Type": "application/json", "Idempotent-Replayed": String(replayed) };
  return new Response(body, { status, headers });
}

/** A rejection. */
export function problem(status, error) {
  const headers = { "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify({ status, error }), { status, headers });
}
