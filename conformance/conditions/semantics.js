// HTTP: methods, caching, headers of every answer, and reading the workshops.

import { equal, Failed, matches, rejected } from "../expect.js";
import { caching, contract, http } from "../sources.js";
import { nowhere } from "./outcomes.js";

const everyAnswer = contract("Headers of every answer");
const reading = contract("Reading");

/** Every path of the service, with the methods that it takes. */
const routes = (key) => [
  ["/reserve", ["POST"]],
  ["/session", ["GET", "HEAD"]],
  ["/session/end", ["POST"]],
  ["/workshops", ["GET", "HEAD"]],
  [`/workshops/${nowhere()}`, ["GET", "HEAD"]],
  ["/health", ["GET", "HEAD"]],
  ["/operations", ["GET", "HEAD"]],
  [`/operations/${key}`, ["GET", "HEAD"]],
  [`/operations/${key}/abandon`, ["POST"]],
  [`/operations/${key}/cancel`, ["POST"]],
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const KEY = "c5ba1ee2-9f4c-4f0e-8d3a-6f1f4b9f8a10";

const cache = new WeakMap();

/** The headers of an answer of each kind. Requested once. */
async function everyKind(instance) {
  if (!cache.has(instance)) {
    const { a } = instance;
    cache.set(instance, {
      "the workshops": (await instance.send("/workshops")).headers,
      "a session": (await instance.send("/session", { as: a })).headers,
      "the operations": (await instance.send("/operations", { as: a })).headers,
      "an outcome": (await instance.reservation()).answer.headers,
      "a rejection": (await instance.reserve({ body: "{" })).headers,
      "a path that does not exist": (await instance.send("/nothing-is-here")).headers,
    });
  }
  return cache.get(instance);
}

/** A condition on the headers of each of them. */
function everywhere(id, claim, sources, check) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      for (const [what, headers] of Object.entries(await everyKind(instance))) {
        check(what, headers);
      }
    },
  };
}

