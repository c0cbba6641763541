// The key: its format, and that it names one operation.

import { randomUUID } from "node:crypto";
import { different, equal, rejected, repeats, reserved } from "../expect.js";
import { contract, draft, http, structuredFields, uuid } from "../sources.js";

/** A condition on malformed keys. */
function rejects(id, claim, sources, malformed) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      for (const key of malformed(randomUUID())) {
        rejected(await instance.reserve({ key }), 400, "operation_id", `the key ${key}`);
      }
    },
  };
}

export const key = [
  {
    id: "key-missing",
    claim: "A request without a key in its header is rejected with 400.",
    sources: [draft("2.7"), contract("The request")],
    async check(instance) {
      const { a, workshop } = instance;
      const name = randomUUID();
      for (const [what, path, extra] of [
        ["no key", "/reserve", {}],
        ["a key in the query", `/reserve?Idempotency-Key=${name}&key=${name}`, {}],
        ["a key in the body", "/reserve", { key: name }],
      ]) {
        const answer = await instance.send(path, {
          as: a,
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ workshop, quantity: 1, ...extra }),
        });
        rejected(answer, 400, "operation_id", what);
      }
    },
  },
  {
    id: "key-spellings",
    claim: "A key may be bare or in double quotes; both spellings name the same operation.",
    sources: [draft("2.1"), structuredFields("3.3.3"), uuid("5.4"), contract("The key")],
    async check(instance) {
      await instance.requireFree(2);
      const [bare, quoted] = [randomUUID(), randomUUID()];
      const first = await instance.reserve({ key: bare });
      reserved(first, "bare");
      reserved(await instance.reserve({ key: `"${quoted}"` }), "in quotes");
      repeats(await instance.reserve({ key: `"${bare}"` }), first, "the bare one in quotes");
    },
  },
  {
    id: "key-twice",
    claim: "Two keys in one request are rejected, even if they are equal.",
    sources: [draft("2.1"), structuredFields("4.2"), contract("The request")],
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
  rejects(
    "key-other-uuid",
    "A UUID of another version, variant or spelling is rejected.",
    [contract("The key"), uuid("4")],
    (key) => [
      key.toUpperCase(),
      ...["1", "5", "7"].map((version) => key.slice(0, 14) + version + key.slice(15)),
      ...["0", "7", "c", "f"].map((variant) => key.slice(0, 19) + variant + key.slice(20)),
      "00000000-0000-0000-0000-000000000000",
      ...[key.replaceAll("-", ""), `{${key}}`, `urn:uuid:${key}`],
    ],
  ),
  rejects(
    "key-malformed",
    "A key that is not a UUID, is truncated or continues after its end is rejected.",
    [contract("The key"), draft("5")],
    (key) => [
      ...["1", "reserve-one-place", '"a string"', "null"],
      ...[key.slice(0, -1), `${key}0`, `${key} ${key}`, `"${key}`, `"${key}";a=1`],
    ],
  ),
  {
    id: "key-field-name",
    claim: "The names of header fields are case-insensitive.",
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
    id: "key-new-operation",
    claim: "A new key is a new operation, even with an equal payload.",
    sources: [contract("The key"), draft("2.2")],
    async check(instance) {
      const free = await instance.requireFree(2);
      const [one, other] = [await instance.reservation(), await instance.reservation()];
      different("reservation_id", one.id, other.id);
      equal("free places", await instance.free(), free - 2);
    },
  },
  {
    id: "key-no-permission",
    claim: "A key without authentication reveals nothing about its operation.",
    sources: [contract("The key"), contract("Authentication")],
    async check(instance) {
      const { key, id } = await instance.reservation();
      const unauthenticated = { headers: {} };
      const answer = await instance.reserve({ as: unauthenticated, key });
      rejected(answer, 401, "actor_required");
      equal("it contains the reservation", answer.body.includes(id), false);
      rejected(await instance.lookUp(key, unauthenticated), 401, "actor_required", "the look-up");
    },
  },
  {
    id: "key-not-consumed",
    claim: "A rejection does not consume the key: the corrected request is decided.",
    sources: [contract("Rejections")],
    async check(instance) {
      await instance.requireFree(1);
      const key = randomUUID();
      for (const [body, status, error] of [
        ["{", 400, "malformed_body"],
        ["{}", 422, "request_contract"],
      ]) {
        rejected(await instance.reserve({ key, body }), status, error, `the body ${body}`);
      }
      reserved(await instance.reserve({ key }), "the corrected request");
    },
  },
];
