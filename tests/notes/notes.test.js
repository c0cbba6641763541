// The notes Worker over HTTP: the engine's guarantees for another application.

import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { send } from "../support/http.js";
import { logOf, newPerson, origin, post, query, stored } from "./service.js";

const nothing = { notes: [], receipts: 0 };
const outcome = ({ status, body, headers }) => [status, headers["idempotent-replayed"], body];
const code = ({ status, document, headers }) => [
  status,
  document?.error,
  headers["idempotent-replayed"],
];

test("a note is saved once, and every replay is the first response, byte for byte", async () => {
  const somebody = await newPerson();
  const key = randomUUID();
  const first = await post(somebody, { title: "Buy milk" }, { key });
  const { id } = first.document;
  assert.match(id, /^[0-9a-f]{32}$/);
  const body = JSON.stringify({ id, title: "Buy milk" });
  assert.deepEqual(outcome(first), [201, "false", body]);
  for (const [again, spelled] of [
    ['{"title":"Buy milk"}', key],
    ['{ "title" : "Buy\\u0020milk" }', `"${key}"`],
  ]) {
    assert.deepEqual(outcome(await post(somebody, again, { key: spelled })), [201, "true", body]);
  }
  assert.deepEqual(await stored(somebody), { notes: [{ id, title: "Buy milk" }], receipts: 1 });
});

test("the same key with another title is a conflict, and changes nothing", async () => {
  const somebody = await newPerson();
  const key = randomUUID();
  await post(somebody, { title: "Buy milk" }, { key });
  const before = await stored(somebody);
  for (const title of ["Buy bread", "buy milk", "Buy milk ", "Buy  milk"]) {
    const answer = await post(somebody, { title }, { key });
    assert.deepEqual(code(answer), [409, "operation_conflict", undefined], title);
  }
  assert.deepEqual(await stored(somebody), before);
});

test("two keys are two notes, and two actors can use the same key", async () => {
  const [somebody, another] = [await newPerson(), await newPerson()];
  const key = randomUUID();
  await post(somebody, { title: "Buy milk" }, { key });
  await post(somebody, { title: "Buy milk" });
  await post(another, { title: "Buy bread" }, { key });
  assert.equal((await stored(somebody)).notes.length, 2);
  const { notes } = await stored(another);
  assert.deepEqual(
    notes.map(({ title }) => title),
    ["Buy bread"],
  );
});

test("a title has 1 to 200 characters, however many bytes each of them takes", async () => {
  const somebody = await newPerson();
  const titles = ["x", "x".repeat(200), "\u{1f95b}".repeat(200), "Zürich", " ", '"\\</script>'];
  for (const title of titles) {
    const answer = await post(somebody, { title });
    assert.deepEqual([answer.status, answer.document.title], [201, title]);
  }
  const { notes } = await stored(somebody);
  assert.deepEqual(notes.map(({ title }) => title).sort(), titles.sort());
});

test("an invalid title is rejected, and stores nothing", async () => {
  const somebody = await newPerson();
  const refused = {
    empty: '{"title":""}',
    "201 characters": JSON.stringify({ title: "x".repeat(201) }),
    "201 characters of four bytes": JSON.stringify({ title: "\u{1f95b}".repeat(201) }),
    "not NFC": JSON.stringify({ title: "Zu\u0308rich" }),
    "a control character": JSON.stringify({ title: "Buy\nmilk" }),
    "a control character of C1": JSON.stringify({ title: "Buy\u0085milk" }),
    "a null character": '{"title":"\\u0000"}',
    "half a surrogate pair": '{"title":"\\ud83e"}',
    "a list": '["Buy milk"]',
    "a number": '{"title":1}',
    null: '{"title":null}',
    "a member more": '{"title":"Buy milk","done":false}',
    "a member less": "{}",
    "the member twice": '{"title":"Buy milk","title":"Buy milk"}',
    "the member twice, spelled differently": '{"title":"Buy milk","\\u0074itle":"Buy milk"}',
    "a string": '"Buy milk"',
  };
  for (const [what, body] of Object.entries(refused)) {
    const answer = await post(somebody, body);
    assert.deepEqual(code(answer), [422, "request_contract", undefined], what);
    assert.match(answer.document.detail, /^Expected (a JSON object|.* 1 to 200 characters)/, what);
  }
  assert.deepEqual(code(await post(somebody, '{"title":"Buy')), [400, "malformed_body", undefined]);
  assert.deepEqual(code(await post(somebody, `{"title":"${"x".repeat(1024)}"}`)), [
    413,
    "body_too_large",
    undefined,
  ]);
  assert.deepEqual(await stored(somebody), nothing);
});

test("twenty equal requests at once save one note, and all responses are equal", async () => {
  const somebody = await newPerson();
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(somebody, { title: "Buy milk" }, { key })),
  );
  const { notes, receipts } = await stored(somebody);
  assert.deepEqual([notes.length, receipts], [1, 1]);
  const body = JSON.stringify(notes[0]);
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [201, body]);
  const firsts = answers.filter(({ headers }) => headers["idempotent-replayed"] === "false");
  assert.equal(firsts.length, 1);
});

