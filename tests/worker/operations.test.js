// Operations after their request: read, list, abandon, cancel, with lost responses of D1.

import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";

const worker = await startWorker();
after(worker.close);

const prepare = (sql, ...values) => worker.database.prepare(sql).bind(...values);

let made = 0;

async function makeWorkshop(capacity = 3) {
  made += 1;
  await prepare(
    "INSERT INTO workshops (id, title, capacity, published_at_ms) VALUES (?1, 'W', ?2, 0)",
    `ws-${made}`,
    capacity,
  ).run();
  return `ws-${made}`;
}

/** What the database holds: places counted and held, reservations, and the key's receipts. */
function held(workshop, key = "") {
  return prepare(
    `SELECT reserved,
       (SELECT COALESCE(SUM(quantity), 0) FROM reservations
         WHERE workshop = ?1 AND cancelled_at_ms IS NULL) AS places,
       (SELECT COUNT(*) FROM reservations WHERE workshop = ?1) AS reservations,
       (SELECT COUNT(*) FROM operations WHERE key = ?2) AS receipts
     FROM workshops WHERE id = ?1`,
    workshop,
    key,
  ).first();
}

const authorization = (name = "somebody") => bearer(name, SECRET);

async function reserve(workshop, key, { quantity = 1, who, fault = "none" } = {}) {
  const headers = {
    "Content-Type": "application/json",
    "Idempotency-Key": key,
    Authorization: await authorization(who),
    Fault: fault,
  };
  const body = JSON.stringify({ workshop, quantity });
  const answer = await send(`${worker.origin}/reserve`, { headers, body });
  return { ...answer, replayed: answer.headers["idempotent-replayed"] };
}

async function request(method, path, { who, fault = "none", headers = {} } = {}) {
  const Authorization = await authorization(who);
  return send(`${worker.origin}/operations${path}`, {
    method,
    headers: { Authorization, Fault: fault, ...headers },
  });
}

const read = (key, options) => request("GET", `/${key}`, options);
const abandon = (key, options) => request("POST", `/${key}/abandon`, options);
const cancel = (key, options) => request("POST", `/${key}/cancel`, options);

/** What is given to a retry of an abandoned operation. */
const ABANDONED = [409, '{"status":"abandoned"}', "true"];
const summary = ({ status, body, replayed }) => [status, body, replayed];

test("an operation is returned as it was decided, and reading changes nothing", async () => {
  const workshop = await makeWorkshop(1);
  const [key, refused] = [randomUUID(), randomUUID()];
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { document } = await reserve(workshop, key);
  await reserve(workshop, refused);
  const found = await read(key);
  assert.equal(found.status, 200);
  assert.equal(found.headers["idempotent-replayed"], undefined, "it is no outcome");
  const { decided_at, ...rest } = found.document;
  assert.match(decided_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.ok(Date.parse(decided_at) >= before && Date.parse(decided_at) <= Date.now());
  assert.deepEqual(rest, {
    key,
    outcome: "reserved",
    http_status: 201,
    workshop,
    reservation: { id: document.reservation_id, quantity: 1, state: "held" },
  });
  const { outcome, http_status, reservation } = (await read(refused)).document;
  assert.deepEqual([outcome, http_status, reservation], ["unavailable", 409, null]);
  const never = randomUUID();
  assert.equal((await read(never)).document.error, "unknown_operation");
  assert.equal((await read(never)).status, 404);
  assert.deepEqual(await held(workshop, never), {
    reserved: 1,
    places: 1,
    reservations: 1,
    receipts: 0,
  });
});

test("HEAD returns whether an operation is known, without the document", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  await reserve(workshop, key);
  const { status, body } = await request("HEAD", `/${key}`);
  assert.deepEqual([status, body], [200, ""]);
  assert.equal((await request("HEAD", `/${randomUUID()}`)).status, 404);
});

