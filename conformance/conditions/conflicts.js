// The same key with another payload: rejected, and nothing changes.

import { equal, rejected, repeats } from "../expect.js";
import { contract, draft, http } from "../sources.js";
import { nowhere } from "./outcomes.js";

const why = contract("Conflict, and why it is 409");
const section = contract("operation_conflict");

export const conflicts = [
  {
    id: "conflict",
    claim: "A key with another quantity is rejected with 409; receipt and places are unchanged.",
    sources: [draft("2.2"), draft("2.7"), http("15.5.10"), why],
    async check(instance) {
      await instance.requireFree(3);
      const { key, answer } = await instance.reservation();
      const free = await instance.free();
      rejected(await instance.reserve({ key, quantity: 2 }), 409, "operation_conflict");
      equal("free places", await instance.free(), free);
      repeats(await instance.reserve({ key }), answer, "the first payload");
    },
  },
  {
    id: "conflict-workshop",
    claim: "A key with another workshop is a conflict, even if that workshop is not on offer.",
    sources: [why, contract("unknown_workshop")],
    async check(instance) {
      const { key } = await instance.reservation();
      const answer = await instance.reserve({ key, workshop: nowhere() });
      rejected(answer, 409, "operation_conflict");
    },
  },
  {
    id: "conflict-reveals-nothing",
    claim: "A conflict is a problem document that does not contain the receipt.",
    sources: [section, contract("Rejections")],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const { headers, body, document } = await instance.reserve({ key, quantity: 2 });
      equal(
        "error, type and replay",
        [document?.error, headers["content-type"], headers["idempotent-replayed"]],
        ["operation_conflict", "application/problem+json", undefined],
      );
      equal("it contains the reservation", body.includes(id), false);
      equal("quantity", document.quantity, undefined);
    },
  },
  {
    id: "conflict-after-refusal",
    claim: "The key of a refusal is a conflict with another payload, even when places are free.",
    sources: [why, contract("The key")],
    async check(instance) {
      const { key } = await instance.refusal({ quantity: 2 });
      await instance.cleanUp();
      const free = await instance.requireFree(1);
      rejected(await instance.reserve({ key, quantity: 1 }), 409, "operation_conflict");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "conflict-after-cancelling",
    claim: "The key of a cancelled reservation is a conflict with another payload.",
    sources: [why, contract("Cancel")],
    async check(instance) {
      const { key } = await instance.reservation();
      await instance.cancel(key);
      rejected(await instance.reserve({ key, quantity: 2 }), 409, "operation_conflict");
    },
  },
];
