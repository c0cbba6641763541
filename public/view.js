// The page as a person sees and hears it: puts a state into words and elements, and says what
// was pressed. It decides nothing, and asks nothing of the service or the storage.

import { mayTakeOver } from "./machine.js";
import { element, redraw, showOffer, titleOf, whenAndWhere } from "./offers.js";
import { doorCode } from "./receipt.js";

/** @import {Model} from "./types.js" */

const byId = (id) => document.getElementById(id);
const radios = () => [...document.querySelectorAll('input[name="quantity"]')];

/** How many places are chosen in the form; null: not 1 or 2. */
export function chosenQuantity() {
  const chosen = radios().find(({ checked }) => checked)?.value;
  return { 1: 1, 2: 2 }[chosen] ?? null;
}

/**
 * Says what the person does.
 * @param {Record<string, () => void>} on what to do about it
 */
export function listen(on) {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    // Disabled by its state, not by its attribute, which would take the focus away.
    if (byId("submit").getAttribute("aria-disabled") !== "true") on.submit();
  });
  for (const [id, action] of [
    ["again", on.again],
    ["change", on.change],
    ["take-over", on.takeOver],
    ["put-aside", on.putAside],
    ["copy", on.copy],
    ["load-again", on.loadAgain],
    ["erase-aside", on.eraseAside],
    ["forget", on.forget],
  ]) {
    byId(id).addEventListener("click", () => action());
  }
  for (const radio of radios()) radio.addEventListener("change", () => showChoiceError(""));
  byId("language").addEventListener("click", (event) => {
    event.preventDefault();
    on.language();
  });
  const dialog = byId("forget-dialog");
  byId("forget-no").addEventListener("click", () => dialog.close());
  byId("forget-yes").addEventListener("click", () => {
    dialog.close();
    on.forgetYes();
  });
}

/** Asks before somebody is forgotten who would lose something. */
export function askToForget(reasons) {
  byId("forget-text").replaceChildren(...reasons.map((text) => element("p", "", text)));
  byId("forget-dialog").showModal();
}

/** An error of the choice, at the choice. */
export function showChoiceError(text) {
  const error = byId("choice-error");
  error.textContent = text;
  error.hidden = text === "";
  byId("choice").setAttribute("aria-invalid", String(text !== ""));
  if (text) radios()[0].focus();
}

