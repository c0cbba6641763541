// What the page knows about its operation, as a pure state machine: `step(state, event)`
// gives the next state and the effects to carry out. Not here: the DOM, fetch, the clock,
// storage, randomness. They come in as events and go out as effects.
//
// The state that matters is `open`: the person asked, and no definite answer is here. There
// is no way out of it but an answer. Nothing is ever sent but by the person's own action.

/** How long a Retry-After is believed, in seconds. Whoever waits longer may try all the same. */
export const WAIT_S_MAX = 3600;

/** @import {Effect, Operation, State} from "./types.js" */

/** @type {State} */
export const initial = Object.freeze({
  name: "starting",
  actor: null,
  operation: null,
  phase: null,
  attempt: 0,
  unanswered_before: false,
  fresh: false,
  ending: false,
  problem: null,
  notice: null,
});

/**
 * @param {State} state
 * @param {{type: string} & Record<string, any>} event one of `events` below; one that means
 *   nothing in this state is ignored
 * @returns {{state: State, effects: Effect[]}}
 */
export function step(state, event) {
  const ignored = { state, effects: [] };
  if (state.ending && !["load", "session", "ended", "end_failed"].includes(event.type)) {
    return ignored;
  }
  return events[event.type](state, event) ?? ignored;
}

/** A step is `to(…)`, or nothing if the event is ignored. */
const events = {
  /**
   * The page was opened, or came back from the back/forward cache: what is saved counts.
   * `{operation, problem, workshop, now_ms}`; `workshop` is the one the address asks for.
   */
  load(state, { operation, problem, workshop, now_ms }) {
    const anew = { ending: false, notice: null, problem: null };
    if (problem) return to(state, "unprepared", { ...anew, problem, operation: null });
    // An open operation is shown whatever the address says; a settled one blocks nothing.
    if (!operation || (operation.result && operation.workshop !== workshop)) {
      return to(state, "ready", { ...anew, operation: null });
    }
    const wait_ms = (operation.wait_until_ms ?? 0) - now_ms;
    const waits = wait_ms > 0 && wait_ms <= WAIT_S_MAX * 1000;
    const loaded = { ...operation, wait_until_ms: waits ? operation.wait_until_ms : null };
    return showOperation({ ...state, ...anew }, loaded);
  },

  /** The person reserves: `{key, workshop, quantity}`, the key made for this. */
  submit(state, { key, workshop, quantity }) {
    if (state.name !== "ready") return;
    const operation = {
      version: 1,
      key,
      actor: null,
      workshop,
      quantity,
      unanswered: false,
      reason: null,
      wait_until_ms: null,
      result: null,
    };
    const { state: next, effects } = attempt(state, operation);
    const save = next.phase === "session" ? [{ type: "save", operation }] : [];
    return { state: { ...next, fresh: true }, effects: [...save, ...effects] };
  },

  /** The person tries the open operation again. */
  retry(state) {
    if (state.name === "open" && state.operation.wait_until_ms === null) {
      return attempt(state, state.operation);
    }
  },

  /** The browser refused to keep what must be kept before anything is sent. */
  save_failed(state) {
    if (state.name !== "sending") return;
    if (state.fresh) return to(state, "unprepared", { operation: null, problem: "storage" });
    const operation = { ...state.operation, unanswered: state.unanswered_before };
    return to(state, "open", { operation: { ...operation, reason: "storage" } });
  },

  /** The service said who we are: `{actor}`. */
  session(state, { actor }) {
    const known = { ...state, actor };
    const { name, phase, operation } = known;
    if (name === "sending") {
      return phase === "session" ? attempt(known, operation) : { state: known, effects: [] };
    }
    const belongs = operation === null || operation.actor === null || operation.actor === actor;
    if (belongs !== (name === "other")) return { state: known, effects: [] };
    return belongs ? showOperation(known, operation) : to(known, "other");
  },

  /** The service could not be asked who we are. */
  session_failed(state) {
    if (state.name === "sending" && state.phase === "session") {
      return open(state, { ...state.operation, reason: "unreachable" });
    }
  },

  /** What came of an attempt: `{attempt, answer, now_ms}`, the answer as `api.js` reads it. */
  answer(state, { attempt: number, answer, now_ms }) {
    if (state.name !== "sending" || state.phase !== "request" || number !== state.attempt) return;
    const { operation } = state;
    // If the answer says that this attempt did nothing: only earlier ones may still have.
    const undone = { ...operation, unanswered: state.unanswered_before };
    if (answer.kind === "outcome" && isFor(operation, answer.outcome)) {
      return settle(state, { ...operation, unanswered: false, result: answer.outcome });
    }
    if (answer.kind !== "rejection") {
      return open(state, { ...operation, reason: answer.reason ?? "unreadable" });
    }
    const { error, retry, retry_after_s } = answer;
    if (retry === "fix_request" && !undone.unanswered) {
      return settle(state, { ...undone, result: { status: "rejected", error } });
    }
    const seconds = Math.min(retry_after_s ?? 0, WAIT_S_MAX);
    const wait_until_ms = seconds > 0 ? now_ms + seconds * 1000 : null;
    switch (error) {
      case "actor_changed": {
        const saved = { ...undone, reason: error };
        const next = to({ ...state, actor: null }, "other", { operation: saved });
        return withEffects(next, { type: "save", operation: saved }, { type: "session" });
      }
      case "actor_required":
        return open({ ...state, actor: null }, { ...undone, reason: error });
      case "outcome_unknown":
        // It answered, but not what became of it.
        return open(state, { ...operation, reason: error, wait_until_ms });
      default:
        return open(state, { ...undone, reason: error, wait_until_ms });
    }
  },

  /** The time that the service asked for is over. It enables, and sends nothing. */
  waited(state) {
    if (state.name !== "open" || state.operation.wait_until_ms === null) return;
    return to(state, "open", { operation: { ...state.operation, wait_until_ms: null } });
  },

  /** After a reservation, the person wants one more: a new intention. */
  again(state) {
    if (state.name === "reserved") return beginAnew(state, { type: "erase" });
  },

  /** After a refusal, the person chooses anew: a new intention. */
  change(state) {
    if (state.name === "unavailable" || state.name === "rejected") {
      return beginAnew(state, { type: "erase" });
    }
  },

  /** The person puts away what belongs to somebody else. It stays in the tab, beside the way. */
  put_aside(state) {
    if (state.name === "other") return beginAnew(state, { type: "put_aside" });
  },

  /** The person makes somebody else's operation, of which nothing was done, their own. */
  take_over(state) {
    if (!mayTakeOver(state)) return;
    return attempt(state, { ...state.operation, actor: null });
  },

  /** The person wants to be forgotten on this device. */
  forget(state) {
    if (state.name === "sending" || state.name === "starting") return;
    const next = { ...state, ending: true, notice: null };
    return { state: next, effects: [{ type: "end_session" }] };
  },

  /** The session has ended: nothing of this person stays in the tab. */
  ended(state) {
    if (!state.ending) return;
    const forgotten = { ending: false, actor: null, operation: null, notice: "forgotten" };
    const name = state.name === "unprepared" ? "unprepared" : "ready";
    return withEffects(to(state, name, forgotten), { type: "erase_all" });
  },

  /** The service did not confirm that the session has ended: everything stays. */
  end_failed(state) {
    if (state.ending) return to(state, state.name, { ending: false, notice: "not_forgotten" });
  },
};

