// The body: which values it must have, and that nothing is coerced.

import { randomUUID } from "node:crypto";
import { equal, matches, rejected, repeats, reserved } from "../expect.js";
import { contract, http, json, prevent, problemDetails } from "../sources.js";

const compare = prevent("Compare the business values defining the intention");
const review = prevent("Review 83 executed conditions in server and browser");

/** A condition on bodies that are refused. `bodies` is given the workshop's id. */
function refuses(id, status, error, claim, sources, bodies) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      for (const body of bodies(instance.workshop)) {
        rejected(await instance.reserve({ body }), status, error, `the body ${body}`);
      }
    },
  };
}

const breach = (id, ...rest) => refuses(id, 422, "request_contract", ...rest);
const malformed = (id, ...rest) => refuses(id, 400, "malformed_body", ...rest);

/** A condition on two spellings of the same values. */
function same(id, claim, sources, spelled) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      const first = await instance.reservation();
      for (const body of spelled(instance.workshop)) {
        const again = await instance.reserve({ key: first.key, body });
        repeats(again, first.answer, `the body ${body}`);
      }
    },
  };
}

const quantities = (...values) => {
  return (workshop) => values.map((value) => `{"workshop":"${workshop}","quantity":${value}}`);
};

const workshops = (...values) => {
  return () => values.map((value) => `{"workshop":${value},"quantity":1}`);
};

