// After an operation: looking it up, giving it up, cancelling.

import { randomUUID } from "node:crypto";
import { equal, matches, outcome, rejected, reserved } from "../expect.js";
import { contract, draft, http, prevent } from "../sources.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const unclear = prevent("An unclear response leaves the operation open");
const lookUp = contract("Look up");
const giveUp = contract("Give up");
const cancelling = contract("Cancel");
const additional = prevent("Begin an additional reservation explicitly");

export const after = [
  {
    id: "look-up-reserved",
    claim: "The look-up of a reservation tells its outcome, its status and that it is held.",
    sources: [unclear, lookUp],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const { status, document } = await instance.lookUp(key);
      const { decided_at, ...told } = document;
      equal("status", status, 200);
      equal("the document", told, {
        key,
        outcome: "reserved",
        http_status: 201,
        workshop: instance.workshop,
        reservation: { id, quantity: 1, state: "held" },
      });
    },
  },
  {
    id: "look-up-refused",
    claim: "The look-up of a refusal tells that there is no reservation.",
    sources: [unclear, lookUp],
    async check(instance) {
      const { key } = await instance.refusal();
      const { document } = await instance.lookUp(key);
      equal(
        "outcome, status, reservation",
        [document?.outcome, document?.http_status, document?.reservation],
        ["unavailable", 409, null],
      );
    },
  },
  {
    id: "look-up-time",
    claim: "The time of a decision is a time in UTC, and a repetition does not move it.",
    sources: [lookUp],
    async check(instance) {
      const { key } = await instance.reservation();
      const { document } = await instance.lookUp(key);
      matches("decided_at", document?.decided_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      await pause(1100);
      await instance.reserve({ key });
      equal("decided_at", (await instance.lookUp(key)).document.decided_at, document.decided_at);
    },
  },
  {
    id: "look-up-unknown",
    claim: "An operation of which nothing was decided is answered with 404.",
    sources: [http("15.5.5"), contract("unknown_operation")],
    async check(instance) {
      rejected(await instance.lookUp(randomUUID()), 404, "unknown_operation");
    },
  },
  {
    id: "look-up-executes-nothing",
    claim: "A look-up decides nothing: the request for the same key is the first.",
    sources: [http("9.2.1"), lookUp],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      const free = await instance.free();
      await instance.lookUp(key);
      equal("free places", await instance.free(), free);
      reserved(await instance.reserve({ key }));
    },
  },
  {
    id: "look-up-key-form",
    claim: "What is no key is refused in the path too, and so are quotes.",
    sources: [contract("After an operation: look up, give up, cancel")],
    async check(instance) {
      for (const key of ["1", randomUUID().toUpperCase(), `%22${randomUUID()}%22`]) {
        rejected(await instance.lookUp(key), 400, "operation_id", `the key ${key}`);
      }
    },
  },
  {
    id: "list-newest-first",
    claim: "The list of operations begins with the newest.",
    sources: [lookUp],
    async check(instance) {
      const keys = [];
      for (const _ of ["one", "other"]) {
        keys.unshift((await instance.reservation()).key);
        await pause(20);
      }
      const { document } = await instance.send("/operations", { as: instance.a });
      const found = document.operations.slice(0, 2).map(({ key }) => key);
      equal("the first two", found, keys);
    },
  },
  {
    id: "list-like-look-up",
    claim: "The list tells of an operation what its look-up tells.",
    sources: [lookUp],
    async check(instance) {
      const { key } = await instance.reservation();
      const { document } = await instance.send("/operations", { as: instance.a });
      const listed = document.operations.find((operation) => operation.key === key);
      equal("the operation", listed, (await instance.lookUp(key)).document);
    },
  },
  {
    id: "abandon-settles",
    claim: "An operation of which nothing was decided can be given up.",
    sources: [unclear, giveUp],
    async check(instance) {
      const key = randomUUID();
      const { status, document } = await instance.abandon(key);
      const { decided_at, ...told } = document;
      equal("status", status, 200);
      equal("the document", told, {
        key,
        outcome: "abandoned",
        http_status: 409,
        workshop: null,
        reservation: null,
      });
    },
  },
  {
    id: "abandon-late-request",
    claim: "A request that arrives after its operation was given up is told so, as a replay.",
    sources: [giveUp, draft("2.6")],
    async check(instance) {
      const key = randomUUID();
      await instance.abandon(key);
      outcome(await instance.reserve({ key }), 409, "abandoned", true);
    },
  },
  {
    id: "abandon-takes-nothing",
    claim: "A request that arrives after its operation was given up takes no place.",
    sources: [giveUp, unclear],
    async check(instance) {
      await instance.needFree(1);
      const free = await instance.free();
      const key = randomUUID();
      await instance.abandon(key);
      await instance.reserve({ key });
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "abandon-any-values",
    claim: "An operation that was given up answers a request for any values.",
    sources: [giveUp],
    async check(instance) {
      const key = randomUUID();
      await instance.abandon(key);
      for (const quantity of [1, 2]) {
        outcome(await instance.reserve({ key, quantity }), 409, "abandoned", true, `${quantity}`);
      }
    },
  },
  {
    id: "abandon-again",
    claim: "Giving up again is answered with the same, byte for byte.",
    sources: [giveUp],
    async check(instance) {
      const key = randomUUID();
      const first = await instance.abandon(key);
      equal("the first", first.status, 200);
      equal("the second", (await instance.abandon(key)).body, first.body);
    },
  },
  {
    id: "abandon-decided",
    claim: "Giving up an operation that was decided changes nothing and tells what was decided.",
    sources: [giveUp],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      const free = await instance.free();
      const { document } = await instance.abandon(key);
      equal(
        "outcome and state",
        [document?.outcome, document?.reservation?.state],
        ["reserved", "held"],
      );
      equal("free places", await instance.free(), free);
      equal("the receipt", (await instance.reserve({ key })).body, answer.body);
    },
  },
  {
    id: "abandon-key-form",
    claim: "What is no key cannot be given up.",
    sources: [contract("operation_id")],
    async check(instance) {
      rejected(await instance.abandon("1"), 400, "operation_id");
    },
  },
  {
    id: "abandon-nobody",
    claim: "Who does not say who asks gives up nothing.",
    sources: [contract("actor_required"), http("15.5.2")],
    async check(instance) {
      const { a } = instance;
      const key = randomUUID();
      rejected(await instance.abandon(key, { headers: {} }), 401, "actor_required");
      rejected(await instance.lookUp(key, a), 404, "unknown_operation", "the look-up");
    },
  },
  {
    id: "cancel-places",
    claim: "Cancelling gives the places back.",
    sources: [additional, cancelling],
    async check(instance) {
      await instance.needFree(2);
      const free = await instance.free();
      const { key } = await instance.reservation({ quantity: 2 });
      equal("cancelling", (await instance.cancel(key)).status, 200);
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "cancel-once",
    claim: "Cancelling again gives nothing back, and is answered with the same.",
    sources: [cancelling, http("9.2.2")],
    async check(instance) {
      await instance.needFree(2);
      await instance.reservation();
      const { key } = await instance.reservation();
      const first = await instance.cancel(key);
      equal("the first", first.document?.reservation?.state, "cancelled");
      const free = await instance.free();
      equal("the second", (await instance.cancel(key)).body, first.body);
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "cancel-state",
    claim: "The look-up tells that a reservation was cancelled; its receipt stays “reserved”.",
    sources: [additional, cancelling],
    async check(instance) {
      const { key, id } = await instance.reservation();
      await instance.cancel(key);
      const { document } = await instance.lookUp(key);
      equal(
        "outcome, status, reservation",
        [document?.outcome, document?.http_status, document?.reservation],
        ["reserved", 201, { id, quantity: 1, state: "cancelled" }],
      );
    },
  },
  {
    id: "cancel-for-others",
    claim: "Places that were given back can be had by somebody else.",
    sources: [cancelling, additional],
    async check(instance) {
      await instance.fill(1);
      const { key } = await instance.reservation();
      await instance.cancel(key);
      reserved(await instance.reserve({ as: instance.b }));
    },
  },
  {
    id: "cancel-unknown",
    claim: "An operation of which nothing was decided cannot be cancelled.",
    sources: [cancelling, http("15.5.5")],
    async check(instance) {
      rejected(await instance.cancel(randomUUID()), 404, "unknown_operation");
    },
  },
  {
    id: "cancel-settles-nothing",
    claim: "Cancelling an operation that is still open does not settle it.",
    sources: [cancelling, unclear],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      await instance.cancel(key);
      reserved(await instance.reserve({ key }));
    },
  },
  {
    id: "cancel-nothing",
    claim: "An operation that made no reservation has nothing to cancel: 409.",
    sources: [contract("nothing_to_cancel"), http("15.5.10")],
    async check(instance) {
      const key = randomUUID();
      await instance.abandon(key);
      rejected(await instance.cancel(key), 409, "nothing_to_cancel");
    },
  },
];
