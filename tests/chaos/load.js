// People and programs that use the service all at once, and never hear some of its answers.
//
// An operation is `{ actor, key, attempts }`: all that was sent for one key and what came back.
// An attempt is `{ verb, workshop, quantity, fault, resend, sent, answered, answer }`. `sent` and
// `answered` are moments of one count over the whole run: what was answered before something
// else was sent, happened before it. `answered` is missing where no answer was heard, and where it
// says no more than that the outcome is unknown.

import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../support/random.js";
import { token } from "../support/tokens.js";
import { SECRET } from "../support/worker.js";

const ACTORS = ["t_anna", "t_beat", "t_cem", "t_dora", "t_emil", "t_fatma", "t_gian", "t_hana"];

/** What happens between the Worker and D1, in the words of the stage. The usual ones come first. */
const FAULTS = ["before", "after", "after,after", "before,before,before", "after,after,after"];
const RARE_FAULTS = [
  ...["bare", "storage", "updated", "unresolved", "late", "overloaded", "timeout", "unnamed"],
  ...["failed", "fewer", "nothing", "other"],
];

/** How long one request is sent again for, before it counts as never answered. */
const TRIED_MILLISECONDS_MAX = 90_000;
/** How long an answer is waited for, as the page does. */
const WAITED_MILLISECONDS_MAX = 15_000;

const ROUTES = {
  reserve: () => ["POST", "/reserve"],
  abandon: (key) => ["POST", `/operations/${key}/abandon`],
  cancel: (key) => ["POST", `/operations/${key}/cancel`],
  "look up": (key) => ["GET", `/operations/${key}`],
};

/**
 * Uses the service while `goesOn()`, then sends again what is still unanswered.
 * @param {object} how
 * @param {number} how.seed of what the clients choose; how they get in each other's way is chance
 * @param {number} how.concurrency clients at once
 * @param {string[]} how.workshops what they reserve in
 * @param {() => Promise<string>} how.origin where the service listens, once it does
 * @param {() => boolean} how.goesOn
 * @param {string} [how.fault] of every request, instead of various ones of a few
 * @returns `operations` and `seen`, the workshops as they were read, both growing; `now()`, the
 *   moment; `ended`
 */
export function startLoad({ seed, concurrency, workshops, origin, goesOn, fault }) {
  const operations = [];
  const seen = [];
  /** Requests that somebody gave up waiting for. They are taken up again later. */
  const open = [];
  const authorizations = new Map();
  let moment = 0;

  async function client(chance) {
    while (goesOn()) await act(chance);
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
    // Mostly one of the newest, which may still be on its way.
    const among = random() < 0.7 ? Math.min(60, operations.length) : operations.length;
    const what = pick("again", "again", "again", "other", "abandon", "cancel", "cancel", "look up");
    return ask(operations.at(-1 - below(among)), what, chance);
  }

  /** A new operation; now and then with something else about it at the same moment. */
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
    return Promise.all(all.map((what) => ask(operation, what, chance)));
  }

  function ask(operation, what, chance) {
    const { workshop, quantity } = operation.values;
    if (what === "again") return send({ operation, verb: "reserve", workshop, quantity }, chance);
    if (what !== "other") return send({ operation, verb: what }, chance);
    const other =
      chance.random() < 0.5
        ? { workshop, quantity: 3 - quantity }
        : { workshop: chance.pick(...workshops), quantity };
    return send({ operation, verb: "reserve", ...other }, chance);
  }

  /** Sends one request until it is answered, or leaves it open for somebody to take up. */
  async function send(request, chance) {
    const { random, below, pick } = chance;
    const since = Date.now();
    while (Date.now() - since < TRIED_MILLISECONDS_MAX) {
      const words =
        fault ?? (random() < 0.1 ? pick(...(random() < 0.8 ? FAULTS : RARE_FAULTS)) : undefined);
      // Some hang up at once: their request is under way, or has not even arrived.
      const patience_ms = random() < 0.03 ? below(20) : WAITED_MILLISECONDS_MAX;
      if (await attempt(request, words, patience_ms)) return;
      if (random() < 0.2) {
        open.push(request);
        return;
      }
      await pause(below(200));
    }
  }

  /** One attempt; says whether it was answered. */
  async function attempt(request, words, patience_ms) {
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
    moment += 1;
    const made = { verb, workshop, quantity, fault: words, resend: request.sent === true };
    Object.assign(made, { sent: moment, answered: undefined, answer: undefined });
    request.sent = true;
    operation.attempts.push(made);
    made.answer = await hear(where + path, { method, headers, body }, patience_ms);
    if (made.answer === undefined || made.answer.document?.error === "outcome_unknown")
      return false;
    moment += 1;
    made.answered = moment;
    return true;
  }

  async function readWorkshops() {
    const answer = await hear(`${await origin()}/workshops`, {}, WAITED_MILLISECONDS_MAX);
    if (answer?.status === 200) seen.push(...answer.document.workshops);
  }

  async function authorization(actor) {
    if (!authorizations.has(actor)) {
      const claims = { sub: actor, aud: "einmal-token", exp: Math.floor(Date.now() / 1000) + 1e6 };
      authorizations.set(actor, `Bearer ${await token(claims, SECRET)}`);
    }
    return authorizations.get(actor);
  }

  return { operations, seen, now: () => moment, ended: finish() };
}

/** An answer that came whole, or undefined. */
async function hear(url, request, patience_ms) {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(patience_ms) });
    const body = await response.text();
    return {
      status: response.status,
      replayed: response.headers.get("idempotent-replayed"),
      body,
      document: parsed(body),
    };
  } catch (error) {
    // Nothing came, or not all of it. Anything else is a mistake of this program.
    if (error.name === "TimeoutError" || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What a body says, if it is JSON. */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
