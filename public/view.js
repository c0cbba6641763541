// Shows a state in words and elements, and reports what was pressed.

import { byId, element, fact, redraw } from "./dom.js";
import { doorCode } from "./door-code.js";
import { mayTakeOver } from "./machine.js";
import { showOffer, titleOf, whenAndWhere } from "./offers.js";

const radios = () => [...byId("form").quantity];

/** null: not 1 or 2. @returns {1 | 2 | null} */
export function chosenQuantity() {
  const { value } = byId("form").quantity;
  return value === "1" ? 1 : value === "2" ? 2 : null;
}

/** @param {Actions} on */
export function listen(on) {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isEnabled(byId("submit"))) on.submit();
  });
  byId("receipt-list").addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const { key } = target.dataset;
    if (key && isEnabled(target)) on.cancelOne(key);
  });
  for (const radio of radios()) radio.addEventListener("change", () => showChoiceError(""));
  byId("language").addEventListener("click", (event) => {
    event.preventDefault();
    on.language();
  });
}

/** What each button does, by its id. @param {Record<string, () => void>} actions */
export function listenToButtons(actions) {
  for (const [id, act] of Object.entries(actions)) {
    const button = byId(id);
    button.addEventListener("click", () => {
      if (isEnabled(button)) act();
    });
  }
}

/** The attribute `disabled` would take the focus away. @param {HTMLElement} button */
const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

/** @param {HTMLElement} button @param {boolean} enabled */
function enable(button, enabled) {
  button.setAttribute("aria-disabled", String(!enabled));
}