/** The names of all events. */
export const eventTypes = Object.freeze(Object.keys(events));

/** Whether nothing was done under the other identity, so that this person may go on with it. */
export function mayTakeOver({ name, operation }) {
  return name === "other" && operation.result === null && !operation.unanswered;
}

/** Whether an outcome can be the receipt of this operation. */
function isFor(operation, outcome) {
  return outcome.status !== "reserved" || outcome.quantity === operation.quantity;
}

/** Sends the operation as it is saved, once it is known who sends it. */
function attempt(state, operation) {
  if (state.actor === null) {
    const next = to(state, "sending", { operation, phase: "session" });
    return withEffects(next, { type: "session" });
  }
  if (operation.actor !== null && operation.actor !== state.actor) {
    return to(state, "other", { operation });
  }
  const number = state.attempt + 1;
  const sent = {
    ...operation,
    actor: state.actor,
    unanswered: true,
    reason: null,
    wait_until_ms: null,
  };
  const next = to(state, "sending", {
    operation: sent,
    phase: "request",
    attempt: number,
    unanswered_before: operation.unanswered,
  });
  return withEffects(
    next,
    { type: "save", operation: sent },
    { type: "send", operation: sent, attempt: number },
  );
}

/** The state that a saved operation stands for. */
function showOperation(state, operation) {
  if (operation.actor !== null && state.actor !== null && operation.actor !== state.actor) {
    return to(state, "other", { operation });
  }
  const next = to(state, operation.result?.status ?? "open", { operation });
  const until_ms = operation.result ? null : operation.wait_until_ms;
  return until_ms === null ? next : withEffects(next, { type: "wait", until_ms });
}

function open(state, operation) {
  const { state: next, effects } = showOperation(state, operation);
  return { state: next, effects: [{ type: "save", operation }, ...effects] };
}

function settle(state, operation) {
  return withEffects(showOperation(state, operation).state, { type: "save", operation });
}

function beginAnew(state, effect) {
  return withEffects(to(state, "ready", { operation: null }), effect);
}

function to(state, name, changes = {}) {
  const plain = { phase: null, unanswered_before: false, fresh: false, notice: null };
  return { state: { ...state, ...plain, name, ...changes }, effects: [] };
}

function withEffects(next, ...effects) {
  const state = next.state ?? next;
  return { state, effects: [...(next.effects ?? []), ...effects] };
}
