// What the page knows about its operation: `step(state, event)` gives the next state and the
// effects to carry out. Pure: no DOM, fetch, clock, storage, randomness. `types.d.ts` says what
// states, events and effects mean.
//
// The state that matters is `open`: the person asked, and no definite answer is here. There is no
// way out of it but an answer. Nothing is sent but by the person's own action; looking something up
// executes nothing.

/** A longer Retry-After is not believed. */
export const WAIT_S_MAX = 3600;

/** @type {import("./types.js").State} */
export const initial = Object.freeze({
  name: "starting",
  actor: null,
  operation: null,
  phase: null,
  doing: null,
  attempt: 0,
  unanswered_before: false,
  fresh: false,
  cancels: {},
  ending: false,
  problem: null,
  notice: null,
});

/** @type {import("./types.js").Step} */
export function step(state, event) {
  const heard = ["load", "session", "cancel_answer", "ended", "end_failed"];
  const isHeard = !state.ending || heard.includes(event.type);
  return (isHeard && events[event.type](state, event)) || quiet(state);
}

/** @type {import("./types.js").Steps} */
const events = {
  load(state, { operation, problem, workshop, now_ms }) {
    const anew = { ending: false, notice: null, problem: null, cancels: {} };
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
    return attempt(state, operation, { fresh: true });
  },

  listed(state, { places }) {
    if (state.name !== "sending" || state.phase !== "list") return;
    const { operation, fresh } = state;
    if (places === 0) return attempt(state, operation, { fresh, sure: true });
    return withEffects(to(state, "asking", { operation, fresh }), { type: "ask", places });
  },

  asked(state, { sure }) {
    const { name, operation, fresh } = state;
    if (name !== "asking") return;
    if (sure) return attempt(state, operation, { fresh, sure });
    return beginAnew(state, ...(fresh ? [] : [{ type: "erase" }]));
  },

  retry(state) {
    if (mayTry(state)) return attempt(state, state.operation);
  },

  abandon(state) {
    if (mayTry(state)) return attempt(state, state.operation, { doing: "abandon" });
  },

  save_failed(state) {
    // What was decided is looked up all the same.
    if (state.name === "looking") return showOperation(state, state.operation);
    if (state.name !== "sending") return;
    if (state.fresh) return to(state, "unprepared", { operation: null, problem: "storage" });
    const operation = { ...state.operation, unanswered: state.unanswered_before };
    return to(state, "open", { operation: { ...operation, reason: "storage" } });
  },

  session(state, { actor }) {
    const known = { ...state, actor };
    const { name, phase, operation } = known;
    if (name === "sending") {
      const { doing } = known;
      return phase === "session" ? attempt(known, operation, { doing }) : quiet(known);
    }
    const belongs = operation === null || operation.actor === null || operation.actor === actor;
    if (!belongs) return name === "other" ? quiet(known) : to(known, "other");
    return ["other", "looking"].includes(name) ? showOperation(known, operation) : quiet(known);
  },

  session_failed(state) {
    if (state.name === "sending" && state.phase === "session") {
      return open(state, { ...state.operation, reason: "unreachable" });
    }
    if (state.name === "looking") return to(state, "unsure");
  },

  answer(state, { attempt: number, answer, now_ms }) {
    if (state.name !== "sending" || state.phase !== "request" || number !== state.attempt) return;
    const { operation } = state;
    // For an answer that says that this attempt did nothing: earlier ones may have.
    const undone = { ...operation, unanswered: state.unanswered_before };
    const { outcome } = answer;
    // A receipt is for what was asked.
    if (outcome && (outcome.quantity ?? operation.quantity) === operation.quantity) {
      const settled = { ...operation, unanswered: false, result: outcome };
      // A receipt of before says what was decided then, not what is true now.
      return answer.replayed ? open(state, settled) : settle(state, settled);
    }
    if (answer.document?.key === operation.key) {
      return settleAs(state, answer.document, "kept");
    }
    if (answer.kind !== "rejection") {
      return open(state, { ...operation, reason: answer.reason ?? "unreadable" });
    }
    const { error, retry, retry_after_s } = answer;
    if (retry === "fix_request" && !undone.unanswered && state.doing === "reserve") {
      return settle(state, { ...undone, result: { status: "rejected", error } });
    }
    const seconds = Math.min(retry_after_s ?? 0, WAIT_S_MAX);
    const wait_until_ms = seconds > 0 ? now_ms + seconds * 1000 : null;
    // `outcome_unknown` does not say that the attempt did nothing.
    const heard = error === "outcome_unknown" ? operation : undone;
    const saved = { ...heard, reason: error, wait_until_ms };
    if (error === "actor_required") return open({ ...state, actor: null }, saved);
    if (error !== "actor_changed") return open(state, saved);
    const next = to({ ...state, actor: null }, "other", { operation: saved });
    return withEffects(next, { type: "save", operation: saved }, { type: "session" });
  },

  waited(state) {
    if (state.name !== "open" || state.operation.wait_until_ms === null) return;
    return to(state, "open", { operation: { ...state.operation, wait_until_ms: null } });
  },

  look_up(state) {
    const { name, operation, cancels } = state;
    if (name === "unsure" && !cancels[operation.key]?.sending)
      return showOperation(state, operation);
  },

  found(state, { key, answer }) {
    if (!isShown(state, key)) return;
    const { document } = answer;
    if (document?.key === key) {
      const isNews = state.name !== "reserved" || document.reservation?.state !== "held";
      return isNews ? settleAs(state, document) : undefined;
    }
    if (answer.error === "actor_changed") return askAnew(state);
    if (state.name === "looking") return to(state, "unsure");
  },

  cancel(state, { key, actor }) {
    const before = state.cancels[key];
    if (before?.sending || (state.actor !== null && state.actor !== actor)) return;
    const cancel = { sending: true, unanswered: before?.unanswered ?? false, reason: null };
    const next = { ...state, cancels: { ...state.cancels, [key]: cancel }, notice: null };
    return withEffects(next, { type: "cancel", key, actor });
  },

  cancel_answer(state, { key, answer }) {
    const cancel = state.cancels[key];
    if (!cancel?.sending) return;
    const { kind, document, error } = answer;
    const shown = isShown(state, key);
    const isDone = document?.key === key && document.reservation?.state === "cancelled";
    if (isDone && shown) return settleAs(state, document);
    if (isDone) {
      const cancels = { ...state.cancels, [key]: null };
      return quiet({ ...state, cancels, notice: "cancelled" });
    }
    // That this attempt did nothing says nothing of an earlier one.
    const undone = kind === "rejection" && error !== "outcome_unknown";
    const unanswered = cancel.unanswered || !undone;
    const reason = error ?? answer.reason ?? "unreadable";
    const cancels = { ...state.cancels, [key]: { sending: false, unanswered, reason } };
    const name = shown && unanswered ? "unsure" : state.name;
    const notice = shown ? null : unanswered ? "cancel_unanswered" : "cancel_undone";
    const next = { ...state, name, cancels, notice };
    return error === "actor_changed" ? askAnew(next) : quiet(next);
  },

  anew(state) {
    const isSettled = state.operation?.result && !["other", "looking"].includes(state.name);
    if (isSettled) return beginAnew(state, { type: "erase" });
  },

  put_aside(state) {
    if (state.name === "other") return beginAnew(state, { type: "put_aside" });
  },

  take_over(state) {
    if (!mayTakeOver(state)) return;
    return attempt(state, { ...state.operation, actor: null });
  },

  forget(state) {
    if (["sending", "starting", "asking"].includes(state.name)) return;
    const next = { ...state, ending: true, notice: null };
    return { state: next, effects: [{ type: "end_session" }] };
  },

  ended(state) {
    if (!state.ending) return;
    const nobody = { actor: null, operation: null, cancels: {} };
    const forgotten = { ...nobody, ending: false, notice: "forgotten" };
    const name = state.name === "unprepared" ? "unprepared" : "ready";
    return withEffects(to(state, name, forgotten), { type: "erase_all" });
  },

  end_failed(state) {
    if (state.ending) return to(state, state.name, { ending: false, notice: "not_forgotten" });
  },
};

