// Every event in every state, and long random histories of a tab.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventTypes, initial, mayTakeOver, step, WAIT_S_MAX } from "../../public/machine.js";
import { parseOperation } from "../../public/saved.js";

const ME = "aaaaaaaaaaaaaaaa";
const OTHER = "bbbbbbbbbbbbbbbb";
const KEY = "0b6f6c1e-6f0e-4b52-9f5d-1c1b5d1f7a10";
const NEW_KEY = "6d1b3c0f-58f2-4d0e-8a45-3a3f7f0f6f02";
const NOW_MS = 1_800_000_000_000;

const reserved = { status: "reserved", reservation_id: "a5".repeat(16), quantity: 2 };
const unavailable = { status: "unavailable" };
const abandoned = { status: "abandoned" };
const cancelled = { ...reserved, status: "cancelled" };
const saved = {
  version: 1,
  key: KEY,
  actor: ME,
  workshop: "linocut",
  quantity: 2,
  unanswered: false,
  reason: null,
  wait_until_ms: null,
  result: null,
};
const unanswered = { ...saved, unanswered: true };
const settled = (result) => ({ ...saved, result });
const state = (name, more = {}) => ({ ...initial, name, actor: ME, attempt: 7, ...more });

const unsent = { ...saved, actor: null };
const sending = { phase: "request", doing: "reserve", operation: unanswered };
const cancel = { sending: true, unanswered: false, reason: null };

/** One of each state, and of the kinds of it that behave differently. */
const states = {
  starting: state("starting", { actor: null, attempt: 0 }),
  ready: state("ready"),
  "ready, unknown": state("ready", { actor: null }),
  "reading the session": state("sending", {
    ...sending,
    actor: null,
    phase: "session",
    operation: unsent,
  }),
  "reading the session, to abandon": state("sending", {
    ...sending,
    actor: null,
    phase: "session",
    doing: "abandon",
    operation: unanswered,
  }),
  "reading the reservations": state("sending", {
    ...sending,
    phase: "list",
    operation: unsent,
    fresh: true,
  }),
  confirming: state("confirming", { operation: unsent, fresh: true }),
  "confirming a saved one": state("confirming", { operation: unsent }),
  sending: state("sending", { ...sending, fresh: true }),
  "sending after a wait": state("sending", sending),
  "sending again": state("sending", { ...sending, unansweredBefore: true }),
  abandoning: state("sending", { ...sending, doing: "abandon", unansweredBefore: true }),
  "abandoning what did nothing": state("sending", {
    ...sending,
    doing: "abandon",
    operation: saved,
  }),
  open: state("open", { operation: unanswered }),
  "open, unknown": state("open", { actor: null, operation: unanswered }),
  waiting: state("open", {
    operation: { ...saved, reason: "rate_limited", wait_until_ms: NOW_MS + 9_000 },
  }),
  checking: state("checking", { operation: settled(reserved) }),
  "checking, unknown": state("checking", { actor: null, operation: settled(reserved) }),
  reserved: state("reserved", { operation: settled(reserved) }),
  cancelling: state("reserved", { operation: settled(reserved), cancels: { [KEY]: cancel } }),
  "cancelling again": state("unconfirmed", {
    operation: settled(reserved),
    cancels: { [KEY]: { ...cancel, unanswered: true } },
  }),
  "cancelling another": state("ready", { cancels: { [KEY]: cancel } }),
  unconfirmed: state("unconfirmed", { operation: settled(reserved) }),
  cancelled: state("cancelled", { operation: settled(cancelled) }),
  abandoned: state("abandoned", { operation: settled(abandoned) }),
  unavailable: state("unavailable", { operation: settled(unavailable) }),
  rejected: state("rejected", {
    operation: settled({ status: "rejected", error: "unknown_workshop" }),
  }),
  foreign: state("foreign", { actor: OTHER, operation: saved }),
  "foreign, unanswered": state("foreign", { actor: OTHER, operation: unanswered }),
  "foreign, settled": state("foreign", { actor: OTHER, operation: settled(reserved) }),
  blocked: state("blocked", { problem: "storage" }),
  ending: state("reserved", { operation: settled(reserved), ending: true }),
};

