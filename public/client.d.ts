// The shapes of client.js, and what they mean.
//
//   const operation = newOperation("/reserve", { workshop: "linocut", quantity: 1 });
//   const save = (one) => localStorage.setItem("operation", JSON.stringify(one));
//   const { document, replayed } = await send(operation, { save });

/** How often an operation is sent, unless `send` is told otherwise. */
export const ATTEMPTS: 2;

/** How long an attempt is waited for, from the sending to the last byte of its answer. */
export const ATTEMPT_MS_MAX: 15000;

/** The wait after attempt n is random, from 0 to this times 2 to the power of n - 1 … */
export const BACKOFF_MS: 500;

/** … but never to more than this. A `Retry-After` comes on top of it. */
export const BACKOFF_MS_MAX: 20000;

/** The longest `Retry-After` that `send` waits for. A longer one ends the attempts. */
export const RETRY_AFTER_S_MAX: 60;

/** One intended action, frozen. It is plain JSON: what is saved is this, as it stands. */
export interface Operation {
  /** Of this form of record. */
  readonly version: 1;
  /** Where it is sent. */
  readonly url: string;
  /** The Idempotency-Key: a UUID version 4. */
  readonly key: string;
  /**
   * The tag of the actor whose it is, of `GET /session`: 16 hexadecimal digits. The service
   * refuses it as anybody else's. null: it is whoever's sends it.
   */
  readonly actor: string | null;
  /** The members of the body. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Whether some attempt may have been decided without our hearing of it: set before each attempt,
   * and taken back only by an answer that says that the attempt did nothing.
   */
  readonly unanswered: boolean;
}

/** An HTTP answer as it came. A header that is not there is null, or an empty `type`. */
export interface Received {
  status: number;
  /** Content-Type. */
  type: string;
  /** Idempotent-Replayed. */
  replayed: string | null;
  /** Retry-After. */
  retryAfter: string | null;
  text: string;
}

/** Why the service decided nothing, or does not know what it decided. */
export interface Rejection {
  kind: "rejection";
  /** The stable code. */
  error: string;
  retry: "same_key" | "fix_request";
}

/** There was no answer of the service. */
export interface Lost {
  kind: "lost";
  /**
   * `unreachable`, `no_answer` in time, `unreadable`, `aborted`; or `unsent`: what comes before an
   * attempt has failed, see `cause`.
   */
  reason: string;
}

/** What came of one attempt. */
export type Answer = { kind: "outcome"; outcome: unknown } | Rejection | Lost;

export interface Options {
  /** How many attempts at most, 1 or more. */
  attempts?: number;
  /** For each attempt. */
  timeout_ms?: number;
  /** What is sent along, such as `Authorization`. */
  headers?: HeadersInit;
  /** Stops sending and waiting. */
  signal?: AbortSignal;
  /**
   * Keeps the operation. It is called, and waited for, before each attempt, and after it unless
   * there is an outcome. If it fails before an attempt, that attempt is not made.
   */
  save?: (operation: Operation) => unknown;
  /** How an answer is read: `readAnswer`, or a stricter one that knows the documents. */
  read?: (received: Received) => Answer;
  /** Makes the request. What it loses, it loses as fetch does: it rejects. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** From 0 to less than 1. */
  random?: () => number;
  /** Is over after so long, or when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** What was decided, for good. */
export interface Decided {
  /** The HTTP status. */
  status: number;
  /** The body. */
  document: unknown;
  /** Whether an earlier attempt had decided it. */
  replayed: boolean;
  /** How many were made. */
  attempts: number;
  /** As it was saved last. It need not be kept: there is nothing more to send. */
  operation: Operation;
}

/** Definite: nothing was done and nothing will be. What is asked for must be put right first. */
export class OperationRejected extends Error {
  constructor(operation: Operation, answer: Rejection, attempts: number);
  name: string;
  operation: Operation;
  answer: Rejection;
  /** How many were made. */
  attempts: number;
}

/** Not definite: it may have been done, or may still be. To go on, send `operation` again. */
export class OperationOpen extends Error {
  constructor(
    operation: Operation,
    answer: Rejection | Lost,
    attempts: number,
    retry_after_s: number,
    cause?: unknown,
  );
  name: string;
  /** To be kept and sent again, a second or a year later. */
  operation: Operation;
  /** What came of the last attempt. */
  answer: Rejection | Lost;
  /** How many were made. */
  attempts: number;
  /** How long the service asked to wait; 0: it did not say. */
  retry_after_s: number;
  /** The answer's code or reason. */
  reason: string;
}

/**
 * A new intention, with a key of its own. Make it once, when somebody wants it, before anything is
 * sent. What JSON cannot hold of the values is lost.
 * @throws {TypeError} if it would not be an operation
 */
export function newOperation(
  url: string,
  values: object,
  identity?: { key?: string; actor?: string | null },
): Operation;

/** An operation that was saved, or its JSON. null: it is none, or of another version. */
export function restoreOperation(saved: unknown): Operation | null;

/**
 * Sends an operation until what came of it is definite, or until the attempts run out. Definite is
 * an outcome; and a rejection that says `fix_request`, if every earlier attempt was answered.
 * Whatever comes, each attempt has the same key and the same bytes.
 * @throws {OperationRejected} if that is definite
 * @throws {OperationOpen} if nothing is
 * @throws {TypeError} if it is no operation, or the headers are none
 */
export function send(operation: Operation, options?: Options): Promise<Decided>;

/** Reads the answer of any service on this engine. */
export function readAnswer(received: Received): Answer;

/**
 * One request and its whole answer, in time, for what is not an operation of its own: a look-up, or
 * giving one up. Of the options it heeds `timeout_ms`, `fetch` and `read`. It never rejects.
 */
export function ask(
  url: string,
  request: RequestInit,
  signal: AbortSignal,
  options?: Options,
): Promise<{ answer: Answer; received?: Received; cause?: unknown }>;
