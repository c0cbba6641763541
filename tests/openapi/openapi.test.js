// docs/openapi.yaml and the built Worker: every documented response occurs and is valid, and no other
// response occurs.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import {
  document,
  documentedAnswers,
  misfit,
  operations,
  resolve,
  wordOf,
  wordsOf,
} from "./document.js";

const worker = await startWorker();
const withoutDatabase = await startWorker({ database: false, secrets: {} });
const limited = await startWorker({ limits: { ADDRESS_LIMIT: 1 } });
after(() => Promise.all([worker, withoutDatabase, limited].map(({ close }) => close())));

for (const [id, capacity] of [
  ["open", 9],
  ["full", 0],
]) {
  await worker.database
    .prepare("INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, 'W', ?2, 0)")
    .bind(id, capacity)
    .run();
}

const Authorization = await bearer("somebody", SECRET);
const [reserved, refused, abandoned] = [randomUUID(), randomUUID(), randomUUID()];

/** `POST /reserve`, with nothing wrong but what is changed. */
const reserve = ({ workshop = "open", quantity = 1, key = randomUUID(), ...changed } = {}) => ({
  body: JSON.stringify({ workshop, quantity }),
  ...changed,
  headers: {
    "Content-Type": "application/json",
    "Idempotency-Key": key,
    Authorization,
    ...changed.headers,
  },
});

const by = (headers = {}) => ({ headers: { Authorization, ...headers } });
const elsewhere = { Origin: "https://elsewhere.example" };
const changed = { "Einmal-Actor": "0".repeat(16) };
const broken = { Fault: "overloaded" };
/** The database refuses a statement as wrong. */
const wrong = { Fault: "refused" };

/** What is sent to each path beside what every path is sent below. */
const requests = {
  "POST /reserve": [
    reserve({ key: reserved }),
    reserve({ key: reserved }),
    reserve({ key: refused, workshop: "full" }),
    reserve({ key: abandoned }),
    reserve({ key: "1" }),
    reserve({ body: "{" }),
    reserve({ headers: { Authorization: "Bearer x" } }),
    reserve({ headers: elsewhere }),
    reserve({ headers: changed }),
    reserve({ workshop: "nowhere" }),
    reserve({ key: reserved, quantity: 2 }),
    reserve({ body: " ".repeat(1025) }),
    reserve({ headers: { "Content-Type": "text/plain" } }),
    reserve({ quantity: 3 }),
    reserve({ headers: broken }),
    reserve({ headers: wrong }),
  ],
  "GET /operations": [by(), {}, by(changed), by(broken), by(wrong)],
  "GET /operations/{key}": [
    by(),
    { ...by(), key: refused },
    { ...by(), key: abandoned },
    { ...by(), key: "1" },
    { ...by(), key: randomUUID() },
    {},
    by(changed),
    by(broken),
    by(wrong),
  ],
  "POST /operations/{key}/abandon": [
    by(),
    { ...by(), key: randomUUID() },
    { ...by(), key: "1" },
    {},
    by(changed),
    by(elsewhere),
    by(broken),
    by(wrong),
  ],
  "POST /operations/{key}/cancel": [
    by(),
    { ...by(), key: refused },
    { ...by(), key: randomUUID() },
    { ...by(), key: "1" },
    {},
    by(changed),
    by(elsewhere),
    by(broken),
    by(wrong),
  ],
  "GET /session": [{}, by(), { headers: { Authorization: "Bearer x" } }, { headers: elsewhere }],
  "POST /session/end": [{}, by(changed), { headers: elsewhere }],
  "GET /workshops": [{}, { headers: broken }, { headers: wrong }],
  "GET /workshops/{id}": [{}, { id: "nowhere" }, { headers: broken }, { headers: wrong }],
  "GET /health": [{}, { headers: broken }, { headers: wrong }],
};

/** Documented, but given only when the platform has no random bits. */
const outOfReach = ["GET /session 500 internal_error"];

const answered = new Set();

