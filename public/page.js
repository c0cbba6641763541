// The page: carries events to the machine, and its effects to storage, service and screen. The only
// module that knows all the others; it decides nothing that they could.

import * as api from "./api.js";
import { doorCode } from "./door-code.js";
import { initial, step } from "./machine.js";
import { isWorkshopId, openSaved } from "./saved.js";
import * as view from "./view.js";
import { chooseLanguage, rememberedLanguage, rememberLanguage, wordsOf } from "./words.js";

/** A person who reserves is not kept waiting longer to be told what they already hold. */
const LIST_MS_MAX = 3_000;

const saved = openSaved(() => sessionStorage);
const address = new URLSearchParams(location.search);

let state = initial;
let language = chooseLanguage({
  address: address.get("lang"),
  remembered: rememberedLanguage(),
  browser: navigator.languages,
});
let words = await wordsOf(language);

/** The workshop that the address asks for, or the only one there is; null: all. */
let wanted = address.get("workshop");
let alone = false;
/** @type {import("./types.js").Offer} */
let offer = { id: null, state: "loading", workshop: null, list: [], alone };
/** By id, of the workshops seen so far. */
const titles = new Map();
/** The actor's reservations; `list`: null before the service said anything. */
let mine = { actor: null, list: null, failed: false };
let inFlight = null;
let ticking = null;
let waited = false;

// --- Events and effects ---

function dispatch(event) {
  const before = state;
  const { state: next, effects } = step(state, event);
  state = next;
  if (next.operation !== before.operation) waited = event.type === "waited";
  // Somebody else's list is nobody's.
  if (next.actor !== mine.actor) mine = { actor: next.actor, list: null, failed: false };
  for (const effect of effects) {
    if (effect.type !== "save") carryOut[effect.type](effect);
    // After a save that failed the rest is dropped.
    else if (!keep(() => saved.save(effect.operation))) return dispatch({ type: "save_failed" });
  }
  showAll();
}

const carryOut = {
  send,
  look_up: lookUpReceipt,
  cancel,
  list: tellPlaces,
  ask: askForMore,
  session: askSession,
  wait: startTicking,
  end_session: endSession,
  erase: () => keep(() => saved.erase()),
  put_aside: () => keep(() => saved.putAside()),
  erase_all: () => keep(() => saved.eraseAll()),
};

