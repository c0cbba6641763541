// The key of an operation: its form, and that it names one intention and nothing else.

import { randomUUID } from "node:crypto";
import { different, equal, rejected, repeats, reserved } from "../expect.js";
import { contract, draft, entwerfen, http, notiz, prevent, uuid } from "../sources.js";

const identify = prevent("Identify the action before transmitting it");

/** A condition on spellings that are no key. */
function refuses(id, claim, sources, spellings) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      for (const key of spellings(randomUUID())) {
        rejected(await instance.reserve({ key }), 400, "operation_id", `the key ${key}`);
      }
    },
  };
}

export const key = [
  {
    id: "key-missing",
    claim: "A request without a key is refused with 400.",
    sources: [draft("2.7"), entwerfen("step 2")],
    async check(instance) {
      const body = JSON.stringify({ workshop: instance.workshop, quantity: 1 });
      const headers = { "Content-Type": "application/json" };
      const answer = await instance.send("/reserve", {
        as: instance.a,
        method: "POST",
        headers,
        body,
      });
      rejected(answer, 400, "operation_id");
    },
  },
  {
    id: "key-bare",
    claim: "A random UUID is taken as a key, without quotes.",
    sources: [identify, uuid("5.4")],
    async check(instance) {
      await instance.needFree(1);
      reserved(await instance.reserve({ key: randomUUID() }));
    },
  },
  {
    id: "key-quoted",
    claim: "A random UUID is taken as a key in double quotes, as a structured field's string.",
    sources: [draft("2.1")],
    async check(instance) {
      await instance.needFree(1);
      reserved(await instance.reserve({ key: `"${randomUUID()}"` }));
    },
  },
  {
    id: "key-both-spellings",
    claim: "A key with quotes and without names one operation.",
    sources: [draft("2.1"), contract("The key")],
    async check(instance) {
      const first = await instance.reservation();
      repeats(await instance.reserve({ key: `"${first.key}"` }), first.answer);
    },
  },
  {
    id: "key-two-lines",
    claim: "Two keys in one request are refused, also if they are equal.",
    sources: [draft("2.1")],
    async check(instance) {
      const one = randomUUID();
      for (const key of [
        [one, randomUUID()],
        [one, one],
      ]) {
        rejected(await instance.reserve({ key }), 400, "operation_id", `the keys ${key}`);
      }
    },
  },
  refuses("key-upper-case", "A UUID in upper case is no key.", [contract("The key")], (key) => [
    key.toUpperCase(),
  ]),
  refuses(
    "key-version",
    "A UUID of another version than 4, and the nil UUID, is no key.",
    [identify, uuid("4.2")],
    (key) => [
      ...["1", "5", "7"].map((version) => key.slice(0, 14) + version + key.slice(15)),
      "00000000-0000-0000-0000-000000000000",
    ],
  ),
  refuses("key-variant", "A UUID of another variant is no key.", [identify, uuid("4.1")], (key) =>
    ["0", "7", "c", "f"].map((variant) => key.slice(0, 19) + variant + key.slice(20)),
  ),
  refuses("key-free-text", "Text that is no UUID is no key.", [draft("2.5"), identify], () => [
    "1",
    "reserve-one-place",
    '"a string"',
    "null",
  ]),
  refuses(
    "key-other-spellings",
    "A UUID without hyphens, in braces or as a URN is no key.",
    [uuid("4")],
    (key) => [key.replaceAll("-", ""), `{${key}}`, `urn:uuid:${key}`],
  ),
  refuses(
    "key-cut-or-longer",
    "A key that is cut, or has more after its end, is no key.",
    [prevent("Read the complete PHP operation core")],
    (key) => [key.slice(0, -1), `${key}0`, `${key} ${key}`, `"${key}`, `"${key}";a=1`],
  ),
  {
    id: "key-field-name",
    claim: "The name of the header field is read in any case.",
    sources: [http("5.1")],
    async check(instance) {
      const first = await instance.reservation();
      const { a, workshop } = instance;
      const again = await instance.send("/reserve", {
        as: a,
        method: "POST",
        headers: { "CONTENT-TYPE": "application/json", "iDEMPOTENCY-kEY": first.key },
        body: JSON.stringify({ workshop, quantity: 1 }),
      });
      repeats(again, first.answer);
    },
  },
  {
    id: "key-new-intention",
    claim: "Two keys with equal values are two operations, and two reservations.",
    sources: [
      notiz("Den Operationsschlüssel vor der Schleife erzeugen"),
      prevent("Plan receipts, recovery and extensions together"),
    ],
    async check(instance) {
      await instance.needFree(2);
      const free = await instance.free();
      const [one, other] = [await instance.reservation(), await instance.reservation()];
      different("the reservations' ids", one.id, other.id);
      equal("free places", await instance.free(), free - 2);
    },
  },
  {
    id: "key-only-in-its-header",
    claim: "A key in the query or in the body is none.",
    sources: [draft("2.5"), contract("The request")],
    async check(instance) {
      const { a, workshop } = instance;
      const name = randomUUID();
      const post = (path, body) =>
        instance.send(path, {
          as: a,
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ workshop, quantity: 1, ...body }),
        });
      const query = `/reserve?Idempotency-Key=${name}&key=${name}`;
      rejected(await post(query), 400, "operation_id", "a key in the query");
      rejected(await post("/reserve", { key: name }), 400, "operation_id", "a key in the body");
    },
  },
  {
    id: "key-no-permission",
    claim: "Whoever has only a key learns nothing of its operation.",
    sources: [identify, contract("Who asks")],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const nobody = { headers: {} };
      const answer = await instance.reserve({ as: nobody, key });
      rejected(answer, 401, "actor_required");
      equal("it tells the reservation", answer.body.includes(id), false);
      rejected(await instance.lookUp(key, nobody), 401, "actor_required", "the look-up");
    },
  },
  {
    id: "key-not-used-up",
    claim: "A request that is refused for its form uses up no key: put right, it is decided.",
    sources: [draft("2.7"), contract("Rejections")],
    async check(instance) {
      await instance.needFree(1);
      const key = randomUUID();
      for (const [body, status, error] of [
        ["{", 400, "malformed_body"],
        ["{}", 422, "request_contract"],
      ]) {
        rejected(await instance.reserve({ key, body }), status, error, `the body ${body}`);
      }
      reserved(await instance.reserve({ key }), "put right");
    },
  },
];
