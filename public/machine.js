// What the page knows about its operation: `step(state, event)` returns the next state and the
// effects to carry out. Pure. `types.d.ts` describes states, events and effects.
//
// The state that matters is `open`: the outcome is unknown. Only an answer ends it. Nothing is sent
// unless the person acts.

/** Upper bound on `Retry-After`. */
export const WAIT_S_MAX = 3600;

/** @type {Readonly<State>} */
export const initial = Object.freeze({
  name: "starting",
  actor: null,
  operation: null,
  phase: null,
  doing: null,
  attempt: 0,
  unansweredBefore: false,
  fresh: false,
  cancels: {},
  ending: false,
  problem: null,
  notice: null,
});

/** @type {Step} */
export function step(state, event) {
  const whileEnding = ["load", "session", "cancel_answer", "ended", "end_failed"];
  const isAccepted = !state.ending || whileEnding.includes(event.type);
  const handle = /** @type {Handler} */ (events[event.type]);
  return (isAccepted && handle(state, event)) || quiet(state);
}

/** @type {Handlers} */
const events = {
  load(state, { operation, problem, workshop, now_ms }) {
    const loaded = { ending: false, notice: null, problem: null, cancels: {} };
    if (problem) return to(state, "blocked", { ...loaded, problem, operation: null });
    // An open operation is shown at any address.
    if (!operation || (operation.result && operation.workshop !== workshop)) {
      return to(state, "ready", { ...loaded, operation: null });
    }
    const wait_ms = (operation.wait_until_ms ?? 0) - now_ms;
    const waits = wait_ms > 0 && wait_ms <= WAIT_S_MAX * 1000;
    const wait_until_ms = waits ? operation.wait_until_ms : null;
    return showOperation({ ...state, ...loaded }, { ...operation, wait_until_ms });
  },

  submit(state, { key, workshop, quantity }) {
    if (state.name !== "ready") return;
    return attempt(
      state,
      {
        version: 1,
        key,
        actor: null,
        workshop,
        quantity,
        unanswered: false,
        reason: null,
        wait_until_ms: null,
        result: null,
      },
      { fresh: true },
    );
  },

  listed(state, { places }) {
    if (state.name !== "sending" || state.phase !== "list") return;
    const { operation, fresh } = state;
    if (places === 0) return attempt(state, operation, { fresh, sure: true });
    const { workshop } = operation;
    const next = to(state, "confirming", { operation, fresh });
    return withEffects(next, { type: "confirm", places, workshop });
  },

  confirmed(state, { sure }) {
    const { name, operation, fresh } = state;
    if (name !== "confirming") return;
    if (sure) return attempt(state, operation, { fresh, sure });
    return fresh ? startOver(state) : startOver(state, { type: "erase" });
  },

  retry(state) {
    return tryAgain(state, "reserve");
  },

  abandon(state) {
    return tryAgain(state, "abandon");
  },

  save_failed(state) {
    // A result that cannot be saved still stands.
    if (state.name === "checking") return showOperation(state, state.operation);
    if (state.name !== "sending") return;
    if (state.fresh) return to(state, "blocked", { operation: null, problem: "storage" });
    const operation = { ...state.operation, unanswered: state.unansweredBefore };
    return to(state, "open", { operation: { ...operation, reason: "storage" } });
  },

  session(state, { actor }) {
    const known = { ...state, actor };
    const { name, phase, operation } = known;
    if (name === "sending") {
      const { doing } = known;
      return phase === "session" ? attempt(known, operation, { doing }) : quiet(known);
    }
    if (!operation) return quiet(known);
    const isOurs = operation.actor === null || operation.actor === actor;
    if (!isOurs) return name === "foreign" ? quiet(known) : to(known, "foreign");
    return ["foreign", "checking"].includes(name) ? showOperation(known, operation) : quiet(known);
  },

  session_failed(state) {
    if (state.name === "sending" && state.phase === "session") {
      return open(state, { ...state.operation, reason: "unreachable" });
    }
    if (state.name === "checking") return to(state, "unconfirmed");
  },

  answer(state, { attempt: number, answer, now_ms }) {
    if (state.name !== "sending" || state.phase !== "request" || number !== state.attempt) return;
    const { operation } = state;
    // An earlier attempt may have been decided.
    const undone = { ...operation, unanswered: state.unansweredBefore };
    const { outcome } = answer;
    // A receipt for another quantity is not this operation's.
    if (outcome && (outcome.quantity ?? operation.quantity) === operation.quantity) {
      const settled = { ...operation, unanswered: false, result: outcome };
      // The reservation of a replayed receipt may be cancelled by now.
      return answer.replayed ? open(state, settled) : settle(state, settled);
    }
    if (answer.document?.key === operation.key) {
      return settleAs(state, operation, answer.document, "kept");
    }
    if (answer.kind !== "rejection") {
      return open(state, { ...operation, reason: answer.reason ?? "unreadable" });
    }
    const { error, retry, retry_after_s } = answer;
    if (retry === "fix_request" && !undone.unanswered && state.doing === "reserve") {
      return settle(state, { ...undone, result: { status: "rejected", error } });
    }
    const seconds = Math.min(retry_after_s, WAIT_S_MAX);
    const wait_until_ms = seconds > 0 ? now_ms + seconds * 1000 : null;
    const known = error === "outcome_unknown" ? operation : undone;
    const saved = { ...known, reason: error, wait_until_ms };
    if (error === "actor_required") return open({ ...state, actor: null }, saved);
    if (error !== "actor_changed") return open(state, saved);
    const next = to({ ...state, actor: null }, "foreign", { operation: saved });
    return withEffects(next, { type: "save", operation: saved }, { type: "session" });
  },

  waited(state) {
    if (state.name !== "open" || state.operation.wait_until_ms === null) return;
    return to(state, "open", { operation: { ...state.operation, wait_until_ms: null } });
  },

  look_up(state) {
    const { name, operation, cancels } = state;
    if (name === "unconfirmed" && !cancels[operation.key]?.sending)
      return showOperation(state, operation);
  },

  found(state, { key, answer }) {
    const { name, operation } = state;
    if (!operation || !isShown(state, key)) return;
    const { document } = answer;
    if (document?.key === key) {
      const isNews = name !== "reserved" || document.reservation?.state !== "held";
      return isNews ? settleAs(state, operation, document) : undefined;
    }
    if (answer.error === "actor_changed") return readSession(state);
    if (name === "checking") return to(state, "unconfirmed");
  },

  cancel(state, { key, actor }) {
    const before = state.cancels[key];
    if (before?.sending || (state.actor !== null && state.actor !== actor)) return;
    const cancel = { sending: true, unanswered: before?.unanswered ?? false, reason: null };
    const cancels = { ...state.cancels, [key]: cancel };
    return withEffects(quiet({ ...state, cancels, notice: null }), { type: "cancel", key, actor });
  },

  cancel_answer(state, { key, answer }) {
    const cancel = state.cancels[key];
    if (!cancel?.sending) return;
    const { operation } = state;
    const { kind, document, error } = answer;
    const shown = isShown(state, key);
    const isDone = document?.key === key && document.reservation?.state === "cancelled";
    if (isDone && shown && operation) return settleAs(state, operation, document);
    if (isDone) {
      const cancels = { ...state.cancels, [key]: null };
      return quiet({ ...state, cancels, notice: "cancelled" });
    }
    // An earlier attempt may have cancelled.
    const undone = kind === "rejection" && error !== "outcome_unknown";
    const unanswered = cancel.unanswered || !undone;
    const reason = error ?? answer.reason ?? "unreadable";
    const cancels = { ...state.cancels, [key]: { sending: false, unanswered, reason } };
    const name = shown && unanswered ? "unconfirmed" : state.name;
    const notice = shown ? null : unanswered ? "cancel_unanswered" : "cancel_undone";
    const next = /** @type {State} */ ({ ...state, name, cancels, notice });
    return error === "actor_changed" ? readSession(next) : quiet(next);
  },

  start_over(state) {
    const isSettled = state.operation?.result && !["foreign", "checking"].includes(state.name);
    if (isSettled) return startOver(state, { type: "erase" });
  },

  put_aside(state) {
    if (state.name === "foreign") return startOver(state, { type: "put_aside" });
  },

  take_over(state) {
    if (!mayTakeOver(state)) return;
    return attempt(state, { ...state.operation, actor: null });
  },

  forget(state) {
    if (["sending", "starting", "confirming"].includes(state.name)) return;
    return withEffects(quiet({ ...state, ending: true, notice: null }), { type: "end_session" });
  },

  ended(state) {
    if (!state.ending) return;
    const forgotten = { actor: null, operation: null, cancels: {}, ending: false };
    const name = state.name === "blocked" ? "blocked" : "ready";
    const next = to(state, name, { ...forgotten, notice: "forgotten" });
    return withEffects(next, { type: "erase_all" });
  },

  end_failed(state) {
    if (state.ending) return to(state, state.name, { ending: false, notice: "not_forgotten" });
  },
};

