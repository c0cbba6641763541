// What the two applications have in common: how they read a request and what they answer. They
// ask the same limiters as Einmal and write a line of log too; but their actor is fixed, so they
// verify no token.

export const ACTOR = "somebody";

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isKey = (text) => text != null && KEY.test(text);

/** The values of a body, or undefined if they are none. */
export function intentionOf(value) {
  const { workshop, quantity } = value ?? {};
  const valid = typeof workshop === "string" && (quantity === 1 || quantity === 2);
  return valid ? { workshop, quantity } : undefined;
}

/** Whether a limiter lets the request pass; it does where it is not bound. */
export async function allows(limiter, key) {
  return limiter === undefined || (await limiter.limit({ key })).success;
}

export const addressOf = (request) => request.headers.get("CF-Connecting-IP") ?? "";

/** One line of JSON a request. */
export function log(began, { status }) {
  console.log(JSON.stringify({ route: "/reserve", status, duration_ms: Date.now() - began }));
}

/** Tells one intention from another. */
export const fingerprintOf = ({ workshop, quantity }) => `${workshop} ${quantity}`;

export const UNAVAILABLE = JSON.stringify({ status: "unavailable" });

export const reservedBody = (id, quantity) =>
  JSON.stringify({ status: "reserved", reservation_id: id, quantity });

/** An outcome, the first time or again. */
export function outcome(status, body, replayed) {
  const headers = { "Content-Type": "application/json", "Idempotent-Replayed": String(replayed) };
  return new Response(body, { status, headers });
}

/** A rejection. */
export function problem(status, error) {
  const headers = { "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify({ status, error }), { status, headers });
}