test("another actor's operation is unknown, and unaffected", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  await reserve(workshop, key, { who: "owner" });
  for (const act of [read, cancel]) {
    const [others, nobodys] = [
      await act(key, { who: "other" }),
      await act(randomUUID(), { who: "other" }),
    ];
    assert.deepEqual([others.status, others.body], [nobodys.status, nobodys.body]);
    assert.equal(others.document.error, "unknown_operation");
  }
  // The same key of another actor is another operation.
  assert.equal((await abandon(key, { who: "other" })).document.outcome, "abandoned");
  assert.equal((await read(key, { who: "owner" })).document.reservation.state, "held");
  assert.deepEqual((await request("GET", "", { who: "third" })).document, { operations: [] });
  assert.equal((await held(workshop)).places, 1);
});

test("a list has the actor's newest fifty operations, the newest first", async () => {
  const workshop = await makeWorkshop();
  const keys = Array.from({ length: 60 }, () => randomUUID());
  const row = prepare(
    `INSERT INTO operations (actor, key, workshop, send_id, outcome, http_status, body, decided_at_ms)
     VALUES ('t_lister', ?1, ?2, ?3, 'unavailable', 409, '{"status":"unavailable"}', ?4)`,
  );
  await worker.database.batch(
    keys.map((key, index) => row.bind(key, workshop, `${"0".repeat(32)}-1`, index * 1000)),
  );
  const last = randomUUID();
  await reserve(workshop, last, { who: "lister" });
  await reserve(workshop, randomUUID(), { who: "somebody" });
  const { operations } = (await request("GET", "", { who: "lister" })).document;
  assert.deepEqual(
    operations.map(({ key }) => key),
    [last, ...keys.reverse().slice(0, 49)],
  );
  assert.deepEqual(operations[0], (await read(last, { who: "lister" })).document);
});

test("an abandoned operation reserves nothing if its request arrives later", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  const first = await abandon(key);
  assert.deepEqual(
    [first.status, first.document.outcome, first.document.http_status],
    [200, "abandoned", 409],
  );
  assert.deepEqual([first.document.workshop, first.document.reservation], [null, null]);
  assert.equal((await abandon(key)).body, first.body, "again, it is the same");
  for (const [where, quantity] of [
    [workshop, 1],
    [workshop, 2],
    ["nowhere", 1],
  ]) {
    assert.deepEqual(summary(await reserve(where, key, { quantity })), ABANDONED);
  }
  assert.equal((await cancel(key)).document.error, "nothing_to_cancel");
  assert.deepEqual(await held(workshop, key), {
    reserved: 0,
    places: 0,
    reservations: 0,
    receipts: 1,
  });
});

test("abandoning a decided operation returns its receipt and changes nothing", async () => {
  const workshop = await makeWorkshop(1);
  const [key, refused] = [randomUUID(), randomUUID()];
  const first = await reserve(workshop, key);
  await reserve(workshop, refused);
  const found = await abandon(key);
  assert.deepEqual([found.status, found.document], [200, (await read(key)).document]);
  assert.equal(found.document.reservation.state, "held");
  assert.equal((await abandon(refused)).document.outcome, "unavailable");
  assert.deepEqual(summary(await reserve(workshop, key)), [201, first.body, "true"]);
  assert.equal((await held(workshop, key)).places, 1);
});

