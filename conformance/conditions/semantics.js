// HTTP as such: methods, what may be kept, what a page of another origin may read; and what is
// read of the workshops.

import { equal, Failed, matches, rejected } from "../expect.js";
import { caching, contract, entwerfen, http } from "../sources.js";
import { nowhere } from "./outcomes.js";

const everyAnswer = contract("Headers of every answer");

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

const asked = new WeakMap();

/** The headers of an answer of each kind. Asked once. */
async function everyKind(instance) {
  if (!asked.has(instance)) {
    const { a } = instance;
    asked.set(instance, {
      "what is read": (await instance.send("/workshops")).headers,
      "a session": (await instance.send("/session", { as: a })).headers,
      "the operations": (await instance.send("/operations", { as: a })).headers,
      "an outcome": (await instance.reservation()).answer.headers,
      "a rejection": (await instance.reserve({ body: "{" })).headers,
      "what is not found": (await instance.send("/nothing-is-here")).headers,
    });
  }
  return asked.get(instance);
}

/** A condition on one header of each of them. */
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
    claim: "Every path refuses with 405 the methods that it does not take.",
    sources: [http("15.5.6"), contract("method_not_allowed")],
    async check(instance) {
      for (const [path, taken] of routes(KEY)) {
        for (const method of METHODS.filter((other) => !taken.includes(other))) {
          const { status } = await instance.send(path, { as: instance.a, method });
          equal(`${method} ${path}`, status, 405);
        }
      }
    },
  },
  {
    id: "method-allow",
    claim: "An answer 405 lists the methods that the path takes.",
    sources: [http("15.5.6"), http("10.2.1")],
    async check(instance) {
      for (const [path, taken] of routes(KEY)) {
        const { headers } = await instance.send(path, { as: instance.a, method: "DELETE" });
        equal(`Allow of ${path}`, headers.allow?.split(", ").sort(), taken);
      }
    },
  },
  {
    id: "head",
    claim: "HEAD is answered like GET: the same status and type.",
    sources: [http("9.3.2"), contract("Reading")],
    async check(instance) {
      for (const [path, taken] of routes(KEY).filter(([, methods]) => methods.includes("HEAD"))) {
        const [get, head] = [
          await instance.send(path, { as: instance.a }),
          await instance.send(path, { as: instance.a, method: "HEAD" }),
        ];
        const told = ({ status, headers }) => [status, headers["content-type"]];
        equal(`HEAD ${path}, which takes ${taken}`, told(head), told(get));
        matches(`the type of ${path}`, get.headers["content-type"], /json$/);
      }
    },
  },
  {
    id: "read-safe",
    claim: "Reading changes nothing: no method but POST reserves, gives up or cancels.",
    sources: [http("9.2.1"), entwerfen("step 1")],
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
    id: "read-repeatable",
    claim: "Reading the same twice is answered with the same.",
    sources: [http("9.2.2"), entwerfen("step 1")],
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
    claim: "A path that the service does not have is not found, also one that is only alike.",
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
    "not-kept",
    "No answer may be kept by anybody on its way.",
    [caching("5.2.2.5"), everyAnswer],
    (what, headers) => equal(`Cache-Control of ${what}`, headers["cache-control"], "no-store"),
  ),
  everywhere("not-guessed", "No answer's type may be guessed at.", [everyAnswer], (what, headers) =>
    equal(`X-Content-Type-Options of ${what}`, headers["x-content-type-options"], "nosniff"),
  ),
  everywhere(
    "not-run",
    "No answer may be run as a page, or framed.",
    [everyAnswer],
    (what, headers) => {
      const policy = headers["content-security-policy"];
      matches(`Content-Security-Policy of ${what}`, policy, /default-src 'none'/);
      matches(`Content-Security-Policy of ${what}`, policy, /frame-ancestors 'none'/);
    },
  ),
  everywhere(
    "not-told-onwards",
    "No answer lets a browser tell another site where it was.",
    [everyAnswer],
    (what, headers) =>
      equal(`Referrer-Policy of ${what}`, headers["referrer-policy"], "same-origin"),
  ),
  {
    id: "not-read-elsewhere",
    claim: "A page of another origin may read no answer.",
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
    },
  },
  {
    id: "not-preflighted",
    claim: "A browser that asks whether another origin's page may reserve is not told yes.",
    sources: [everyAnswer],
    async check(instance) {
      const answer = await instance.send("/reserve", {
        method: "OPTIONS",
        headers: {
          Origin: "https://elsewhere.example",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "idempotency-key",
        },
      });
      equal("status", answer.status, 405);
      equal("allowed", answer.headers["access-control-allow-origin"], undefined);
    },
  },
  {
    id: "health",
    claim: "The service states that it can decide.",
    sources: [contract("Reading")],
    async check(instance) {
      const { status, document } = await instance.send("/health");
      equal("status", [status, document?.status], [200, "ok"]);
    },
  },
  {
    id: "workshop-counts",
    claim: "A workshop's free places are those that are not reserved.",
    sources: [contract("Reading")],
    async check(instance) {
      await instance.reservation();
      const { capacity, reserved, available } = await instance.readWorkshop();
      equal("available", available, capacity - reserved);
      equal("it is reserved", reserved > 0, true);
    },
  },
  {
    id: "workshop-in-list",
    claim: "The list tells of a workshop what its own document tells.",
    sources: [contract("Reading")],
    async check(instance) {
      const { document } = await instance.send("/workshops");
      const listed = document.workshops.find(({ id }) => id === instance.workshop);
      equal("the workshop", listed, await instance.readWorkshop());
    },
  },
  {
    id: "workshop-unknown",
    claim: "A workshop that is not on offer is not found.",
    sources: [http("15.5.5"), contract("unknown_workshop")],
    async check(instance) {
      rejected(await instance.send(`/workshops/${nowhere()}`), 404, "unknown_workshop");
    },
  },
  {
    id: "workshop-times",
    claim: "A workshop's times are RFC 3339 in UTC, with the zone that people read them in.",
    sources: [contract("Reading")],
    async check(instance) {
      const { starts_at, ends_at, time_zone } = await instance.readWorkshop();
      for (const [name, time] of Object.entries({ starts_at, ends_at })) {
        if (time === null) continue;
        matches(name, time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
        matches("time_zone", time_zone, /^\w+(\/[\w+-]+)*$/);
      }
      if (starts_at === undefined) throw new Failed("starts_at: expected a time or null");
    },
  },
];
