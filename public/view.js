// The page as a person sees and hears it: puts a state into words and elements, and says what was
// pressed. It decides nothing, and asks nothing of the service or the storage.

import { doorCode } from "./door-code.js";
import { mayTakeOver } from "./machine.js";
import { byId, element, fact, redraw, showOffer, titleOf, whenAndWhere } from "./offers.js";

const radios = () => [...document.querySelectorAll('input[name="quantity"]')];

/** null: not 1 or 2. */
export function chosenQuantity() {
  const chosen = radios().find(({ checked }) => checked)?.value;
  return { 1: 1, 2: 2 }[chosen] ?? null;
}

/** @param {import("./types.js").Actions} on */
export function listen(on) {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isEnabled(byId("submit"))) on.submit();
  });
  byId("receipt-list").addEventListener("click", ({ target }) => {
    const { key } = target.dataset;
    if (key && isEnabled(target)) on.cancelOne(key);
  });
  for (const radio of radios()) radio.addEventListener("change", () => showChoiceError(""));
  byId("language").addEventListener("click", (event) => {
    event.preventDefault();
    on.language();
  });
}

/** What each button does, by its id. */
export function listenToButtons(actions) {
  for (const [id, act] of Object.entries(actions)) {
    byId(id).addEventListener("click", ({ currentTarget }) => {
      if (isEnabled(currentTarget)) act();
    });
  }
}

/** The attribute `disabled` would take the focus away. */
const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

function enable(button, enabled) {
  button.setAttribute("aria-disabled", String(!enabled));
}

/** @param {import("./types.js").Question} question @returns false: no, or dismissed */
export function askFirst({ title, texts, yes, no }) {
  const dialog = byId("question");
  byId("question-title").textContent = title;
  byId("question-text").replaceChildren(...texts.map((text) => element("p", "", text)));
  byId("yes").textContent = yes;
  byId("no").textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    const answer = () => resolve(dialog.returnValue === "yes");
    dialog.addEventListener("close", answer, { once: true });
  });
}

export function dismissQuestion() {
  byId("question").close();
}

export function showChoiceError(text) {
  const error = byId("choice-error");
  error.textContent = text;
  error.hidden = text === "";
  byId("choice").setAttribute("aria-invalid", String(text !== ""));
  if (text) radios()[0].focus();
}

