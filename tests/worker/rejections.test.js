// Every row of the contract's table and every bad input: the answer, and that nothing was
// stored.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { send } from "../support/http.js";
import { ask, authorized, makeWorkshop, origin } from "../support/service.js";

const keys = JSON.parse(readFileSync("tests/cases/keys.json", "utf8"));
const bodies = JSON.parse(readFileSync("tests/cases/bodies.json", "utf8"));

/** A request to which nothing is wrong but what is changed. */
function wellFormed(changed = {}) {
  const { headers, ...rest } = changed;
  return {
    body: JSON.stringify({ workshop: "workshop-demo", quantity: 1 }),
    ...rest,
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
      ...authorized,
      ...headers,
    },
  };
}

const without = (name, request) => {
  delete request.headers[name];
  return request;
};

/** What every change would show in: the schema lets nothing else change. */
async function stored() {
  const [row] = await ask(
    `SELECT
       (SELECT COUNT(*) FROM operations) AS receipts,
       (SELECT COUNT(*) FROM reservations) AS reservations,
       (SELECT SUM(count_version) FROM workshops) AS count_version`,
  );
  return row;
}

/** Sends each request and asserts the rejection, and that the database is as it was. */
async function rejects(error, requests) {
  const before = await stored();
  for (const [what, request] of requests) {
    const { path = "/reserve", ...options } = request;
    const { status, headers, document, body } = await send(origin + path, options);
    assert.equal(document?.error, error, `${what}: ${status} ${body}`);
    assert.equal(document.status, status, what);
    assert.equal(document.type, `/contract#${error}`, what);
    assert.equal(headers["content-type"], "application/problem+json", what);
    assert.equal(headers["cache-control"], "no-store", what);
    assert.equal(headers["idempotent-replayed"], undefined, what);
  }
  assert.deepEqual(await stored(), before, `${error}: nothing is stored`);
}

test("a path that the Worker does not have", () =>
  rejects("not_found", [
    ["another word", wellFormed({ path: "/reservations" })],
    ["a slash more", wellFormed({ path: "/reserve/" })],
    ["a slash doubled", wellFormed({ path: "//reserve" })],
    ["upper case", wellFormed({ path: "/Reserve" })],
    ["an escape", wellFormed({ path: "/%72eserve" })],
    ["a long path", wellFormed({ path: `/${"a".repeat(8_000)}` })],
    ["read", { method: "GET", path: "/reservations" }],
    ["a file that is not public", { method: "GET", path: "/wrangler.toml" }],
  ]));

