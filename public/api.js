// The service over HTTP, and its answers: see `Api` in `types.d.ts`.

import * as client from "./client.js";
import { hasForm, isWorkshopId, refusedForm, reservationForm, reservedForm } from "./forms.js";

/** Every rejection of the contract with its status. @type {Rejections} */
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

/** @param {import("./client.js").Received} received @returns {Answer} */
export function readAnswer({ status, type, retryAfter, replayed, text }) {
  const body = parse(text);
  const media = type.split(";")[0].trim().toLowerCase();
  if (media === "application/json") {
    const document = status === 200 ? readDocument(body) : null;
    if (document) return { kind: "document", document };
    if (hasForm(body, status === 201 ? reservedForm : refusedForm) && [201, 409].includes(status)) {
      const outcome = /** @type {Outcome} */ (body);
      return { kind: "outcome", outcome, replayed: replayed !== "false" };
    }
  }
  const { error, retry } = body;
  if (
    media === "application/problem+json" &&
    typeof error === "string" &&
    (retry === "same_key" || retry === "fix_request") &&
    REJECTIONS[retry][error] === status
  ) {
    const retry_after_s = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
    return { kind: "rejection", error, retry, retry_after_s };
  }
  return { kind: "lost", reason: "unreadable" };
}

/** The client does not know documents, and settles nothing by them. */
const read = /** @type {typeof client.readAnswer} */ (readAnswer);

/** @param {JsonObject} body @returns {OperationDocument | null} the members that the page needs */
function readDocument(body) {
  const { key, outcome, workshop, reservation } = /** @type {OperationDocument} */ (body);
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

/** An object of JSON, or an empty one. @param {string} text @returns {JsonObject} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** @type {Api} */
export const api = {
  async reserve({ key, actor, workshop, quantity }, { signal }) {
    const operation = client.newOperation("/reserve", { workshop, quantity }, { key, actor });
    try {
      // Only the person starts another attempt.
      const options = { attempts: 1, signal, read };
      const { document, replayed } = await client.send(operation, options);
      return { kind: "outcome", outcome: /** @type {Outcome} */ (document), replayed };
    } catch (error) {
      const { OperationOpen, OperationRejected } = client;
      if (error instanceof OperationOpen || error instanceof OperationRejected) {
        return /** @type {Answer} */ (error.answer);
      }
      throw error;
    }
  },

  abandon: ({ key, actor }, abort) =>
    fetchAnswer(`/operations/${key}/abandon`, actor, "POST", abort),

  cancel: ({ key, actor }) => fetchAnswer(`/operations/${key}/cancel`, actor, "POST"),

  lookUp: ({ key, actor }) => fetchAnswer(`/operations/${key}`, actor),

  async reservations(actor) {
    const { status, text } = await fetchText("/operations", { headers: headersOf(actor) });
    const list = parse(text).operations;
    if (status !== 200 || !Array.isArray(list)) throw new Error("no list");
    return list.flatMap((one) => {
      const { key, workshop, reservation } = readDocument(one ?? {}) ?? {};
      return key && workshop && reservation ? [{ key, actor, workshop, ...reservation }] : [];
    });
  },

  async session() {
    const { status, text } = await locked(() => fetchText("/session"));
    const { actor } = parse(text);
    if (status !== 200 || !client.isActorId(actor)) throw new Error("no session");
    return String(actor);
  },

  async endSession(actor) {
    const request = { method: "POST", headers: headersOf(actor) };
    const { status, text } = await locked(() => fetchText("/session/end", request));
    if (status !== 200 || parse(text).actor !== null) throw new Error("not ended");
  },

  async workshops() {
    const { status, text } = await fetchText("/workshops");
    const list = parse(text).workshops;
    if (status !== 200 || !Array.isArray(list)) throw new Error("no list");
    return list;
  },

  async workshop(id) {
    const { status, text } = await fetchText(`/workshops/${encodeURIComponent(id)}`);
    const body = parse(text);
    if (status === 404 && body.error === "unknown_workshop") return null;
    if (status !== 200 || body.id !== id) throw new Error("no workshop");
    return /** @type {Workshop} */ (body);
  },
};

/** @param {string | null} actor @returns {Record<string, string>} */
const headersOf = (actor) => (actor === null ? {} : { "Einmal-Actor": actor });

/**
 * Two tabs opened at once in a new browser must be one actor.
 * @template T @param {() => Promise<T>} run @returns {Promise<T>}
 */
const locked = (run) => navigator.locks.request("einmal-session", run);

/** @param {string} path @param {string | null} actor */
async function fetchAnswer(path, actor, method = "GET", { signal } = new AbortController()) {
  const request = { method, headers: headersOf(actor) };
  const { answer } = await client.fetchAnswer(path, request, signal, { read });
  return /** @type {Answer} */ (answer);
}

/** @param {string} path @param {RequestInit} request */
async function fetchText(path, request = {}) {
  const { signal } = new AbortController();
  const options = { ...request, cache: /** @type {const} */ ("no-store") };
  const { received, cause } = await client.fetchAnswer(path, options, signal);
  if (!received) throw cause;
  return received;
}