const lost = { kind: "lost", reason: "no_answer" };
const rejection = (error, retry, retry_after_s = 0) => ({
  kind: "rejection",
  error,
  retry,
  retry_after_s,
});
const answer = (what, number = 7) => ({
  type: "answer",
  attempt: number,
  answer: what,
  now_ms: NOW_MS,
});
const documentOf = (outcome, reservation = null, more = {}) => ({
  kind: "document",
  document: {
    key: KEY,
    outcome,
    workshop: outcome === "abandoned" ? null : "linocut",
    reservation: reservation && { id: "a5".repeat(16), quantity: 2, state: reservation },
    ...more,
  },
});
const held = documentOf("reserved", "held");
const given = documentOf("reserved", "cancelled");
const load = (operation, more = {}) => ({
  type: "load",
  operation,
  problem: null,
  workshop: "linocut",
  now_ms: NOW_MS,
  ...more,
});

/** One of each event, and of the kinds of it that lead elsewhere. */
const happenings = {
  "load nothing": load(null),
  "load an open one": load(unanswered),
  "load a waiting one": load({ ...saved, wait_until_ms: NOW_MS + 5_000 }),
  "load one that waited": load({ ...saved, wait_until_ms: NOW_MS - 5_000 }),
  "load a receipt": load(settled(reserved)),
  "load another workshop's receipt": load(settled(reserved), { workshop: "bookbinding" }),
  "load another workshop's open one": load(unanswered, { workshop: "bookbinding" }),
  "load a cancelled one": load(settled(cancelled)),
  "load without storage": load(null, { problem: "storage" }),
  submit: { type: "submit", key: NEW_KEY, workshop: "linocut", quantity: 1 },
  "listed none": { type: "listed", places: 0 },
  "listed some": { type: "listed", places: 2 },
  "confirmed: yes": { type: "confirmed", sure: true },
  "confirmed: no": { type: "confirmed", sure: false },
  retry: { type: "retry" },
  abandon: { type: "abandon" },
  save_failed: { type: "save_failed" },
  "session of me": { type: "session", actor: ME },
  "session of another": { type: "session", actor: OTHER },
  session_failed: { type: "session_failed" },
  "answer reserved": answer({ kind: "outcome", outcome: reserved, replayed: false }),
  "answer reserved before": answer({ kind: "outcome", outcome: reserved, replayed: true }),
  "answer unavailable": answer({ kind: "outcome", outcome: unavailable, replayed: true }),
  "answer abandoned": answer({ kind: "outcome", outcome: abandoned, replayed: true }),
  "answer for other values": answer({
    kind: "outcome",
    outcome: { ...reserved, quantity: 1 },
    replayed: true,
  }),
  "answer lost": answer(lost),
  "answer late": answer({ kind: "outcome", outcome: reserved, replayed: false }, 6),
  "document held": answer(held),
  "document cancelled": answer(given),
  "document abandoned": answer(documentOf("abandoned")),
  "document unavailable": answer(documentOf("unavailable")),
  "document of another": answer(documentOf("abandoned", null, { key: NEW_KEY })),
  "answer fix_request": answer(rejection("operation_conflict", "fix_request")),
  "answer rate_limited": answer(rejection("rate_limited", "same_key", 9)),
  "answer outcome_unknown": answer(rejection("outcome_unknown", "same_key", 2)),
  "answer not_configured": answer(rejection("not_configured", "same_key")),
  "answer actor_required": answer(rejection("actor_required", "same_key")),
  "answer actor_changed": answer(rejection("actor_changed", "same_key")),
  waited: { type: "waited" },
  look_up: { type: "look_up" },
  "found held": { type: "found", key: KEY, answer: held },
  "found cancelled": { type: "found", key: KEY, answer: given },
  "found nothing": {
    type: "found",
    key: KEY,
    answer: rejection("unknown_operation", "fix_request"),
  },
  "found by another actor": {
    type: "found",
    key: KEY,
    answer: rejection("actor_changed", "same_key"),
  },
  "found another": {
    type: "found",
    key: NEW_KEY,
    answer: documentOf("reserved", "cancelled", { key: NEW_KEY }),
  },
  cancel: { type: "cancel", key: KEY, actor: ME },
  "cancel another's": { type: "cancel", key: KEY, actor: OTHER },
  "cancel done": { type: "cancel_answer", key: KEY, answer: given },
  "cancel not done": {
    type: "cancel_answer",
    key: KEY,
    answer: rejection("rate_limited", "same_key", 9),
  },
  "cancel lost": { type: "cancel_answer", key: KEY, answer: lost },
  "cancel by another actor": {
    type: "cancel_answer",
    key: KEY,
    answer: rejection("actor_changed", "same_key"),
  },
  start_over: { type: "start_over" },
  put_aside: { type: "put_aside" },
  take_over: { type: "take_over" },
  forget: { type: "forget" },
  ended: { type: "ended" },
  end_failed: { type: "end_failed" },
};