test("a method that the path does not take, and which it takes", async () => {
  for (const [path, allow, methods] of [
    ["/reserve", "POST", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    ["/workshops", "GET, HEAD", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    ["/workshops/workshop-demo", "GET, HEAD", ["POST", "DELETE"]],
    ["/health", "GET, HEAD", ["POST", "DELETE"]],
  ]) {
    for (const method of methods) {
      await rejects("method_not_allowed", [[`${method} ${path}`, { method, path }]]);
      assert.equal((await send(origin + path, { method })).headers.allow, allow);
    }
  }
  const head = await send(`${origin}/reserve`, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.allow, head.body], [405, "POST", ""]);
});

test("a body that is not said to be JSON", () =>
  rejects("content_type", [
    ["none", without("Content-Type", wellFormed())],
    ...[
      "",
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/problem+json",
      "application/jsonp",
      "text/plain; application/json",
      ["application/json", "application/json"],
    ].map((type) => [`${type}`, wellFormed({ headers: { "Content-Type": type } })]),
  ]));

test("JSON may be said with parameters", async () => {
  for (const type of [
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    'application/json;a="b"',
  ]) {
    await rejects("unknown_workshop", [
      [
        type,
        wellFormed({
          headers: { "Content-Type": type },
          body: '{"workshop":"nowhere","quantity":1}',
        }),
      ],
    ]);
  }
});

test("a body of more than 1024 bytes, with and without a length", () => {
  const valid = JSON.stringify({ workshop: "workshop-demo", quantity: 1 });
  const tooLarge = valid.padEnd(1025);
  return rejects("body_too_large", [
    ["with a length", wellFormed({ body: tooLarge })],
    ["in one piece, without a length", wellFormed({ body: [tooLarge] })],
    ["in many pieces", wellFormed({ body: [...tooLarge] })],
    ["one byte after the rest", wellFormed({ body: [tooLarge.slice(0, 1024), " "] })],
    [
      "announced, and never sent",
      wellFormed({ headers: { "Content-Length": "1025" }, body: [], end: false }),
    ],
    ["a thousand nested arrays", wellFormed({ body: "[".repeat(1000) + "]".repeat(1000) })],
    ["a megabyte", wellFormed({ body: "x".repeat(1_000_000) })],
    ["without an end", wellFormed({ body: ["x".repeat(2_000)], end: false })],
  ]);
});

test("a body of 1024 bytes is taken, in whatever pieces", async () => {
  const workshop = await makeWorkshop({ capacity: 9 });
  const body = JSON.stringify({ workshop, quantity: 1 }).padEnd(1024);
  for (const form of [body, [body], [...body]]) {
    const { status } = await send(`${origin}/reserve`, wellFormed({ body: form }));
    assert.equal(status, 201);
  }
});

test("a key that is none", () =>
  rejects("operation_id", [
    ["missing", without("Idempotency-Key", wellFormed())],
    [
      "two header lines",
      wellFormed({ headers: { "Idempotency-Key": [randomUUID(), randomUUID()] } }),
    ],
    ...keys.refused
      // HTTP itself takes away the white space around a header's value.
      .filter(({ key }) => key.trim() === key)
      .map(({ what, key }) => [what, wellFormed({ headers: { "Idempotency-Key": key } })]),
  ]));

for (const error of ["malformed_body", "request_contract"]) {
  test(`a body that is refused as ${error}`, () =>
    rejects(
      error,
      bodies[error].map(({ what, body, hex }) => [
        what,
        wellFormed({ body: hex === undefined ? body : Buffer.from(hex, "hex") }),
      ]),
    ));
}

test("a body that never ends is given up", { timeout: 30_000 }, () =>
  rejects("malformed_body", [
    ["without a length", wellFormed({ body: ['{"workshop":'], end: false })],
  ]),
);

test("a conflict, and a workshop that is not on offer", async () => {
  const workshop = await makeWorkshop();
  const draft = await makeWorkshop({ published_at_ms: null });
  const key = randomUUID();
  const request = (name, quantity, headers) =>
    wellFormed({ headers, body: JSON.stringify({ workshop: name, quantity }) });
  await send(`${origin}/reserve`, request(workshop, 1, { "Idempotency-Key": key }));
  await rejects("operation_conflict", [
    ["another quantity", request(workshop, 2, { "Idempotency-Key": key })],
    ["another workshop", request("workshop-other", 1, { "Idempotency-Key": key })],
    ["a workshop that is not on offer", request(draft, 1, { "Idempotency-Key": key })],
  ]);
  await rejects("unknown_workshop", [
    ["no such workshop", request("nowhere", 1)],
    ["a draft", request(draft, 1)],
  ]);
});

test("a request that does not say who asks, or names somebody else", async () => {
  await rejects("actor_required", [
    ["nothing", without("Authorization", wellFormed())],
    ["no token", wellFormed({ headers: { Authorization: "Bearer x" } })],
    [
      "an empty cookie",
      without("Authorization", wellFormed({ headers: { Cookie: "__Host-einmal=" } })),
    ],
  ]);
  await rejects("actor_changed", [
    ["another tag", wellFormed({ headers: { "Einmal-Actor": "0".repeat(16) } })],
    ["an empty tag", wellFormed({ headers: { "Einmal-Actor": "" } })],
  ]);
});

test("a request that a page of another site has made", () =>
  rejects("cross_site", [
    ["cross-site", wellFormed({ headers: { "Sec-Fetch-Site": "cross-site" } })],
    ["same-site", wellFormed({ headers: { "Sec-Fetch-Site": "same-site" } })],
    ["another origin", wellFormed({ headers: { Origin: "https://other.example" } })],
    ["no origin that can be told", wellFormed({ headers: { Origin: "null" } })],
    [
      "the session",
      { method: "GET", path: "/session", headers: { "Sec-Fetch-Site": "cross-site" } },
    ],
    ["its end", { path: "/session/end", headers: { Origin: "https://other.example" } }],
  ]));

test("the first rejection that applies is the answer", async () => {
  const workshop = await makeWorkshop();
  const used = randomUUID();
  const valid = JSON.stringify({ workshop, quantity: 1 });
  await send(
    `${origin}/reserve`,
    wellFormed({ headers: { "Idempotency-Key": used }, body: valid }),
  );
  // Everything is wrong; each step puts right what was told, and only that.
  const request = {
    path: "/reservations",
    method: "PUT",
    headers: {
      "Sec-Fetch-Site": "cross-site",
      "Content-Type": "text/plain",
      Authorization: "Bearer no token",
      "Einmal-Actor": "nobody",
      "Idempotency-Key": "no key",
    },
    body: `{${"x".repeat(1024)}`,
  };
  for (const [error, putRight] of [
    ["not_found", () => Object.assign(request, { path: "/reserve" })],
    ["method_not_allowed", () => Object.assign(request, { method: "POST" })],
    ["cross_site", () => Object.assign(request.headers, { "Sec-Fetch-Site": "same-origin" })],
    ["actor_required", () => Object.assign(request.headers, authorized)],
    ["actor_changed", () => delete request.headers["Einmal-Actor"]],
    ["content_type", () => Object.assign(request.headers, { "Content-Type": "application/json" })],
    ["operation_id", () => Object.assign(request.headers, { "Idempotency-Key": used })],
    ["body_too_large", () => Object.assign(request, { body: "{" })],
    ["malformed_body", () => Object.assign(request, { body: "{}" })],
    [
      "request_contract",
      () =>
        Object.assign(request, { body: valid.replace("1}", "2}").replace(workshop, "nowhere") }),
    ],
    [
      "operation_conflict",
      () => Object.assign(request.headers, { "Idempotency-Key": randomUUID() }),
    ],
    ["unknown_workshop", () => Object.assign(request, { body: valid })],
  ]) {
    await rejects(error, [["the first that applies", request]]);
    putRight();
  }
  assert.equal((await send(`${origin}/reserve`, request)).status, 201);
});
