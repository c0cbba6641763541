// The page: carries events to the machine, and its effects to storage, service and screen.

import { api } from "./api.js";
import { doorCode } from "./door-code.js";
import { isWorkshopId } from "./forms.js";
import { asReservation, openLists } from "./lists.js";
import { initial, step } from "./machine.js";
import { openSaved } from "./saved.js";
import * as view from "./view.js";
import { chooseLanguage, rememberedLanguage, rememberLanguage, wordsOf } from "./words.js";

const saved = openSaved(() => sessionStorage);
const address = new URLSearchParams(location.search);

/** @type {State} */
let state = initial;
let language = chooseLanguage({
  address: address.get("lang"),
  remembered: rememberedLanguage(),
  browser: navigator.languages,
});
let words = await wordsOf(language);

const lists = openLists({
  address: address.get("workshop"),
  state: () => state,
  receipts: saved.receipts,
  show: showAll,
  load,
});

let inFlight = new AbortController();
let ticking = 0;
let waited = false;

/** @param {MachineEvent} event @returns {void} */
function dispatch(event) {
  const before = state;
  const { state: next, effects } = step(state, event);
  state = next;
  if (next.operation !== before.operation) waited = event.type === "waited";
  lists.setActor(next.actor);
  for (const effect of effects) {
    if (effect.type !== "save") {
      const run = /** @type {(effect: Effect) => unknown} */ (runners[effect.type]);
      run(effect);
    } else if (!tryToStore(() => saved.save(effect.operation))) {
      // The rest is dropped.
      return dispatch({ type: "save_failed" });
    }
  }
  showAll();
}

/** @type {Runners} */
const runners = {
  async send({ operation, attempt, doing }) {
    inFlight = new AbortController();
    const send = doing === "abandon" ? api.abandon : api.reserve;
    const answer = await send(operation, inFlight);
    dispatch({ type: "answer", attempt, answer, now_ms: Date.now() });
    lists.refresh();
  },
  look_up: lookUp,
  async cancel({ key, actor }) {
    dispatch({ type: "cancel_answer", key, answer: await api.cancel({ key, actor }) });
    lists.refresh();
  },
  async list({ workshop }) {
    dispatch({ type: "listed", places: await lists.placesIn(workshop) });
  },
  async confirm({ places, workshop }) {
    const question = words.more(places, lists.titleOf(workshop));
    dispatch({ type: "confirmed", sure: await view.confirm(question) });
  },
  session: readSession,
  wait: startTicking,
  async end_session() {
    try {
      await api.endSession(state.actor);
      dispatch({ type: "ended" });
    } catch {
      dispatch({ type: "end_failed" });
      // The actor may have changed.
      readSession();
    }
  },
  erase: () => tryToStore(saved.erase),
  put_aside: () => tryToStore(saved.putAside),
  erase_all: () => tryToStore(saved.eraseAll),
};

/** Whether the storage took a change. @param {() => void} change */
function tryToStore(change) {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

/** @param {Identity} operation */
async function lookUp({ key, actor }) {
  dispatch({ type: "found", key, answer: await api.lookUp({ key, actor }) });
}

async function readSession() {
  try {
    dispatch({ type: "session", actor: await api.session() });
    lists.refreshReservations();
  } catch {
    dispatch({ type: "session_failed" });
    lists.setFailed();
  }
}

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

function showAll() {
  if (!lists.isCurrent()) {
    lists.refreshOffer();
    return;
  }
  view.show({
    state,
    words,
    language,
    offer: lists.offer(),
    waited,
    seconds: secondsLeft(),
    aside: saved.aside(),
    reservations: lists.reservations(),
    titles: lists.titleOf,
  });
}

// --- The person acts ---

view.listen({
  submit() {
    if (state.name === "unconfirmed") return dispatch({ type: "look_up" });
    if (state.name !== "ready") return dispatch({ type: "retry" });
    const workshop = lists.wanted();
    if (!isWorkshopId(workshop)) return;
    const quantity = view.chosenQuantity();
    if (quantity === null) return view.showChoiceError(words.chooseQuantity);
    dispatch({ type: "submit", key: crypto.randomUUID(), workshop, quantity });
  },
  cancelOne(key) {
    const reservation = lists.reservations().rows.find((one) => one.key === key);
    if (reservation) cancel(reservation);
  },
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
  cancel: () => onReceipt((receipt) => cancel(asReservation(receipt))),
  again: () => dispatch({ type: "start_over" }),
  change: () => dispatch({ type: "start_over" }),
  "take-over": () => dispatch({ type: "take_over" }),
  "put-aside": () => dispatch({ type: "put_aside" }),
  "load-again": lists.refresh,
  "list-again": lists.refresh,
  copy: () =>
    onReceipt(async ({ result }) => {
      const copying = navigator.clipboard.writeText(result.reservation_id);
      const copied = await copying.then(() => true).catch(() => false);
      view.setLabel("copy", copied ? words.copied : words.notCopied);
      if (!copied) view.selectReservation();
    }),
  calendar: () =>
    onReceipt(async ({ result: { reservation_id, quantity } }) => {
      const { workshop } = lists.offer();
      const file = await import("./calendar.js").catch(() => null);
      if (file === null || workshop === null) {
        return view.setLabel("calendar", words.noCalendar);
      }
      const description = words.calendarDescription(quantity, doorCode(reservation_id));
      file.download({ workshop, reservationId: reservation_id, description });
    }),
  "erase-aside"() {
    tryToStore(saved.eraseAside);
    showAll();
  },
  async forget() {
    const { forgetOpen, forgetHeld, forgetQuestion } = words;
    const isOpen = state.operation?.result === null;
    const texts = [...(isOpen ? [forgetOpen] : []), ...(lists.holds() ? [forgetHeld] : [])];
    const isSure = texts.length === 0 || (await view.confirm({ ...forgetQuestion, texts }));
    if (isSure) dispatch({ type: "forget" });
  },
});

/** @param {(receipt: Receipt) => unknown} act */
function onReceipt(act) {
  if (state.name === "reserved" || state.name === "unconfirmed") return act(state.operation);
}

/** @param {Reservation} reservation */
async function cancel({ key, actor, workshop, quantity, id }) {
  const question = words.cancelQuestion(quantity, lists.titleOf(workshop), doorCode(id));
  if (await view.confirm(question)) dispatch({ type: "cancel", key, actor });
}

// --- The page comes and goes ---

/** Why nothing can be sent safely. */
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

/** Shows what is saved, and sends nothing. */
function load() {
  const problem = findProblem();
  const workshop = lists.wanted();
  dispatch({ type: "load", problem, operation: saved.read(), workshop, now_ms: Date.now() });
}

function begin() {
  view.dismissQuestion();
  load();
  lists.refresh();
  if (state.name !== "blocked") readSession();
}

addEventListener("pageshow", ({ persisted }) => {
  // Back from the cache: the tab may have done other things meanwhile.
  if (persisted) begin();
});
addEventListener("pagehide", () => {
  if (state.name !== "sending" || state.phase !== "request") return;
  inFlight.abort();
  dispatch({
    type: "answer",
    attempt: state.attempt,
    answer: { kind: "lost", reason: "interrupted" },
    now_ms: Date.now(),
  });
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  lists.refresh();
  // It may have been cancelled elsewhere.
  onReceipt(lookUp);
});

begin();