// What is not written here is ignored: the state stays, there are no effects. "!" after a state's
// name: an attempt without an answer may have been decided.
const loads = {
  "load nothing": "ready",
  "load an open one": "open!",
  "load a waiting one": "open wait",
  "load one that waited": "open",
  "load a receipt": "checking look_up",
  "load another workshop's receipt": "ready",
  "load another workshop's open one": "open!",
  "load a cancelled one": "cancelled",
  "load without storage": "blocked",
};
/** Nothing is looked up before the actor is known. */
const loadsWithoutActor = { ...loads, "load a receipt": "checking" };
const loadsOfAnotherActor = {
  ...loads,
  "load an open one": "foreign!",
  "load a waiting one": "foreign",
  "load one that waited": "foreign",
  "load a receipt": "foreign",
  "load a cancelled one": "foreign",
  "load another workshop's open one": "foreign!",
};
const endable = { forget: "same end_session" };
/** Reservations in the list can be cancelled in any of these states. */
const can = { ...endable, cancel: "same cancel" };
const anybody = { ...can, "cancel another's": "same cancel" };
const answers = {
  "answer reserved": "reserved save",
  "answer reserved before": "checking save look_up",
  "answer unavailable": "unavailable save",
  "answer abandoned": "abandoned save",
  "answer for other values": "open! save",
  "answer lost": "open! save",
  "answer outcome_unknown": "open! save wait",
  "document held": "reserved save",
  "document cancelled": "cancelled save",
  "document abandoned": "abandoned save",
  "document unavailable": "unavailable save",
  "document of another": "open! save",
};
/** Of the first attempt, or of one before which every other was answered. */
const nothingDone = {
  "answer fix_request": "rejected save",
  "answer rate_limited": "open save wait",
  "answer not_configured": "open save",
  "answer actor_required": "open save",
  "answer actor_changed": "foreign save session",
};
/** Of one before which another was not answered. */
const perhapsDone = {
  "answer fix_request": "open! save",
  "answer rate_limited": "open! save wait",
  "answer not_configured": "open! save",
  "answer actor_required": "open! save",
  "answer actor_changed": "foreign! save session",
};
const founds = {
  "found held": "reserved save",
  "found cancelled": "cancelled save",
  "found by another actor": "same session",
};
const cancelAnswers = {
  "cancel done": "cancelled save",
  "cancel not done": "reserved",
  "cancel lost": "unconfirmed",
  "cancel by another actor": "reserved session",
};
const settledOnes = { ...loads, ...can, "session of another": "foreign" };
const table = {
  starting: {
    ...loadsWithoutActor,
    cancel: "same cancel",
    "cancel another's": "same cancel",
    "session of me": "starting",
    "session of another": "starting",
  },
  ready: { ...loads, ...can, submit: "sending list" },
  "ready, unknown": { ...loadsWithoutActor, ...anybody, submit: "sending save session" },
  "reading the session": {
    ...loadsWithoutActor,
    cancel: "same cancel",
    "cancel another's": "same cancel",
    save_failed: "open",
    "session of me": "sending list",
    "session of another": "sending list",
    session_failed: "open save",
  },
  "reading the session, to abandon": {
    ...loadsWithoutActor,
    cancel: "same cancel",
    "cancel another's": "same cancel",
    save_failed: "open",
    "session of me": "sending! save send",
    "session of another": "foreign!",
    session_failed: "open! save",
  },
  "reading the reservations": {
    ...loads,
    cancel: "same cancel",
    save_failed: "blocked",
    "listed none": "sending! save send",
    "listed some": "confirming confirm",
  },
  confirming: {
    ...loads,
    cancel: "same cancel",
    "confirmed: yes": "sending! save send",
    "confirmed: no": "ready",
  },
  "confirming a saved one": {
    ...loads,
    cancel: "same cancel",
    "confirmed: yes": "sending! save send",
    "confirmed: no": "ready erase",
  },
  sending: {
    ...loads,
    cancel: "same cancel",
    ...answers,
    ...nothingDone,
    save_failed: "blocked",
  },
  "sending after a wait": {
    ...loads,
    cancel: "same cancel",
    ...answers,
    ...nothingDone,
    save_failed: "open",
  },
  "sending again": {
    ...loads,
    cancel: "same cancel",
    ...answers,
    ...perhapsDone,
    save_failed: "open!",
  },
  abandoning: {
    ...loads,
    cancel: "same cancel",
    ...answers,
    ...perhapsDone,
    save_failed: "open!",
  },
  "abandoning what did nothing": {
    ...loads,
    cancel: "same cancel",
    ...answers,
    ...nothingDone,
    "answer fix_request": "open save",
    "answer lost": "open save",
    "answer for other values": "open save",
    "answer outcome_unknown": "open save wait",
    "document of another": "open save",
    save_failed: "open",
  },
  open: {
    ...loads,
    ...can,
    retry: "sending! save send",
    abandon: "sending! save send",
    "session of another": "foreign!",
  },
  "open, unknown": {
    ...loadsWithoutActor,
    ...anybody,
    retry: "sending! session",
    abandon: "sending! session",
    "session of another": "foreign!",
  },
  waiting: { ...loads, ...can, waited: "open", "session of another": "foreign" },
  checking: {
    ...settledOnes,
    ...founds,
    save_failed: "checking look_up",
    "session of me": "checking look_up",
    "found nothing": "unconfirmed",
    session_failed: "unconfirmed",
  },
  "checking, unknown": {
    ...loadsWithoutActor,
    ...anybody,
    ...founds,
    save_failed: "checking",
    "session of me": "checking look_up",
    "session of another": "foreign",
    "found nothing": "unconfirmed",
    session_failed: "unconfirmed",
  },
  reserved: {
    ...settledOnes,
    "found cancelled": "cancelled save",
    "found by another actor": "same session",
    start_over: "ready erase",
  },
  cancelling: {
    ...loads,
    ...endable,
    ...cancelAnswers,
    "session of another": "foreign",
    "found cancelled": "cancelled save",
    "found by another actor": "same session",
    start_over: "ready erase",
  },
  "cancelling again": {
    ...loads,
    ...endable,
    ...cancelAnswers,
    "session of another": "foreign",
    "found held": "unconfirmed save",
    "found cancelled": "cancelled save",
    "found by another actor": "same session",
    "cancel not done": "unconfirmed",
    "cancel by another actor": "unconfirmed session",
    start_over: "ready erase",
  },
  "cancelling another": {
    ...loads,
    ...endable,
    submit: "sending list",
    "cancel done": "ready",
    "cancel not done": "ready",
    "cancel lost": "ready",
    "cancel by another actor": "ready session",
  },
  unconfirmed: {
    ...settledOnes,
    ...founds,
    look_up: "checking look_up",
    start_over: "ready erase",
  },
  cancelled: { ...settledOnes, start_over: "ready erase" },
  abandoned: { ...settledOnes, start_over: "ready erase" },
  unavailable: { ...settledOnes, start_over: "ready erase" },
  rejected: { ...settledOnes, start_over: "ready erase" },
  foreign: {
    ...loadsOfAnotherActor,
    ...endable,
    "cancel another's": "same cancel",
    "session of me": "open",
    put_aside: "ready put_aside",
    take_over: "sending list",
  },
  "foreign, unanswered": {
    ...loadsOfAnotherActor,
    ...endable,
    "cancel another's": "same cancel",
    "session of me": "open!",
    put_aside: "ready put_aside",
  },
  "foreign, settled": {
    ...loadsOfAnotherActor,
    ...endable,
    "cancel another's": "same cancel",
    "session of me": "checking look_up",
    put_aside: "ready put_aside",
  },
  blocked: { ...loads, ...can },
  ending: {
    ...loads,
    "session of another": "foreign",
    ended: "ready erase_all",
    end_failed: "reserved",
  },
};

