// What is sent: the loads, and the requests of which they are made.

import { randomUUID } from "node:crypto";
import {
  CROWD_PLACES,
  crowdWorkshop,
  FULL_WORKSHOP,
  SETTLED_WORKSHOP,
  workshop,
} from "./workshops.js";

const repeat = (kind, times) => Array(times).fill(kind);

/** The kinds of a load follow one another in this order, again and again. */
export const LOADS = {
  new: { says: "all new", connections: 16, kinds: ["new"] },
  replay: { says: "all replays", connections: 16, kinds: ["replay"] },
  mix: {
    says: "70 % new, 20 % replays, 5 % conflicts, 5 % refusals",
    connections: 16,
    kinds: [
      ...[...repeat("new", 7), "replay", "replay", "conflict"],
      ...[...repeat("new", 7), "replay", "replay", "refusal"],
    ],
  },
  crowd: {
    says: `a crowd on one workshop, then the next: twice as many want a place as there are`,
    connections: 64,
    kinds: ["crowd"],
  },
};

/** How many of a crowd ask for places in one workshop. */
export const CROWD_PEOPLE = 2 * CROWD_PLACES;

/** The crowd's workshops that are enough for a slot: at more requests than anybody answers. */
export const crowdWorkshops = (milliseconds) => Math.ceil((milliseconds * 5) / CROWD_PEOPLE) + 1;

/** How many places a crowd of so many requests gets: each workshop's are all taken. */
export function crowdReserved(requests) {
  const inTheLast = requests % CROWD_PEOPLE;
  const full = (requests - inTheLast) / CROWD_PEOPLE;
  return full * CROWD_PLACES + Math.min(inTheLast, CROWD_PLACES);
}

/**
 * The nth request of a slot.
 * @param {object} what
 * @param {string} what.kind
 * @param {number} what.slot its number, for the crowd's workshops
 * @param {string[]} what.tokens the actors' `Authorization` headers
 * @param {object[]} what.settled operations that have their receipt
 */
export function requestOf({ kind, n, slot, tokens, settled }) {
  const fresh = (asked) => ({
    kind,
    key: randomUUID(),
    authorization: tokens[n % tokens.length],
    workshop: asked,
    quantity: 1,
  });
  switch (kind) {
    case "new":
      return fresh(workshop(n));
    case "settled":
      return fresh(SETTLED_WORKSHOP);
    case "refusal":
      return fresh(FULL_WORKSHOP);
    case "crowd":
      return fresh(crowdWorkshop(slot, Math.floor(n / CROWD_PEOPLE)));
    case "replay":
      return { ...settled[n % settled.length], kind };
    case "conflict":
      return { ...settled[n % settled.length], kind, quantity: 2 };
    default:
      throw new Error(`expected a kind of request, found ${kind}`);
  }
}

const RESERVED = /^\{"status":"reserved","reservation_id":"[0-9a-f-]{32,36}","quantity":1\}$/;
const UNAVAILABLE = '{"status":"unavailable"}';

/**
 * What became of a request: `reserved`, `refused`, `replayed` or `conflict`. Undefined if the
 * answer is wrong.
 * @param {{status: number, replayed: string | undefined, body: string}} answer
 */
export function judge(request, { status, replayed, body }) {
  const isNew = replayed === "false";
  const reserved = isNew && status === 201 && RESERVED.test(body) && "reserved";
  const refused = isNew && status === 409 && body === UNAVAILABLE && "refused";
  const verdicts = {
    new: reserved,
    settled: reserved,
    refusal: refused,
    crowd: reserved || refused,
    replay: replayed === "true" && status === 201 && body === request.body && "replayed",
    conflict: status === 409 && body.includes('"error":"operation_conflict"') && "conflict",
  };
  return verdicts[request.kind] || undefined;
}
