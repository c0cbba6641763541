// Shows what is on offer: the list of workshops, or one of them. What it shows decides nothing.

import { whenOf } from "./when.js";

/**
 * @import {Offer, Words} from "./types.js"
 */

/** An element with its text or its children. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** What was drawn last in each place. */
const drawn = new WeakMap();

/**
 * Draws a place anew only if what it shows has changed, so that the focus stays where it is.
 * @param {HTMLElement} place
 * @param {unknown} data what the children are made of
 * @param {() => Node[]} make
 */
export function redraw(place, data, make) {
  const told = JSON.stringify(data);
  if (drawn.get(place) === told) return;
  drawn.set(place, told);
  place.replaceChildren(...make());
}

/**
 * @param {HTMLElement} about the section that shows it
 * @param {Offer} offer
 * @param {Words} words
 */
export function showOffer(about, offer, words) {
  const [title, note, facts, list, back, again] = [
    "#title",
    "#offer-note",
    "#facts",
    "#offers",
    "#back",
    "#load-again",
  ].map((selector) => about.querySelector(selector));
  const { id, state, workshop } = offer;
  const isList = id === null;

  about.setAttribute("aria-busy", String(state === "loading"));
  title.textContent = titleOf(offer, words);
  const said = noteOf(offer, words);
  note.textContent = said;
  note.hidden = said === "";
  back.hidden = isList || offer.alone;
  again.hidden = state !== "failed";
  facts.hidden = isList || !workshop;
  redraw(facts, [workshop, words.locale], () => (workshop ? factsOf(workshop, words) : []));
  list.hidden = !isList || offer.list.length === 0;
  redraw(list, [offer.list, words.locale], () => offer.list.map((one) => rowOf(one, words)));
}

/** What the page is about. */
export function titleOf({ id, workshop }, words) {
  return id === null ? words.workshops : (workshop?.title ?? id);
}

function noteOf({ id, state, workshop, list }, words) {
  if (state === "loading") return workshop || list.length > 0 ? "" : words.loading;
  if (state === "failed") return id === null ? words.listFailed : words.workshopFailed;
  if (id === null) return list.length === 0 ? words.noWorkshops : "";
  return workshop ? "" : words.workshopUnknown;
}

/** Date, place and free places of one workshop, as a description list. */
function factsOf(workshop, words) {
  const facts = whenAndWhere(workshop, words);
  const free = element("dd", "", element("strong", "", freeOf(workshop, words)));
  const hint = { closed: words.closedHint, full: words.fullHint }[availability(workshop)];
  if (hint) free.append(element("span", "hint", hint));
  else free.append(seats(workshop));
  return [...facts, element("div", "", element("dt", "", words.quantity), free)];
}

/** When and where a workshop is, as entries of a description list. */
export function whenAndWhere(workshop, words) {
  const facts = [];
  if (workshop.starts_at) {
    const { day, time } = whenOf(workshop, words.locale);
    const when = element("dd", "", day, element("span", "hint", time));
    facts.push(element("div", "", element("dt", "", words.when), when));
  }
  if (workshop.place) {
    const where = element("dd", "", workshop.place);
    facts.push(element("div", "", element("dt", "", words.where), where));
  }
  return facts;
}

function rowOf(workshop, words) {
  const date = workshop.starts_at ? whenOf(workshop, words.locale) : null;
  const calendarLeaf = date
    ? [element("b", "", date.number), element("span", "", date.month)]
    : [element("span", "", "–")];
  const leaf = element("span", "leaf", ...calendarLeaf);
  // The whole date is said in words beside it.
  leaf.setAttribute("aria-hidden", "true");
  const when = date ? `${date.day}, ${date.time}` : words.dateOpen;
  const link = element(
    "a",
    "",
    leaf,
    element(
      "span",
      "what",
      element("strong", "", workshop.title),
      element("span", "hint", [when, workshop.place].filter(Boolean).join(" · ")),
    ),
    element("span", `free ${availability(workshop)}`, freeOf(workshop, words)),
  );
  link.href = `?workshop=${encodeURIComponent(workshop.id)}`;
  return element("li", "", link);
}

/** Closed and full are two things: one ends by itself, the other does not. */
function availability({ state, available }) {
  if (state === "closed") return "closed";
  return available > 0 ? "open" : "full";
}

function freeOf(workshop, words) {
  const { available, capacity } = workshop;
  return { closed: words.closed, full: words.full, open: words.freePlaces(available, capacity) }[
    availability(workshop)
  ];
}

/** A dot for each place of a small workshop: full if it is taken, open if it is free. */
function seats({ available, capacity }) {
  const row = element("span", "seats");
  row.setAttribute("aria-hidden", "true");
  if (capacity > 24) return row;
  for (let seat = 0; seat < capacity; seat += 1) {
    row.append(element("i", seat < capacity - available ? "taken" : ""));
  }
  return row;
}
