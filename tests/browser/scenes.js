// Every state of the page, set directly: for what must be true of all of them, and for pictures.

import { randomUUID } from "node:crypto";
import { makeWorkshop, query, reserve } from "../support/service.js";
import { intercept } from "./person.js";

const HOUR_MS = 3_600_000;
const starts_at_ms = Date.UTC(2099, 2, 7, 9);

/** A season of workshops, the only ones on offer: one open, one full, one closed, one to come. */
export async function makeSeason() {
  await query("UPDATE workshops SET published_at_ms = NULL");
  const at = (days, hours) => ({
    starts_at_ms: starts_at_ms + days * 24 * HOUR_MS,
    ends_at_ms: starts_at_ms + (days * 24 + hours) * HOUR_MS,
    time_zone: "Europe/Zurich",
  });
  const linocut = await makeWorkshop({
    title: "Linocut for beginners",
    venue: "Printing room, Hafenstrasse 5",
    capacity: 12,
    ...at(0, 3),
  });
  for (const quantity of [2, 1, 2]) await reserve(linocut, quantity);
  await makeWorkshop({
    title: "Binding a book by hand, with sewn signatures and a half-linen cover",
    venue: "Attic",
    capacity: 8,
    ...at(14, 6),
  });
  const full = await makeWorkshop({ title: "Ink from oak galls", capacity: 0, ...at(21, 2) });
  const closed = await makeWorkshop({
    title: "Papermaking",
    venue: "Yard",
    capacity: 6,
    closes_at_ms: 0,
    ...at(28, 4),
  });
  await makeWorkshop({ title: "Open evening", venue: "Printing room", capacity: 40 });
  return { linocut, full, closed };
}

const reservation_id = "a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d0";
const outcomes = {
  abandoned: { status: "abandoned" },
  cancelled: { status: "cancelled", reservation_id, quantity: 2 },
  reserved: { status: "reserved", reservation_id, quantity: 2 },
  unavailable: { status: "unavailable" },
  rejected: { status: "rejected", error: "unknown_workshop" },
};

/** Saves an operation of the browser's actor in this workshop, with changes. */
async function save(person, workshop, different) {
  const actor = await person.actor();
  await person.save({
    version: 1,
    key: randomUUID(),
    actor,
    workshop,
    quantity: 2,
    unanswered: false,
    reason: null,
    wait_until_ms: null,
    result: null,
    ...different,
  });
  await person.open(workshop);
}

const document = (workshop, reservation, key = randomUUID()) => ({
  key,
  outcome: "reserved",
  http_status: 201,
  decided_at: "2026-11-30T09:00:00Z",
  workshop,
  reservation: { id: reservation_id, quantity: 2, state: "held", ...reservation },
});

/** The service returns every reservation as held. */
async function returnHeld({ page }, workshop) {
  await page.route(/\/operations\/[^/]+$/, (route) => {
    const key = new URL(route.request().url()).pathname.split("/").at(-1);
    return route.fulfill({ json: document(workshop, {}, key) });
  });
}

/** The service returns three reservations, one of them cancelled. */
async function returnThree({ page }, { linocut, closed }) {
  const operations = [
    document(closed, { id: "0f3c9a71".padEnd(32, "0") }),
    document(linocut, { id: "7d20be44".padEnd(32, "0"), quantity: 1 }),
    document(linocut, { id: "c4b1a8f6".padEnd(32, "0"), state: "cancelled" }),
  ];
  await page.route("**/operations", (route) => route.fulfill({ json: { operations } }));
}

const STRANGER = "0123456789abcdef";

/**
 * Each scene gets a person at the workshop's form, and the season.
 * @type {Record<string, (person: any, season: any) => Promise<void>>}
 */
