// `npm run random-requests`: sends random requests to a service on this machine and fails if
// one of them is answered by a 5xx, or not at all. Start the service first:
// `npm start -- --no-limits`.
//
//   npm run random-requests -- --requests 100000 --url http://localhost:8787 --seed 1

import { Agent, request as open } from "node:http";
import { parseArgs } from "node:util";
import { seeded } from "./random.js";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    url: { type: "string", default: "http://localhost:8787" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const requests = Number(values.requests);
const url = new URL(values.url);
if (!Number.isInteger(requests) || requests < 1) {
  console.error(
    `random-requests: expected --requests to be a whole number, found ${values.requests}`,
  );
  process.exit(1);
}
if (!["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) {
  console.error(`random-requests: expected a service on this machine, found ${url.hostname}`);
  process.exit(1);
}
const deadline = Date.now() + 20 * 60_000;
// A connection for each request: one that is answered before its body was read to the end
// can leave the next one on the same connection in disorder, on wrangler's side.
const agent = new Agent({ keepAlive: false, maxSockets: 32 });

const { random, below, pick, often, uuid } = seeded(Number(values.seed));
const bytes = (most) => Buffer.from(Array.from({ length: below(most + 1) }, () => below(256)));
const text = (most) =>
  Array.from({ length: below(most + 1) }, () => pick(..."aZ0-_\"'%/{}[]:,. ")).join("");

const keys = Array.from({ length: 200 }, uuid);

const value = () =>
  pick(
    "1",
    "2",
    "0",
    "-0",
    "3",
    "1.0",
    "1e0",
    "1e999",
    '"1"',
    "true",
    "null",
    "[]",
    "{}",
    '"\\ud800"',
  );
const workshop = () => often('"workshop-demo"', '"nowhere"', JSON.stringify(text(50)), value());
const member = () =>
  pick('"workshop"', '"quantity"', '"quantit\\u0079"', '"__proto__"', JSON.stringify(text(9)));

function body() {
  const right = `{"workshop":${workshop()},"quantity":${often(pick("1", "2"), value())}}`;
  return often(
    right,
    right.slice(0, below(right.length)),
    right + text(3),
    right.padEnd(below(2_000)),
    `{${member()}:${value()},${member()}:${value()}}`,
    "[".repeat(below(1_100)),
    bytes(200),
    bytes(3_000),
    "",
  );
}

function randomRequest() {
  const path = often(
    "/reserve",
    "/workshops",
    "/workshops/workshop-demo",
    `/workshops/${encodeURIComponent(text(50))}`,
    "/health",
    `/x${encodeURIComponent(text(20))}`,
    "/reserve?",
    "/%00",
    "/workshops/%ff",
    "/workshops//",
  );
  const method = often("POST", "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH");
  const headers = {};
  const set = (name, chosen) => {
    if (chosen !== undefined) headers[name] = chosen;
  };
  set(
    "Content-Type",
    often(
      "application/json",
      "application/json; charset=utf-8",
      "text/plain",
      undefined,
      ["application/json", "text/plain"],
      text(20).trim(),
    ),
  );
  set(
    "Idempotency-Key",
    often(
      pick(...keys, uuid()),
      `"${uuid()}"`,
      uuid().toUpperCase(),
      undefined,
      [uuid(), uuid()],
      text(40).trim(),
    ),
  );
  set("Content-Encoding", often(undefined, "gzip", "identity"));
  set("Accept", often(undefined, "text/html", "*/*"));
  set("Origin", often(undefined, "null", "https://example.org"));
  const chosen = method === "GET" || method === "HEAD" ? undefined : body();
  const chunked = random() < 0.2;
  return { path, method, headers, body: chosen, chunked };
}

/** Sends one request; gives its status, or why there is none. */
function send({ path, method, headers, body, chunked }) {
  return new Promise((resolve) => {
    const sent = open(
      new URL(path, url),
      { method, headers, agent, timeout: 30_000 },
      (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
        response.on("error", ({ message }) => resolve(message));
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer within 30 s")));
    sent.on("error", ({ message, code }) => resolve(code ?? message));
    if (body === undefined) return sent.end();
    if (!chunked) sent.setHeader("Content-Length", Buffer.byteLength(body));
    else for (let at = 0; at < body.length; at += 400) sent.write(body.slice(at, at + 400));
    sent.end(chunked ? undefined : body);
  });
}

const answers = new Map();
const bad = [];
let begun = 0;
async function client() {
  while (begun < requests && Date.now() < deadline && bad.length < 10) {
    begun += 1;
    const chosen = randomRequest();
    const answer = await send(chosen);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (typeof answer !== "number" || answer >= 500)
      bad.push({ answer, ...chosen, body: String(chosen.body).slice(0, 300) });
  }
}
console.log(`random-requests: ${requests} requests to ${url.origin}, seed ${values.seed}`);
await Promise.all(Array.from({ length: 32 }, client));
agent.destroy();

for (const [answer, count] of [...answers].sort()) console.log(`  ${answer}: ${count}`);
for (const { answer, ...sent } of bad) console.log(`${answer} for ${JSON.stringify(sent)}`);
console.log(`random-requests: ${begun} sent, ${bad.length} answered by a 5xx or not at all`);
process.exitCode = bad.length === 0 && begun === requests ? 0 : 1;