export const body = [
  same("body-order", "The order of the members means nothing.", [compare], (workshop) => [
    `{"quantity":1,"workshop":"${workshop}"}`,
  ]),
  same("body-white-space", "White space means nothing.", [compare, json("2")], (workshop) => [
    ` {\n\t"workshop" : "${workshop}" ,\r\n "quantity" : 1 } `,
  ]),
  same("body-escapes", "Escapes mean the characters they stand for.", [json("7")], (workshop) => [
    `{"\\u0077orkshop":"\\u${workshop.charCodeAt(0).toString(16).padStart(4, "0")}${workshop.slice(1)}","quantity":1}`,
  ]),
  breach("body-quantity-text", "A number in quotes is no quantity.", [compare], quantities('"1"')),
  breach("body-quantity-boolean", "A boolean is no quantity.", [compare], quantities("true")),
  breach("body-quantity-fraction", "A fraction is no quantity.", [compare], quantities("1.5")),
  breach(
    "body-quantity-float",
    "A number with a point or an exponent is no quantity, also if its value is whole.",
    [contract("The request"), json("6")],
    quantities("1.0", "1e0", "2.0"),
  ),
  breach(
    "body-quantity-null",
    "Nothing is no quantity.",
    [review],
    quantities("null", "[]", "[1]"),
  ),
  breach(
    "body-quantity-too-small",
    "Zero and fewer places are refused.",
    [review],
    quantities("0", "-1", "-0"),
  ),
  breach(
    "body-quantity-too-large",
    "Three places and more are refused.",
    [review],
    quantities("3"),
  ),
  breach(
    "body-quantity-huge",
    "A number beyond what a machine counts with is refused, and wraps round to nothing.",
    [json("6")],
    quantities("257", "4294967297", "18446744073709551617", "1e999"),
  ),
  breach(
    "body-extra-member",
    "A member more is refused.",
    [review, contract("The request")],
    (workshop) => [`{"workshop":"${workshop}","quantity":1,"note":""}`],
  ),
  breach(
    "body-missing-member",
    "A member less is refused, and has no default.",
    [contract("The request")],
    (workshop) => ["{}", `{"workshop":"${workshop}"}`, '{"quantity":1}'],
  ),
  breach(
    "body-repeated-member",
    "A member that comes twice is refused; neither the first nor the last is chosen.",
    [json("4")],
    (workshop) => [
      `{"workshop":"${workshop}","quantity":1,"quantity":2}`,
      `{"workshop":"${workshop}","workshop":"${workshop}","quantity":1}`,
      `{"workshop":"${workshop}","quantity":1,"quantit\\u0079":1}`,
    ],
  ),
  breach(
    "body-member-case",
    "The members' names are read in lower case only.",
    [json("8.3")],
    (workshop) => [
      `{"Workshop":"${workshop}","quantity":1}`,
      `{"workshop":"${workshop}","QUANTITY":1}`,
    ],
  ),
  breach(
    "body-workshop-form",
    "A workshop's id of another form is refused.",
    [prevent("Read the complete PHP operation core")],
    workshops(
      '""',
      '"a"',
      '"Workshop"',
      '"1st"',
      '"work_shop"',
      '"work shop"',
      `"${"a".repeat(42)}"`,
    ),
  ),
  breach(
    "body-workshop-type",
    "A workshop's id that is no text is refused.",
    [compare],
    workshops("1", "null", "true", '["workshop"]', "{}"),
  ),
  breach(
    "body-not-an-object",
    "JSON that is no object is refused with 422, for it is JSON.",
    [http("15.5.21"), contract("request_contract")],
    (workshop) => [`["${workshop}",1]`, "null", "1", `"${workshop}"`],
  ),
  malformed(
    "body-not-json",
    "What is not JSON is refused with 400.",
    [http("15.5.1"), json("2")],
    (workshop) => [
      `workshop=${workshop}&quantity=1`,
      `{'workshop':'${workshop}','quantity':1}`,
      `{"workshop":"${workshop}","quantity":01}`,
      `{"workshop":"${workshop}","quantity":1,}`,
    ],
  ),
  malformed("body-empty", "No body is not JSON.", [contract("malformed_body")], () => ["", " "]),
  malformed(
    "body-cut",
    "A body that is cut off is not JSON, whatever stands before the cut.",
    [contract("malformed_body")],
    (workshop) => [`{"workshop":"${workshop}","quantity":1`, '{"quantity":"1",'],
  ),
  malformed(
    "body-more-after-its-end",
    "A body with more after its end is not JSON.",
    [json("2")],
    (workshop) => [
      `{"workshop":"${workshop}","quantity":1} x`,
      `{"workshop":"${workshop}","quantity":1}{}`,
    ],
  ),
  malformed("body-not-utf-8", "A body that is not UTF-8 is not JSON.", [json("8.1")], () => [
    Buffer.from([...Buffer.from('{"workshop":"w'), 0xff, ...Buffer.from('","quantity":1}')]),
    Buffer.from('{"workshop":"workshop","quantity":1}', "utf16le"),
  ]),
  {
    id: "body-too-large",
    claim: "A body of more than 1024 bytes is refused with 413.",
    sources: [http("15.5.14"), contract("body_too_large")],
    async check(instance) {
      const { workshop } = instance;
      const body = JSON.stringify({ workshop, quantity: 1 }).padEnd(1025);
      rejected(await instance.reserve({ body }), 413, "body_too_large");
    },
  },
  {
    id: "body-too-large-in-pieces",
    claim: "A body of more than 1024 bytes is refused also if it does not say its length.",
    sources: [contract("body_too_large")],
    async check(instance) {
      const { workshop } = instance;
      const body = JSON.stringify({ workshop, quantity: 1 }).padEnd(1025);
      const pieces = [body.slice(0, 512), body.slice(512)];
      rejected(await instance.reserve({ body: pieces }), 413, "body_too_large");
    },
  },
  {
    id: "body-largest",
    claim: "A body of 1024 bytes is taken.",
    sources: [contract("The request")],
    async check(instance) {
      await instance.needFree(1);
      const { workshop } = instance;
      const body = JSON.stringify({ workshop, quantity: 1 }).padEnd(1024);
      reserved(await instance.reserve({ body }));
    },
  },
  {
    id: "body-in-pieces",
    claim: "A body that comes in pieces and without a length is the same body.",
    sources: [http("8.6")],
    async check(instance) {
      const first = await instance.reservation();
      const body = JSON.stringify({ workshop: instance.workshop, quantity: 1 });
      repeats(await instance.reserve({ key: first.key, body: [...body] }), first.answer);
    },
  },
  {
    id: "body-type-missing",
    claim: "A body that is not said to be JSON is refused with 415.",
    sources: [http("15.5.16"), http("8.3")],
    async check(instance) {
      const answer = await instance.send("/reserve", {
        as: instance.a,
        method: "POST",
        headers: { "Idempotency-Key": randomUUID() },
        body: JSON.stringify({ workshop: instance.workshop, quantity: 1 }),
      });
      rejected(answer, 415, "content_type");
    },
  },
  {
    id: "body-type-other",
    claim: "A body of another type is refused with 415, whatever is in it.",
    sources: [http("15.5.16"), contract("content_type")],
    async check(instance) {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/problem+json",
        "text/plain; application/json",
      ]) {
        const answer = await instance.reserve({ headers: { "Content-Type": type } });
        rejected(answer, 415, "content_type", type);
      }
    },
  },
  {
    id: "body-type-spelling",
    claim: "The type is read in any case, and may have parameters.",
    sources: [http("8.3.1")],
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
    claim: "The detail of a refusal names the member that it is about.",
    sources: [problemDetails("3.1.4"), contract("request_contract")],
    async check(instance) {
      const [quantity] = quantities("3")(instance.workshop);
      const [workshop] = workshops('"A"')();
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
    claim: "A refused body takes no place and leaves no operation.",
    sources: [review, contract("Rejections")],
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
