// Shows what is on offer: the list of workshops, or one of them. What it shows decides nothing.

import { whenOf } from "./when.js";

export const byId = (id) => document.getElementById(id);

export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const drawn = new Map();

/** Only if the data have changed, so that the focus stays where it is. */
export function redraw(id, data, make) {
  const told = JSON.stringify(data);
  if (drawn.get(id) === told) return;
  drawn.set(id, told);
  byId(id).replaceChildren(...make());
}

/** An entry of a description list. */
export function fact(name, ...told) {
  return element("div", "", element("dt", "", name), element("dd", "", ...told));
}

/** @param {import("./types.js").Offer} offer */
export function showOffer(offer, words) {
  const { id, state, workshop, list, alone } = offer;
  const isList = id === null;
  const note = noteOf(offer, words);
  byId("about").setAttribute("aria-busy", String(state === "loading"));
  byId("title").textContent = titleOf(offer, words);
  byId("offer-note").textContent = note;
  byId("offer-note").hidden = note === "";
  byId("back").hidden = isList || alone;
  byId("load-again").hidden = state !== "failed";
  byId("facts").hidden = isList || !workshop;
  redraw("facts", [workshop, words.locale], () => (workshop ? factsOf(workshop, words) : []));
  byId("offers").hidden = !isList || list.length === 0;
  redraw("offers", [list, words.locale], () => list.map((one) => rowOf(one, words)));
}

export function titleOf({ id, workshop }, words) {
  return id === null ? words.workshops : (workshop?.title ?? id);
}

function noteOf({ id, state, workshop, list }, words) {
  if (state === "loading") return workshop || list.length > 0 ? "" : words.loading;
  if (state === "failed") return id === null ? words.listFailed : words.workshopFailed;
  if (id === null) return list.length === 0 ? words.noWorkshops : "";
  return workshop ? "" : words.workshopUnknown;
}

function factsOf(workshop, words) {
  const hint = { closed: words.closedHint, full: words.fullHint }[availability(workshop)];
  const free = element("strong", "", freeOf(workshop, words));
  const detail = hint ? element("span", "hint", hint) : seats(workshop);
  return [...whenAndWhere(workshop, words), fact(words.quantity, free, detail)];
}

export function whenAndWhere(workshop, words) {
  const facts = [];
  if (workshop.starts_at) {
    const { day, time } = whenOf(workshop, words.locale);
    facts.push(fact(words.when, day, element("span", "hint", time)));
  }
  if (workshop.venue) facts.push(fact(words.where, workshop.venue));
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
      element("span", "hint", [when, workshop.venue].filter(Boolean).join(" · ")),
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

/** A dot a place, of a small workshop. */
function seats({ available, capacity }) {
  const row = element("span", "seats");
  row.setAttribute("aria-hidden", "true");
  if (capacity > 24) return row;
  for (let seat = 0; seat < capacity; seat += 1) {
    row.append(element("i", seat < capacity - available ? "taken" : ""));
  }
  return row;
}