export const semantics = [
  {
    id: "method-not-allowed",
    claim: "Every path rejects other methods with 405, and Allow lists those it has.",
    sources: [http("15.5.6"), http("10.2.1"), contract("method_not_allowed")],
    async check(instance) {
      for (const [path, allowed] of routes(KEY)) {
        for (const method of METHODS.filter((other) => !allowed.includes(other))) {
          const { status, headers } = await instance.send(path, { as: instance.a, method });
          equal(`${method} ${path}`, status, 405);
          equal(`Allow of ${method} ${path}`, headers.allow?.split(", ").sort(), allowed);
        }
      }
    },
  },
  {
    id: "read-safe",
    claim: "No method but POST reserves, abandons or cancels.",
    sources: [http("9.2.1"), contract("method_not_allowed")],
    async check(instance) {
      const { key } = await instance.reservation();
      const free = await instance.free();
      for (const path of ["/reserve", `/operations/${key}/cancel`, `/operations/${key}/abandon`]) {
        for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
          const headers = { ...instance.a.headers, "Idempotency-Key": key };
          equal(`${method} ${path}`, (await instance.send(path, { method, headers })).status, 405);
        }
      }
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "head",
    claim: "HEAD is answered like GET, with the same status and type.",
    sources: [http("9.3.2"), reading],
    async check(instance) {
      for (const [path] of routes(KEY).filter(([, methods]) => methods.includes("HEAD"))) {
        const [get, head] = [
          await instance.send(path, { as: instance.a }),
          await instance.send(path, { as: instance.a, method: "HEAD" }),
        ];
        const compared = ({ status, headers }) => [status, headers["content-type"]];
        equal(`HEAD ${path}`, compared(head), compared(get));
        matches(`the type of ${path}`, get.headers["content-type"], /json$/);
      }
    },
  },
  {
    id: "read-repeatable",
    claim: "Reading changes nothing: the same request returns the same answer again.",
    sources: [http("9.2.1"), reading, contract("Look up")],
    async check(instance) {
      const { key } = await instance.reservation();
      for (const path of ["/workshops", `/workshops/${instance.workshop}`, `/operations/${key}`]) {
        const [one, other] = [
          await instance.send(path, { as: instance.a }),
          await instance.send(path, { as: instance.a }),
        ];
        equal(`the status of ${path}`, one.status, 200);
        equal(path, other.body, one.body);
      }
    },
  },
  {
    id: "not-found",
    claim: "A path that does not exist is rejected, even if it resembles one that does.",
    sources: [http("15.5.5"), contract("not_found")],
    async check(instance) {
      for (const path of ["/reservations", "/reserve/", "/Reserve", "/operations/"]) {
        const { status } = await instance.send(path, { as: instance.a, method: "POST" });
        if (![404, 405].includes(status)) {
          throw new Failed(`POST ${path}: expected 404 or 405, found ${status}`);
        }
      }
      rejected(await instance.send("/reservations"), 404, "not_found");
    },
  },
  everywhere(
    "not-stored",
    "No cache may store an answer.",
    [caching("5.2.2.5"), everyAnswer],
    (what, headers) => equal(`Cache-Control of ${what}`, headers["cache-control"], "no-store"),
  ),
  everywhere(
    "security-headers",
    "No answer may be sniffed, run or framed, and it sends no other site a referrer.",
    [everyAnswer],
    (what, headers) => {
      equal(`X-Content-Type-Options of ${what}`, headers["x-content-type-options"], "nosniff");
      const policy = headers["content-security-policy"];
      matches(`Content-Security-Policy of ${what}`, policy, /default-src 'none'/);
      matches(`Content-Security-Policy of ${what}`, policy, /frame-ancestors 'none'/);
      equal(`Referrer-Policy of ${what}`, headers["referrer-policy"], "same-origin");
    },
  ),
  {
    id: "no-cors",
    claim: "A page of another origin can read no answer, and a preflight request is rejected.",
    sources: [everyAnswer],
    async check(instance) {
      const headers = { Origin: "https://elsewhere.example" };
      for (const path of ["/workshops", "/health", "/operations"]) {
        const answer = await instance.send(path, { as: instance.a, headers });
        equal(`the status of ${path}`, answer.status, 200);
        const allowed = answer.headers["access-control-allow-origin"];
        equal(`Access-Control-Allow-Origin of ${path}`, allowed, undefined);
        const resource = answer.headers["cross-origin-resource-policy"];
        equal(`Cross-Origin-Resource-Policy of ${path}`, resource, "same-origin");
      }
      const preflight = await instance.send("/reserve", {
        method: "OPTIONS",
        headers: {
          ...headers,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "idempotency-key",
        },
      });
      equal("the status of the preflight request", preflight.status, 405);
      equal("it allows", preflight.headers["access-control-allow-origin"], undefined);
    },
  },
  {
    id: "health",
    claim: "The service states that it can decide.",
    sources: [reading],
    async check(instance) {
      const { status, document } = await instance.send("/health");
      equal("status", [status, document?.status], [200, "ok"]);
    },
  },
  {
    id: "workshop",
    claim: "A workshop's counts add up, and its times are RFC 3339 in UTC with a time zone.",
    sources: [reading],
    async check(instance) {
      await instance.reservation();
      const { capacity, reserved, available, ...times } = await instance.readWorkshop();
      equal("available", available, capacity - reserved);
      equal("it has reserved places", reserved > 0, true);
      const { starts_at, ends_at, time_zone } = times;
      for (const [name, time] of Object.entries({ starts_at, ends_at })) {
        if (time === null) continue;
        matches(name, time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
        matches("time_zone", time_zone, /^\w+(\/[\w+-]+)*$/);
      }
    },
  },
  {
    id: "workshop-in-list",
    claim: "The list has a workshop as its own document has it.",
    sources: [reading],
    async check(instance) {
      const { document } = await instance.send("/workshops");
      const listed = document.workshops.find(({ id }) => id === instance.workshop);
      equal("the workshop", listed, await instance.readWorkshop());
    },
  },
  {
    id: "workshop-unknown",
    claim: "Reading a workshop that is not on offer is answered with 404.",
    sources: [http("15.5.5"), contract("unknown_workshop")],
    async check(instance) {
      rejected(await instance.send(`/workshops/${nowhere()}`), 404, "unknown_workshop");
    },
  },
];
