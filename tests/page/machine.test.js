// Every event in every state, and long random lives of a tab.

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

/** One of each state, and of the kinds of it that behave differently. */
const states = {
  starting: state("starting", { actor: null, attempt: 0 }),
  ready: state("ready"),
  "ready, unknown": state("ready", { actor: null }),
  asking: state("sending", {
    actor: null,
    phase: "session",
    operation: { ...saved, actor: null },
    fresh: true,
  }),
  sending: state("sending", { phase: "request", operation: unanswered, fresh: true }),
  "sending after a wait": state("sending", { phase: "request", operation: unanswered }),
  "sending again": state("sending", {
    phase: "request",
    operation: unanswered,
    unanswered_before: true,
  }),
  open: state("open", { operation: unanswered }),
  "open, unknown": state("open", { actor: null, operation: unanswered }),
  waiting: state("open", {
    operation: { ...saved, reason: "rate_limited", wait_until_ms: NOW_MS + 9_000 },
  }),
  reserved: state("reserved", { operation: settled(reserved) }),
  unavailable: state("unavailable", { operation: settled(unavailable) }),
  rejected: state("rejected", {
    operation: settled({ status: "rejected", error: "unknown_workshop" }),
  }),
  other: state("other", { actor: OTHER, operation: saved }),
  "other, unanswered": state("other", { actor: OTHER, operation: unanswered }),
  "other, settled": state("other", { actor: OTHER, operation: settled(reserved) }),
  unprepared: state("unprepared", { problem: "storage" }),
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
  "load without storage": load(null, { problem: "storage" }),
  submit: { type: "submit", key: NEW_KEY, workshop: "linocut", quantity: 1 },
  retry: { type: "retry" },
  save_failed: { type: "save_failed" },
  "session of me": { type: "session", actor: ME },
  "session of another": { type: "session", actor: OTHER },
  session_failed: { type: "session_failed" },
  "answer reserved": answer({ kind: "outcome", outcome: reserved }),
  "answer unavailable": answer({ kind: "outcome", outcome: unavailable }),
  "answer for other values": answer({ kind: "outcome", outcome: { ...reserved, quantity: 1 } }),
  "answer lost": answer(lost),
  "answer late": answer({ kind: "outcome", outcome: reserved }, 6),
  "answer fix_request": answer(rejection("operation_conflict", "fix_request")),
  "answer rate_limited": answer(rejection("rate_limited", "same_key", 9)),
  "answer outcome_unknown": answer(rejection("outcome_unknown", "same_key", 2)),
  "answer not_configured": answer(rejection("not_configured", "same_key")),
  "answer actor_required": answer(rejection("actor_required", "same_key")),
  "answer actor_changed": answer(rejection("actor_changed", "same_key")),
  waited: { type: "waited" },
  again: { type: "again" },
  change: { type: "change" },
  put_aside: { type: "put_aside" },
  take_over: { type: "take_over" },
  forget: { type: "forget" },
  ended: { type: "ended" },
  end_failed: { type: "end_failed" },
};