export const eventTypes = Object.freeze(Object.keys(events));

/** If nothing was done. @param {State} state @returns {state is State & Foreign} */
export function mayTakeOver(state) {
  return state.name === "foreign" && !state.operation.result && !state.operation.unanswered;
}

/** @param {State} state @param {string} key */
function isShown({ name, operation }, key) {
  return ["checking", "unconfirmed", "reserved"].includes(name) && operation?.key === key;
}

/** @param {State} state @param {Sending["doing"]} doing */
function tryAgain(state, doing) {
  const { name, operation } = state;
  if (name === "open" && operation.wait_until_ms === null)
    return attempt(state, operation, { doing });
}

/** Sends the operation as it is saved, once the actor is known. @type {Attempt} */
function attempt(state, operation, { doing = "reserve", fresh = false, sure = false } = {}) {
  const about = { operation, doing, fresh };
  if (state.actor === null) {
    const next = to(state, "sending", { ...about, phase: "session" });
    const saved = fresh ? withEffects(next, { type: "save", operation }) : next;
    return withEffects(saved, { type: "session" });
  }
  if (operation.actor !== null && operation.actor !== state.actor) {
    return to(state, "foreign", { operation });
  }
  // Does this actor already hold places there?
  if (doing === "reserve" && operation.actor === null && !sure) {
    const next = to(state, "sending", { ...about, phase: "list" });
    return withEffects(next, { type: "list", workshop: operation.workshop });
  }
  const number = state.attempt + 1;
  const sent = {
    ...operation,
    actor: state.actor,
    // To abandon reserves nothing.
    unanswered: operation.unanswered || doing === "reserve",
    reason: null,
    wait_until_ms: null,
  };
  const next = to(state, "sending", {
    ...about,
    operation: sent,
    phase: "request",
    attempt: number,
    unansweredBefore: operation.unanswered,
  });
  return withEffects(
    next,
    { type: "save", operation: sent },
    { type: "send", operation: sent, attempt: number, doing },
  );
}

