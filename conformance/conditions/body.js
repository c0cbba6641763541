// The request: which values it has, and that nothing is coerced.

import { randomUUID } from "node:crypto";
import { equal, matches, rejected, repeats, reserved } from "../expect.js";
import { contract, http, http1, json, problemDetails } from "../sources.js";

const request = contract("The request");

/** A condition on bodies that are rejected. `bodies` receives the workshop's id. */
function rejects(status, error) {
  return (id, claim, sources, bodies) => ({
    id,
    claim,
    sources,
    async check(instance) {
      for (const body of bodies(instance.workshop)) {
        rejected(await instance.reserve({ body }), status, error, `the body ${body}`);
      }
    },
  });
}

const invalid = rejects(422, "request_contract");
const malformed = rejects(400, "malformed_body");

const quantities = (...values) => {
  return (workshop) => values.map((value) => `{"workshop":"${workshop}","quantity":${value}}`);
};

const workshops = (...values) => values.map((value) => `{"workshop":${value},"quantity":1}`);

export const body = [
  {
    id: "body-same-payload",
    claim: "The order of the members, white space and escapes do not matter.",
    sources: [request, json("2"), json("7")],
    async check(instance) {
      const { workshop } = instance;
      const escaped = `\\u${workshop.charCodeAt(0).toString(16).padStart(4, "0")}${workshop.slice(1)}`;
      const first = await instance.reservation();
      for (const body of [
        `{"quantity":1,"workshop":"${workshop}"}`,
        ` {\n\t"workshop" : "${workshop}" ,\r\n "quantity" : 1 } `,
        `{"\\u0077orkshop":"${escaped}","quantity":1}`,
      ]) {
        repeats(await instance.reserve({ key: first.key, body }), first.answer, `the body ${body}`);
      }
    },
  },
  {
    id: "body-chunked",
    claim: "A body in chunks, without a Content-Length, is the same body.",
    sources: [http("8.6"), http1("7.1")],
    async check(instance) {
      const first = await instance.reservation();
      const body = JSON.stringify({ workshop: instance.workshop, quantity: 1 });
      repeats(await instance.reserve({ key: first.key, body: [...body] }), first.answer);
    },
  },
  invalid(
    "body-quantity-type",
    "A quantity of another JSON type is rejected, not coerced.",
    [request],
    quantities('"1"', "true", "null", "[]", "[1]"),
  ),
  invalid(
    "body-quantity-integer",
    "A quantity with a point or an exponent is rejected, even if its value is an integer.",
    [request],
    quantities("1.5", "1.0", "1e0", "2.0"),
  ),
  invalid(
    "body-quantity-range",
    "A quantity below 1 or above 2 is rejected, and a huge one does not overflow.",
    [request, json("6")],
    quantities("0", "-1", "-0", "3", "257", "4294967297", "18446744073709551617", "1e999"),
  ),
  invalid(
    "body-members",
    "A missing, additional or differently spelled member is rejected; there are no defaults.",
    [request, json("8.3")],
    (workshop) => [
      `{"workshop":"${workshop}","quantity":1,"note":""}`,
      ...["{}", `{"workshop":"${workshop}"}`, '{"quantity":1}'],
      `{"Workshop":"${workshop}","quantity":1}`,
      `{"workshop":"${workshop}","QUANTITY":1}`,
    ],
  ),
  invalid(
    "body-duplicate-member",
    "A duplicate member is rejected; neither the first nor the last is chosen.",
    [request, json("4")],
    (workshop) => [
      `{"workshop":"${workshop}","quantity":1,"quantity":2}`,
      `{"workshop":"${workshop}","workshop":"${workshop}","quantity":1}`,
      `{"workshop":"${workshop}","quantity":1,"quantit\\u0079":1}`,
    ],
  ),
  invalid("body-workshop", "A malformed workshop id is rejected.", [request], () => [
    ...workshops('""', '"a"', '"Workshop"', '"1st"', '"work_shop"', '"work shop"'),
    ...workshops(`"${"a".repeat(42)}"`, "1", "null", "true", '["workshop"]', "{}"),
  ]),
  invalid(
    "body-not-an-object",
    "JSON other than an object is rejected with 422.",
    [http("15.5.21"), contract("request_contract")],
    (workshop) => [`["${workshop}",1]`, "null", "1", `"${workshop}"`],
  ),
  malformed(
    "body-not-json",
    "A body that is not JSON, is truncated or continues after its end is rejected with 400.",
    [http("15.5.1"), json("2"), contract("malformed_body")],
    (workshop) => [
      ...["", " "],
      `workshop=${workshop}&quantity=1`,
      `{'workshop':'${workshop}','quantity':1}`,
      `{"workshop":"${workshop}","quantity":01}`,
      `{"workshop":"${workshop}","quantity":1,}`,
      ...[`{"workshop":"${workshop}","quantity":1`, '{"quantity":"1",'],
      `{"workshop":"${workshop}","quantity":1} x`,
      `{"workshop":"${workshop}","quantity":1}{}`,
    ],
  ),
  malformed(
    "body-not-utf-8",
    "A body that is not UTF-8 is rejected with 400.",
    [json("8.1"), contract("malformed_body")],
    () => [
      Buffer.from([...Buffer.from('{"workshop":"w'), 0xff, ...Buffer.from('","quantity":1}')]),
      Buffer.from('{"workshop":"workshop","quantity":1}', "utf16le"),
    ],
  ),
  {
    id: "body-size",
    claim: "A body of 1024 bytes is accepted; a larger one is rejected, even without a length.",
    sources: [http("15.5.14"), contract("body_too_large")],
    async check(instance) {
      await instance.requireFree(1);
      const body = JSON.stringify({ workshop: instance.workshop, quantity: 1 });
      reserved(await instance.reserve({ body: body.padEnd(1024) }), "1024 bytes");
      const larger = body.padEnd(1025);
      const chunks = [larger.slice(0, 512), larger.slice(512)];
      rejected(await instance.reserve({ body: larger }), 413, "body_too_large", "1025 bytes");
      rejected(await instance.reserve({ body: chunks }), 413, "body_too_large", "in chunks");
    },
  },
  {
    id: "body-type",
    claim: "A body of another type than JSON, or of none, is rejected with 415.",
    sources: [http("15.5.16"), http("8.3"), contract("content_type")],
    async check(instance) {
      const { a, workshop } = instance;
      for (const type of [
        undefined,
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/problem+json",
        "text/plain; application/json",
      ]) {
        const answer = await instance.send("/reserve", {
          as: a,
          method: "POST",
          headers: { "Idempotency-Key": randomUUID(), ...(type && { "Content-Type": type }) },
          body: JSON.stringify({ workshop, quantity: 1 }),
        });
        rejected(answer, 415, "content_type", type ?? "no type");
      }
    },
  },
  {
    id: "body-type-spelling",
    claim: "The media type is case-insensitive and may have parameters.",
    sources: [http("8.3.1"), request],
    async check(instance) {
      const first = await instance.reservation();
      for (const type of ["APPLICATION/JSON", "application/json; charset=utf-8"]) {
        const headers = { "Content-Type": type };
        repeats(await instance.reserve({ key: first.key, headers }), first.answer, type);
      }
    },
  },
  {
    id: "body-detail",
    claim: "The detail of a rejection names the invalid member.",
    sources: [problemDetails("3.1.4"), contract("request_contract")],
    async check(instance) {
      const [quantity] = quantities("3")(instance.workshop);
      const [workshop] = workshops('"A"');
      for (const [body, member] of [
        [quantity, /quantity/],
        [workshop, /workshop/],
      ]) {
        const { document } = await instance.reserve({ body });
        matches("detail", document?.detail, member);
      }
    },
  },
  {
    id: "body-stores-nothing",
    claim: "A rejected body takes no place and stores no operation.",
    sources: [contract("Rejections")],
    async check(instance) {
      const free = await instance.free();
      const key = randomUUID();
      const bodies = ["", "{}", "{", ...quantities("0", "3", '"1"', "1.0")(instance.workshop)];
      for (const body of bodies) await instance.reserve({ key, body });
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      equal("free places", await instance.free(), free);
    },
  },
];