/** Two steps that differ in nothing but the state's own numbers are written the same. */
function written({ state: { name, operation }, effects }) {
  return [`${name}${operation?.unanswered ? "!" : ""}`, ...effects.map(({ type }) => type)].join(
    " ",
  );
}

for (const [name, before] of Object.entries(states)) {
  test(`${name}: every event leads where the table has it, and every other one is ignored`, () => {
    for (const [happening, event] of Object.entries(happenings)) {
      const after = step(before, event);
      const expected = table[name][happening];
      if (expected !== undefined) {
        const same = written({ state: before, effects: [] });
        assert.equal(written(after), expected.replace("same", same), happening);
      } else if (event.type === "session") {
        // The actor is noted in every state, even where nothing else changes.
        assert.deepEqual(after, { state: { ...before, actor: event.actor }, effects: [] });
      } else {
        assert.deepEqual(after, { state: before, effects: [] }, happening);
      }
    }
  });
}

test("the table has every state and every event", () => {
  assert.deepEqual(Object.keys(table), Object.keys(states));
  assert.deepEqual(new Set(Object.values(happenings).map(({ type }) => type)), new Set(eventTypes));
  const names = new Set(Object.values(states).map(({ name }) => name));
  const reached = Object.values(table).flatMap((row) => Object.values(row));
  for (const to of reached) assert.ok(names.add("same").has(to.split(/[! ]/)[0]), to);
});