for (const [Fault, sends] of [
  ["before", 2],
  ["after", 2],
  ["after,after", 3],
  ["before,after", 3],
  ["after,before", 3],
  ["late", 2],
]) {
  test(`D1 loses ${Fault}: one note, and this request made it`, async () => {
    const somebody = await newPerson();
    const [answer, line] = await logOf(() => post(somebody, { title: "Buy milk" }, { Fault }));
    // A late send arrives after the one with the response.
    if (Fault === "late") await setTimeout(1500);
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "false"]);
    assert.equal(line.d1_calls, sends);
    assert.deepEqual(await stored(somebody), { notes: [answer.document], receipts: 1 });
  });
}

for (const [Fault, committed] of [
  ["before,before,before", 0],
  ["after,after,after", 1],
]) {
  test(`D1 loses ${Fault}: the outcome is unknown, and the same key returns it`, async () => {
    const somebody = await newPerson();
    const key = randomUUID();
    const lost = await post(somebody, { title: "Buy milk" }, { key, Fault });
    assert.deepEqual(code(lost), [503, "outcome_unknown", undefined]);
    assert.equal((await stored(somebody)).notes.length, committed);
    const answer = await post(somebody, { title: "Buy milk" }, { key });
    const replayed = committed === 1 ? "true" : "false";
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, replayed]);
    assert.deepEqual(await stored(somebody), { notes: [answer.document], receipts: 1 });
  });
}

test("actors list only their own notes", async () => {
  const [somebody, another] = [await newPerson(), await newPerson()];
  for (const title of ["Buy milk", "Buy bread"]) await post(somebody, { title });
  const list = async ({ Authorization }) => {
    const { status, document, headers } = await send(`${origin}/notes`, {
      method: "GET",
      headers: { Authorization },
    });
    assert.deepEqual([status, headers["cache-control"]], [200, "no-store"]);
    return document;
  };
  const { notes } = await stored(somebody);
  assert.equal(notes.length, 2);
  // The newest first; two of one millisecond by their ids.
  const byId = (a, b) => (a.id < b.id ? -1 : 1);
  assert.deepEqual((await list(somebody)).notes.sort(byId), notes.sort(byId));
  assert.deepEqual(await list(another), { notes: [] });
  assert.deepEqual(code(await send(`${origin}/notes`, { method: "GET" })), [
    401,
    "actor_required",
    undefined,
  ]);
});

test("a session authenticates, as in the service", async () => {
  const { headers } = await send(`${origin}/session`, { method: "GET" });
  const [Cookie] = headers["set-cookie"][0].split(";");
  const browser = { "Content-Type": "application/json", "Idempotency-Key": randomUUID(), Cookie };
  const body = JSON.stringify({ title: "Buy milk" });
  const saved = await send(`${origin}/notes`, { headers: browser, body });
  assert.equal(saved.status, 201);
  const elsewhere = { ...browser, Origin: "https://elsewhere.example" };
  const refused = await send(`${origin}/notes`, { headers: elsewhere, body });
  assert.deepEqual(code(refused), [403, "cross_site", undefined]);
  const listed = await send(`${origin}/notes`, { method: "GET", headers: { Cookie } });
  assert.deepEqual(listed.document, { notes: [saved.document] });
});

test("the Worker has its own routes, and none of the reservations'", async () => {
  for (const path of ["/reserve", "/workshops", "/operations", "/", "/notes/"]) {
    assert.deepEqual(
      code(await send(origin + path, { method: "GET" })),
      [404, "not_found", undefined],
      path,
    );
  }
  for (const [path, method, allow] of [
    ["/notes", "PUT", "GET, HEAD, POST"],
    ["/notes", "DELETE", "GET, HEAD, POST"],
    ["/session", "POST", "GET, HEAD"],
  ]) {
    const answer = await send(origin + path, { method });
    assert.deepEqual(code(answer), [405, "method_not_allowed", undefined], path);
    assert.equal(answer.headers.allow, allow);
  }
  const head = await send(`${origin}/notes`, {
    method: "HEAD",
    headers: { Authorization: (await newPerson()).Authorization },
  });
  assert.deepEqual([head.status, head.body], [200, ""]);
});

test("the Worker is healthy with the schema of its build", async () => {
  const health = () => send(`${origin}/health`, { method: "GET" });
  assert.equal((await health()).status, 200);
  const [{ sql }] = await query("SELECT sql FROM sqlite_schema WHERE name = 'operations_stay'");
  await query("DROP TRIGGER operations_stay");
  assert.deepEqual(code(await health()), [503, "not_configured", undefined]);
  await query(sql);
  assert.equal((await health()).status, 200);
});

test("the fingerprint of a note covers its operation type and its title, each with its length", async () => {
  const somebody = await newPerson();
  const key = randomUUID();
  await post(somebody, { title: "Zürich" }, { key });
  const [row] = await query(
    "SELECT fingerprint_version, fingerprint FROM operations WHERE actor = ?1 AND key = ?2",
    somebody.actor,
    key,
  );
  assert.equal(row.fingerprint_version, 1);
  const fields = "\0\0\0\x0bcreate_note" + "\0\0\0\x07Zürich";
  assert.equal(row.fingerprint, createHash("sha256").update(fields).digest("hex"));
});

test("the log has a line for a note, without its title or key", async () => {
  const somebody = await newPerson();
  const key = randomUUID();
  const [, line] = await logOf(() => post(somebody, { title: "Buy milk" }, { key }));
  assert.deepEqual(
    [line.route, line.status, line.outcome, line.replayed],
    ["/notes", 201, "created", false],
  );
  assert.doesNotMatch(JSON.stringify(line), new RegExp(`milk|${key}|person`));
});
