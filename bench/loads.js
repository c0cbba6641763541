// The loads and their requests, and the verification of the responses.

import { randomUUID } from "node:crypto";
import {
  CROWD_PLACES,
  crowdWorkshop,
  FULL_WORKSHOP,
  SETTLED_WORKSHOP,
  workshop,
} from "./workshops.js";

const repeat = (kind, times) => Array(times).fill(kind);

/** A load repeats its kinds in this order. */
export const LOADS = {
  new: { label: "all new", connections: 16, kinds: ["new"] },
  replay: { label: "all replays", connections: 16, kinds: ["replay"] },
  mix: {
    label: "70 % new, 20 % replays, 5 % conflicts, 5 % refusals",
    connections: 16,
    kinds: [
      ...[...repeat("new", 7), "replay", "replay", "conflict"],
      ...[...repeat("new", 7), "replay", "replay", "refusal"],
    ],
  },
  crowd: {
    label: "one workshop after the other, each with twice as many requests as places",
    connections: 64,
    kinds: ["crowd"],
  },
};

/** Requests of the crowd for one workshop. */
export const CROWD_PEOPLE = 2 * CROWD_PLACES;

/** An upper bound of the crowd's workshops in a sample: 5 requests a millisecond. */
export const crowdWorkshops = (milliseconds) => Math.ceil((milliseconds * 5) / CROWD_PEOPLE) + 1;

/** The places that a crowd of so many requests reserves: all of each workshop. */
export function crowdReserved(requests) {
  const inTheLast = requests % CROWD_PEOPLE;
  const full = (requests - inTheLast) / CROWD_PEOPLE;
  return full * CROWD_PLACES + Math.min(inTheLast, CROWD_PLACES);
}

/**
 * The nth request of a sample.
 * @param {object} what
 * @param {string} what.kind
 * @param {number} what.sample its number, part of the ids of the crowd's workshops
 * @param {string[]} what.tokens one `Authorization` header for each actor
 * @param {object[]} what.settled decided operations
 */
export function requestOf({ kind, n, sample, tokens, settled }) {
  const fresh = (id) => ({
    kind,
    key: randomUUID(),
    authorization: tokens[n % tokens.length],
    workshop: id,
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
      return fresh(crowdWorkshop(sample, Math.floor(n / CROWD_PEOPLE)));
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
 * The kind of a right response: `reserved`, `refused`, `replayed` or `conflict`; undefined if it is
 * wrong.
 * @param {{status: number, replayed: string | undefined, body: string}} answer
 */
export function verify(request, { status, replayed, body }) {
  const isNew = replayed === "false";
  const reserved = isNew && status === 201 && RESERVED.test(body) && "reserved";
  const refused = isNew && status === 409 && body === UNAVAILABLE && "refused";
  const results = {
    new: reserved,
    settled: reserved,
    refusal: refused,
    crowd: reserved || refused,
    replay: replayed === "true" && status === 201 && body === request.body && "replayed",
    conflict: status === 409 && body.includes('"error":"operation_conflict"') && "conflict",
  };
  return results[request.kind] || undefined;
}
