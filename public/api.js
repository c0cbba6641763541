// The service over HTTP, and what an answer of it says: see `Api` in `types.d.ts`. It decides
// nothing: whether an answer settles an operation is `machine.js`'s to say.

import * as client from "./client.js";
import {
  hasForm,
  isTag,
  isWorkshopId,
  refusedForm,
  reservationForm,
  reservedForm,
} from "./saved.js";

/** Every rejection of the contract with its status, by what may be sent after it. */
const REJECTIONS = {
  fix_request: {
    not_found: 404,
    method_not_allowed: 405,
    cross_site: 403,
    content_type: 415,
    body_too_large: 413,
    operation_id: 400,
    malformed_body: 400,
    request_contract: 422,
    operation_conflict: 409,
    unknown_workshop: 404,
    unknown_operation: 404,
    nothing_to_cancel: 409,
  },
  same_key: {
    not_configured: 503,
    actor_required: 401,
    actor_changed: 403,
    rate_limited: 429,
    internal_error: 500,
    outcome_unknown: 503,
  },
};

/** What is not exactly an answer of the contract is lost. */
export function readAnswer({ status, type, retryAfter, replayed, text }) {
  const body = parse(text);
  const media = type.split(";")[0].trim().toLowerCase();
  if (media === "application/json") {
    const document = status === 200 ? readDocument(body) : null;
    if (document) return { kind: "document", document };
    const form = { 201: reservedForm, 409: refusedForm }[status];
    if (form && hasForm(body, form)) {
      return { kind: "outcome", outcome: body, replayed: replayed !== "false" };
    }
  }
  const { error, retry } = body;
  const statuses = REJECTIONS[retry] ?? {};
  if (media === "application/problem+json" && statuses[error] === status) {
    const retry_after_s = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
    return { kind: "rejection", error, retry, retry_after_s };
  }
  return { kind: "lost", reason: "unreadable" };
}

/** What the page needs of an operation's document; null: it is none. */
function readDocument({ key, outcome, workshop, reservation }) {
  if (typeof key !== "string") return null;
  if (reservation === null) {
    const known = isWorkshopId(workshop) ? workshop : null;
    return refusedForm.status(outcome) ? { key, outcome, workshop: known, reservation } : null;
  }
  const { id, quantity, state } = reservation ?? {};
  const read = { id, quantity, state };
  const fits = outcome === "reserved" && isWorkshopId(workshop) && hasForm(read, reservationForm);
  return fits ? { key, outcome, workshop, reservation: read } : null;
}

/** An object of JSON, or an empty one. */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** One attempt: sends the operation exactly as it is saved. */
export async function reserve({ key, actor, workshop, quantity }, { signal }) {
  const operation = client.newOperation("/reserve", { workshop, quantity }, { key, actor });
  try {
    // The next attempt is the person's.
    const options = { attempts: 1, signal, read: readAnswer };
    const { document, replayed } = await client.send(operation, options);
    return { kind: "outcome", outcome: document, replayed };
  } catch ({ answer }) {
    return answer;
  }
}

export function abandon({ key, actor }, abort) {
  return answerTo(`/operations/${key}/abandon`, actor, { method: "POST" }, abort);
}

export function cancel({ key, actor }) {
  return answerTo(`/operations/${key}/cancel`, actor, { method: "POST" });
}

export function lookUp({ key, actor }) {
  return answerTo(`/operations/${key}`, actor);
}

async function answerTo(path, actor, options = {}, { signal } = new AbortController()) {
  const request = { ...options, headers: { "Einmal-Actor": actor } };
  return (await client.ask(path, request, signal, { read: readAnswer })).answer;
}

export async function reservations(actor) {
  const { status, text } = await ask("/operations", { headers: { "Einmal-Actor": actor } });
  const list = parse(text).operations;
  if (status !== 200 || !Array.isArray(list)) throw new Error("no list");
  return list
    .map((one) => readDocument(one ?? {}))
    .filter((document) => document?.reservation)
    .map(({ key, workshop, reservation }) => ({ key, actor, workshop, ...reservation }));
}

/** By one tab at a time, so that two tabs that are opened at once in a new browser are one actor. */
export async function session() {
  const { status, text } = await navigator.locks.request("einmal-session", () => ask("/session"));
  const { actor } = parse(text);
  if (status !== 200 || !isTag(actor)) throw new Error("no session");
  return actor;
}

export async function endSession(actor) {
  const headers = actor === null ? {} : { "Einmal-Actor": actor };
  const { status, text } = await navigator.locks.request("einmal-session", () =>
    ask("/session/end", { method: "POST", headers }),
  );
  if (status !== 200 || parse(text).actor !== null) throw new Error("not ended");
}

export async function workshops() {
  const { status, text } = await ask("/workshops");
  const list = parse(text).workshops;
  if (status !== 200 || !Array.isArray(list)) throw new Error("no list");
  return list;
}

export async function workshop(id) {
  const { status, text } = await ask(`/workshops/${encodeURIComponent(id)}`);
  const body = parse(text);
  if (status === 404 && body.error === "unknown_workshop") return null;
  if (status !== 200 || body.id !== id) throw new Error("no workshop");
  return body;
}

async function ask(path, request = {}) {
  const { received, cause } = await client.ask(
    path,
    { ...request, cache: "no-store" },
    new AbortController().signal,
  );
  if (!received) throw cause;
  return received;
}