export const eventTypes = Object.freeze(Object.keys(events));

/** Somebody else's, of which nothing was done. */
export function mayTakeOver({ name, operation }) {
  return name === "other" && operation.result === null && !operation.unanswered;
}

function mayTry({ name, operation }) {
  return name === "open" && operation.wait_until_ms === null;
}

/** Whether this operation's receipt is shown. */
function isShown({ name, operation }, key) {
  return ["looking", "unsure", "reserved"].includes(name) && operation.key === key;
}

/** Sends the operation as it is saved, once it is known who sends it. `sure`: nobody need be asked. */
function attempt(state, operation, { doing = "reserve", fresh = false, sure = false } = {}) {
  const about = { operation, doing, fresh };
  if (state.actor === null) {
    const next = to(state, "sending", { ...about, phase: "session" });
    return withEffects(next, ...(fresh ? [{ type: "save", operation }] : []), { type: "session" });
  }
  if (operation.actor !== null && operation.actor !== state.actor) {
    return to(state, "other", { operation });
  }
  // Before the first send: does this actor already hold places there?
  if (doing === "reserve" && operation.actor === null && !sure) {
    const next = to(state, "sending", { ...about, phase: "list" });
    return withEffects(next, { type: "list", workshop: operation.workshop });
  }
  const number = state.attempt + 1;
  const sent = {
    ...operation,
    actor: state.actor,
    // Giving up reserves nothing, heard of or not.
    unanswered: operation.unanswered || doing === "reserve",
    reason: null,
    wait_until_ms: null,
  };
  const next = to(state, "sending", {
    ...about,
    operation: sent,
    phase: "request",
    attempt: number,
    unanswered_before: operation.unanswered,
  });
  return withEffects(
    next,
    { type: "save", operation: sent },
    { type: "send", operation: sent, attempt: number, doing },
  );
}

