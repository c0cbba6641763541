// The page: carries events to the machine and its effects to the storage, the service and the
// screen. The only module that knows all the others; it decides nothing that they could.

import * as api from "./api.js";
import { initial, step } from "./machine.js";
import { calendarFile, doorCode } from "./receipt.js";
import { openSaved, WORKSHOP_ID } from "./saved.js";
import {
  askToForget,
  chosenQuantity,
  listen,
  show,
  showChoiceError,
  showCopied,
  showSeconds,
} from "./view.js";
import { chooseLanguage, languages, rememberedLanguage, rememberLanguage } from "./words.js";

const saved = openSaved(() => sessionStorage);
const address = new URLSearchParams(location.search);

let state = initial;
let language = chooseLanguage({
  address: address.get("lang"),
  remembered: rememberedLanguage(),
  browser: navigator.languages,
});

/** The workshop that the address asks for, or the only one there is; null: all of them. */
let wanted = address.get("workshop");
/** Whether `wanted` is the only one on offer, so that there is no list to go back to. */
let alone = false;
/** @type {import("./types.js").Offer} */
let offer = { id: null, state: "loading", workshop: null, list: [], alone };
/** Titles by id, of the workshops seen so far. */
const titles = new Map();
/** The attempt in flight, to give it up. */
let inFlight = null;
/** Counts the seconds of a wait. */
let ticking = null;
let waited = false;
/** The calendar file that is offered: what it was made of, and its address. */
let calendar = { madeOf: "", url: null };

// --- Events and effects ---

function dispatch(event) {
  const before = state;
  const { state: next, effects } = step(state, event);
  state = next;
  if (next.operation !== before.operation) waited = event.type === "waited";
  for (const effect of effects) {
    if (!carryOut(effect)) return;
  }
  showAll();
}

/** @returns {boolean} false: it failed, what was to come after it is dropped, and all is shown */
function carryOut(effect) {
  switch (effect.type) {
    case "save":
      try {
        saved.save(effect.operation);
      } catch {
        dispatch({ type: "save_failed" });
        return false;
      }
      break;
    case "send":
      send(effect);
      break;
    case "session":
      askSession();
      break;
    case "wait":
      startTicking();
      break;
    case "end_session":
      endSession();
      break;
    case "erase":
      keep(() => saved.erase());
      break;
    case "put_aside":
      keep(() => saved.putAside());
      break;
    case "erase_all":
      keep(() => saved.eraseAll());
      break;
    default:
      throw new Error(`unknown effect: ${effect.type}`);
  }
  return true;
}

/** What the storage refuses here stays as it was: nothing is sent because of it. */
function keep(change) {
  try {
    change();
  } catch {}
}

async function send({ operation, attempt }) {
  const abort = new AbortController();
  inFlight = abort;
  const answer = await api.send(operation, abort);
  dispatch({ type: "answer", attempt, answer, now_ms: Date.now() });
  refresh();
}

async function askSession() {
  try {
    dispatch({ type: "session", actor: await api.session() });
  } catch {
    dispatch({ type: "session_failed" });
  }
}

async function endSession() {
  try {
    await api.endSession(state.actor);
    dispatch({ type: "ended" });
  } catch {
    dispatch({ type: "end_failed" });
    // Perhaps because this browser is somebody else by now.
    askSession();
  }
}

/** The countdown enables the button when it is over. It never sends. */
function startTicking() {
  clearInterval(ticking);
  ticking = setInterval(() => {
    if (secondsLeft() > 0) return showSeconds(secondsLeft(), languages[language]);
    clearInterval(ticking);
    dispatch({ type: "waited" });
  }, 250);
}

function secondsLeft() {
  const until_ms = state.name === "open" ? state.operation.wait_until_ms : null;
  return until_ms === null ? 0 : Math.max(0, Math.ceil((until_ms - Date.now()) / 1000));
}

// --- What is on offer ---

