// The service over HTTP, and what an answer of it says. It decides nothing: whether an answer
// settles an operation is `machine.js`'s to say.

/** @import {Answer, Operation, Workshop} from "./types.js" */

/** How long an answer is waited for, from the sending to its last byte. */
export const ANSWER_MS_MAX = 15_000;

/** Every rejection of the contract: its status, and what may be sent after it. */
const REJECTIONS = {
  not_found: [404, "fix_request"],
  method_not_allowed: [405, "fix_request"],
  cross_site: [403, "fix_request"],
  not_configured: [503, "same_key"],
  content_type: [415, "fix_request"],
  body_too_large: [413, "fix_request"],
  actor_required: [401, "same_key"],
  actor_changed: [403, "same_key"],
  operation_id: [400, "fix_request"],
  malformed_body: [400, "fix_request"],
  request_contract: [422, "fix_request"],
  operation_conflict: [409, "fix_request"],
  rate_limited: [429, "same_key"],
  unknown_workshop: [404, "fix_request"],
  outcome_unknown: [503, "same_key"],
};

/**
 * Reads the answer to an attempt. What is not exactly an answer of the contract is lost.
 * @param {{status: number, type: string, retryAfter: string | null, text: string}} response
 * @returns {Answer}
 */
export function readAnswer({ status, type, retryAfter, text }) {
  const body = parse(text);
  const media = type.split(";")[0].trim().toLowerCase();
  if (media === "application/json") {
    const { status: word, reservation_id, quantity } = body;
    const members = Object.keys(body).length;
    const isReserved =
      word === "reserved" && isHex(reservation_id, 32) && (quantity === 1 || quantity === 2);
    if (
      (status === 201 && isReserved && members === 3) ||
      (status === 409 && word === "unavailable" && members === 1)
    ) {
      return { kind: "outcome", outcome: body };
    }
  }
  if (media === "application/problem+json" && Object.hasOwn(REJECTIONS, body.error)) {
    const { error, retry } = body;
    const [expectedStatus, expectedRetry] = REJECTIONS[error];
    if (status === expectedStatus && retry === expectedRetry) {
      const retry_after_s = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
      return { kind: "rejection", error, retry, retry_after_s };
    }
  }
  return { kind: "lost", reason: "unreadable" };
}

const isHex = (value, digits) =>
  typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value);

/** An object of JSON, or an empty one. */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * One attempt: sends the operation exactly as it is saved.
 * @param {Operation} operation
 * @param {AbortController} abort gives the attempt up
 * @returns {Promise<Answer>} never rejects
 */
export async function send({ key, actor, workshop, quantity }, abort) {
  const headers = {
    "Content-Type": "application/json",
    "Idempotency-Key": key,
    "Einmal-Actor": actor,
  };
  const body = JSON.stringify({ workshop, quantity });
  try {
    return readAnswer(await ask("/reserve", { method: "POST", headers, body }, abort));
  } catch {
    return { kind: "lost", reason: abort.signal.aborted ? "no_answer" : "unreachable" };
  }
}

/**
 * Who we are to the service. Asked by one tab at a time, so that two tabs that are opened at
 * once in a new browser end as one actor.
 * @returns {Promise<string>} the actor's tag
 * @throws if the service does not say it
 */
export async function session() {
  const { status, text } = await navigator.locks.request("einmal-session", () => ask("/session"));
  const { actor } = parse(text);
  if (status !== 200 || !isHex(actor, 16)) throw new Error("no session");
  return actor;
}

/** Ends the session of this browser, for the actor with this tag; throws as `session` does. */
export async function endSession(actor) {
  const headers = actor === null ? {} : { "Einmal-Actor": actor };
  const { status, text } = await navigator.locks.request("einmal-session", () =>
    ask("/session/end", { method: "POST", headers }),
  );
  if (status !== 200 || parse(text).actor !== null) throw new Error("not ended");
}

/** @returns {Promise<Workshop[]>} what is on offer */
export async function workshops() {
  const { status, text } = await ask("/workshops");
  const list = parse(text).workshops;
  if (status !== 200 || !Array.isArray(list)) throw new Error("no list");
  return list;
}

/** @returns {Promise<Workshop | null>} null: it is not on offer */
export async function workshop(id) {
  const { status, text } = await ask(`/workshops/${encodeURIComponent(id)}`);
  const body = parse(text);
  if (status === 404 && body.error === "unknown_workshop") return null;
  if (status !== 200 || body.id !== id) throw new Error("no workshop");
  return body;
}

/** One request and its whole answer, or an error after `ANSWER_MS_MAX`. */
async function ask(path, options = {}, abort = new AbortController()) {
  const timer = setTimeout(() => abort.abort(), ANSWER_MS_MAX);
  try {
    const response = await fetch(path, {
      ...options,
      cache: "no-store",
      redirect: "error",
      signal: abort.signal,
    });
    return {
      status: response.status,
      type: response.headers.get("Content-Type") ?? "",
      retryAfter: response.headers.get("Retry-After"),
      text: await response.text(),
    };
  } finally {
    clearTimeout(timer);
  }
}