/** @param {Question} question @returns {Promise<boolean>} false: no, or dismissed */
export function confirm({ title, texts, yes, no }) {
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

/** @param {string} text */
export function showChoiceError(text) {
  const error = byId("choice-error");
  error.textContent = text;
  error.hidden = text === "";
  byId("choice").setAttribute("aria-invalid", String(text !== ""));
  if (text) radios()[0].focus();
}

/** A screen reader must not announce every second. @param {number} seconds @param {Words} words */
export function showSeconds(seconds, words) {
  const rest = String(seconds % 60).padStart(2, "0");
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${rest}`;
  byId("submit").textContent = seconds > 0 ? words.tryAgainIn(time) : words.tryAgain;
}

/** @param {string} id @param {string} text */
export function setLabel(id, text) {
  byId(id).textContent = text;
}

export function selectReservation() {
  getSelection()?.selectAllChildren(byId("reservation-id"));
}

/** @type {Shown | null} */
let shown = null;

/** @param {Model} model */
export function show(model) {
  const { state, words, offer } = model;
  const before = shown;
  const wasInDesk = byId("desk").contains(document.activeElement);
  // A look-up is no news yet.
  const name = state.name === "checking" && before ? before.name : state.name;
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

/** @param {Model} model */
function showLanguage({ words, language }) {
  document.documentElement.lang = language;
  for (const [name, text] of Object.entries(words)) {
    const places = document.querySelectorAll(`[data-words="${name}"]`);
    for (const place of places) place.textContent = String(text);
  }
  for (const radio of radios()) {
    radio.nextElementSibling?.replaceChildren(words.places(Number(radio.value)));
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

/** @param {Model} model */
function showDesk(model) {
  const { state, words, offer } = model;
  const { name, operation } = state;
  const isBusy = ["sending", "checking", "confirming"].includes(name);
  const locked = isBusy || name === "open";
  const canChoose = name === "ready" && offer.id !== null;
  const isUnknown = offer.state === "here" && offer.workshop === null;
  const hasForm = (canChoose && !isUnknown) || locked;

  byId("desk").dataset.state = name;
  byId("form").hidden = !hasForm;
  for (const radio of radios()) {
    radio.disabled = !canChoose;
    if (locked) radio.checked = Number(radio.value) === operation?.quantity;
  }
  if (!canChoose) showChoiceError("");
  byId("how-many").textContent = locked ? words.selection : words.howMany;

  const submit = byId("submit");
  const cancel = operation && state.cancels[operation.key];
  submit.hidden = !hasForm && name !== "unconfirmed";
  submit.disabled = false;
  enable(submit, !isBusy && model.seconds === 0 && !cancel?.sending);
  if (name === "open") showSeconds(model.seconds, words);
  else if (name === "sending") submit.textContent = words.sendingButton;
  else if (name === "checking") submit.textContent = words.loading;
  else submit.textContent = name === "unconfirmed" ? words.checkAgain : words.reserve;

  byId("stop").hidden = name !== "open";
  enable(byId("stop"), model.seconds === 0);
  showCancel(byId("cancel"), cancel, words);
  byId("again").hidden = !isReceipt(name);
  byId("change").hidden = !["unavailable", "abandoned", "rejected"].includes(name);
  byId("take-over").hidden = !mayTakeOver(state);
  byId("put-aside").hidden = name !== "foreign";

  const { headline, status, explanation } = wordsFor(model);
  setText(byId("headline"), headline);
  byId("headline").hidden = headline === "";
  setText(byId("status"), status);
  setText(byId("explanation"), explanation);
  byId("explanation").hidden = explanation === "";
  showReceipt(model);
}

/** A screen reader announces whatever is set. @param {HTMLElement} place @param {string} text */
function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** The headline gets the focus, the status is announced. @param {Model} model */
function wordsFor({ state, words, offer, seconds, waited, titles }) {
  const { name, operation, notice } = state;
  const texts = { headline: optional(words.headlines, name), status: "", explanation: "" };
  const title = operation ? titles(operation.workshop) : "";
  switch (name) {
    case "sending":
      texts.status = words.sending;
      break;
    case "open": {
      const { unanswered, reason } = operation;
      if (!unanswered) texts.headline = words.headlines.unsent;
      texts.status = [
        from(words.because, reason ?? "interrupted"),
        unanswered ? words.open : words.unsent,
        ...(seconds > 0 ? [words.wait] : []),
        ...(waited ? [words.waited] : []),
      ].join(" ");
      texts.explanation = words.stopHint;
      break;
    }
    case "reserved":
    case "unconfirmed":
    case "cancelled": {
      const note = noteOf(state.cancels[operation.key], words);
      texts.status = `${words[name](operation.quantity, title)} ${note}`.trim();
      break;
    }
    case "unavailable":
    case "abandoned":
      texts.status = words[name];
      break;
    case "rejected":
      texts.status = from(words.rejected, operation.result.error ?? "other");
      break;
    case "foreign":
      if (operation.result) texts.status = words.foreignSettled;
      else {
        texts.status = words.foreignOpen(operation.quantity, title);
        texts.explanation = operation.unanswered ? words.foreignUnanswered : words.foreignUnsent;
      }
      break;
    case "blocked":
      texts.status = words.blocked[state.problem ?? "storage"];
      break;
    default:
  }
  // Wait for the title: a screen reader announces each change.
  const isLoading = offer.state === "loading" && !offer.workshop;
  if (isLoading && (isReceipt(name) || name === "foreign")) texts.status = "";
  if (notice) texts.status = `${words.notices[notice]} ${texts.status}`.trim();
  return texts;
}

/** @param {State["name"]} name */
const isReceipt = (name) => ["reserved", "unconfirmed", "cancelled"].includes(name);

/** @param {Record<string, string>} texts @param {string} key */
const optional = (texts, key) => (Object.hasOwn(texts, key) ? texts[key] : "");

/** @param {{other: string} & Record<string, string>} texts @param {string} key */
const from = (texts, key) => optional(texts, key) || texts.other;

/** If a cancellation has no definite answer. @param {Cancel | null} cancel @param {Words} words */
function noteOf(cancel, { because, notices }) {
  if (!cancel?.reason) return "";
  const { unanswered, reason } = cancel;
  const outcome = unanswered ? notices.cancel_unanswered : notices.cancel_undone;
  return `${from(because, reason)} ${outcome}`;
}

/** @param {HTMLElement} button @param {Cancel | null} cancel @param {Words} words */
function showCancel(button, cancel, words) {
  button.textContent = cancel?.sending ? words.sendingButton : words.cancel;
  enable(button, !cancel?.sending);
}

/** @param {Model} model */
function showReceipt({ state: { name, operation }, words, offer }) {
  const isThere = name === "reserved" || name === "unconfirmed";
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

/** @param {Model} model */
function showReservations({ state, reservations: { rows, failed, loading }, words, titles }) {
  byId("receipts").setAttribute("aria-busy", String(loading));
  byId("receipts").hidden = rows.length === 0 && !failed;
  byId("list-failed").hidden = !failed;
  const data = rows.map(({ key, workshop }) => [state.cancels[key], titles(workshop)]);
  const key = focusedKey();
  redraw("receipt-list", [rows, data, words.locale], () =>
    rows.map((row) => rowOf(row, state.cancels[row.key], titles(row.workshop), words)),
  );
  // The pressed button was drawn again, or is gone.
  if (key && !focusedKey()) {
    /** @type {HTMLElement | null} */
    const button = byId("receipt-list").querySelector(`[data-key="${key}"]`);
    (button ?? byId("receipts-title")).focus();
  }
}

const focusedKey = () => document.activeElement?.getAttribute("data-key");

/** @type {RowOf} */
function rowOf({ key, id, quantity, state }, cancel, title, words) {
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

/** Only to what the person has caused. @type {MoveFocus} */
function moveFocus(before, now, wasInDesk) {
  if (now === "sending") {
    byId("submit").focus();
  } else if (before === "sending" || (wasInDesk && isReceipt(now))) {
    byId(now === "ready" ? "submit" : "headline").focus();
  } else if (now === "ready" && !["starting", "confirming"].includes(before)) {
    const chosen = radios().find(({ checked }) => checked);
    if (byId("form").hidden || !chosen) byId("title").focus();
    else chosen.focus();
  }
}
