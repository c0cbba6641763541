// Two who ask: each has operations of its own, and both share the places.

import { randomUUID } from "node:crypto";
import { different, equal, rejected, repeats, reserved, unavailable } from "../expect.js";
import { contract, entwerfen, http, prevent } from "../sources.js";

const scoped = prevent("Scope the identifier to the correct actor");

/** A condition that two have to be there for. */
function between(id, claim, sources, check) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      instance.needTwo();
      await check(instance, instance.a, instance.b);
    },
  };
}

export const scope = [
  between(
    "scope-same-key",
    "Two who use the same key have a reservation each.",
    [scoped, entwerfen("Grenzen und Prüfbasis")],
    async (instance, a, b) => {
      const key = randomUUID();
      const [one, other] = [
        await instance.reservation({ as: a, key }),
        await instance.reservation({ as: b, key }),
      ];
      different("reservation_id", one.id, other.id);
    },
  ),
  between(
    "scope-places",
    "Two who use the same key take the places of two.",
    [scoped],
    async (instance, a, b) => {
      await instance.needFree(2);
      const free = await instance.free();
      const key = randomUUID();
      for (const as of [a, b]) await instance.reserve({ as, key });
      equal("free places", await instance.free(), free - 2);
    },
  ),
  between(
    "scope-no-conflict",
    "The same key with other values of somebody else is no conflict.",
    [scoped, contract("The key")],
    async (instance, a, b) => {
      await instance.needFree(3);
      const { key } = await instance.reservation({ as: a, quantity: 1 });
      reserved(await instance.reserve({ as: b, key, quantity: 2 }));
    },
  ),
  between(
    "scope-own-receipt",
    "Of two who use the same key, each gets its own first answer again.",
    [scoped],
    async (instance, a, b) => {
      const key = randomUUID();
      const one = await instance.reservation({ as: a, key });
      const other = await instance.reservation({ as: b, key });
      repeats(await instance.reserve({ as: a, key }), one.answer, "the first one's repetition");
      repeats(await instance.reserve({ as: b, key }), other.answer, "the other one's repetition");
    },
  ),
  between(
    "scope-shared-capacity",
    "What one has taken, the other does not get.",
    [scoped, prevent("Commit capacity decision and receipt together")],
    async (instance, a) => {
      await instance.fill();
      unavailable(await instance.reserve({ as: a }));
    },
  ),
  between(
    "scope-refusal",
    "A refusal of one is none of the other: its same key asks for itself.",
    [scoped, prevent("Begin an additional reservation explicitly")],
    async (instance, a, b) => {
      const { key } = await instance.refusal({ as: a });
      await instance.giveBack();
      await instance.needFree(1);
      reserved(await instance.reserve({ as: b, key }));
    },
  ),
  between(
    "scope-look-up",
    "An operation of somebody else is answered as one that never was.",
    [scoped, http("15.5.5"), contract("unknown_operation")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const [others, none] = [
        await instance.lookUp(key, b),
        await instance.lookUp(randomUUID(), b),
      ];
      rejected(others, 404, "unknown_operation");
      equal("the body", others.body, none.body);
    },
  ),
  between(
    "scope-list",
    "The list of operations has none of somebody else.",
    [scoped, contract("Look up")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const keys = async (as) => {
        const { document } = await instance.send("/operations", { as });
        return document.operations.map((operation) => operation.key);
      };
      equal("it is in its actor's list", (await keys(a)).includes(key), true);
      equal("it is in the other's list", (await keys(b)).includes(key), false);
    },
  ),
  between(
    "scope-cancel",
    "Nobody cancels a reservation of somebody else.",
    [scoped, contract("After an operation: look up, give up, cancel")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const free = await instance.free();
      rejected(await instance.cancel(key, b), 404, "unknown_operation");
      equal("free places", await instance.free(), free);
    },
  ),
  between(
    "scope-abandon",
    "What one gives up, the other can still ask for.",
    [scoped, contract("Give up")],
    async (instance, a, b) => {
      await instance.needFree(1);
      const key = randomUUID();
      equal("giving up", (await instance.abandon(key, b)).status, 200);
      reserved(await instance.reserve({ as: a, key }));
    },
  ),
  between(
    "scope-not-chosen",
    "No member of the body and no header but the identity's own chooses who asks.",
    [scoped, contract("Who asks")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const { workshop } = instance;
      const body = JSON.stringify({ workshop, quantity: 1, actor: a.tag });
      rejected(await instance.reserve({ as: b, key, body }), 422, "request_contract", "a member");
      const headers = { "Einmal-Actor": a.tag };
      rejected(await instance.reserve({ as: b, key, headers }), 403, "actor_changed", "a header");
      rejected(await instance.lookUp(key, b), 404, "unknown_operation", "the look-up");
    },
  ),
];