/** Asks again what is on offer. */
async function refresh() {
  const id = shownWorkshop();
  const asked = { id, state: "loading", workshop: null, list: [], alone };
  // What is shown stays until the answer is there.
  if (offer.id === id) Object.assign(asked, { workshop: offer.workshop, list: offer.list });
  offer = asked;
  showAll();
  const found = await lookUp(id).catch(() => ({ state: "failed" }));
  if (offer !== asked) return;
  offer = { ...asked, ...found };
  for (const { id: one, title } of [offer.workshop, ...offer.list].filter(Boolean)) {
    titles.set(one, title);
  }
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
  const workshop = WORKSHOP_ID.test(id) ? await api.workshop(id) : null;
  return { state: "here", workshop };
}

/** An open operation is shown whatever the address says. */
function shownWorkshop() {
  return state.operation?.workshop ?? wanted;
}

// --- What is shown ---

function showAll() {
  if (offer.id !== shownWorkshop()) {
    refresh();
    return;
  }
  const words = languages[language];
  const { operation } = state;
  show({
    state,
    words,
    language,
    offer,
    waited,
    seconds: secondsLeft(),
    aside: saved.aside(),
    receipts: earlierReceipts(),
    titles: (id) => titles.get(id) ?? id,
    calendar: calendarOf(operation, words),
  });
}

/** The receipts of this tab but the one that is shown, and nobody else's. */
function earlierReceipts() {
  const isMine = ({ actor, key }) =>
    (state.actor === null || actor === state.actor) && key !== state.operation?.key;
  return saved.receipts().filter(isMine);
}

/** The address of the calendar file for a reservation; null: it has no date. */
function calendarOf(operation, words) {
  const { workshop } = offer;
  const result = operation?.result;
  const isThere = result?.status === "reserved" && workshop?.starts_at;
  const madeOf = isThere ? JSON.stringify([result, workshop, language]) : "";
  if (madeOf === calendar.madeOf) return calendar.url;
  if (calendar.url) URL.revokeObjectURL(calendar.url);
  calendar = { madeOf, url: null };
  if (isThere) {
    const { reservation_id: reservationId, quantity } = result;
    const description = words.calendarDescription(quantity, doorCode(reservationId));
    const text = calendarFile({ workshop, reservationId, description, now_ms: Date.now() });
    calendar.url = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
  }
  return calendar.url;
}

// --- What the person does ---

listen({
  submit() {
    if (state.name !== "ready") return dispatch({ type: "retry" });
    if (wanted === null || !WORKSHOP_ID.test(wanted)) return;
    const quantity = chosenQuantity();
    if (quantity === null) return showChoiceError(languages[language].chooseQuantity);
    dispatch({ type: "submit", key: crypto.randomUUID(), workshop: wanted, quantity });
  },
  again: () => dispatch({ type: "again" }),
  change: () => dispatch({ type: "change" }),
  takeOver: () => dispatch({ type: "take_over" }),
  putAside: () => dispatch({ type: "put_aside" }),
  loadAgain: () => refresh(),
  async copy() {
    const { reservation_id } = state.operation.result;
    const copying = navigator.clipboard.writeText(reservation_id);
    const copied = await copying.then(() => true).catch(() => false);
    showCopied(copied, languages[language]);
  },
  eraseAside() {
    keep(() => saved.eraseAside());
    showAll();
  },
  forget() {
    const { forgetOpen, forgetHeld } = languages[language];
    const isOpen = state.operation !== null && state.operation.result === null;
    const reasons = [
      ...(isOpen ? [forgetOpen] : []),
      ...(saved.receipts().length > 0 ? [forgetHeld] : []),
    ];
    if (reasons.length > 0) askToForget(reasons);
    else dispatch({ type: "forget" });
  },
  forgetYes: () => dispatch({ type: "forget" }),
  language() {
    language = language === "de" ? "en" : "de";
    rememberLanguage(language);
    const here = new URL(location.href);
    here.searchParams.set("lang", language);
    history.replaceState(null, "", here);
    showAll();
  },
});

// --- The page comes and goes ---

/** Why nothing can be prepared here, if so. What is already saved is shown all the same. */
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
  load();
  refresh();
  if (state.name !== "unprepared") askSession();
}

addEventListener("pageshow", ({ persisted }) => {
  // Back from the cache: the tab may have done other things meanwhile, under another identity.
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
  if (document.visibilityState === "visible") refresh();
});

begin();
