// Sources of duplicates: six ways to save a note, two of which show a defect. The notes Worker commits
// each request; only then its response is lost.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Miniflare } from "miniflare";
import {
  newOperation,
  OperationOpen,
  OperationRejected,
  restoreOperation,
  send,
} from "../../public/client.js";
import { newPerson, origin, stored } from "./service.js";

const title = "Buy milk";

/**
 * A connection that performs every request and loses the complete responses to the attempts with
 * these numbers. `options` are those of `send`, without delays. `attempts` are the keys and titles,
 * `ids` the ids in the responses, received or lost.
 */
function losing(numbers, { Authorization }) {
  const attempts = [];
  const ids = [];
  return {
    attempts,
    ids,
    options: {
      headers: { Authorization },
      wait: async () => {},
      fetch: async (url, init) => {
        const { title } = JSON.parse(init.body);
        attempts.push({ key: init.headers.get("Idempotency-Key"), title });
        const number = attempts.length;
        const response = await fetch(url, init);
        const text = await response.text();
        ids.push(JSON.parse(text).id);
        if (numbers.includes(number)) throw new TypeError("the answer was lost");
        return new Response(text, response);
      },
    },
  };
}

const save = (service = origin) => newOperation(`${service}/notes`, { title });

test("reproduces the duplicate: a new key for each attempt makes two notes", async () => {
  const person = await newPerson();
  const { attempts, ids, options } = losing([1], person);
  // The defect: the repeated function makes the key.
  const attempt = () => send(save(), { ...options, attempts: 1 });
  const { document, replayed } = await attempt().catch(attempt);

  const { notes, receipts } = await stored(person);
  assert.deepEqual([notes.length, receipts], [2, 2]);
  assert.deepEqual(notes.map(({ id }) => id).sort(), [...ids].sort());
  assert.deepEqual(
    attempts.map((one) => one.title),
    [title, title],
  );
  assert.notEqual(attempts[0].key, attempts[1].key);
  // The caller receives the second id only.
  assert.deepEqual([document.id, replayed], [ids[1], false]);
});

test("one key for both attempts: one note, and the caller receives the first id", async () => {
  const person = await newPerson();
  const { attempts, ids, options } = losing([1], person);
  const operation = save();
  const decided = await send(operation, options);

  const { notes, receipts } = await stored(person);
  assert.deepEqual([notes, receipts], [[{ id: ids[0], title }], 1]);
  const attempt = { key: operation.key, title };
  assert.deepEqual(attempts, [attempt, attempt]);
  assert.deepEqual(decided.document, notes[0]);
  assert.deepEqual([decided.replayed, decided.attempts], [true, 2]);
});

test("two independent saves of the same title: two notes, with two ids", async () => {
  const person = await newPerson();
  const { attempts, ids, options } = losing([], person);
  const decided = [await send(save(), options), await send(save(), options)];

  const { notes, receipts } = await stored(person);
  assert.deepEqual([notes.length, receipts], [2, 2]);
  assert.notEqual(attempts[0].key, attempts[1].key);
  assert.notEqual(ids[0], ids[1]);
  assert.deepEqual(
    decided.map(({ document, replayed, attempts }) => [document.id, replayed, attempts]),
    [
      [ids[0], false, 1],
      [ids[1], false, 1],
    ],
  );
});

test("another title under the key: an error after one attempt, and one note", async () => {
  const person = await newPerson();
  const { attempts, options } = losing([], person);
  const operation = save();
  const { document } = await send(operation, options);
  const changed = restoreOperation({ ...operation, values: { title: "Buy bread" } });
  const rejected = await send(changed, options).catch((error) => error);

  assert.ok(rejected instanceof OperationRejected, rejected);
  assert.equal(rejected.answer.error, "operation_conflict");
  assert.equal(rejected.attempts, 1);
  assert.deepEqual(attempts, [
    { key: operation.key, title },
    { key: operation.key, title: "Buy bread" },
  ]);
  assert.deepEqual(await stored(person), { notes: [document], receipts: 1 });
});

test("both responses are lost: an error although the note exists, and a later send returns it", async () => {
  const person = await newPerson();
  const { attempts, ids, options } = losing([1, 2], person);
  const operation = save();
  let saved;
  const keep = (one) => {
    saved = JSON.stringify(one);
  };
  const open = await send(operation, { ...options, save: keep }).catch((error) => error);

  assert.ok(open instanceof OperationOpen, open);
  assert.deepEqual([open.reason, open.attempts], ["unreachable", 2]);
  const { notes, receipts } = await stored(person);
  assert.deepEqual([notes, receipts], [[{ id: ids[0], title }], 1]);
  assert.deepEqual(restoreOperation(saved), open.operation, "what the error carries was saved");

  const { document, replayed } = await send(restoreOperation(saved), options);
  assert.deepEqual([document, replayed], [notes[0], true]);
  assert.deepEqual(
    attempts.map(({ key }) => key),
    Array(3).fill(operation.key),
  );
  assert.deepEqual(await stored(person), { notes, receipts });
});

/** A double of the service, with a database of its own, that never looks the key up. */
const forgetful = `
export default {
  async fetch(request, { DB }) {
    const { title } = await request.json();
    const id = crypto.randomUUID();
    await DB.prepare("INSERT INTO notes (id, title) VALUES (?1, ?2)").bind(id, title).run();
    const headers = { "Idempotent-Replayed": "false" };
    return Response.json({ id, title }, { status: 201, headers });
  },
};
`;

test("reproduces the duplicate: one key, but a service that does not look it up, makes two notes", async () => {
  const double = new Miniflare({
    workers: [
      {
        config: {
          name: "forgetful",
          compatibilityDate: "2026-08-01",
          manifest: {
            mainModule: "index.js",
            modules: { "index.js": { type: "esm", contents: forgetful } },
          },
          env: { DB: { type: "d1", id: "forgetful" } },
        },
      },
    ],
  });
  after(() => double.dispose());
  const { port } = await double.ready;
  const { DB } = await double.getBindings();
  await DB.exec("CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT NOT NULL)");
  const { attempts, ids, options } = losing([1], await newPerson());
  const operation = save(`http://localhost:${port}`);
  const { document, replayed } = await send(operation, options);

  const { results: notes } = await DB.prepare("SELECT id, title FROM notes ORDER BY rowid").all();
  assert.deepEqual(
    notes,
    ids.map((id) => ({ id, title })),
  );
  assert.equal(notes.length, 2);
  const attempt = { key: operation.key, title };
  assert.deepEqual(attempts, [attempt, attempt]);
  assert.deepEqual([document.id, replayed], [ids[1], false]);
});
