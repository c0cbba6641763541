// The first answer to an operation: reserved, or refused.

import { randomUUID } from "node:crypto";
import { different, equal, matches, rejected, reserved, unavailable } from "../expect.js";
import { contract, draft, http, notiz, prevent } from "../sources.js";

const core = prevent("Read the complete PHP operation core");
const joint = prevent("Commit capacity decision and receipt together");

export const outcomes = [
  {
    id: "reserved-status",
    claim: "The first request for free places is answered with 201.",
    sources: [core, http("15.3.2"), draft("2.6")],
    async check(instance) {
      await instance.needFree(1);
      equal("the status", (await instance.reserve()).status, 201);
    },
  },
  {
    id: "reserved-body",
    claim: "A reservation's answer has its status, its id and its quantity, and nothing else.",
    sources: [core, contract("Outcomes")],
    async check(instance) {
      const { answer } = await instance.reservation();
      equal("the members", Object.keys(answer.document).sort(), [
        "quantity",
        "reservation_id",
        "status",
      ]);
    },
  },
  {
    id: "reserved-id",
    claim: "A reservation's id is 32 hexadecimal digits in lower case.",
    sources: [core, prevent("Follow the complete browser flow")],
    async check(instance) {
      const { id } = await instance.reservation();
      matches("reservation_id", id, /^[0-9a-f]{32}$/);
    },
  },
  {
    id: "reserved-quantity",
    claim: "A reservation confirms as many places as were asked for.",
    sources: [core],
    async check(instance) {
      for (const quantity of [1, 2]) {
        const { answer } = await instance.reservation({ quantity });
        equal("quantity", answer.document.quantity, quantity);
        await instance.giveBack();
      }
    },
  },
  {
    id: "reserved-places",
    claim: "A reservation takes as many places as it confirms.",
    sources: [joint],
    async check(instance) {
      for (const quantity of [1, 2]) {
        const free = await instance.free();
        await instance.reservation({ quantity });
        equal(`free places after ${quantity}`, await instance.free(), free - quantity);
        await instance.giveBack();
      }
    },
  },
  {
    id: "reserved-first",
    claim: "The first answer says that it is no replay.",
    sources: [core],
    async check(instance) {
      const { answer } = await instance.reservation();
      equal("Idempotent-Replayed", answer.headers["idempotent-replayed"], "false");
    },
  },
  {
    id: "reserved-type",
    claim: "An outcome is JSON, and says so.",
    sources: [http("8.3"), contract("Outcomes")],
    async check(instance) {
      const { answer } = await instance.reservation();
      equal("Content-Type", answer.headers["content-type"], "application/json");
    },
  },
  {
    id: "reserved-ids-differ",
    claim: "Two operations have two reservation ids.",
    sources: [notiz("Fehler ausführen und gespeicherte Ergebnisse vergleichen")],
    async check(instance) {
      const [one, other] = [await instance.reservation(), await instance.reservation()];
      different("reservation_id", one.id, other.id);
    },
  },
  {
    id: "unknown-workshop",
    claim: "A workshop that is not on offer is answered with 404.",
    sources: [core, http("15.5.5")],
    async check(instance) {
      const answer = await instance.reserve({ workshop: nowhere() });
      rejected(answer, 404, "unknown_workshop");
    },
  },
  {
    id: "unknown-workshop-no-receipt",
    claim: "A workshop that is not on offer uses up no key: with another one, it is decided.",
    sources: [prevent("Review 83 executed conditions in server and browser")],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      rejected(await instance.reserve({ key, workshop: nowhere() }), 404, "unknown_workshop");
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      reserved(await instance.reserve({ key }), "with a workshop on offer");
    },
  },
  {
    id: "refused-status",
    claim: "A request for a place of a full workshop is answered with 409 “unavailable”.",
    sources: [core, http("15.5.10")],
    async check(instance) {
      const { answer } = await instance.refusal();
      unavailable(answer);
    },
  },
  {
    id: "refused-body",
    claim: "A refusal is an outcome, not a problem: JSON with its status and nothing else.",
    sources: [core, contract("Outcomes")],
    async check(instance) {
      const { answer } = await instance.refusal();
      equal("the body", answer.document, { status: "unavailable" });
      equal("Content-Type", answer.headers["content-type"], "application/json");
    },
  },
  {
    id: "refused-takes-nothing",
    claim: "A refusal takes no place and makes no reservation.",
    sources: [joint],
    async check(instance) {
      const { key } = await instance.refusal();
      equal("free places", await instance.free(), 0);
      const { document } = await instance.lookUp(key);
      equal("reservation", document?.reservation, null);
    },
  },
  {
    id: "refused-whole",
    claim: "Who asks for two places where one is left gets neither.",
    sources: [joint, prevent("Review 83 executed conditions in server and browser")],
    async check(instance) {
      await instance.fill(1);
      unavailable(await instance.reserve({ quantity: 2 }));
      equal("free places", await instance.free(), 1);
    },
  },
  {
    id: "last-place",
    claim: "The last place can be had.",
    sources: [joint],
    async check(instance) {
      await instance.fill(1);
      reserved(await instance.reserve({ quantity: 1 }));
      equal("free places", await instance.free(), 0);
    },
  },
  {
    id: "capacity",
    claim: "However often is asked, no more places are reserved than the workshop has.",
    sources: [joint, prevent("Intent and outcome at a glance")],
    async check(instance) {
      await instance.fill();
      for (const quantity of [1, 2, 1, 2]) await instance.reserve({ quantity });
      const { reserved: taken, capacity } = await instance.readWorkshop();
      equal("reserved places", taken, capacity);
    },
  },
];

/** A workshop's id that no organiser gives. */
export function nowhere() {
  return `no-workshop-${randomUUID().slice(0, 8)}`;
}
