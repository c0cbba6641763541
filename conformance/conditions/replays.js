// The response to every later attempt of an operation.

import { randomUUID } from "node:crypto";
import { equal, repeats, reserved } from "../expect.js";
import { contract, draft, http } from "../sources.js";

const outcome = contract("Outcomes");
const theKey = contract("The key");

export const replays = [
  {
    id: "replay",
    claim: "Every repetition returns the first response, byte for byte, and takes no place.",
    sources: [draft("2.6"), outcome, http("8.3")],
    async check(instance) {
      const free = await instance.requireFree(2);
      const { key, answer } = await instance.reservation();
      for (let sent = 1; sent <= 10; sent += 1) {
        const again = await instance.reserve({ key });
        repeats(again, answer, `repetition ${sent}`);
        equal("Content-Type", again.headers["content-type"], answer.headers["content-type"]);
      }
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "replay-two-operations",
    claim: "Each key returns its own receipt, even when two are requested in turn.",
    sources: [theKey, draft("2.2")],
    async check(instance) {
      const [one, other] = [await instance.reservation(), await instance.reservation()];
      for (const { key, answer } of [one, other, one]) {
        repeats(await instance.reserve({ key }), answer);
      }
    },
  },
  {
    id: "replay-when-full",
    claim: "A reservation is replayed even when the workshop has become full.",
    sources: [theKey, outcome],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      await instance.fill();
      repeats(await instance.reserve({ key }), answer);
    },
  },
  {
    id: "lost-response",
    claim: "After lost responses, a retry returns the outcome and the places are taken once.",
    sources: [draft("1"), contract("What to do after an answer")],
    async check(instance) {
      for (const lost of [1, 2]) {
        const free = await instance.requireFree(3);
        const key = randomUUID();
        instance.mayHold(key);
        for (let sent = 0; sent < lost; sent += 1) await instance.reserve({ key, hangUp: true });
        const answer = await instance.reserve({ key });
        equal("the retry", [answer.status, answer.document?.status], [201, "reserved"]);
        repeats(await instance.reserve({ key }), answer);
        equal(`free places after ${lost} lost`, await instance.free(), free - 1);
        await instance.cleanUp();
      }
    },
  },
  {
    id: "refusal-final",
    claim: "A refusal is replayed like a reservation, even when places are free again.",
    sources: [outcome, theKey, draft("2.6")],
    async check(instance) {
      const { key, answer } = await instance.refusal();
      repeats(await instance.reserve({ key }), answer, "while the workshop is full");
      await instance.cleanUp();
      const free = await instance.free();
      repeats(await instance.reserve({ key }), answer, "with places free again");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "refusal-new-key",
    claim: "After a refusal, a new key is decided by the places that are free then.",
    sources: [outcome],
    async check(instance) {
      await instance.refusal();
      await instance.cleanUp();
      await instance.requireFree(1);
      reserved(await instance.reserve(), "a new key");
    },
  },
  {
    id: "replay-cancelled",
    claim: "A cancelled reservation is replayed as it was decided, and takes no place.",
    sources: [contract("Cancel")],
    async check(instance) {
      const free = await instance.requireFree(1);
      const { key, answer } = await instance.reservation();
      await instance.cancel(key);
      repeats(await instance.reserve({ key }), answer);
      equal("free places", await instance.free(), free);
    },
  },
];