/** Shows the seconds that are left, and nothing else: nobody wants to hear each of them. */
export function showSeconds(seconds, words) {
  const rest = String(seconds % 60).padStart(2, "0");
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${rest}`;
  byId("submit").textContent = seconds > 0 ? words.tryAgainIn(time) : words.tryAgain;
}

/** What became of copying. */
export function showCopied(done, words) {
  byId("copy").textContent = done ? words.copied : words.notCopied;
  if (!done) getSelection().selectAllChildren(byId("reservation-id"));
}

/** What was shown last, to see what changed. */
let shown = null;

/** @param {Model} model */
export function show(model) {
  const { state, words, offer } = model;
  const before = shown;
  shown = { name: state.name, language: model.language };
  if (before?.language !== model.language) showLanguage(model);
  document.title = words.documentTitle(titleOf(offer, words));
  showOffer(byId("about"), offer, words);
  showDesk(model);
  showReceipts(model);
  byId("aside").hidden = model.aside.length === 0;
  byId("aside-text").textContent = model.aside.join("\n\n");
  byId("forget").disabled = state.name === "sending";
  for (const id of ["sheet", "foot", "language"]) byId(id).hidden = false;
  if (before && before.name !== state.name) moveFocus(before.name, state.name);
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

/** Where the person asks, and hears what came of it. */
function showDesk(model) {
  const { state, words, offer } = model;
  const { name, operation } = state;
  const locked = name === "sending" || name === "open";
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
  submit.hidden = !asks;
  submit.disabled = false;
  submit.setAttribute("aria-disabled", String(name === "sending" || model.seconds > 0));
  if (name === "sending") submit.textContent = words.sendingButton;
  else if (name === "open") showSeconds(model.seconds, words);
  else submit.textContent = words.reserve;

  byId("again").hidden = name !== "reserved";
  byId("change").hidden = name !== "unavailable" && name !== "rejected";
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

/** Sets a text only if it is another one: a region that is set again is read out again. */
function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * What is known, in words: the headline gets the focus, the status is announced, and the
 * explanation is there for whoever reads on.
 */
function wordsFor({ state, words, offer, seconds, waited, titles }) {
  const { name, operation, problem, notice } = state;
  const said = { headline: "", status: "", explanation: "" };
  const title = operation ? titles(operation.workshop) : "";
  const from = (texts, key) => (Object.hasOwn(texts, key) ? texts[key] : texts.other);
  switch (name) {
    case "sending":
      said.status = words.sending;
      break;
    case "open": {
      const { unanswered, reason } = operation;
      said.headline = unanswered ? words.openHeadline : words.unsentHeadline;
      said.status = [
        from(words.because, reason ?? "interrupted"),
        unanswered ? words.open : words.unsent,
        ...(seconds > 0 ? [words.wait] : []),
        ...(waited ? [words.waited] : []),
      ].join(" ");
      break;
    }
    case "reserved":
      said.headline = words.reservedHeadline;
      said.status = words.reserved(operation.quantity, title);
      break;
    case "unavailable":
      said.headline = words.unavailableHeadline;
      said.status = words.unavailable(operation.quantity);
      break;
    case "rejected":
      said.headline = words.rejectedHeadline;
      said.status = from(words.rejected, operation.result.error);
      break;
    case "other":
      said.headline = words.otherHeadline;
      if (operation.result) said.status = words.otherSettled;
      else {
        said.status = words.otherOpen(operation.quantity, title);
        said.explanation = operation.unanswered ? words.otherUnanswered : words.otherUnsent;
      }
      break;
    case "unprepared":
      said.headline = words.unpreparedHeadline;
      said.status = words.unprepared[problem];
      break;
    default:
  }
  // What has a title in it waits for the title: what is said twice is heard twice.
  const isComing = offer.state === "loading" && !offer.workshop;
  if (isComing && (name === "reserved" || name === "other")) said.status = "";
  const noticed = { forgotten: words.forgotten, not_forgotten: words.notForgotten }[notice];
  if (noticed) said.status = `${noticed} ${said.status}`.trim();
  return said;
}

function showReceipt({ state, words, offer, calendar }) {
  const { operation } = state;
  const isReserved = state.name === "reserved";
  byId("receipt").hidden = !isReserved;
  if (!isReserved) return;
  const { reservation_id, quantity } = operation.result;
  if (byId("reservation-id").textContent !== reservation_id) {
    byId("reservation-id").textContent = reservation_id;
    byId("code").textContent = doorCode(reservation_id);
    byId("copy").textContent = words.copy;
  }
  const { workshop } = offer;
  const what = `${quantity} × ${workshop?.title ?? operation.workshop}`;
  redraw(byId("receipt-facts"), [what, workshop, words.locale], () => [
    fact(words.quantity, what),
    ...(workshop ? whenAndWhere(workshop, words) : []),
  ]);
  const link = byId("calendar");
  link.hidden = calendar === null;
  link.href = calendar ?? "";
  link.download = `${operation.workshop}.ics`;
}

function showReceipts({ receipts, words, titles }) {
  byId("receipts").hidden = receipts.length === 0;
  const rows = receipts.map(({ result, workshop }) => [
    doorCode(result.reservation_id),
    ` ${words.receipt(result.quantity, titles(workshop))}`,
  ]);
  redraw(byId("receipt-list"), rows, () =>
    rows.map(([code, what]) => element("li", "", element("strong", "", code), what)),
  );
}

function fact(name, value) {
  return element("div", "", element("dt", "", name), element("dd", "", value));
}

/** The focus goes where something happened because of the person, and nowhere else. */
function moveFocus(before, now) {
  if (now === "sending") {
    byId("submit").focus();
  } else if (before === "sending") {
    byId(now === "ready" ? "submit" : "headline").focus();
  } else if (now === "ready" && before !== "starting") {
    const chosen = radios().find(({ checked }) => checked);
    if (byId("form").hidden || !chosen) byId("title").focus();
    else chosen.focus();
  }
}