test("a second click while sending does nothing", () => {
  const { state: sending } = step(states.ready, happenings.submit);
  for (const again of ["submit", "retry"]) {
    assert.deepEqual(step(sending, happenings[again]), { state: sending, effects: [] });
  }
});

test("the saved operation is the one that is sent", () => {
  const { state: listing } = step(states.ready, happenings.submit);
  const { effects } = step(listing, happenings["listed none"]);
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["save", "send"],
  );
  assert.deepEqual(effects[0].operation, effects[1].operation);
  assert.deepEqual(effects[1].operation, {
    ...unanswered,
    key: NEW_KEY,
    quantity: 1,
    actor: ME,
  });
});

test("an operation that cannot be saved is dropped: nothing was sent, and the page is blocked", () => {
  for (const before of [states.ready, states["ready, unknown"]]) {
    const after = play(before, [happenings.submit, happenings.save_failed]);
    assert.deepEqual([after.name, after.operation], ["blocked", null]);
  }
});

test("after actor_changed the session is read before anything is sent", () => {
  const after = play(states.sending, [happenings["answer actor_changed"]]);
  assert.equal(after.actor, null);
  const { effects } = step(after, happenings.take_over);
  assert.deepEqual(effects, [{ type: "session" }]);
});

test("lost answer, then no session, then a new session: it is foreign, and still open", () => {
  const after = play(states.sending, [
    happenings["answer lost"],
    happenings.retry,
    { ...happenings["answer actor_required"], attempt: 8 },
    happenings.retry,
    happenings["session of another"],
  ]);
  assert.equal(after.name, "foreign");
  assert.equal(after.operation.unanswered, true);
  assert.equal(mayTakeOver(after), false);
});

test("lost answer, then a conflict: still open, with the same key and the same values", () => {
  const after = play(states.sending, [
    happenings["answer lost"],
    happenings.retry,
    { ...happenings["answer fix_request"], attempt: 8 },
  ]);
  assert.equal(after.name, "open");
  assert.deepEqual(after.operation, { ...unanswered, reason: "operation_conflict" });
});

test("an actor who holds places confirms once before the first attempt, and never on a retry", () => {
  const confirming = play(states.ready, [happenings.submit, happenings["listed some"]]);
  assert.equal(confirming.name, "confirming");
  const { state: sent, effects } = step(confirming, happenings["confirmed: yes"]);
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["save", "send"],
  );
  const open = play(sent, [{ ...answer(lost), attempt: 8 }]);
  assert.deepEqual(
    step(open, happenings.retry).effects.map(({ type }) => type),
    ["save", "send"],
  );
});

test("abandoned with other values than the saved ones: the reservation is shown and saved", () => {
  const document = {
    ...held.document,
    workshop: "bookbinding",
    reservation: { ...held.document.reservation, quantity: 1 },
  };
  const { state: after, effects } = step(states.abandoning, answer({ kind: "document", document }));
  assert.deepEqual([after.name, after.notice], ["reserved", "kept"]);
  assert.deepEqual(effects, [{ type: "save", operation: after.operation }]);
  const { workshop, quantity, result } = after.operation;
  assert.deepEqual([workshop, quantity, result], ["bookbinding", 1, { ...reserved, quantity: 1 }]);
  assert.deepEqual(parseOperation(JSON.stringify(after.operation)), after.operation);
});