/** Whether the storage took a change. */
function keep(change) {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

async function send({ operation, attempt, doing }) {
  const abort = new AbortController();
  inFlight = abort;
  const sent = doing === "abandon" ? api.abandon : api.reserve;
  const answer = await sent(operation, abort);
  dispatch({ type: "answer", attempt, answer, now_ms: Date.now() });
  refresh();
}

async function lookUpReceipt({ operation }) {
  const { key } = operation;
  dispatch({ type: "found", key, answer: await api.lookUp(operation) });
}

async function cancel({ key, actor }) {
  dispatch({ type: "cancel_answer", key, answer: await api.cancel({ key, actor }) });
  refresh();
}

async function tellPlaces({ workshop }) {
  let { list } = mine;
  if (list === null || mine.failed) {
    const enough = new Promise((resolve) => setTimeout(resolve, LIST_MS_MAX));
    list = (await Promise.race([refreshMine(), enough])) ?? mine.list ?? [];
  }
  const there = list.filter((one) => one.workshop === workshop && isHeld(one));
  const places = there.reduce((sum, { quantity }) => sum + quantity, 0);
  dispatch({ type: "listed", places });
}

async function askForMore({ places }) {
  const question = words.more(places, titleOf(state.operation.workshop));
  dispatch({ type: "asked", sure: await view.askFirst(question) });
}

async function askSession() {
  try {
    dispatch({ type: "session", actor: await api.session() });
    refreshMine();
  } catch {
    dispatch({ type: "session_failed" });
    mine = { ...mine, failed: true };
    showAll();
  }
}

async function endSession() {
  try {
    await api.endSession(state.actor);
    dispatch({ type: "ended" });
  } catch {
    dispatch({ type: "end_failed" });
    // Perhaps this browser is somebody else by now.
    askSession();
  }
}

/** It never sends. */
function startTicking() {
  clearInterval(ticking);
  ticking = setInterval(() => {
    if (secondsLeft() > 0) return view.showSeconds(secondsLeft(), words);
    clearInterval(ticking);
    dispatch({ type: "waited" });
  }, 250);
}

function secondsLeft() {
  const until_ms = state.name === "open" ? state.operation.wait_until_ms : null;
  return until_ms === null ? 0 : Math.max(0, Math.ceil((until_ms - Date.now()) / 1000));
}

// --- What is on offer ---

function refresh() {
  refreshMine();
  return refreshOffer();
}

async function refreshOffer() {
  const id = shownWorkshop();
  const asked = { id, state: "loading", workshop: null, list: [], alone };
  // What is shown stays until the answer is there.
  if (offer.id === id) Object.assign(asked, { workshop: offer.workshop, list: offer.list });
  offer = asked;
  showAll();
  const found = await lookUp(id).catch(() => ({ state: "failed" }));
  if (offer !== asked) return;
  offer = { ...asked, ...found };
  noteTitles([offer.workshop, ...offer.list].filter(Boolean));
  if (id === null && offer.list.length === 1) {
    alone = true;
    wanted = offer.list[0].id;
    offer = { ...offer, id: wanted, workshop: offer.list[0], list: [], alone };
    if (state.name === "ready") return load();
  }
  showAll();
}

async function lookUp(id) {
  if (id === null) return { state: "here", list: await api.workshops() };
  const workshop = isWorkshopId(id) ? await api.workshop(id) : null;
  return { state: "here", workshop };
}

function noteTitles(workshops) {
  for (const { id, title } of workshops) titles.set(id, title);
}

const titleOf = (workshop) => titles.get(workshop) ?? workshop;

// --- What the actor has ---

const isHeld = (reservation) => reservation.state === "held";

/** null: the service did not tell them. */
async function refreshMine() {
  const { actor } = state;
  if (actor === null) return null;
  const asked = { ...mine };
  mine = asked;
  const list = await api.reservations(actor).catch(() => null);
  if (mine !== asked) return list;
  mine = { actor, list: list ?? asked.list, failed: list === null };
  showAll();
  if (list?.some(({ workshop }) => !titles.has(workshop))) noteAllTitles();
  return list;
}

async function noteAllTitles() {
  noteTitles(await api.workshops().catch(() => []));
  showAll();
}

/** All but the one that is shown. What the service did not tell is what this tab kept. */
function myReservations() {
  const { list, failed } = mine;
  const rows = list ?? (failed ? saved.receipts().map(asKept) : []);
  return {
    rows: rows.filter(({ key, actor }) => {
      return key !== state.operation?.key && (state.actor === null || actor === state.actor);
    }),
    loading: list === null && !failed && state.name !== "unprepared",
    failed,
  };
}

function asKept({ key, actor, workshop, result: { reservation_id: id, quantity } }) {
  return { key, actor, workshop, id, quantity, state: null };
}

function shownWorkshop() {
  return state.operation?.workshop ?? wanted;
}

// --- What is shown ---

function showAll() {
  if (offer.id !== shownWorkshop()) {
    refreshOffer();
    return;
  }
  view.show({
    state,
    words,
    language,
    offer,
    waited,
    seconds: secondsLeft(),
    aside: saved.aside(),
    reservations: myReservations(),
    titles: titleOf,
  });
}

// --- What the person does ---

view.listen({
  submit() {
    if (state.name === "unsure") return dispatch({ type: "look_up" });
    if (state.name !== "ready") return dispatch({ type: "retry" });
    if (!isWorkshopId(wanted)) return;
    const quantity = view.chosenQuantity();
    if (quantity === null) return view.showChoiceError(words.chooseQuantity);
    dispatch({ type: "submit", key: crypto.randomUUID(), workshop: wanted, quantity });
  },
  cancelOne: (key) => askToCancel(myReservations().rows.find((one) => one.key === key)),
  async language() {
    const other = language === "de" ? "en" : "de";
    const loaded = await wordsOf(other).catch(() => null);
    if (loaded === null) return;
    [language, words] = [other, loaded];
    rememberLanguage(language);
    const here = new URL(location.href);
    here.searchParams.set("lang", language);
    history.replaceState(null, "", here);
    showAll();
  },
});

view.listenToButtons({
  stop: () => dispatch({ type: "abandon" }),
  cancel: () => askToCancel(asKept(state.operation)),
  again: () => dispatch({ type: "anew" }),
  change: () => dispatch({ type: "anew" }),
  "take-over": () => dispatch({ type: "take_over" }),
  "put-aside": () => dispatch({ type: "put_aside" }),
  "load-again": refresh,
  "list-again": refresh,
  async copy() {
    const { reservation_id } = state.operation.result;
    const copying = navigator.clipboard.writeText(reservation_id);
    const copied = await copying.then(() => true).catch(() => false);
    view.showCopied(copied, words);
  },
  async calendar() {
    const { result } = state.operation;
    const file = await import("./calendar.js").catch(() => null);
    if (file === null) return view.showNoCalendar(words);
    const description = words.calendarDescription(result.quantity, doorCode(result.reservation_id));
    file.download({ workshop: offer.workshop, reservationId: result.reservation_id, description });
  },
  "erase-aside"() {
    keep(() => saved.eraseAside());
    showAll();
  },
  async forget() {
    const { forgetOpen, forgetHeld, forgetQuestion } = words;
    const isOpen = state.operation !== null && state.operation.result === null;
    const holds = mine.list?.some(isHeld) ?? saved.receipts().length > 0;
    const texts = [...(isOpen ? [forgetOpen] : []), ...(holds ? [forgetHeld] : [])];
    const isSure = texts.length === 0 || (await view.askFirst({ ...forgetQuestion, texts }));
    if (isSure) dispatch({ type: "forget" });
  },
});

async function askToCancel({ key, actor, workshop, quantity, id }) {
  const question = words.cancelQuestion(quantity, titleOf(workshop), doorCode(id));
  if (await view.askFirst(question)) dispatch({ type: "cancel", key, actor });
}

// --- The page comes and goes ---

/** Why nothing can be prepared here. What is already saved is shown all the same. */
function findProblem() {
  if (!isSecureContext || !crypto.randomUUID || !navigator.locks) return "insecure";
  try {
    saved.putAsideMisfit();
    if (saved.read() === null) saved.probe();
    return null;
  } catch {
    return "storage";
  }
}

/** Takes up what is saved. Nothing is sent by this. */
function load() {
  const problem = findProblem();
  const operation = saved.read();
  dispatch({ type: "load", problem, operation, workshop: wanted, now_ms: Date.now() });
}

function begin() {
  view.dismissQuestion();
  load();
  refresh();
  if (state.name !== "unprepared") askSession();
}

addEventListener("pageshow", ({ persisted }) => {
  // Back from the cache: the tab may have done other things meanwhile.
  if (persisted) begin();
});
addEventListener("pagehide", () => {
  if (state.name !== "sending" || state.phase !== "request") return;
  inFlight?.abort();
  dispatch({
    type: "answer",
    attempt: state.attempt,
    answer: { kind: "lost", reason: "interrupted" },
    now_ms: Date.now(),
  });
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  refresh();
  // It may have been cancelled elsewhere.
  if (["reserved", "unsure"].includes(state.name)) lookUpReceipt(state);
});

begin();