// A request and its abandonment at the same time: the first one decides, and both then return the same
// receipt, even when D1's responses are lost and the batches are retried.
for (const [reserving, abandoning] of [
  ["none", "none"],
  ["after", "none"],
  ["none", "after"],
  ["after,after", "after,after"],
  ["before", "after"],
]) {
  test(`request (${reserving}) and abandonment (${abandoning}) race: one of them decides`, async () => {
    const workshop = await makeWorkshop(1000);
    const outcomes = { reserved: 0, abandoned: 0 };
    const race = async (_, round) => {
      const key = randomUUID();
      const acts = [
        () => reserve(workshop, key, { fault: reserving }),
        () => abandon(key, { fault: abandoning }),
      ];
      // Sent in both orders; the database decides which is first.
      const swap = round % 2 === 1;
      const answers = await Promise.all((swap ? acts.reverse() : acts).map((act) => act()));
      const [reserved, abandoned] = swap ? answers.reverse() : answers;
      const { outcome, reservation } = abandoned.document;
      outcomes[outcome] += 1;
      assert.equal(reserved.document.status, outcome);
      assert.equal(reserved.replayed, String(outcome === "abandoned"));
      assert.equal(reservation?.id, reserved.document.reservation_id);
      const { receipts } = await held(workshop, key);
      assert.equal(receipts, 1);
    };
    await Promise.all(Array.from({ length: 24 }, race));
    const { reserved, places, reservations } = await held(workshop);
    assert.deepEqual(
      [reserved, places, reservations],
      [outcomes.reserved, outcomes.reserved, outcomes.reserved],
    );
    assert.equal(outcomes.reserved + outcomes.abandoned, 24);
  });
}

test("a delayed request that arrives before or after its abandonment: both get the true outcome", async () => {
  const workshop = await makeWorkshop();
  const [first, second] = [randomUUID(), randomUUID()];
  // D1 receives the first batch only after its timeout.
  const late = reserve(workshop, first, { fault: "late" });
  const givenUp = await abandon(first);
  assert.deepEqual(summary(await late), ABANDONED);
  assert.equal(givenUp.document.outcome, "abandoned");
  // It is in time, but every response is lost.
  const lost = await reserve(workshop, second, { fault: "after,after,after" });
  assert.equal(lost.status, 503);
  const { document } = await abandon(second);
  assert.equal(document.reservation.state, "held");
  assert.equal((await held(workshop, second)).places, 1);
});

test("a cancellation releases the places once, however often it is sent", async () => {
  const workshop = await makeWorkshop(2);
  const key = randomUUID();
  const first = await reserve(workshop, key, { quantity: 2 });
  assert.equal((await reserve(workshop, randomUUID())).document.status, "unavailable");
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(key)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map(({ body }) => body)).size, 1, "all responses are equal");
  const { document } = answers[0];
  assert.deepEqual(document, (await read(key)).document);
  assert.deepEqual(document.reservation, {
    id: first.document.reservation_id,
    quantity: 2,
    state: "cancelled",
  });
  const { count_version } = await prepare(
    "SELECT count_version FROM workshops WHERE id = ?1",
    workshop,
  ).first();
  assert.equal(count_version, 2, "once taken, once given back");
  const { cancelled_at_ms } = await prepare(
    "SELECT cancelled_at_ms FROM reservations WHERE key = ?1",
    key,
  ).first();
  assert.ok(cancelled_at_ms > Date.now() - 60_000 && cancelled_at_ms <= Date.now());
  assert.deepEqual(summary(await reserve(workshop, key, { quantity: 2 })), [
    201,
    first.body,
    "true",
  ]);
  assert.equal((await reserve(workshop, randomUUID(), { quantity: 2 })).status, 201);
  await cancel(key);
  assert.deepEqual(await held(workshop), {
    reserved: 2,
    places: 2,
    reservations: 2,
    receipts: 0,
  });
});

test("a cancellation whose responses were all lost is repeated and counts once", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  await reserve(workshop, key);
  const lost = await cancel(key, { fault: "after,after,after" });
  assert.deepEqual([lost.status, lost.document.error], [503, "outcome_unknown"]);
  assert.equal((await cancel(key)).document.reservation.state, "cancelled");
  assert.equal((await held(workshop)).reserved, 0);
});