test("a lost answer to abandoning leaves it open, with the same two ways out", () => {
  const after = play(states.abandoning, [happenings["answer lost"]]);
  assert.deepEqual(after.operation, { ...unanswered, reason: "no_answer" });
  for (const [way, doing] of [
    ["retry", "reserve"],
    ["abandon", "abandon"],
  ]) {
    const { key } = after.operation;
    const { effects } = step(after, happenings[way]);
    assert.deepEqual([effects[1].doing, effects[1].operation.key], [doing, key]);
  }
});

test("a cancellation without an answer stays unknown until it is confirmed", () => {
  const after = play(states.cancelling, [
    happenings["cancel lost"],
    happenings["found held"],
    happenings.cancel,
    happenings["cancel not done"],
  ]);
  assert.equal(after.name, "unconfirmed");
  assert.deepEqual(after.cancels[KEY], {
    sending: false,
    unanswered: true,
    reason: "rate_limited",
  });
  const done = play(after, [happenings.cancel, happenings["cancel done"]]);
  assert.deepEqual([done.name, done.cancels], ["cancelled", { [KEY]: null }]);
});

test("a wait is limited to an hour, and a wait that is over does not come back", () => {
  const { state: after, effects } = step(
    states.sending,
    answer(rejection("rate_limited", "same_key", 999_999_999)),
  );
  const until_ms = NOW_MS + WAIT_S_MAX * 1000;
  assert.equal(after.operation.wait_until_ms, until_ms);
  assert.deepEqual(effects.at(-1), { type: "wait", until_ms });
  assert.deepEqual(step(after, happenings.retry), { state: after, effects: [] });
  const loaded = step(initial, load({ ...after.operation, wait_until_ms: until_ms + 1 }));
  assert.equal(loaded.state.operation.wait_until_ms, null);
});

function play(from, steps) {
  return steps.reduce((current, event) => step(current, event).state, from);
}