/** A receipt is looked up before it is shown: it may have been cancelled. */
function showOperation(state, operation) {
  if (operation.actor !== null && state.actor !== null && operation.actor !== state.actor) {
    return to(state, "other", { operation });
  }
  const status = operation.result?.status ?? "open";
  if (status === "reserved") {
    const next = to(state, "looking", { operation });
    return state.actor === null ? next : withEffects(next, { type: "look_up", operation });
  }
  const next = to(state, status, { operation });
  const until_ms = operation.result ? null : operation.wait_until_ms;
  return until_ms === null ? next : withEffects(next, { type: "wait", until_ms });
}

function open(state, operation) {
  const { state: next, effects } = showOperation(state, operation);
  return { state: next, effects: [{ type: "save", operation }, ...effects] };
}

function settle(state, operation) {
  return withEffects(to(state, operation.result.status, { operation }), {
    type: "save",
    operation,
  });
}

/** The document may tell of other values than are saved. */
function settleAs(state, { outcome, workshop, reservation }, notice = null) {
  const { key } = state.operation;
  const operation = {
    ...state.operation,
    workshop: workshop ?? state.operation.workshop,
    unanswered: false,
    reason: null,
    result: { status: outcome },
  };
  if (reservation === null) return settle(state, operation);
  const { id, quantity } = reservation;
  const isHeld = reservation.state === "held";
  const status = isHeld ? "reserved" : "cancelled";
  const result = { status, reservation_id: id, quantity };
  const cancels = isHeld ? state.cancels : { ...state.cancels, [key]: null };
  const next = settle({ ...state, cancels }, { ...operation, quantity, result });
  if (!isHeld) return next;
  // A cancellation without an answer may still be on its way.
  const name = cancels[key]?.unanswered ? "unsure" : "reserved";
  return { ...next, state: { ...next.state, name, notice } };
}

function askAnew(state) {
  return withEffects({ ...state, actor: null }, { type: "session" });
}

function beginAnew(state, ...effects) {
  return withEffects(to(state, "ready", { operation: null }), ...effects);
}

function to(state, name, changes = {}) {
  const plain = {
    phase: null,
    doing: null,
    unanswered_before: false,
    fresh: false,
    notice: null,
  };
  return quiet({ ...state, ...plain, name, ...changes });
}

function quiet(state) {
  return { state, effects: [] };
}

function withEffects(next, ...effects) {
  const state = next.state ?? next;
  return { state, effects: [...(next.effects ?? []), ...effects] };
}
