// What every later request for the same operation is told.

import { randomUUID } from "node:crypto";
import { equal, repeats, reserved, unavailable } from "../expect.js";
import { contract, draft, entwerfen, http, notiz, prevent } from "../sources.js";

const core = prevent("Read the complete PHP operation core");
const explicit = prevent("Begin an additional reservation explicitly");

export const replays = [
  {
    id: "replay-status",
    claim: "A repetition has the status of the first answer.",
    sources: [core, entwerfen("step 3"), draft("2.6")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      equal("the status", (await instance.reserve({ key })).status, answer.status);
    },
  },
  {
    id: "replay-bytes",
    claim: "A repetition has the body of the first answer, byte for byte.",
    sources: [core, entwerfen("Erwartetes Ergebnis")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      equal("the body", (await instance.reserve({ key })).body, answer.body);
    },
  },
  {
    id: "replay-marked",
    claim: "A repetition says that it is one.",
    sources: [core],
    async check(instance) {
      const { key } = await instance.reservation();
      const { headers } = await instance.reserve({ key });
      equal("Idempotent-Replayed", headers["idempotent-replayed"], "true");
    },
  },
  {
    id: "replay-once",
    claim: "A repetition takes no place.",
    sources: [
      prevent("The same intention is not automatically a new operation"),
      notiz("Dem Schlüssel bis zur Serverabfrage folgen"),
    ],
    async check(instance) {
      await instance.needFree(2);
      const free = await instance.free();
      const { key } = await instance.reservation();
      await instance.reserve({ key });
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "replay-often",
    claim: "The tenth repetition is answered like the first.",
    sources: [draft("1")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      for (let sent = 1; sent <= 10; sent += 1) {
        repeats(await instance.reserve({ key }), answer, `repetition ${sent}`);
      }
    },
  },
  {
    id: "replay-type",
    claim: "A repetition has the type of the first answer.",
    sources: [contract("Outcomes"), http("8.3")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      const { headers } = await instance.reserve({ key });
      equal("Content-Type", headers["content-type"], answer.headers["content-type"]);
    },
  },
  {
    id: "replay-two-operations",
    claim: "Each key gets its own receipt again, also when they are asked for in turn.",
    sources: [notiz("Fehler ausführen und gespeicherte Ergebnisse vergleichen")],
    async check(instance) {
      const [one, other] = [await instance.reservation(), await instance.reservation()];
      for (const { key, answer } of [one, other, one]) {
        repeats(await instance.reserve({ key }), answer);
      }
    },
  },
  {
    id: "replay-when-full",
    claim: "A reservation is confirmed again also when the workshop is full since.",
    sources: [prevent("Commit capacity decision and receipt together"), contract("The key")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      await instance.fill();
      repeats(await instance.reserve({ key }), answer);
    },
  },
  {
    id: "lost-answer",
    claim: "After an answer that was lost, the same request is answered and reserves once.",
    sources: [
      prevent("An unclear response leaves the operation open"),
      notiz("Schreibzugriff und Fehler auf einer Zeitachse einordnen"),
    ],
    async check(instance) {
      await instance.needFree(3);
      const free = await instance.free();
      const key = randomUUID();
      instance.mayHold(key);
      await instance.reserve({ key, hangUp: true });
      const answer = await instance.reserve({ key });
      equal("the answer", [answer.status, answer.document?.status], [201, "reserved"]);
      repeats(await instance.reserve({ key }), answer);
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "lost-answer-twice",
    claim: "After two answers that were lost, it is still reserved once.",
    sources: [notiz("Fehler ausführen und gespeicherte Ergebnisse vergleichen")],
    async check(instance) {
      await instance.needFree(3);
      const free = await instance.free();
      const key = randomUUID();
      instance.mayHold(key);
      for (let lost = 0; lost < 2; lost += 1) await instance.reserve({ key, hangUp: true });
      equal("the status", (await instance.reserve({ key })).status, 201);
      equal("free places", await instance.free(), free - 1);
    },
  },
  {
    id: "replay-refusal",
    claim: "A refusal is repeated like a reservation: the same status and bytes, marked.",
    sources: [explicit, draft("2.6")],
    async check(instance) {
      const { key, answer } = await instance.refusal();
      repeats(await instance.reserve({ key }), answer);
    },
  },
  {
    id: "refusal-final",
    claim: "A refusal stays one for its key when places are free again, and takes none.",
    sources: [explicit, contract("Outcomes")],
    async check(instance) {
      const { key, answer } = await instance.refusal();
      unavailable(answer, "the first request");
      await instance.giveBack();
      const free = await instance.free();
      repeats(await instance.reserve({ key }), answer, "with places free again");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "refusal-new-key",
    claim: "After a refusal, a new key asks again: with places free again it reserves.",
    sources: [explicit, contract("Outcomes")],
    async check(instance) {
      unavailable((await instance.refusal()).answer, "the first request");
      await instance.giveBack();
      await instance.needFree(1);
      reserved(await instance.reserve(), "a new key");
    },
  },
  {
    id: "replay-cancelled",
    claim: "A reservation that was cancelled since is still what its request is told.",
    sources: [prevent("Begin an additional reservation explicitly"), contract("Cancel")],
    async check(instance) {
      const { key, answer } = await instance.reservation();
      await instance.cancel(key);
      repeats(await instance.reserve({ key }), answer);
    },
  },
  {
    id: "replay-cancelled-once",
    claim: "A repetition after its reservation was cancelled takes no place.",
    sources: [contract("Cancel")],
    async check(instance) {
      await instance.needFree(1);
      const free = await instance.free();
      const { key } = await instance.reservation();
      await instance.cancel(key);
      await instance.reserve({ key });
      equal("free places", await instance.free(), free);
    },
  },
];
