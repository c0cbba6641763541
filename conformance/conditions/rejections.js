// Rejections: what every problem document has, and which one is returned when several apply.

import { randomUUID } from "node:crypto";
import { different, equal, Failed, matches, NotRun, rejected, reserved } from "../expect.js";
import { contract, draft, http, problemDetails, statusCodes } from "../sources.js";
import { nowhere } from "./outcomes.js";

const section = contract("Rejections");

const cache = new WeakMap();

/** One answer of each kind of rejection that every instance gives, by its code. Requested once. */
async function everyRejection(instance) {
  if (!cache.has(instance)) cache.set(instance, await requestEveryRejection(instance));
  return cache.get(instance);
}

async function requestEveryRejection(instance) {
  const { a, workshop } = instance;
  const send = (options) => instance.reserve(options);
  const undecided = randomUUID();
  const abandoned = randomUUID();
  await instance.abandon(abandoned);
  const { key } = await instance.reservation();
  const valid = JSON.stringify({ workshop, quantity: 1 });
  return {
    not_found: await instance.send("/nothing-is-here"),
    method_not_allowed: await instance.send("/reserve", { method: "PUT" }),
    cross_site: await send({ headers: { Origin: "https://elsewhere.example" } }),
    content_type: await send({ headers: { "Content-Type": "text/plain" } }),
    body_too_large: await send({ body: valid.padEnd(1025) }),
    actor_required: await send({ as: { headers: {} } }),
    actor_changed: await send({ headers: { "Einmal-Actor": "0".repeat(16) } }),
    operation_id: await send({ key: "1" }),
    malformed_body: await send({ body: "{" }),
    request_contract: await send({ body: "{}" }),
    operation_conflict: await send({ key, quantity: 2 }),
    unknown_workshop: await send({ workshop: nowhere() }),
    unknown_operation: await instance.lookUp(undecided, a),
    nothing_to_cancel: await instance.cancel(abandoned, a),
  };
}

/** A condition on each of them. */
function each(id, claim, sources, check) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      for (const [error, answer] of Object.entries(await everyRejection(instance))) {
        check(error, answer);
      }
    },
  };
}