/** Sends a request, and compares its answer with what is documented for the operation. */
async function answers(
  { method, path, responses },
  { key = reserved, id = "open", ...options },
  at = worker,
) {
  const url = at.origin + path.replace("{key}", key).replace("{id}", id);
  const { status, headers, body } = await send(url, { method, ...options });
  const what = `${options.method ?? method} ${path}: ${status} ${body}`;
  const response = responses[status];
  assert.ok(response, `${what}: the status is not documented`);
  const type = headers["content-type"];
  const media = response.content[type];
  assert.ok(media, `${what}: ${type} is not documented`);
  const parsed = JSON.parse(body);
  assert.equal(misfit(media.schema, parsed), undefined, what);
  for (const [name, node] of Object.entries(response.headers)) {
    const { required, schema } = resolve(node);
    const found = [headers[name.toLowerCase()]].flat()[0];
    if (found === undefined) assert.ok(!required, `${what}: without ${name}`);
    else assert.equal(misfit(schema, found), undefined, `${what}: ${name}`);
  }
  // The headers that every response has, and those that the document names for this one.
  assert.equal(headers["x-content-type-options"], "nosniff", what);
  assert.equal(headers["referrer-policy"], "same-origin", what);
  for (const name of [
    "Idempotent-Replayed",
    "Retry-After",
    "Allow",
    "WWW-Authenticate",
    "Set-Cookie",
  ]) {
    const documented = name in response.headers;
    assert.ok(documented || headers[name.toLowerCase()] === undefined, `${what}: with ${name}`);
  }
  answered.add(`${method} ${path} ${status} ${wordOf(type, parsed)}`);
}

test("every operation of the document is requested", () => {
  assert.deepEqual(
    operations().map(({ method, path }) => `${method} ${path}`),
    Object.keys(requests),
  );
});

// The abandoned operation must be abandoned before it is read.
await send(`${worker.origin}/operations/${abandoned}/abandon`, by());

for (const operation of operations()) {
  const name = `${operation.method} ${operation.path}`;
  test(`${name}: the response is documented`, async () => {
    for (const request of requests[name]) await answers(operation, request);
    await answers(operation, { method: "DELETE" });
    const first = requests[name][0];
    await answers(operation, first, withoutDatabase);
    // Its own address block: the second request from it is over the limit.
    const address = `2001:db8:0:${Object.keys(requests).indexOf(name) + 1}::1`;
    const from = { ...first, headers: { ...first.headers, "CF-Connecting-IP": address } };
    await send(`${limited.origin}/health`, { method: "GET", headers: from.headers });
    await answers(operation, from, limited);
  });
}

test("every documented response occurred", () => {
  assert.deepEqual([...answered, ...outOfReach].sort(), documentedAnswers().sort());
});

test("HEAD is allowed wherever GET is, as documented", async () => {
  for (const { path } of operations().filter(({ method }) => method === "GET")) {
    const url = worker.origin + path.replace("{key}", reserved).replace("{id}", "open");
    const { status, body } = await send(url, { method: "HEAD", ...by() });
    assert.deepEqual([status, body], [200, ""], path);
  }
});

// tests/native compares the contract's table with the service's own list.
test("every rejection of the contract is documented, with its status and its `retry`", () => {
  const contract = readFileSync("docs/contract.md", "utf8");
  const row = /^\| (\d+)[^|]* \| \[`(\w+)`\].*\| `(fix_request|same_key)` \|$/gm;
  const rejections = [...contract.matchAll(row)].map(([, ...cells]) => cells);
  assert.ok(rejections.length > 1);
  // An unknown path is not among the paths.
  const documented = rejections.filter(([, code]) => code !== "not_found");
  assert.equal(documented.length, rejections.length - 1);
  for (const [status, code, retry] of documented) {
    const { properties } = document.components.schemas[code].allOf[1];
    assert.deepEqual(
      [properties.status.const, properties.retry.const],
      [Number(status), retry],
      code,
    );
    assert.ok(
      documentedAnswers().some((answer) => answer.endsWith(` ${status} ${code}`)),
      code,
    );
  }
});

test("every documented response has an example, which its schema accepts", () => {
  for (const { method, path, parameters, requestBody, responses } of operations()) {
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) assert.equal(misfit(schema, example), undefined, name);
    }
    for (const [type, { schema, examples }] of Object.entries(requestBody?.content ?? {})) {
      const values = Object.values(examples);
      assert.ok(values.length > 0, `${method} ${path} ${type}`);
      for (const { value } of values) assert.equal(misfit(schema, value), undefined, path);
    }
    for (const [status, { content }] of Object.entries(responses)) {
      for (const [type, media] of Object.entries(content)) {
        const what = `${method} ${path} ${status} ${type}`;
        const values = Object.values(media.examples).map((node) => resolve(node).value);
        for (const value of values) assert.equal(misfit(media.schema, value), undefined, what);
        const words = new Set(values.map((value) => wordOf(type, value)));
        assert.deepEqual([...words].sort(), wordsOf(media).sort(), what);
      }
    }
  }
});

test("the document has the version of the package", () => {
  assert.equal(document.info.version, JSON.parse(readFileSync("package.json", "utf8")).version);
});