// --- Random histories -------------------------------------------------------------------

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function random(seed) {
  let bits = seed;
  return (below) => {
    bits = (Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

/** The service of the contract, behind a network that loses and delays. */
function serviceOf(pick) {
  const decided = new Map(); // actor and key -> what is known of the operation
  const name = (actor, key) => `${actor} ${key}`;
  const documentOf = ({ key, outcome, workshop, reservation }) => ({
    kind: "document",
    document: { key, outcome, workshop, reservation: reservation && { ...reservation } },
  });
  return {
    at: (actor, key) => decided.get(name(actor, key)),
    /** Decides, or answers with what was decided. */
    decide({ doing, operation }) {
      const { actor, key, workshop, quantity } = operation;
      const before = decided.get(name(actor, key));
      const isFull = pick(4) === 0;
      const outcome = doing === "abandon" ? "abandoned" : isFull ? "unavailable" : "reserved";
      const reservation =
        outcome === "reserved" ? { id: "a5".repeat(16), quantity, state: "held" } : null;
      const now = before ?? {
        key,
        outcome,
        workshop: doing === "abandon" ? null : workshop,
        reservation,
      };
      decided.set(name(actor, key), now);
      if (doing === "abandon") return documentOf(now);
      const body =
        now.outcome === "reserved"
          ? { ...reserved, quantity: now.reservation.quantity }
          : { status: now.outcome };
      return { kind: "outcome", outcome: body, replayed: before !== undefined };
    },
    cancel({ actor, key }) {
      const found = decided.get(name(actor, key));
      if (!found) return rejection("unknown_operation", "fix_request");
      if (!found.reservation) return rejection("nothing_to_cancel", "fix_request");
      found.reservation.state = "cancelled";
      return documentOf(found);
    },
    lookUp({ actor, key }) {
      const found = decided.get(name(actor, key));
      return found ? documentOf(found) : rejection("unknown_operation", "fix_request");
    },
  };
}

/** A tab with a storage that may fail, and all that was ever sent from it. */
function live(seed) {
  const pick = random(seed);
  const one = (list) => list[pick(list.length)];
  const service = serviceOf(pick);
  let current = initial;
  let stored = null; // the text in the storage
  let keys = 0;
  const sent = new Map(); // key -> values
  const unconfirmed = new Set(); // keys of which the person has yet to confirm
  const decided = new Set(); // keys with a definite answer that could be saved
  const nothings = new Set(); // "actor key" that the page showed as not reserved
  let inFlight = null; // what the page waits for
  const network = []; // what may still arrive at the service
  const others = []; // look-ups and cancellations in flight
  let holds = null; // the workshop of which the page wants to know

  /** Answers that did nothing. */
  const refusals = () =>
    one([
      rejection("operation_id", "fix_request"),
      rejection("unknown_workshop", "fix_request"),
      rejection("rate_limited", "same_key", pick(3)),
      rejection("actor_required", "same_key"),
      rejection("actor_changed", "same_key"),
    ]);
  /** Answers after which the outcome is unknown. */
  const noise = ({ quantity }) =>
    one([
      lost,
      rejection("outcome_unknown", "same_key", 2),
      { kind: "outcome", outcome: { ...reserved, quantity: 3 - quantity }, replayed: false },
    ]);

  function happen(event) {
    const before = current;
    const { state: next, effects } = step(before, event);
    current = next;
    check(before, event, effects);
    for (const effect of effects) {
      if (effect.type === "save") {
        if (pick(10) === 0) return happen({ type: "save_failed" });
        stored = JSON.stringify(effect.operation);
        if (effect.operation.result) decided.add(effect.operation.key);
      } else if (effect.type === "send") send(effect);
      else if (effect.type === "list") holds = effect.workshop;
      else if (effect.type === "confirm") unconfirmed.add(next.operation.key);
      else if (effect.type === "look_up") others.push({ ...effect, type: "found" });
      else if (effect.type === "cancel") others.push({ ...effect, type: "cancel_answer" });
      else if (["erase", "put_aside", "erase_all"].includes(effect.type)) stored = null;
    }
  }

  function send({ operation, attempt, doing }) {
    // Never two keys in flight, and never an unsaved one.
    assert.equal(inFlight, null, "two requests in flight");
    assert.deepEqual(JSON.parse(stored), operation, "sent what is not saved");
    assert.deepEqual(parseOperation(stored), operation, "saved what would not be read back");
    if (doing === "reserve") assert.equal(operation.unanswered, true);
    assert.equal(operation.actor, current.actor, "sent as another actor");
    const { key, workshop, quantity } = operation;
    const values = sent.get(key) ?? { workshop, quantity };
    assert.deepEqual(values, { workshop, quantity }, "other values under a key");
    assert.ok(!unconfirmed.has(key), "sent without confirmation");
    sent.set(key, values);
    // A rejection that could not be saved is no receipt: it may be tried again.
    nothings.delete(`${operation.actor} ${key}`);
    inFlight = { attempt, operation, doing };
    network.push(inFlight);
  }

  /** What the page shows must be true now; that nothing was reserved must stay true. */
  function checkTruth() {
    const { name, operation } = current;
    if (!operation?.result) return;
    const { actor, key } = operation;
    const truth = service.at(actor, key)?.reservation?.state;
    if (name === "reserved") assert.equal(truth, "held", "shown as reserved");
    if (name === "cancelled") assert.equal(truth, "cancelled", "shown as cancelled");
    if (["unavailable", "abandoned", "rejected"].includes(name)) nothings.add(`${actor} ${key}`);
    for (const nothing of nothings) {
      const [who, which] = nothing.split(" ");
      const there = service.at(who, which)?.reservation ?? null;
      assert.equal(there, null, "shown as not reserved");
    }
  }

  function check(before, event, effects) {
    const [old, fresh] = [before.operation, current.operation];
    if (event.type === "load" || event.type === "ended") return;
    if (before.name === "open" || (before.name === "sending" && before.phase !== "list")) {
      // While open the operation stays, and nothing but an answer settles it.
      if (current.name !== "blocked") {
        assert.equal(fresh.key, old.key, "a new key while open");
        assert.equal(fresh.quantity, old.quantity);
        assert.equal(fresh.workshop, old.workshop);
      }
      if (fresh?.result) {
        assert.equal(event.type, "answer");
        const definite =
          ["outcome", "document"].includes(event.answer.kind) ||
          (event.answer.retry === "fix_request" &&
            !before.unansweredBefore &&
            before.doing === "reserve");
        assert.ok(definite, "settled by what is not definite");
      }
      if (before.unansweredBefore && !fresh?.result && event.type === "answer") {
        assert.equal(fresh.unanswered, true, "forgot an unanswered attempt");
      }
    }
    if (current.name === "reserved" && event.answer?.replayed) assert.fail("not looked up");
    if (effects.some(({ type }) => type === "send")) {
      const causes = ["submit", "retry", "abandon", "take_over", "session", "listed", "confirmed"];
      assert.ok(causes.includes(event.type), event.type);
      if (["session", "listed"].includes(event.type)) assert.equal(before.name, "sending");
      assert.ok(!decided.has(fresh.key), "sent again what is settled");
    }
    const cancels = effects.filter(({ type }) => type === "cancel");
    if (cancels.length > 0) assert.equal(event.type, "cancel", "cancelled by itself");
  }

  /** A request arrives at the service, whether or not the page still waits. */
  function arrive() {
    const [request] = network.splice(pick(network.length), 1);
    const answer = service.decide(request);
    checkTruth();
    if (request !== inFlight) return;
    inFlight = null;
    receive(request, pick(3) === 0 ? noise(request.operation) : answer);
  }

  function receive({ attempt }, answer) {
    happen({ type: "answer", attempt, answer, now_ms: NOW_MS });
    checkTruth();
  }

  happen(load(null));
  for (let moves = 0; moves < 60; moves += 1) {
    const choice = pick(30);
    if (choice < 5) {
      keys += 1;
      const key = `0b6f6c1e-6f0e-4b52-9f5d-${String(keys).padStart(12, "0")}`;
      happen({
        type: "submit",
        key,
        workshop: one(["linocut", "bookbinding"]),
        quantity: 1 + pick(2),
      });
    } else if (choice < 9) happen({ type: "retry" });
    else if (choice < 11) happen({ type: "abandon" });
    else if (choice < 15 && network.length > 0) arrive();
    else if (choice === 15 && inFlight) {
      // No answer came in time. The request may still arrive.
      const request = inFlight;
      inFlight = null;
      receive(request, lost);
    } else if (choice === 16 && inFlight) {
      const request = inFlight;
      inFlight = null;
      network.splice(network.indexOf(request), 1);
      receive(request, refusals());
    } else if (choice < 20 && others.length > 0) {
      const [other] = others.splice(pick(others.length), 1);
      const { type, key } = other;
      const answer = type === "found" ? service.lookUp(other) : service.cancel(other);
      happen({ type, key, answer: pick(4) === 0 ? lost : answer });
      checkTruth();
    } else if (choice < 22 && holds !== null) {
      holds = null;
      happen({ type: "listed", places: pick(3) });
    } else if (choice === 22 && current.name === "confirming") {
      unconfirmed.delete(current.operation.key);
      happen({ type: "confirmed", sure: pick(2) === 0 });
    } else if (choice === 23 && current.operation?.result) {
      const { key, actor } = current.operation;
      happen({ type: "cancel", key, actor });
    } else if (choice < 26) happen({ type: "session", actor: one([ME, ME, ME, OTHER]) });
    else if (choice === 26) {
      // A reload, or the tab crashed: the answer in flight never arrives.
      inFlight = null;
      others.length = 0;
      unconfirmed.clear();
      if (pick(2)) current = initial;
      const operation = stored === null ? null : parseOperation(stored);
      assert.ok(stored === null || operation, `saved what would not be read back: ${stored}`);
      happen(load(operation, { workshop: one(["linocut", "bookbinding", null]) }));
    } else if (choice === 27) happen({ type: one(["forget", "ended", "end_failed"]) });
    else if (choice === 28)
      happen(
        answer({ kind: "outcome", outcome: reserved, replayed: false }, pick(current.attempt || 1)),
      );
    else
      happen({
        type: one(["start_over", "put_aside", "take_over", "waited", "session_failed", "look_up"]),
      });
  }
  // What was delayed arrives.
  while (network.length > 0) arrive();
  checkTruth();
  return { sent: sent.size, decided: decided.size, nothings: nothings.size };
}

test("twenty thousand random histories of a tab keep the promises and show the truth", () => {
  const total = { sent: 0, decided: 0, nothings: 0 };
  for (let seed = 1; seed <= 20_000; seed += 1) {
    try {
      const counts = live(seed);
      for (const name of Object.keys(total)) total[name] += counts[name];
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  // The histories are not empty: operations were sent and settled.
  const { sent, decided, nothings } = total;
  assert.ok(sent > 10_000 && decided > 5_000 && nothings > 2_000, JSON.stringify(total));
});