/** A receipt may have been cancelled. @param {State} state @param {Operation} operation */
function showOperation(state, operation) {
  if (operation.actor !== null && state.actor !== null && operation.actor !== state.actor) {
    return to(state, "foreign", { operation });
  }
  const status = operation.result?.status ?? "open";
  if (status === "reserved") {
    const next = to(state, "checking", { operation });
    const { actor } = state;
    return actor === null
      ? next
      : withEffects(next, { type: "look_up", key: operation.key, actor });
  }
  const next = to(state, status, { operation });
  const until_ms = operation.result ? null : operation.wait_until_ms;
  return until_ms === null ? next : withEffects(next, { type: "wait", until_ms });
}

/** @param {State} state @param {Operation} operation @returns {Next} */
function open(state, operation) {
  const { state: next, effects } = showOperation(state, operation);
  return { state: next, effects: [{ type: "save", operation }, ...effects] };
}

/** @param {State} state @param {Operation & {result: Result}} operation */
function settle(state, operation) {
  return withEffects(to(state, operation.result.status, { operation }), {
    type: "save",
    operation,
  });
}

/** The saved values may differ. @type {SettleAs} */
function settleAs(state, before, { outcome, workshop, reservation }, notice = null) {
  const operation = {
    ...before,
    workshop: workshop ?? before.workshop,
    unanswered: false,
    reason: null,
  };
  if (reservation === null) return settle(state, { ...operation, result: { status: outcome } });
  const { key } = before;
  const { id, quantity } = reservation;
  const isHeld = reservation.state === "held";
  const cancels = isHeld ? state.cancels : { ...state.cancels, [key]: null };
  const next = settle(
    { ...state, cancels },
    {
      ...operation,
      quantity,
      result: { status: isHeld ? "reserved" : "cancelled", reservation_id: id, quantity },
    },
  );
  if (!isHeld) return next;
  // An unanswered cancellation may still arrive.
  const name = cancels[key]?.unanswered ? "unconfirmed" : "reserved";
  return { ...to(next.state, name, { notice }), effects: next.effects };
}

/** @param {State} state */
function readSession(state) {
  return withEffects(quiet({ ...state, actor: null }), { type: "session" });
}

/** @param {State} state @param {Effect[]} effects */
function startOver(state, ...effects) {
  return withEffects(to(state, "ready", { operation: null }), ...effects);
}

/** @param {State} state @param {State["name"]} name @param {Partial<State>} changes */
function to(state, name, changes = {}) {
  const plain = {
    phase: null,
    doing: null,
    unansweredBefore: false,
    fresh: false,
    notice: null,
  };
  return quiet(/** @type {State} */ ({ ...state, ...plain, name, ...changes }));
}

/** @param {State} state */
function quiet(state) {
  return { state, effects: [] };
}

/** @param {Next} next @param {Effect[]} effects */
function withEffects({ state, effects: before }, ...effects) {
  return { state, effects: [...before, ...effects] };
}