test("a cancellation decides no open operation, and is rejected without a reservation", async () => {
  const workshop = await makeWorkshop(0);
  const [open, refused] = [randomUUID(), randomUUID()];
  assert.equal((await cancel(open)).document.error, "unknown_operation");
  assert.equal((await held(workshop, open)).receipts, 0);
  await prepare("UPDATE workshops SET capacity = 1 WHERE id = ?1", workshop).run();
  assert.equal((await reserve(workshop, open)).document.status, "reserved");
  await reserve(workshop, refused);
  const { status, document } = await cancel(refused);
  assert.deepEqual([status, document.error], [409, "nothing_to_cancel"]);
  assert.equal((await held(workshop)).reserved, 1);
});

test("invalid requests for an operation are rejected, and nothing is done", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  await reserve(workshop, key);
  const cases = JSON.parse(readFileSync("tests/cases/keys.json", "utf8"));
  const refused = cases.refused.map(({ key }) => key);
  const actorId = createHash("sha256").update("t_other").digest("hex").slice(0, 16);
  const everyRoute = [
    ["GET", ""],
    ["POST", "/abandon"],
    ["POST", "/cancel"],
  ];
  for (const [method, verb] of everyRoute) {
    for (const [headers, error] of [
      [{ Authorization: "Bearer nobody" }, "actor_required"],
      [{ "Einmal-Actor": actorId }, "actor_changed"],
      ...(method === "POST" ? [[{ Origin: "https://elsewhere.example" }, "cross_site"]] : []),
    ]) {
      const { document } = await request(method, `/${key}${verb}`, { headers });
      assert.equal(document.error, error, `${method} ${verb}`);
    }
    for (const text of [...refused, `"${key}"`]) {
      const { status, document } = await request(method, `/${encodeURIComponent(text)}${verb}`);
      assert.deepEqual([status, document.error], [400, "operation_id"], `${method} ${text}${verb}`);
    }
  }
  for (const [path, allow] of [
    ["", "GET, HEAD"],
    [`/${key}`, "GET, HEAD"],
    [`/${key}/abandon`, "POST"],
    [`/${key}/cancel`, "POST"],
  ]) {
    const { status, headers } = await request("DELETE", path);
    assert.deepEqual([status, headers.allow], [405, allow], path);
  }
  for (const path of [`/${key}/`, `/${key}/renew`, `/${key}/cancel/`, `/${key}/cancel/now`]) {
    assert.equal((await request("POST", path)).document.error, "not_found", path);
  }
  assert.equal((await read(key)).document.reservation.state, "held");
});

test("over an actor's limit nothing is abandoned, and existing receipts are still returned", async () => {
  const limited = await startWorker({ limits: { ACTOR_LIMIT: 2 } });
  const post = async (key) =>
    send(`${limited.origin}/operations/${key}/abandon`, {
      headers: { Authorization: await authorization("busy") },
    });
  const key = randomUUID();
  await post(key);
  await post(randomUUID());
  const { status, document, headers } = await post(randomUUID());
  const again = await post(key);
  const receipts = await limited.database
    .prepare("SELECT COUNT(*) AS n FROM operations")
    .first("n");
  await limited.close();
  assert.deepEqual([status, document.error, headers["retry-after"]], [429, "rate_limited", "60"]);
  assert.deepEqual([again.status, again.document.outcome], [200, "abandoned"]);
  assert.equal(receipts, 2);
});

test("the log has the result of an operation's request, and no key", async () => {
  const workshop = await makeWorkshop();
  const key = randomUUID();
  await reserve(workshop, key);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 8);
  for (const [act, route, outcome] of [
    [() => read(key), "/operations/{key}", "reserved"],
    [() => abandon(key), "/operations/{key}/abandon", "reserved"],
    [() => cancel(key), "/operations/{key}/cancel", "cancelled"],
    [() => request("GET", ""), "/operations", "read"],
  ]) {
    const [, line] = await worker.logOf(act);
    assert.deepEqual([line.route, line.outcome, line.status], [route, outcome, 200]);
    assert.equal(line.key, route === "/operations" ? undefined : hash);
    assert.ok(!JSON.stringify(line).includes(key));
  }
});
