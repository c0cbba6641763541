// The retry client: makes an operation once, with its idempotency key, and sends it until the outcome
// is definite. See `client.d.ts`.

/** @import * as Client from "./client.d.ts" */

export const ATTEMPTS = 2;
export const ATTEMPT_MS_MAX = 15_000;
export const BACKOFF_MS = 500;
export const BACKOFF_MS_MAX = 20_000;
export const RETRY_AFTER_S_MAX = 60;

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ACTOR_ID = /^[0-9a-f]{16}$/;
const MEMBERS = "actor,key,unanswered,url,values,version";

/** Rejections that did nothing. */
const NOTHING_DONE = [
  "rate_limited",
  "not_configured",
  "actor_required",
  "actor_changed",
  "internal_error",
];

export class OperationRejected extends Error {
  name = "OperationRejected";

  /** @param {Client.Operation} operation @param {Client.Rejection} answer @param {number} attempts */
  constructor(operation, answer, attempts) {
    super(`the operation was rejected: ${answer.error}`);
    this.operation = operation;
    this.answer = answer;
    this.attempts = attempts;
  }
}

export class OperationOpen extends Error {
  name = "OperationOpen";

  /**
   * @param {Client.Operation} operation @param {Client.Rejection | Client.Lost} answer
   * @param {number} attempts @param {number} retry_after_s @param {unknown} [cause]
   */
  constructor(operation, answer, attempts, retry_after_s, cause) {
    const reason = answer.kind === "lost" ? answer.reason : answer.error;
    super(`the outcome of the operation is unknown: ${reason}`, { cause });
    this.operation = operation;
    this.answer = answer;
    this.attempts = attempts;
    this.retry_after_s = retry_after_s;
    this.reason = reason;
  }
}

/** @type {typeof Client.isKey} */
export const isKey = (value) => typeof value === "string" && KEY.test(value);

/** @type {typeof Client.isActorId} */
export const isActorId = (value) => typeof value === "string" && ACTOR_ID.test(value);

/** @type {typeof Client.newOperation} */
export function newOperation(url, values, { key = crypto.randomUUID(), actor = null } = {}) {
  return valid({ version: 1, url, key, actor, values, unanswered: false });
}

/** @type {typeof Client.restoreOperation} */
export function restoreOperation(saved) {
  try {
    const text = typeof saved === "string" ? saved : JSON.stringify(saved);
    const value = JSON.parse(text, (_, part) => Object.freeze(part));
    const { version, url, key, actor, values, unanswered } = value;
    const fits =
      Object.keys(value).sort().join() === MEMBERS &&
      version === 1 &&
      typeof url === "string" &&
      isKey(key) &&
      (actor === null || isActorId(actor)) &&
      isObject(values) &&
      typeof unanswered === "boolean";
    return fits ? value : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value */
function valid(value) {
  const operation = restoreOperation(value);
  if (operation === null)
    throw new TypeError("expected an operation of newOperation or restoreOperation");
  return operation;
}

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @type {typeof Client.send} */
export async function send(operation, options = {}) {
  const { attempts = ATTEMPTS, random = Math.random, wait = pause, save = () => {} } = options;
  const { signal = new AbortController().signal } = options;
  let current = valid(operation);
  const headers = new Headers(options.headers);
  headers.set("Content-Type", "application/json");
  headers.set("Idempotency-Key", current.key);
  if (current.actor !== null) headers.set("Einmal-Actor", current.actor);
  const request = { method: "POST", headers, body: JSON.stringify(current.values) };

  for (let sent = 0, wait_ms = 0; ; ) {
    const before = current;
    try {
      if (sent > 0) await wait(wait_ms, signal);
      signal.throwIfAborted();
      current = Object.freeze({ ...before, unanswered: true });
      await save(current);
      signal.throwIfAborted();
    } catch (cause) {
      const reason = signal.aborted ? "aborted" : "unsent";
      throw new OperationOpen(before, { kind: "lost", reason }, sent, 0, cause);
    }

    sent += 1;
    const { answer, received, cause } = await fetchAnswer(current.url, request, signal, options);
    if (answer.kind === "outcome") {
      const { status, replayed } = /** @type {Client.Received} */ (received);
      const decided = { status, document: answer.outcome, replayed: replayed !== "false" };
      return { ...decided, attempts: sent, operation: current };
    }

    const isToBeFixed = answer.kind === "rejection" && answer.retry === "fix_request";
    if (isToBeFixed || (answer.kind === "rejection" && NOTHING_DONE.includes(answer.error))) {
      // An earlier attempt may have been decided.
      current = before;
    }
    try {
      await save(current);
    } catch {
      // It stays saved as `unanswered`, which is safe.
    }
    if (isToBeFixed && !current.unanswered) throw new OperationRejected(current, answer, sent);
    const retry_after_s = seconds(received?.retryAfter ?? "");
    if (sent >= attempts || signal.aborted || retry_after_s > RETRY_AFTER_S_MAX) {
      throw new OperationOpen(current, answer, sent, retry_after_s, cause);
    }
    const most_ms = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** (sent - 1));
    wait_ms = retry_after_s * 1000 + random() * most_ms;
  }
}

/** @type {typeof Client.fetchAnswer} */
export async function fetchAnswer(url, request, outer, options = {}) {
  const { timeout_ms = ATTEMPT_MS_MAX, fetch = globalThis.fetch, read = readAnswer } = options;
  const inner = new AbortController();
  const stopped = new Promise((_, reject) => {
    inner.signal.addEventListener("abort", () => reject(inner.signal.reason));
  });
  const abort = () => inner.abort("aborted");
  outer.addEventListener("abort", abort);
  const timer = setTimeout(() => inner.abort("no_answer"), timeout_ms);
  const exchange = async () => {
    // The service never redirects.
    const response = await fetch(url, { ...request, redirect: "manual", signal: inner.signal });
    return {
      status: response.status,
      type: response.headers.get("Content-Type") ?? "",
      replayed: response.headers.get("Idempotent-Replayed"),
      retryAfter: response.headers.get("Retry-After"),
      text: await response.text(),
    };
  };
  let received;
  try {
    // The race ends even if `fetch` ignores its signal.
    received = await Promise.race([exchange(), stopped]);
    return { received, answer: read(received) };
  } catch (cause) {
    const reason = inner.signal.reason ?? (received ? "unreadable" : "unreachable");
    return { received, answer: { kind: "lost", reason }, cause };
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", abort);
  }
}

/** @type {typeof Client.readAnswer} */
export function readAnswer({ status, type, replayed, text }) {
  try {
    const media = type.split(";")[0].trim().toLowerCase();
    const body = JSON.parse(text);
    if (media === "application/json" && /^(true|false)$/.test(replayed ?? "") && isObject(body)) {
      return { kind: "outcome", outcome: body };
    }
    const { error, retry } = body;
    if (
      media === "application/problem+json" &&
      body.status === status &&
      typeof error === "string" &&
      /^(same_key|fix_request)$/.test(retry)
    ) {
      return { kind: "rejection", error, retry };
    }
  } catch {}
  return { kind: "lost", reason: "unreadable" };
}

/** Retry-After in seconds, from either of its forms. @param {string} text */
function seconds(text) {
  if (/^\d+$/.test(text)) return Number(text);
  return Math.max(0, Math.ceil((Date.parse(text) - Date.now()) / 1000) || 0);
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