export const scenes = {
  list: (person) => person.open(null),
  ready: async () => {},
  full: (person, { full }) => person.open(full),
  closed: (person, { closed }) => person.open(closed),
  unknown: (person) => person.open("nowhere"),
  error: async (person) => {
    await person.page.evaluate(() => {
      document.querySelector("input:checked").checked = false;
    });
    await person.page.locator("#submit").click();
    await person.page.locator("#choice-error").waitFor();
  },
  sending: async (person) => {
    await intercept(person.page, () => {});
    await person.page.locator("#submit").click();
    await person.state("sending");
  },
  open: async (person, { linocut }) => {
    await save(person, linocut, { unanswered: true, reason: "no_answer" });
    await person.state("open");
  },
  waiting: async (person, { linocut }) => {
    const wait_until_ms = Date.now() + HOUR_MS - 1_000;
    await save(person, linocut, { reason: "rate_limited", wait_until_ms });
    await person.state("open");
  },
  reserved: async (person, { linocut }) => {
    await returnHeld(person, linocut);
    await save(person, linocut, { result: outcomes.reserved });
    await person.page.locator("#calendar").waitFor();
  },
  "to cancel": async (person, { linocut }) => {
    await returnHeld(person, linocut);
    await save(person, linocut, { result: outcomes.reserved });
    await person.page.locator("#cancel").click();
    await person.page.getByRole("dialog").waitFor();
  },
  "cancelling without an answer": async (person, { linocut }) => {
    await returnHeld(person, linocut);
    await person.page.route("**/cancel", (route) => route.abort());
    await save(person, linocut, { result: outcomes.reserved });
    await person.page.locator("#cancel").click();
    await person.page.locator("#yes").click();
    await person.state("unconfirmed");
  },
  cancelled: async (person, { linocut }) => {
    await save(person, linocut, { result: outcomes.cancelled });
    await person.state("cancelled");
  },
  unconfirmed: async (person, { linocut }) => {
    await save(person, linocut, { result: outcomes.reserved });
    await person.state("unconfirmed");
  },
  abandoned: async (person, { linocut }) => {
    await save(person, linocut, { result: outcomes.abandoned });
    await person.state("abandoned");
  },
  confirming: async (person, season) => {
    await returnThree(person, season);
    await person.open(season.linocut);
    await person.page.locator("#submit").click();
    await person.page.getByRole("dialog").waitFor();
  },
  "your reservations": async (person, season) => {
    await returnThree(person, season);
    await person.page.route("**/cancel", (route) => route.abort());
    await person.open(season.linocut);
    await person.page.locator("#receipt-list button").first().click();
    await person.page.locator("#yes").click();
    await person.page.locator("#receipt-list button[aria-disabled=false]").first().waitFor();
    await person.page.getByText(/7D20-BE44/).waitFor();
  },
  "your reservations, not known": async (person, { linocut }) => {
    await person.page.route("**/operations", (route) => route.abort());
    await save(person, linocut, { result: outcomes.reserved });
    await person.state("unconfirmed");
    await person.page.locator("#again").click();
    await person.state("ready");
  },
  unavailable: async (person, { linocut }) => {
    await save(person, linocut, { result: outcomes.unavailable });
    await person.state("unavailable");
  },
  rejected: async (person, { linocut }) => {
    await save(person, linocut, { result: outcomes.rejected });
    await person.state("rejected");
  },
  foreign: async (person, { linocut }) => {
    await save(person, linocut, { actor: STRANGER });
    await person.state("foreign");
  },
  "foreign, unanswered": async (person, { linocut }) => {
    await save(person, linocut, { actor: STRANGER, unanswered: true });
    await person.state("foreign");
  },
  "put aside": async (person, { linocut }) => {
    await person.save('{"version":1,"key":"of another version"}');
    await person.open(linocut);
    await person.page.locator("#aside summary").click();
  },
  forget: async (person, season) => {
    await returnThree(person, season);
    await person.open(season.linocut);
    await person.page.locator("#forget").click();
    await person.page.getByRole("dialog").waitFor();
  },
  blocked: async (person, { linocut }) => {
    await person.page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await person.open(linocut);
    await person.state("blocked");
  },
  failed: async (person, { linocut }) => {
    await person.page.route("**/workshops/*", (route) => route.abort());
    await person.open(linocut);
    await person.page.locator("#load-again").waitFor();
  },
  contract: async (person) => {
    await person.page.goto("/contract");
  },
};
