// Shows what is on offer: the list of workshops, or one of them.

import { byId, element, fact, redraw } from "./dom.js";
import { whenOf } from "./when.js";

/** @param {Offer} offer @param {Words} words */
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

/** @param {Offer} offer @param {Words} words */
export function titleOf({ id, workshop }, words) {
  return id === null ? words.workshops : (workshop?.title ?? id);
}

/** @param {Offer} offer @param {Words} words */
function noteOf({ id, state, workshop, list }, words) {
  if (state === "loading") return workshop || list.length > 0 ? "" : words.loading;
  if (state === "failed") return id === null ? words.listFailed : words.workshopFailed;
  if (id === null) return list.length === 0 ? words.noWorkshops : "";
  return workshop ? "" : words.workshopUnknown;
}

/** @param {Workshop} workshop @param {Words} words */
function factsOf(workshop, words) {
  const hint = { closed: words.closedHint, full: words.fullHint, open: "" }[availability(workshop)];
  const free = element("strong", "", freeOf(workshop, words));
  const detail = hint ? element("span", "hint", hint) : seats(workshop);
  return [...whenAndWhere(workshop, words), fact(words.quantity, free, detail)];
}

/** @param {Workshop} workshop @param {Words} words */
export function whenAndWhere(workshop, words) {
  const facts = [];
  const when = whenOf(workshop, words.locale);
  if (when) {
    const { day, time } = when;
    facts.push(fact(words.when, day, element("span", "hint", time)));
  }
  if (workshop.venue) facts.push(fact(words.where, workshop.venue));
  return facts;
}

/** @param {Workshop} workshop @param {Words} words */
function rowOf(workshop, words) {
  const date = whenOf(workshop, words.locale);
  const calendarLeaf = date
    ? [element("b", "", date.number), element("span", "", date.month)]
    : [element("span", "", "–")];
  const leaf = element("span", "leaf", ...calendarLeaf);
  // The whole date stands beside it.
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

/**
 * A full workshop may have free places again, a closed one not.
 * @param {Workshop} workshop
 */
function availability({ state, available }) {
  if (state === "closed") return "closed";
  return available > 0 ? "open" : "full";
}

/** @param {Workshop} workshop @param {Words} words */
function freeOf(workshop, words) {
  const { available, capacity } = workshop;
  const { closed, full } = words;
  return { closed, full, open: words.freePlaces(available, capacity) }[availability(workshop)];
}

/** One dot for each place, of a small workshop. @param {Workshop} workshop */
function seats({ available, capacity }) {
  const row = element("span", "seats");
  row.setAttribute("aria-hidden", "true");
  if (capacity > 24) return row;
  for (let seat = 0; seat < capacity; seat += 1) {
    row.append(element("i", seat < capacity - available ? "taken" : ""));
  }
  return row;
}