// What is not written here is ignored: the state stays, nothing is done. "!" after a state's
// name: the operation may have been decided without our hearing of it.
const loads = {
  "load nothing": "ready",
  "load an open one": "open!",
  "load a waiting one": "open wait",
  "load one that waited": "open",
  "load a receipt": "reserved",
  "load another workshop's receipt": "ready",
  "load another workshop's open one": "open!",
  "load without storage": "unprepared",
};
const loadsOfAnother = {
  ...loads,
  "load an open one": "other!",
  "load a waiting one": "other",
  "load one that waited": "other",
  "load a receipt": "other",
  "load another workshop's open one": "other!",
};
const endable = { forget: "same end_session" };
const answers = {
  "answer reserved": "reserved save",
  "answer unavailable": "unavailable save",
  "answer for other values": "open! save",
  "answer lost": "open! save",
  "answer outcome_unknown": "open! save wait",
};
/** Of the first attempt, or of one before which every other was answered. */
const nothingDone = {
  "answer fix_request": "rejected save",
  "answer rate_limited": "open save wait",
  "answer not_configured": "open save",
  "answer actor_required": "open save",
  "answer actor_changed": "other save session",
};
const table = {
  starting: { ...loads, "session of me": "starting", "session of another": "starting" },
  ready: { ...loads, ...endable, submit: "sending! save send" },
  "ready, unknown": { ...loads, ...endable, submit: "sending save session" },
  asking: {
    ...loads,
    save_failed: "unprepared",
    "session of me": "sending! save send",
    "session of another": "sending! save send",
    session_failed: "open save",
  },
  sending: {
    ...loads,
    ...answers,
    ...nothingDone,
    save_failed: "unprepared",
  },
  "sending after a wait": {
    ...loads,
    ...answers,
    ...nothingDone,
    save_failed: "open",
  },
  "sending again": {
    ...loads,
    ...answers,
    save_failed: "open!",
    "answer fix_request": "open! save",
    "answer rate_limited": "open! save wait",
    "answer not_configured": "open! save",
    "answer actor_required": "open! save",
    "answer actor_changed": "other! save session",
  },
  open: { ...loads, ...endable, retry: "sending! save send", "session of another": "other!" },
  "open, unknown": {
    ...loads,
    ...endable,
    retry: "sending! session",
    "session of another": "other!",
  },
  waiting: { ...loads, ...endable, waited: "open", "session of another": "other" },
  reserved: { ...loads, ...endable, again: "ready erase", "session of another": "other" },
  unavailable: { ...loads, ...endable, change: "ready erase", "session of another": "other" },
  rejected: { ...loads, ...endable, change: "ready erase", "session of another": "other" },
  other: {
    ...loadsOfAnother,
    ...endable,
    "session of me": "open",
    put_aside: "ready put_aside",
    take_over: "sending! save send",
  },
  "other, unanswered": {
    ...loadsOfAnother,
    ...endable,
    "session of me": "open!",
    put_aside: "ready put_aside",
  },
  "other, settled": {
    ...loadsOfAnother,
    ...endable,
    "session of me": "reserved",
    put_aside: "ready put_aside",
  },
  unprepared: { ...loads, ...endable },
  ending: {
    ...loads,
    "session of another": "other",
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
  test(`${name}: every event leads where the table says, and every other one is ignored`, () => {
    for (const [happening, event] of Object.entries(happenings)) {
      const after = step(before, event);
      const expected = table[name][happening];
      if (expected !== undefined) {
        const same = written({ state: before, effects: [] });
        assert.equal(written(after), expected.replace("same", same), happening);
      } else if (event.type === "session") {
        // Who we are is noted in every state, also where it changes nothing.
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

test("a second click while it is being sent does nothing", () => {
  const { state: sending } = step(states.ready, happenings.submit);
  for (const again of ["submit", "retry"]) {
    assert.deepEqual(step(sending, happenings[again]), { state: sending, effects: [] });
  }
});

test("what is saved before the request is what is sent", () => {
  const { effects } = step(states.ready, happenings.submit);
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

test("what could never be saved is not kept: nothing was sent, and nothing can be prepared", () => {
  for (const before of [states.ready, states["ready, unknown"]]) {
    const after = play(before, [happenings.submit, happenings.save_failed]);
    assert.deepEqual([after.name, after.operation], ["unprepared", null]);
  }
});

test("after it was told that the actor changed, it asks who we are before it sends", () => {
  const after = play(states.sending, [happenings["answer actor_changed"]]);
  assert.equal(after.actor, null);
  const { effects } = step(after, happenings.take_over);
  assert.deepEqual(effects, [{ type: "session" }]);
});

test("lost answer, then no session, then a new session: it is somebody else's, and still open", () => {
  const after = play(states.sending, [
    happenings["answer lost"],
    happenings.retry,
    { ...happenings["answer actor_required"], attempt: 8 },
    happenings.retry,
    happenings["session of another"],
  ]);
  assert.equal(after.name, "other");
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

test("a wait is believed for an hour, and a wait that is over does not come back", () => {
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

// --- Random lives -------------------------------------------------------------------

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function random(seed) {
  let bits = seed;
  return (below) => {
    bits = (Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

/** A tab with a storage that may fail, and all that was ever sent from it. */
function live(seed) {
  const pick = random(seed);
  const one = (list) => list[pick(list.length)];
  let current = initial;
  let stored = null; // the text in the storage
  let keys = 0;
  const sent = new Map(); // key -> values and actors
  const decided = new Set(); // keys with a definite answer that could be saved
  let inFlight = null;

  const answerOf = (operation) =>
    one([
      { kind: "outcome", outcome: { ...reserved, quantity: operation.quantity } },
      { kind: "outcome", outcome: unavailable },
      { kind: "outcome", outcome: { ...reserved, quantity: 3 - operation.quantity } },
      lost,
      rejection("operation_conflict", "fix_request"),
      rejection("rate_limited", "same_key", pick(3)),
      rejection("outcome_unknown", "same_key", 2),
      rejection("actor_required", "same_key"),
      rejection("actor_changed", "same_key"),
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
      else if (["erase", "put_aside", "erase_all"].includes(effect.type)) stored = null;
    }
  }

  function send({ operation, attempt }) {
    // Never two keys in flight, and never an unsaved one.
    assert.equal(inFlight, null, "two requests in flight");
    assert.deepEqual(JSON.parse(stored), operation, "sent what is not saved");
    assert.deepEqual(parseOperation(stored), operation, "saved what would not be read back");
    assert.equal(operation.unanswered, true);
    assert.equal(operation.actor, current.actor, "sent as somebody else");
    const { key, workshop, quantity } = operation;
    const values = sent.get(key) ?? { workshop, quantity };
    assert.deepEqual(values, { workshop, quantity }, "other values under a key");
    sent.set(key, values);
    inFlight = { attempt, operation };
  }

  function check(before, event, effects) {
    const [old, fresh] = [before.operation, current.operation];
    if (event.type === "load" || event.type === "ended") return;
    if (before.name === "open" || before.name === "sending") {
      // While open the operation stays, and nothing but an answer settles it.
      if (current.name !== "unprepared") {
        assert.equal(fresh.key, old.key, "a new key while open");
        assert.equal(fresh.quantity, old.quantity);
        assert.equal(fresh.workshop, old.workshop);
      }
      if (fresh?.result) {
        assert.equal(event.type, "answer");
        const definite =
          event.answer.kind === "outcome" ||
          (event.answer.retry === "fix_request" && !before.unanswered_before);
        assert.ok(definite, "settled by what is not definite");
      }
      if (before.unanswered_before && !fresh?.result && event.type === "answer") {
        assert.equal(fresh.unanswered, true, "forgot an unanswered attempt");
      }
    }
    if (effects.some(({ type }) => type === "send")) {
      assert.ok(["submit", "retry", "take_over", "session"].includes(event.type), event.type);
      if (event.type === "session") assert.equal(before.name, "sending");
      assert.ok(!decided.has(fresh.key), "sent again what is settled");
    }
  }

  for (let moves = 0; moves < 60; moves += 1) {
    const choice = pick(22);
    if (choice < 5) {
      keys += 1;
      const key = `0b6f6c1e-6f0e-4b52-9f5d-${String(keys).padStart(12, "0")}`;
      happen({
        type: "submit",
        key,
        workshop: one(["linocut", "bookbinding"]),
        quantity: 1 + pick(2),
      });
    } else if (choice < 10) happen({ type: "retry" });
    else if (choice < 14 && inFlight) {
      const { attempt, operation } = inFlight;
      inFlight = null;
      happen({ type: "answer", attempt, answer: answerOf(operation), now_ms: NOW_MS });
    } else if (choice < 16) happen({ type: "session", actor: one([ME, ME, ME, OTHER]) });
    else if (choice === 16) {
      // A reload, or the tab crashed: what was in flight is not heard of any more.
      inFlight = null;
      if (pick(2)) current = initial;
      const operation = stored === null ? null : parseOperation(stored);
      assert.ok(stored === null || operation, `saved what would not be read back: ${stored}`);
      happen(load(operation, { workshop: one(["linocut", "bookbinding", null]) }));
    } else if (choice === 17) happen({ type: one(["forget", "ended", "end_failed"]) });
    else if (choice === 18)
      happen(answer({ kind: "outcome", outcome: reserved }, pick(current.attempt || 1)));
    else
      happen({
        type: one(["again", "change", "put_aside", "take_over", "waited", "session_failed"]),
      });
  }
  return { sent: sent.size, decided: decided.size };
}

test("twenty thousand random lives of a tab keep the promises", () => {
  const total = { sent: 0, decided: 0 };
  for (let seed = 1; seed <= 20_000; seed += 1) {
    try {
      const { sent, decided } = live(seed);
      total.sent += sent;
      total.decided += decided;
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  // The lives were worth living: things were sent, and settled.
  assert.ok(total.sent > 20_000 && total.decided > 5_000, JSON.stringify(total));
});