export const rejections = [
  each(
    "problem-document",
    "A rejection is a problem document with a client error status, a title and a detail.",
    [
      ...["3", "3.1.2", "3.1.3", "3.1.4"].map(problemDetails),
      ...["8.3", "15.5"].map(http),
      section,
    ],
    (error, { status, headers, document }) => {
      equal(`Content-Type of ${error}`, headers["content-type"], "application/problem+json");
      equal(`status in ${error}`, document?.status, status);
      matches(`the status of ${error}`, String(status), /^4\d\d$/);
      matches(`title of ${error}`, document?.title, /\w+ \w+/);
      matches(`detail of ${error}`, document?.detail, /\w+ \w+/);
    },
  ),
  each(
    "problem-code",
    "A rejection has its stable code and a type that ends in it, and is not marked as an outcome.",
    [problemDetails("3.1.1"), problemDetails("3.2"), section],
    (error, { headers, document }) => {
      equal("error", document?.error, error);
      equal(`type of ${error}`, document?.type, `/contract#${error}`);
      equal(`Idempotent-Replayed of ${error}`, headers["idempotent-replayed"], undefined);
    },
  ),
  {
    id: "problem-type-resolves",
    claim: "The type of a rejection resolves to a page of the service with a section for the code.",
    sources: [problemDetails("3.1.1"), draft("2.7"), draft("2.5")],
    async check(instance) {
      for (const { document } of Object.values(await everyRejection(instance))) {
        const [path, anchor] = String(document?.type).split("#");
        const page = await instance.send(path);
        equal(`the page ${path}`, page.status, 200);
        const found = page.body.includes(` id="${anchor}"`);
        equal(`the page has a section ${anchor}`, found, true);
      }
    },
  },
  {
    id: "problem-title-stays",
    claim: "The title of a code is the same in every rejection.",
    sources: [problemDetails("3.1.3")],
    async check(instance) {
      const titles = [];
      for (const body of ["{}", "[]", '{"workshop":"A","quantity":1}']) {
        titles.push((await instance.reserve({ body })).document?.title);
      }
      matches("the first", titles[0], /\w/);
      equal("titles", titles, [titles[0], titles[0], titles[0]]);
    },
  },
  each(
    "problem-no-echo",
    "A rejection contains no value that the client has sent.",
    [section],
    (error, { body }) => {
      for (const sent of ["elsewhere.example", "nothing-is-here", "no-workshop-"]) {
        if (body.includes(sent)) throw new Failed(`${error} contains ${sent}: ${body}`);
      }
    },
  ),
  each(
    "problem-retry",
    "A rejection states whether to retry the same operation or to correct the request.",
    [problemDetails("3.2"), section, contract("What to do after an answer")],
    (error, { document }) => {
      const same = ["actor_required", "actor_changed"].includes(error);
      equal(`retry of ${error}`, document?.retry, same ? "same_key" : "fix_request");
    },
  ),
  {
    id: "problem-order",
    claim: "When several rejections apply, the first in the contract's table is returned.",
    sources: [section],
    async check(instance) {
      const { a, workshop } = instance;
      const { key: used } = await instance.reservation();
      await instance.requireFree(1);
      const valid = JSON.stringify({ workshop, quantity: 1 });
      // Everything is wrong; each step corrects what the answer names, and only that.
      let path = "/nothing-is-here";
      const request = {
        method: "PUT",
        headers: {
          Origin: "https://elsewhere.example",
          "Content-Type": "text/plain",
          Authorization: "Bearer x",
          "Einmal-Actor": "nobody",
          "Idempotency-Key": "no key",
        },
        body: "{".padEnd(1025, "x"),
      };
      const header = (name, value) => () => {
        request.headers[name] = value;
      };
      const body = (text) => () => {
        request.body = text;
      };
      for (const [error, correct] of [
        ["not_found", () => (path = "/reserve")],
        ["method_not_allowed", () => (request.method = "POST")],
        ["cross_site", header("Origin", instance.origin)],
        [
          "actor_required",
          () => {
            delete request.headers.Authorization;
            Object.assign(request.headers, a.headers);
          },
        ],
        ["actor_changed", header("Einmal-Actor", a.actorId)],
        ["content_type", header("Content-Type", "application/json")],
        ["operation_id", header("Idempotency-Key", used)],
        ["body_too_large", body("{")],
        ["malformed_body", body("{}")],
        ["request_contract", body(JSON.stringify({ workshop: nowhere(), quantity: 1 }))],
        ["operation_conflict", header("Idempotency-Key", randomUUID())],
        ["unknown_workshop", body(valid)],
      ]) {
        const { document } = await instance.send(path, request);
        equal("the first that applies", document?.error, error);
        correct();
      }
      reserved(await instance.send(path, request), "the corrected request");
    },
  },
  {
    id: "problem-known-key-first",
    claim:
      "A key is looked up before the workshop: its receipt is returned even if the workshop is unknown.",
    sources: [contract("unknown_workshop")],
    async check(instance) {
      const key = randomUUID();
      await instance.abandon(key);
      const answer = await instance.reserve({ key, workshop: nowhere() });
      equal("the outcome", answer.document?.status, "abandoned");
      different("the status", answer.status, 404);
    },
  },
  {
    id: "rate-limit",
    claim: "Over a rate limit, the answer 429 states how long to wait and is not stored.",
    sources: [statusCodes("4"), http("10.2.3"), contract("rate_limited")],
    async check(instance) {
      const [first] = instance.limited;
      if (first === undefined) throw new NotRun("no rate limit was exceeded");
      rejected(first, 429, "rate_limited");
      matches("Retry-After", first.headers["retry-after"], /^\d+$/);
      equal("Cache-Control", first.headers["cache-control"], "no-store");
      equal("retry", first.document.retry, "same_key");
    },
  },
];
