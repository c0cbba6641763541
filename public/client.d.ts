// The shapes of client.js, and what they mean.
//
//   const operation = newOperation("/reserve", { workshop: "linocut", quantity: 1 });
//   const save = (one) => localStorage.setItem("operation", JSON.stringify(one));
//   const { document, replayed } = await send(operation, { save });

/** Default number of attempts. */
export const ATTEMPTS: 2;

/** Time limit of an attempt, from sending it to the last byte of its answer. */
export const ATTEMPT_MS_MAX: 15000;

/** Base of the exponential backoff with full jitter: attempt n is followed by 0 to 2^(n-1) times this. */
export const BACKOFF_MS: 500;

/** Maximum backoff. A `Retry-After` is added to it. */
export const BACKOFF_MS_MAX: 20000;

/** Maximum `Retry-After` that `send` waits for. A longer one ends the attempts. */
export const RETRY_AFTER_S_MAX: 60;

/** One intended action, frozen. Plain JSON: save it as it is. */
export interface Operation {
  /** Of the record's format. */
  readonly version: 1;
  readonly url: string;
  /** The Idempotency-Key: a UUID version 4. */
  readonly key: string;
  /**
   * The actor's id, from `GET /session`: 16 hexadecimal digits. The service rejects the operation
   * if it authenticates another actor. null: any actor may send it.
   */
  readonly actor: string | null;
  /** The members of the body. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Whether an attempt without an answer may have been decided. Set before each attempt, and taken
   * back only by an answer which states that the attempt did nothing.
   */
  readonly unanswered: boolean;
}

/** An HTTP answer. A missing header is null, or an empty `type`. */
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

/** An answer that decided nothing, or that does not know the outcome. */
export interface Rejection {
  kind: "rejection";
  /** The stable code. */
  error: string;
  retry: "same_key" | "fix_request";
}

/** There was no answer from the service. */
export interface Lost {
  kind: "lost";
  /**
   * `unreachable`, `no_answer` in time, `unreadable`, `aborted`; or `unsent`: `save` or `wait` has
   * failed before the attempt, see `cause`.
   */
  reason: string;
}

/** The result of one attempt. */
export type Answer = { kind: "outcome"; outcome: unknown } | Rejection | Lost;

export interface Options {
  /** Maximum number of attempts, 1 or more. */
  attempts?: number;
  /** Time limit of each attempt. */
  timeout_ms?: number;
  /** Additional headers, such as `Authorization`. */
  headers?: HeadersInit;
  /** Ends sending and waiting. */
  signal?: AbortSignal;
  /**
   * Saves the operation. Called and awaited before each attempt, and after it unless there is an
   * outcome. If it fails before an attempt, that attempt is not made.
   */
  save?: (operation: Operation) => unknown;
  /** Reads an answer. Default: `readAnswer`; a stricter one may know the documents. */
  read?: (received: Received) => Answer;
  /** Makes the request, and rejects as `fetch` does. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** From 0 to less than 1. */
  random?: () => number;
  /** Resolves after this time, or when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The outcome, which is final. */
export interface Decided {
  /** The HTTP status. */
  status: number;
  /** The body. */
  document: unknown;
  /** Whether an earlier attempt decided it. */
  replayed: boolean;
  /** How many were made. */
  attempts: number;
  /** As it was saved last. It can be deleted: nothing is left to send. */
  operation: Operation;
}

/** Definite: nothing was done and nothing will be. Correct the request, then make a new operation. */
export class OperationRejected extends Error {
  constructor(operation: Operation, answer: Rejection, attempts: number);
  name: string;
  operation: Operation;
  answer: Rejection;
  /** How many were made. */
  attempts: number;
}

/** Not definite: it may have been carried out, or may still be. To go on, send `operation` again. */
export class OperationOpen extends Error {
  constructor(
    operation: Operation,
    answer: Rejection | Lost,
    attempts: number,
    retry_after_s: number,
    cause?: unknown,
  );
  name: string;
  /** Keep it, and send it again: a second or a year later. */
  operation: Operation;
  /** The result of the last attempt. */
  answer: Rejection | Lost;
  /** How many were made. */
  attempts: number;
  /** Seconds of `Retry-After`; 0: none. */
  retry_after_s: number;
  /** The answer's code or reason. */
  reason: string;
}

/** Whether this is an idempotency key: a UUID version 4, in lower case. */
export function isKey(value: unknown): boolean;

/** Whether this is an actor's id: 16 hexadecimal digits, in lower case. */
export function isActorId(value: unknown): boolean;

/**
 * A new operation with a key of its own. Make it once for each intention, before anything is sent.
 * Values that JSON cannot represent are lost.
 * @throws {TypeError} if the URL, the values or the identity do not fit
 */
export function newOperation(
  url: string,
  values: object,
  identity?: { key?: string; actor?: string | null },
): Operation;

/** A saved operation, or its JSON. null: it does not fit, or is of another version. */
export function restoreOperation(saved: unknown): Operation | null;

/**
 * Sends an operation until the result is definite, or the attempts run out. An outcome is definite.
 * So is a rejection with `fix_request`, unless an earlier attempt is unanswered. Every attempt has
 * the same key and the same bytes.
 * @throws {OperationRejected} if the rejection is definite
 * @throws {OperationOpen} if the outcome is unknown
 * @throws {TypeError} if the operation or the headers are invalid
 */
export function send(operation: Operation, options?: Options): Promise<Decided>;

/** Reads an answer of any service on this engine. */
export function readAnswer(received: Received): Answer;

/**
 * One request and its whole answer within the time limit, for anything but an operation: a look-up,
 * or abandoning one. Uses the options `timeout_ms`, `fetch` and `read`. Never rejects.
 */
export function fetchAnswer(
  url: string,
  request: RequestInit,
  signal: AbortSignal,
  options?: Options,
): Promise<{ answer: Answer; received?: Received; cause?: unknown }>;
