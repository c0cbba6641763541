// Two actors: each has its own operations, and both share the places.

import { randomUUID } from "node:crypto";
import { different, equal, refused, rejected, repeats, reserved } from "../expect.js";
import { contract, draft, http } from "../sources.js";

const theKey = contract("The key");

/** A condition that requires two actors. */
function between(id, claim, sources, check) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      instance.requireTwoActors();
      await check(instance, instance.a, instance.b);
    },
  };
}

export const actors = [
  between(
    "scope-same-key",
    "Two actors with the same key have a reservation each, and each receives its own response.",
    [draft("5"), theKey],
    async (instance, a, b) => {
      const free = await instance.requireFree(2);
      const key = randomUUID();
      const one = await instance.reservation({ as: a, key });
      const other = await instance.reservation({ as: b, key });
      different("reservation_id", one.id, other.id);
      equal("free places", await instance.free(), free - 2);
      repeats(await instance.reserve({ as: a, key }), one.answer, "the repetition of A");
      repeats(await instance.reserve({ as: b, key }), other.answer, "the repetition of B");
    },
  ),
  between(
    "scope-no-conflict",
    "The same key with another payload of another actor is not a conflict.",
    [draft("5"), theKey],
    async (instance, a, b) => {
      await instance.requireFree(3);
      const { key } = await instance.reservation({ as: a, quantity: 1 });
      reserved(await instance.reserve({ as: b, key, quantity: 2 }));
    },
  ),
  between(
    "scope-shared-places",
    "Places that one actor has taken are not available to the other.",
    [contract("Outcomes")],
    async (instance, a) => {
      await instance.fill();
      refused(await instance.reserve({ as: a }));
    },
  ),
  between(
    "scope-refusal",
    "A refusal of one actor does not decide the same key of the other.",
    [theKey, contract("Outcomes")],
    async (instance, a, b) => {
      const { key } = await instance.refusal({ as: a });
      await instance.cleanUp();
      await instance.requireFree(1);
      reserved(await instance.reserve({ as: b, key }));
    },
  ),
  between(
    "scope-read",
    "Another actor's operation is not listed, and as unknown as one that does not exist.",
    [http("15.5.5"), contract("unknown_operation"), contract("Look up")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const [others, none] = [
        await instance.lookUp(key, b),
        await instance.lookUp(randomUUID(), b),
      ];
      rejected(others, 404, "unknown_operation");
      equal("the body", others.body, none.body);
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
    "An actor cannot cancel another actor's reservation.",
    [contract("After an operation: look up, abandon, cancel")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const free = await instance.free();
      rejected(await instance.cancel(key, b), 404, "unknown_operation");
      equal("free places", await instance.free(), free);
    },
  ),
  between(
    "scope-abandon",
    "An operation that one actor abandons stays open for the other.",
    [contract("After an operation: look up, abandon, cancel"), contract("Abandon")],
    async (instance, a, b) => {
      await instance.requireFree(1);
      const key = randomUUID();
      equal("abandoning", (await instance.abandon(key, b)).status, 200);
      reserved(await instance.reserve({ as: a, key }));
    },
  ),
  between(
    "scope-not-chosen",
    "No member of the body, and no header other than a session or a token, chooses the actor.",
    [contract("Authentication")],
    async (instance, a, b) => {
      const { key } = await instance.reservation({ as: a });
      const { workshop } = instance;
      const body = JSON.stringify({ workshop, quantity: 1, actor: a.actorId });
      rejected(await instance.reserve({ as: b, key, body }), 422, "request_contract", "a member");
      const headers = { "Einmal-Actor": a.actorId };
      rejected(await instance.reserve({ as: b, key, headers }), 403, "actor_changed", "a header");
      rejected(await instance.lookUp(key, b), 404, "unknown_operation", "the look-up");
    },
  ),
];
