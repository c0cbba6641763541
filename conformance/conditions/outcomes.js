// The first response of an operation: reserved or refused.

import { randomUUID } from "node:crypto";
import { equal, matches, refused, rejected, reserved } from "../expect.js";
import { contract, draft, http } from "../sources.js";

const outcome = contract("Outcomes");

export const outcomes = [
  {
    id: "reserved",
    claim:
      "A reservation is answered with 201, its id and its quantity, and takes that many places.",
    sources: [outcome, http("15.3.2"), http("8.3"), draft("2.6")],
    async check(instance) {
      for (const quantity of [1, 2]) {
        const free = await instance.requireFree(quantity);
        const answer = await instance.reserve({ quantity });
        reserved(answer);
        const { status, reservation_id, ...rest } = answer.document;
        matches("reservation_id", reservation_id, /^[0-9a-f]{32}$/);
        equal("the other members", rest, { quantity });
        equal("Content-Type", answer.headers["content-type"], "application/json");
        equal(`free places after ${quantity}`, await instance.free(), free - quantity);
        await instance.cleanUp();
      }
    },
  },
  {
    id: "unknown-workshop",
    claim: "A workshop that is not on offer is rejected with 404 and does not consume the key.",
    sources: [http("15.5.5"), contract("unknown_workshop"), contract("Rejections")],
    async check(instance) {
      await instance.requireFree(1);
      const key = randomUUID();
      rejected(await instance.reserve({ key, workshop: nowhere() }), 404, "unknown_workshop");
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      reserved(await instance.reserve({ key }), "with a workshop on offer");
    },
  },
  {
    id: "refused",
    claim: "A request for a full workshop is answered with 409 “unavailable” and takes no place.",
    sources: [outcome, http("15.5.10"), contract("Look up")],
    async check(instance) {
      const { key, answer } = await instance.refusal();
      equal("the body", answer.document, { status: "unavailable" });
      equal("Content-Type", answer.headers["content-type"], "application/json");
      equal("free places", await instance.free(), 0);
      const { document } = await instance.lookUp(key);
      equal(
        "outcome, status and reservation in the look-up",
        [document?.outcome, document?.http_status, document?.reservation],
        ["unavailable", 409, null],
      );
    },
  },
  {
    id: "last-place",
    claim: "With one place left, a request for two is refused whole, and a request for one is not.",
    sources: [outcome],
    async check(instance) {
      await instance.fill(1);
      refused(await instance.reserve({ quantity: 2 }), "a request for two");
      equal("free places", await instance.free(), 1);
      reserved(await instance.reserve({ quantity: 1 }), "a request for one");
      equal("free places", await instance.free(), 0);
    },
  },
  {
    id: "capacity",
    claim: "Requests to a full workshop never reserve beyond its capacity.",
    sources: [outcome],
    async check(instance) {
      await instance.fill();
      for (const quantity of [1, 2, 1, 2]) await instance.reserve({ quantity });
      const { reserved: taken, capacity } = await instance.readWorkshop();
      equal("reserved places", taken, capacity);
    },
  },
];

/** A valid workshop id that does not exist. */
export function nowhere() {
  return `no-workshop-${randomUUID().slice(0, 8)}`;
}