/** Nothing else changes: nobody wants to hear each second. */
export function showSeconds(seconds, words) {
  const rest = String(seconds % 60).padStart(2, "0");
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${rest}`;
  byId("submit").textContent = seconds > 0 ? words.tryAgainIn(time) : words.tryAgain;
}

export function showCopied(done, words) {
  byId("copy").textContent = done ? words.copied : words.notCopied;
  if (!done) getSelection().selectAllChildren(byId("reservation-id"));
}

export function showNoCalendar(words) {
  byId("calendar").textContent = words.noCalendar;
}

let shown = null;

/** @param {import("./types.js").Model} model */
export function show(model) {
  const { state, words, offer } = model;
  const before = shown;
  const wasInDesk = byId("desk").contains(document.activeElement);
  // To look something up is no news yet: where it came from is what the next state follows.
  const name = state.name === "looking" && before ? before.name : state.name;
  shown = { name, language: model.language };
  if (before?.language !== model.language) showLanguage(model);
  document.title = words.documentTitle(titleOf(offer, words));
  showOffer(offer, words);
  showDesk(model);
  showReservations(model);
  byId("aside").hidden = model.aside.length === 0;
  byId("aside-text").textContent = model.aside.join("\n\n");
  byId("forget").disabled = state.name === "sending";
  for (const id of ["sheet", "foot", "language"]) byId(id).hidden = false;
  if (before && before.name !== name) moveFocus(before.name, name, wasInDesk);
}

function showLanguage({ words, language }) {
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll("[data-words]")) {
    place.textContent = words[place.dataset.words];
  }
  for (const radio of radios()) {
    radio.nextElementSibling.textContent = words.places(Number(radio.value));
  }
  byId("home").setAttribute("aria-label", words.home);
  const other = language === "de" ? "en" : "de";
  const link = byId("language");
  const address = new URL(location.href);
  address.searchParams.set("lang", other);
  link.href = address.search;
  link.textContent = words.otherLanguage;
  link.lang = other;
  link.hreflang = other;
}

function showDesk(model) {
  const { state, words, offer } = model;
  const { name, operation } = state;
  const isBusy = ["sending", "looking", "asking"].includes(name);
  const locked = isBusy || name === "open";
  const canChoose = name === "ready" && offer.id !== null;
  const isUnknown = offer.state === "here" && offer.workshop === null;
  const asks = (canChoose && !isUnknown) || locked;

  byId("desk").dataset.state = name;
  byId("form").hidden = !asks;
  for (const radio of radios()) {
    radio.disabled = !canChoose;
    if (locked) radio.checked = Number(radio.value) === operation.quantity;
  }
  if (!canChoose) showChoiceError("");
  byId("how-many").textContent = locked ? words.selection : words.howMany;

  const submit = byId("submit");
  const cancel = operation && state.cancels[operation.key];
  submit.hidden = !asks && name !== "unsure";
  submit.disabled = false;
  enable(submit, !isBusy && model.seconds === 0 && !cancel?.sending);
  const label = {
    sending: words.sendingButton,
    looking: words.loading,
    unsure: words.lookAgain,
  };
  if (name === "open") showSeconds(model.seconds, words);
  else submit.textContent = label[name] ?? words.reserve;

  byId("stop").hidden = name !== "open";
  enable(byId("stop"), model.seconds === 0);
  showCancel(byId("cancel"), cancel, words);
  byId("again").hidden = !isReceipt(name);
  byId("change").hidden = !["unavailable", "abandoned", "rejected"].includes(name);
  byId("take-over").hidden = !mayTakeOver(state);
  byId("put-aside").hidden = name !== "other";

  const { headline, status, explanation } = wordsFor(model);
  setText(byId("headline"), headline);
  byId("headline").hidden = headline === "";
  setText(byId("status"), status);
  setText(byId("explanation"), explanation);
  byId("explanation").hidden = explanation === "";
  showReceipt(model);
}

/** A region that is set again is read out again. */
function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** The headline gets the focus, the status is announced, the rest can be read. */
function wordsFor({ state, words, offer, seconds, waited, titles }) {
  const { name, operation, notice } = state;
  const said = { headline: words.headlines[name] ?? "", status: "", explanation: "" };
  const title = operation ? titles(operation.workshop) : "";
  switch (name) {
    case "sending":
      said.status = words.sending;
      break;
    case "open": {
      const { unanswered, reason } = operation;
      if (!unanswered) said.headline = words.headlines.unsent;
      said.status = [
        from(words.because, reason ?? "interrupted"),
        unanswered ? words.open : words.unsent,
        ...(seconds > 0 ? [words.wait] : []),
        ...(waited ? [words.waited] : []),
      ].join(" ");
      said.explanation = words.stopHint;
      break;
    }
    case "reserved":
    case "unsure":
    case "cancelled": {
      const note = noteOf(state.cancels[operation.key], words);
      said.status = `${words[name](operation.quantity, title)} ${note}`.trim();
      break;
    }
    case "unavailable":
    case "abandoned":
      said.status = words[name];
      break;
    case "rejected":
      said.status = from(words.rejected, operation.result.error);
      break;
    case "other":
      if (operation.result) said.status = words.otherSettled;
      else {
        said.status = words.otherOpen(operation.quantity, title);
        said.explanation = operation.unanswered ? words.otherUnanswered : words.otherUnsent;
      }
      break;
    case "unprepared":
      said.status = words.unprepared[state.problem];
      break;
    default:
  }
  // What has a title in it waits for the title: what is said twice is heard twice.
  const isComing = offer.state === "loading" && !offer.workshop;
  if (isComing && (isReceipt(name) || name === "other")) said.status = "";
  if (notice) said.status = `${words.notices[notice]} ${said.status}`.trim();
  return said;
}

const isReceipt = (name) => ["reserved", "unsure", "cancelled"].includes(name);

const from = (texts, key) => (Object.hasOwn(texts, key) ? texts[key] : texts.other);

/** If nothing definite came of cancelling. */
function noteOf(cancel, { because, notices }) {
  if (!cancel || cancel.sending) return "";
  const { unanswered, reason } = cancel;
  const outcome = unanswered ? notices.cancel_unanswered : notices.cancel_undone;
  return `${from(because, reason)} ${outcome}`;
}

function showCancel(button, cancel, words) {
  button.textContent = cancel?.sending ? words.sendingButton : words.cancel;
  enable(button, !cancel?.sending);
}

function showReceipt({ state, words, offer }) {
  const { operation } = state;
  const isThere = state.name === "reserved" || state.name === "unsure";
  byId("receipt").hidden = !isThere;
  if (!isThere) return;
  const { reservation_id, quantity } = operation.result;
  if (byId("reservation-id").textContent !== reservation_id) {
    byId("reservation-id").textContent = reservation_id;
    byId("code").textContent = doorCode(reservation_id);
    byId("copy").textContent = words.copy;
    byId("calendar").textContent = words.calendar;
  }
  const { workshop } = offer;
  const what = `${quantity} × ${workshop?.title ?? operation.workshop}`;
  redraw("receipt-facts", [what, workshop, words.locale], () => [
    fact(words.quantity, what),
    ...(workshop ? whenAndWhere(workshop, words) : []),
  ]);
  byId("calendar").hidden = !workshop?.starts_at;
}

function showReservations({ state, reservations: { rows, failed, loading }, words, titles }) {
  byId("receipts").setAttribute("aria-busy", String(loading));
  byId("receipts").hidden = rows.length === 0 && !failed;
  byId("list-failed").hidden = !failed;
  const told = rows.map((row) => [row, state.cancels[row.key], titles(row.workshop)]);
  const { key } = document.activeElement.dataset;
  redraw("receipt-list", [told, words.locale], () => told.map((row) => rowOf(row, words)));
  // What was pressed is drawn anew, or gone.
  if (key && !document.activeElement.dataset.key) {
    (byId("receipt-list").querySelector(`[data-key="${key}"]`) ?? byId("receipts-title")).focus();
  }
}

function rowOf([{ key, id, quantity, state }, cancel, title], words) {
  const known = state === "held" && cancel?.unanswered ? "unknown" : (state ?? "unknown");
  const code = doorCode(id);
  const what = element(
    "span",
    "what",
    element(known === "cancelled" ? "s" : "strong", "", code),
    ` ${words.receipt(quantity, title)}`,
    element("span", "hint", words.states[known]),
  );
  const row = element("li", "", what);
  if (known === "cancelled") return row;
  what.append(element("span", "hint", noteOf(cancel, words)));
  const button = element("button", "button second");
  button.type = "button";
  button.dataset.key = key;
  showCancel(button, cancel, words);
  button.setAttribute("aria-label", `${button.textContent}: ${code}`);
  row.append(button);
  return row;
}

/** The focus goes where something happened because of the person, and nowhere else. */
function moveFocus(before, now, wasInDesk) {
  if (now === "sending") {
    byId("submit").focus();
  } else if (before === "sending" || (wasInDesk && isReceipt(now))) {
    byId(now === "ready" ? "submit" : "headline").focus();
  } else if (now === "ready" && !["starting", "asking"].includes(before)) {
    const chosen = radios().find(({ checked }) => checked);
    if (byId("form").hidden || !chosen) byId("title").focus();
    else chosen.focus();
  }
}
