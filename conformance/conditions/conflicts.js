// The same key with other values: refused, and everything stays as it was.

import { equal, rejected, repeats } from "../expect.js";
import { contract, draft, entwerfen, http, prevent } from "../sources.js";
import { nowhere } from "./outcomes.js";

const compare = prevent("Compare the business values defining the intention");

export const conflicts = [
  {
    id: "conflict-quantity",
    claim: "A key with another quantity is a conflict: 409, where the draft suggests 422.",
    sources: [compare, draft("2.2"), draft("2.7"), entwerfen("step 3"), http("15.5.10")],
    async check(instance) {
      const { key } = await instance.reservation();
      rejected(await instance.reserve({ key, quantity: 2 }), 409, "operation_conflict");
    },
  },
  {
    id: "conflict-workshop",
    claim: "A key with another workshop is a conflict, also if that is not on offer.",
    sources: [compare, contract("unknown_workshop")],
    async check(instance) {
      const { key } = await instance.reservation();
      const answer = await instance.reserve({ key, workshop: nowhere() });
      rejected(answer, 409, "operation_conflict");
    },
  },
  {
    id: "conflict-places",
    claim: "A conflict takes no place and gives none back.",
    sources: [compare, entwerfen("step 3")],
    async check(instance) {
      await instance.needFree(3);
      const { key } = await instance.reservation();
      const free = await instance.free();
      const answer = await instance.reserve({ key, quantity: 2 });
      rejected(answer, 409, "operation_conflict");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "conflict-receipt",
    claim: "After a conflict, the first values still get the first answer.",
    sources: [prevent("Intent and outcome at a glance")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      rejected(await instance.reserve({ key, quantity: 2 }), 409, "operation_conflict");
      repeats(await instance.reserve({ key }), answer);
    },
  },
  {
    id: "conflict-reveals-nothing",
    claim: "A conflict tells neither the reservation nor its values.",
    sources: [contract("operation_conflict")],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const answer = await instance.reserve({ key, quantity: 2 });
      rejected(answer, 409, "operation_conflict");
      equal("it tells the reservation", answer.body.includes(id), false);
      equal("quantity", answer.document.quantity, undefined);
    },
  },
  {
    id: "conflict-no-outcome",
    claim: "A conflict is a problem and no outcome: it is not marked as a replay.",
    sources: [prevent("Read the complete PHP operation core"), contract("Rejections")],
    async check(instance) {
      const { key } = await instance.reservation();
      const { headers } = await instance.reserve({ key, quantity: 2 });
      equal(
        "type and mark",
        [headers["content-type"], headers["idempotent-replayed"]],
        ["application/problem+json", undefined],
      );
    },
  },
  {
    id: "conflict-after-refusal",
    claim: "The key of a refusal is a conflict with other values, also when there are places.",
    sources: [prevent("Begin an additional reservation explicitly"), compare],
    async check(instance) {
      const { key } = await instance.refusal({ quantity: 2 });
      await instance.giveBack();
      await instance.needFree(1);
      const free = await instance.free();
      rejected(await instance.reserve({ key, quantity: 1 }), 409, "operation_conflict");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "conflict-after-cancelling",
    claim: "The key of a cancelled reservation is a conflict with other values.",
    sources: [contract("The key")],
    async check(instance) {
      const { key } = await instance.reservation();
      await instance.cancel(key);
      rejected(await instance.reserve({ key, quantity: 2 }), 409, "operation_conflict");
    },
  },
];
