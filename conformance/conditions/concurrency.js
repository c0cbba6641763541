// Concurrent requests.

import { randomUUID } from "node:crypto";
import { equal, Failed } from "../expect.js";
import { contract, draft } from "../sources.js";

const REQUESTS = 20;

const outcome = contract("Outcomes");

/** Sends several requests at the same time. */
const concurrently = (send, times = REQUESTS) =>
  Promise.all(Array.from({ length: times }, (_, index) => send(index)));

/** The number of answers with each status and outcome or error. */
function tally(answers) {
  const counts = {};
  for (const { status, document } of answers) {
    const word = `${status} ${document?.error ?? document?.status}`;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

export const concurrency = [
  {
    id: "concurrent-one-reservation",
    claim: `${REQUESTS} concurrent requests with one key reserve once: one is first, the others are its replays.`,
    sources: [outcome, contract("What to do after an answer"), draft("2.6")],
    async check(instance) {
      const free = await instance.requireFree(2);
      const key = randomUUID();
      const answers = await concurrently(() => instance.reserve({ key }));
      equal("answers", tally(answers), { "201 reserved": REQUESTS });
      equal("different bodies", new Set(answers.map(({ body }) => body)).size, 1);
      const firsts = answers.filter(({ headers }) => headers["idempotent-replayed"] === "false");
      equal("answers that are not a replay", firsts.length, 1);
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "concurrent-refusal",
    claim: "Concurrent requests with one key for a full workshop all receive the refusal.",
    sources: [outcome],
    async check(instance) {
      await instance.fill();
      const key = randomUUID();
      const answers = await concurrently(() => instance.reserve({ key }));
      equal("answers", tally(answers), { "409 unavailable": REQUESTS });
    },
  },
  {
    id: "concurrent-last-places",
    claim: "Of two concurrent requests for two of the last three places, exactly one is granted.",
    sources: [outcome],
    async check(instance) {
      await instance.fill(3);
      const people = [instance.a, instance.b];
      const answers = await concurrently(
        (index) => instance.reserve({ as: people[index], quantity: 2 }),
        2,
      );
      equal("answers", tally(answers), { "201 reserved": 1, "409 unavailable": 1 });
      equal("free places", await instance.free(), 1);
    },
  },
  {
    id: "concurrent-crowd",
    claim: `Of ${REQUESTS} concurrent requests for the last two places, exactly two are granted.`,
    sources: [outcome],
    async check(instance) {
      await instance.fill(2);
      const people = [instance.a, instance.b];
      const answers = await concurrently((index) => instance.reserve({ as: people[index % 2] }));
      equal("answers", tally(answers), { "201 reserved": 2, "409 unavailable": REQUESTS - 2 });
      equal("free places", await instance.free(), 0);
    },
  },
  {
    id: "concurrent-two-payloads",
    claim: "Of two payloads sent concurrently with one key, one is reserved and one is a conflict.",
    sources: [draft("2.2"), contract("operation_conflict")],
    async check(instance) {
      const free = await instance.requireFree(3);
      const key = randomUUID();
      const answers = await concurrently((index) =>
        instance.reserve({ key, quantity: 1 + (index % 2) }),
      );
      equal("answers", tally(answers), {
        "201 reserved": REQUESTS / 2,
        "409 operation_conflict": REQUESTS / 2,
      });
      const { document } = answers.find(({ status }) => status === 201);
      equal("free places", await instance.free(), free - document.quantity);
    },
  },
  {
    id: "concurrent-abandon",
    claim: "A request and its concurrent abandonment agree on the outcome.",
    sources: [contract("Abandon")],
    async check(instance) {
      const free = await instance.requireFree(1);
      const key = randomUUID();
      const [answer, abandoned] = await Promise.all([
        instance.reserve({ key }),
        instance.abandon(key),
      ]);
      const { outcome, reservation } = abandoned.document;
      equal("the outcome of both", answer.document.status, outcome);
      if (!["reserved", "abandoned"].includes(outcome)) throw new Failed(`found ${outcome}`);
      equal("it holds places", reservation !== null, outcome === "reserved");
      equal("free places", await instance.free(), outcome === "reserved" ? free - 1 : free);
    },
  },
  {
    id: "concurrent-cancel",
    claim: "Concurrent cancellations return the places once.",
    sources: [contract("Cancel")],
    async check(instance) {
      const free = await instance.requireFree(2);
      await instance.reservation();
      const { key } = await instance.reservation();
      const answers = await concurrently(() => instance.cancel(key), 10);
      equal("different answers", new Set(answers.map(({ body }) => body)).size, 1);
      equal("free places", await instance.free(), free - 1);
    },
  },
];
