// What is on offer, and what the actor has reserved.

import { api } from "./api.js";
import { isWorkshopId } from "./forms.js";

/** Maximum wait for the actor's reservations before a new one. */
const LIST_MS_MAX = 3_000;

/** @param {ListsOptions} options @returns {Lists} */
export function openLists({ address, state, receipts, show, load }) {
  let wanted = address;
  /** @type {Offer} */
  let offer = { id: null, state: "loading", workshop: null, list: [], alone: false };
  const titles = new Map();
  /** @type {{actor: string | null, list: Reservation[] | null, failed: boolean}} */
  let mine = { actor: null, list: null, failed: false };

  const shownWorkshop = () => state().operation?.workshop ?? wanted;

  function refresh() {
    refreshReservations();
    refreshOffer();
  }

  async function refreshOffer() {
    const id = shownWorkshop();
    const { workshop, list } = offer.id === id ? offer : { workshop: null, list: [] };
    /** @type {Offer} */
    const reading = { id, state: "loading", workshop, list, alone: offer.alone };
    offer = reading;
    show();
    const found = await readOffer(id).catch(() => null);
    if (offer !== reading) return;
    offer = found ? { ...reading, ...found, state: "here" } : { ...reading, state: "failed" };
    noteTitles(offer.workshop ? [offer.workshop] : offer.list);
    if (id === null && offer.list.length === 1) {
      const [only] = offer.list;
      wanted = only.id;
      offer = { ...offer, id: wanted, workshop: only, list: [], alone: true };
      if (state().name === "ready") return load();
    }
    show();
  }

  /** @param {string | null} id */
  async function readOffer(id) {
    if (id === null) return { list: await api.workshops() };
    return { workshop: isWorkshopId(id) ? await api.workshop(id) : null };
  }

  /** @param {Workshop[]} workshops */
  function noteTitles(workshops) {
    for (const { id, title } of workshops) titles.set(id, title);
  }

  async function refreshReservations() {
    const { actor } = state();
    if (actor === null) return null;
    const reading = { ...mine };
    mine = reading;
    const list = await api.reservations(actor).catch(() => null);
    if (mine !== reading) return list;
    mine = { actor, list: list ?? reading.list, failed: list === null };
    show();
    if (list?.some(({ workshop }) => !titles.has(workshop))) {
      noteTitles(await api.workshops().catch(() => []));
      show();
    }
    return list;
  }

  return {
    wanted: () => wanted,
    offer: () => offer,
    isCurrent: () => offer.id === shownWorkshop(),
    titleOf: (workshop) => titles.get(workshop) ?? workshop,
    refresh,
    refreshOffer,
    refreshReservations,

    setActor(actor) {
      if (actor !== mine.actor) mine = { actor, list: null, failed: false };
    },

    setFailed() {
      mine = { ...mine, failed: true };
      show();
    },

    async placesIn(workshop) {
      let { list } = mine;
      if (list === null || mine.failed) {
        /** @type {Promise<null>} */
        const enough = new Promise((resolve) => setTimeout(resolve, LIST_MS_MAX, null));
        list = (await Promise.race([refreshReservations(), enough])) ?? mine.list;
      }
      return (list ?? [])
        .filter((one) => one.workshop === workshop && one.state === "held")
        .reduce((places, { quantity }) => places + quantity, 0);
    },

    holds: () => mine.list?.some((one) => one.state === "held") ?? receipts().length > 0,

    reservations() {
      const { list, failed } = mine;
      const { name, actor: present, operation } = state();
      const rows = list ?? (failed ? receipts().map(asReservation) : []);
      return {
        rows: rows.filter(
          ({ key, actor }) => key !== operation?.key && (present === null || actor === present),
        ),
        loading: list === null && !failed && name !== "blocked",
        failed,
      };
    },
  };
}

/** @param {Receipt} receipt @returns {Reservation} */
export function asReservation({ key, actor, workshop, result }) {
  const { reservation_id: id, quantity } = result;
  return { key, actor, workshop, id, quantity, state: null };
}
