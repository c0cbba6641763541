// Rejections: what every problem document has, and which one is the answer when several apply.

import { randomUUID } from "node:crypto";
import { different, equal, Failed, matches, NotRun, rejected, reserved } from "../expect.js";
import { contract, draft, http, problemDetails } from "../sources.js";
import { nowhere } from "./outcomes.js";

const rejections = contract("Rejections");

const asked = new WeakMap();

/** One answer of each kind of rejection that every instance gives, by its code. Asked once. */
async function everyRejection(instance) {
  if (!asked.has(instance)) asked.set(instance, await askEveryRejection(instance));
  return asked.get(instance);
}

async function askEveryRejection(instance) {
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

export const problems = [
  each(
    "problem-type-of-document",
    "A rejection is a problem document, and says so.",
    [problemDetails("3"), http("8.3")],
    (error, { headers }) =>
      equal(`Content-Type of ${error}`, headers["content-type"], "application/problem+json"),
  ),
  each(
    "problem-code",
    "A rejection has its stable code as a member of its own.",
    [problemDetails("3.2"), rejections],
    (error, { document }) => equal("error", document?.error, error),
  ),
  each(
    "problem-status",
    "The status in a rejection's document is the status of its answer.",
    [problemDetails("3.1.2")],
    (error, { status, document }) => equal(`status in ${error}`, document?.status, status),
  ),
  each(
    "problem-is-an-error",
    "A rejection's status is one of the client's errors.",
    [http("15.5"), rejections],
    (error, { status }) => matches(`the status of ${error}`, String(status), /^4\d\d$/),
  ),
  each(
    "problem-type",
    "A rejection's type is a reference that ends in its code.",
    [problemDetails("3.1.1"), rejections],
    (error, { document }) => equal(`type of ${error}`, document?.type, `/contract#${error}`),
  ),
  {
    id: "problem-type-leads-somewhere",
    claim: "A rejection's type leads to a page of the service with a section of that name.",
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
  each(
    "problem-title",
    "A rejection has a title for people.",
    [problemDetails("3.1.3")],
    (error, { document }) => matches(`title of ${error}`, document?.title, /\w+ \w+/),
  ),
  {
    id: "problem-title-stays",
    claim: "The title of a kind of rejection does not change from one to the next.",
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
    "problem-detail",
    "A rejection has a detail for people.",
    [problemDetails("3.1.4")],
    (error, { document }) => matches(`detail of ${error}`, document?.detail, /\w+ \w+/),
  ),
  each(
    "problem-no-echo",
    "A rejection repeats nothing that the client has sent.",
    [problemDetails("5"), rejections],
    (error, { body }) => {
      for (const sent of ["elsewhere.example", "nothing-is-here", "no-workshop-"]) {
        if (body.includes(sent)) throw new Failed(`${error} repeats ${sent}: ${body}`);
      }
    },
  ),
  each(
    "problem-retry",
    "A rejection says what to do: to send the same, or to correct it. Never to make a new key.",
    [problemDetails("3.2"), rejections, contract("The key")],
    (error, { document }) => {
      const same = ["actor_required", "actor_changed"].includes(error);
      equal(`retry of ${error}`, document?.retry, same ? "same_key" : "fix_request");
    },
  ),
  each(
    "problem-no-outcome",
    "A rejection is not marked as an outcome.",
    [rejections],
    (error, { headers, document }) => {
      equal("error", document?.error, error);
      equal(`Idempotent-Replayed of ${error}`, headers["idempotent-replayed"], undefined);
    },
  ),
  {
    id: "problem-order",
    claim: "When several rejections apply, the first of the contract's table is the answer.",
    sources: [rejections],
    async check(instance) {
      const { a, workshop } = instance;
      const { key: used } = await instance.reservation();
      await instance.needFree(1);
      const valid = JSON.stringify({ workshop, quantity: 1 });
      // Everything is wrong; each step puts right what was told, and only that.
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
      for (const [error, putRight] of [
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
        ["actor_changed", header("Einmal-Actor", a.tag)],
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
        putRight();
      }
      reserved(await instance.send(path, request), "put right");
    },
  },
  {
    id: "problem-known-key-first",
    claim: "A known key is judged before its workshop: its conflict is told, not the workshop.",
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
    id: "limit",
    claim: "Past a limit the answer says how long to wait, and nothing was done.",
    sources: [http("10.2.3"), contract("rate_limited")],
    async check(instance) {
      const [first] = instance.limited;
      if (first === undefined) throw new NotRun("no limit was met");
      rejected(first, 429, "rate_limited");
      matches("Retry-After", first.headers["retry-after"], /^\d+$/);
      equal("retry", first.document.retry, "same_key");
    },
  },
];
