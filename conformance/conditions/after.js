// After an operation: look up, abandon, cancel.

import { randomUUID } from "node:crypto";
import { equal, matches, outcome, rejected, reserved } from "../expect.js";
import { contract, draft, http } from "../sources.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const routes = contract("After an operation: look up, abandon, cancel");
const lookUp = contract("Look up");
const abandon = contract("Abandon");
const cancel = contract("Cancel");

export const after = [
  {
    id: "look-up",
    claim: "A look-up returns what was decided and when; a replay changes neither.",
    sources: [lookUp],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const { status, document } = await instance.lookUp(key);
      const { decided_at, ...rest } = document;
      equal("status", status, 200);
      equal("the document", rest, {
        key,
        outcome: "reserved",
        http_status: 201,
        workshop: instance.workshop,
        reservation: { id, quantity: 1, state: "held" },
      });
      matches("decided_at", decided_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      await pause(1100);
      await instance.reserve({ key });
      equal("the document after a replay", (await instance.lookUp(key)).document, document);
    },
  },
  {
    id: "look-up-undecided",
    claim: "An undecided operation is answered with 404, and a look-up does not decide it.",
    sources: [http("15.5.5"), http("9.2.1"), lookUp, contract("unknown_operation")],
    async check(instance) {
      const free = await instance.requireFree(1);
      const key = randomUUID();
      rejected(await instance.lookUp(key), 404, "unknown_operation");
      equal("free places", await instance.free(), free);
      reserved(await instance.reserve({ key }));
    },
  },
  {
    id: "path-key",
    claim: "A malformed key in a path is rejected with 400, even a valid one in quotes.",
    sources: [routes, contract("operation_id")],
    async check(instance) {
      for (const key of ["1", randomUUID().toUpperCase(), `%22${randomUUID()}%22`]) {
        rejected(await instance.lookUp(key), 400, "operation_id", `look up ${key}`);
      }
      rejected(await instance.abandon("1"), 400, "operation_id", "abandon 1");
    },
  },
  {
    id: "list",
    claim: "The list of operations has the newest first, each as its look-up returns it.",
    sources: [lookUp],
    async check(instance) {
      const keys = [];
      for (const _ of ["one", "other"]) {
        keys.unshift((await instance.reservation()).key);
        await pause(20);
      }
      const { document } = await instance.send("/operations", { as: instance.a });
      const listed = document.operations.slice(0, 2);
      equal(
        "the first two",
        listed.map(({ key }) => key),
        keys,
      );
      equal("the first", listed[0], (await instance.lookUp(keys[0])).document);
    },
  },
  {
    id: "abandon",
    claim: "An undecided operation can be abandoned; repeating it returns the same, byte for byte.",
    sources: [abandon],
    async check(instance) {
      const key = randomUUID();
      const { status, document, body } = await instance.abandon(key);
      const { decided_at, ...rest } = document;
      equal("status", status, 200);
      equal("the document", rest, {
        key,
        outcome: "abandoned",
        http_status: 409,
        workshop: null,
        reservation: null,
      });
      equal("the repetition", (await instance.abandon(key)).body, body);
    },
  },
  {
    id: "abandon-late-request",
    claim:
      "A request for an abandoned operation replays that, whatever its payload; no place is taken.",
    sources: [abandon, draft("2.6")],
    async check(instance) {
      const free = await instance.requireFree(1);
      const key = randomUUID();
      await instance.abandon(key);
      for (const quantity of [1, 2]) {
        outcome(await instance.reserve({ key, quantity }), 409, "abandoned", true, `${quantity}`);
      }
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "abandon-decided",
    claim: "Abandoning a decided operation changes nothing and returns what was decided.",
    sources: [abandon],
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
    id: "cancel",
    claim: "Cancelling returns the places; the look-up has “cancelled”, and the outcome stays.",
    sources: [cancel, lookUp],
    async check(instance) {
      const free = await instance.requireFree(2);
      const { key, id } = await instance.reservation({ quantity: 2 });
      equal("cancelling", (await instance.cancel(key)).status, 200);
      equal("free places", await instance.free(), free);
      const { document } = await instance.lookUp(key);
      equal(
        "outcome, status, reservation",
        [document?.outcome, document?.http_status, document?.reservation],
        ["reserved", 201, { id, quantity: 2, state: "cancelled" }],
      );
    },
  },
  {
    id: "cancel-once",
    claim: "Cancelling again returns no more places, and the same answer, byte for byte.",
    sources: [cancel],
    async check(instance) {
      await instance.requireFree(2);
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
    id: "cancel-for-others",
    claim: "Places of a cancelled reservation are available to another actor.",
    sources: [cancel],
    async check(instance) {
      await instance.fill(1);
      const { key } = await instance.reservation();
      await instance.cancel(key);
      reserved(await instance.reserve({ as: instance.b }));
    },
  },
  {
    id: "cancel-undecided",
    claim: "Cancelling an undecided operation is answered with 404 and does not decide it.",
    sources: [cancel, http("15.5.5")],
    async check(instance) {
      await instance.requireFree(1);
      const key = randomUUID();
      rejected(await instance.cancel(key), 404, "unknown_operation");
      reserved(await instance.reserve({ key }));
    },
  },
  {
    id: "cancel-nothing",
    claim: "Cancelling an operation without a reservation is rejected with 409.",
    sources: [contract("nothing_to_cancel"), http("15.5.10")],
    async check(instance) {
      const key = randomUUID();
      await instance.abandon(key);
      rejected(await instance.cancel(key), 409, "nothing_to_cancel");
    },
  },
];
