// Requests that arrive together.

import { randomUUID } from "node:crypto";
import { equal, Failed } from "../expect.js";
import { contract, draft, entwerfen, prevent } from "../sources.js";

const AT_ONCE = 20;

const combined = prevent("Combine browser convenience with authoritative server handling");
const joint = prevent("Commit capacity decision and receipt together");

/** Does something twenty times at once. */
const atOnce = (send, times = AT_ONCE) =>
  Promise.all(Array.from({ length: times }, (_, index) => send(index)));

/** How many answers have each status and outcome or error. */
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
    id: "at-once-same-answer",
    claim: `${AT_ONCE} requests with one key at once are all told the same, byte for byte.`,
    sources: [combined, entwerfen("step 4")],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      const answers = await atOnce(() => instance.reserve({ key }));
      equal("answers", tally(answers), { "201 reserved": AT_ONCE });
      equal("different bodies", new Set(answers.map(({ body }) => body)).size, 1);
    },
  },
  {
    id: "at-once-one-first",
    claim: "Of requests with one key at once, exactly one is told that it was the first.",
    sources: [combined, contract("Outcomes")],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      const answers = await atOnce(() => instance.reserve({ key }));
      const firsts = answers.filter(({ headers }) => headers["idempotent-replayed"] === "false");
      equal("first answers", firsts.length, 1);
    },
  },
  {
    id: "at-once-one-reservation",
    claim: "Requests with one key at once take the places of one.",
    sources: [combined, entwerfen("step 4")],
    async check(instance) {
      await instance.needFree(2);
      const free = await instance.free();
      const key = randomUUID();
      await atOnce(() => instance.reserve({ key }));
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "at-once-no-in-progress",
    claim: "No request is told that another one is still being processed: all get the outcome.",
    sources: [draft("2.6"), contract("What to do after an answer")],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      const answers = await atOnce(() => instance.reserve({ key }));
      const others = answers.filter(({ document }) => document?.reservation_id === undefined);
      equal("answers without the outcome", tally(others), {});
    },
  },
  {
    id: "at-once-refusal",
    claim: "Requests with one key at once are all refused alike when the workshop is full.",
    sources: [combined, prevent("Begin an additional reservation explicitly")],
    async check(instance) {
      await instance.fill();
      const key = randomUUID();
      const answers = await atOnce(() => instance.reserve({ key }));
      equal("answers", tally(answers), { "409 unavailable": AT_ONCE });
    },
  },
  {
    id: "at-once-last-places",
    claim: "Of two who ask for two of the last three places at once, exactly one has them.",
    sources: [joint, prevent("Intent and outcome at a glance")],
    async check(instance) {
      await instance.fill(3);
      const people = [instance.a, instance.b];
      const answers = await atOnce(
        (index) => instance.reserve({ as: people[index], quantity: 2 }),
        2,
      );
      equal("answers", tally(answers), { "201 reserved": 1, "409 unavailable": 1 });
      equal("free places", await instance.free(), 1);
    },
  },
  {
    id: "at-once-all-places",
    claim: `Of ${AT_ONCE} who ask at once for the last two places, two have one each.`,
    sources: [joint],
    async check(instance) {
      await instance.fill(2);
      const people = [instance.a, instance.b];
      const answers = await atOnce((index) => instance.reserve({ as: people[index % 2] }));
      equal("answers", tally(answers), { "201 reserved": 2, "409 unavailable": AT_ONCE - 2 });
      equal("free places", await instance.free(), 0);
    },
  },
  {
    id: "at-once-two-intentions",
    claim: "Of one key with two quantities at once, one is reserved and the other is a conflict.",
    sources: [prevent("Compare the business values defining the intention"), draft("2.2")],
    async check(instance) {
      await instance.needFree(3);
      const free = await instance.free();
      const key = randomUUID();
      const answers = await atOnce((index) => instance.reserve({ key, quantity: 1 + (index % 2) }));
      equal("answers", tally(answers), {
        "201 reserved": AT_ONCE / 2,
        "409 operation_conflict": AT_ONCE / 2,
      });
      const { document } = answers.find(({ status }) => status === 201);
      equal("free places", await instance.free(), free - document.quantity);
    },
  },
  {
    id: "at-once-abandon",
    claim: "A request and its giving up at once agree on what was decided.",
    sources: [contract("Give up")],
    async check(instance) {
      await instance.needFree(1);
      const free = await instance.free();
      const key = randomUUID();
      const [answer, abandoned] = await Promise.all([
        instance.reserve({ key }),
        instance.abandon(key),
      ]);
      const { outcome, reservation } = abandoned.document;
      equal("the request's outcome and that of giving up", answer.document.status, outcome);
      if (!["reserved", "abandoned"].includes(outcome)) throw new Failed(`found ${outcome}`);
      equal("it holds places", reservation !== null, outcome === "reserved");
      equal("free places", await instance.free(), outcome === "reserved" ? free - 1 : free);
    },
  },
  {
    id: "at-once-cancel",
    claim: "Cancelled by many at once, the places are given back once.",
    sources: [contract("Cancel")],
    async check(instance) {
      await instance.needFree(2);
      const free = await instance.free();
      await instance.reservation();
      const { key } = await instance.reservation();
      const answers = await atOnce(() => instance.cancel(key), 10);
      equal("different answers", new Set(answers.map(({ body }) => body)).size, 1);
      equal("free places", await instance.free(), free - 1);
    },
  },
];
