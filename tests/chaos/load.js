// Concurrent clients that use the service and lose some of its responses.
//
// An operation is `{ actor, key, attempts }`: the attempts with one key and their responses.
// An attempt is `{ verb, workshop, quantity, fault, resend, sent, answered, answer }`. `sent` and
// `answered` are times of one logical clock: what was answered before another request was sent happened
// before it. `answered` is undefined without a response, and for an unknown outcome.

import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../support/random.js";
import { token } from "../support/tokens.js";
import { SECRET } from "../support/worker.js";

const ACTORS = ["t_anna", "t_beat", "t_cem", "t_dora", "t_emil", "t_fatma", "t_gian", "t_hana"];

/** Faults between the Worker and D1, as in tests/support/worker.js. */
const FAULTS = ["before", "after", "after,after", "before,before,before", "after,after,after"];
const RARE_FAULTS = [
  ...["bare", "storage", "updated", "unresolved", "late", "overloaded", "timeout", "unnamed"],
  ...["failed", "fewer", "nothing", "other"],
];

/** How long a request is repeated before it counts as unanswered. */
const RETRIES_MILLISECONDS_MAX = 90_000;
/** Timeout of a response, as on the page. */
const RESPONSE_MILLISECONDS_MAX = 15_000;

const ROUTES = {
  reserve: () => ["POST", "/reserve"],
  abandon: (key) => ["POST", `/operations/${key}/abandon`],
  cancel: (key) => ["POST", `/operations/${key}/cancel`],
  "look up": (key) => ["GET", `/operations/${key}`],
};

/**
 * Uses the service while `shouldContinue()`, then repeats the unanswered requests.
 * @param {object} how
 * @param {number} options.seed of the clients' choices; their interleaving is not deterministic
 * @param {number} options.concurrency clients at once
 * @param {string[]} options.workshops what they reserve in
 * @param {() => Promise<string>} options.origin where the service listens, once it does
 * @param {() => boolean} options.shouldContinue
 * @param {string} [options.fault] of every request, instead of various ones of a few
 * @returns `operations` and `seen`, the workshops as they were read, both growing; `now()`, the
 *   clock; `ended`
 */
export function startLoad({ seed, concurrency, workshops, origin, shouldContinue, fault }) {
  const operations = [];
  const seen = [];
  /** Requests without a response, to be repeated later. */
  const open = [];
  const authorizations = new Map();
  let clock = 0;

  async function client(chance) {
    while (shouldContinue()) await act(chance);
  }

  async function finish() {
    const chances = Array.from({ length: concurrency }, (_, n) => seeded(seed * 1_009 + n));
    await Promise.all(chances.map(client));
    const patient = { ...seeded(seed), random: () => 1 };
    while (open.length > 0) {
      await Promise.all(open.splice(0, concurrency).map((request) => send(request, patient)));
    }
  }

  function act(chance) {
    const { random, below, pick } = chance;
    if (open.length > 0 && random() < 0.1) {
      const [request] = open.splice(below(open.length), 1);
      return send(request, chance);
    }
    const some = random();
    if (some < 0.05) return readWorkshops();
    if (some < 0.5 || operations.length === 0) return begin(chance);
    // Mostly one of the newest, which may still be in flight.
    const among = random() < 0.7 ? Math.min(60, operations.length) : operations.length;
    const what = pick("again", "again", "again", "other", "abandon", "cancel", "cancel", "look up");
    return repeat(operations.at(-1 - below(among)), what, chance);
  }

  /** A new operation; sometimes with another request for it at the same time. */
  function begin(chance) {
    const operation = { actor: chance.pick(...ACTORS), key: chance.uuid(), attempts: [] };
    operation.values = { workshop: chance.pick(...workshops), quantity: 1 + chance.below(2) };
    operations.push(operation);
    const beside = chance.often(
      "",
      "again",
      "again, again, again",
      "other",
      "other, again",
      "abandon",
      "again, cancel",
    );
    const all = ["again", ...(beside === "" ? [] : beside.split(", "))];
    return Promise.all(all.map((what) => repeat(operation, what, chance)));
  }

  function repeat(operation, what, chance) {
    const { workshop, quantity } = operation.values;
    if (what === "again") return send({ operation, verb: "reserve", workshop, quantity }, chance);
    if (what !== "other") return send({ operation, verb: what }, chance);
    const other =
      chance.random() < 0.5
        ? { workshop, quantity: 3 - quantity }
        : { workshop: chance.pick(...workshops), quantity };
    return send({ operation, verb: "reserve", ...other }, chance);
  }

  /** Repeats one request until it is answered, or leaves it open for another client. */
  async function send(request, chance) {
    const { random, below, pick } = chance;
    const since = Date.now();
    while (Date.now() - since < RETRIES_MILLISECONDS_MAX) {
      const words =
        fault ?? (random() < 0.1 ? pick(...(random() < 0.8 ? FAULTS : RARE_FAULTS)) : undefined);
      // Some clients disconnect at once, while the request is in flight or has not arrived.
      const timeout_ms = random() < 0.03 ? below(20) : RESPONSE_MILLISECONDS_MAX;
      if (await attempt(request, words, timeout_ms)) return;
      if (random() < 0.2) {
        open.push(request);
        return;
      }
      await pause(below(200));
    }
  }

  /** One attempt; returns whether it was answered. */
  async function attempt(request, words, timeout_ms) {
    const { operation, verb, workshop, quantity } = request;
    const [method, path] = ROUTES[verb](operation.key);
    const headers = { Authorization: await authorization(operation.actor) };
    if (words !== undefined) headers.Fault = words;
    let body;
    if (verb === "reserve") {
      Object.assign(headers, {
        "Content-Type": "application/json",
        "Idempotency-Key": operation.key,
      });
      body = JSON.stringify({ workshop, quantity });
    }
    const where = await origin();
    clock += 1;
    const made = { verb, workshop, quantity, fault: words, resend: request.sent === true };
    Object.assign(made, { sent: clock, answered: undefined, answer: undefined });
    request.sent = true;
    operation.attempts.push(made);
    made.answer = await exchange(where + path, { method, headers, body }, timeout_ms);
    if (made.answer === undefined || made.answer.document?.error === "outcome_unknown")
      return false;
    clock += 1;
    made.answered = clock;
    return true;
  }

  async function readWorkshops() {
    const answer = await exchange(`${await origin()}/workshops`, {}, RESPONSE_MILLISECONDS_MAX);
    if (answer?.status === 200) seen.push(...answer.document.workshops);
  }

  async function authorization(actor) {
    if (!authorizations.has(actor)) {
      const claims = { sub: actor, aud: "einmal-token", exp: Math.floor(Date.now() / 1000) + 1e6 };
      authorizations.set(actor, `Bearer ${await token(claims, SECRET)}`);
    }
    return authorizations.get(actor);
  }

  return { operations, seen, now: () => clock, ended: finish() };
}

/** An answer that came whole, or undefined. */
async function exchange(url, request, timeout_ms) {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(timeout_ms) });
    const body = await response.text();
    return {
      status: response.status,
      replayed: response.headers.get("idempotent-replayed"),
      body,
      document: parsed(body),
    };
  } catch (error) {
    // No response or an incomplete one. Any other error is a defect of this program.
    if (error.name === "TimeoutError" || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The value of a JSON body, or undefined. */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
