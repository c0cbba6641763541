// The tutorial quotes the files as they are, and its program saves one note.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { saveNote } from "../../examples/notes/save-note.js";
import { newPerson, origin, stored } from "../notes/service.js";

const folder = "examples";

/** The blocks of code, each with the name of its file, which is the first line. */
function excerpts() {
  const readme = readFileSync(`${folder}/README.md`, "utf8");
  const blocks = [...readme.matchAll(/^```(?:toml|sql|rust|js)\n\S+ (\S+)\n(.*?)^```$/gms)];
  return blocks.map(([, name, text]) => ({ name, text }));
}

test("the code of the tutorial is in the files, verbatim", () => {
  const shown = excerpts();
  for (const { name, text } of shown) {
    const file = readFileSync(join(folder, name), "utf8");
    assert.ok(file.includes(text), `the tutorial shows what is not in ${name}:\n${text}`);
  }
  const names = [...new Set(shown.map(({ name }) => name))];
  assert.deepEqual(names, [
    "notes/migrations/0001_operations_notes.sql",
    "notes/src/create_note.rs",
    "notes/src/lib.rs",
    "notes/Cargo.toml",
    "notes/wrangler.toml",
    "ledger/src/sql/decide.sql",
    "ledger/src/transfer.rs",
    "ledger/src/sql/why_undecided.sql",
    "ledger/src/lib.rs",
    "notes/save-note.js",
  ]);
});

test("the tutorial shows everything that an operation type must define", () => {
  const code = readFileSync(`${folder}/notes/src/create_note.rs`, "utf8");
  const shown = excerpts().map(({ text }) => text);
  const parts = [
    ...code.matchAll(/^ {4}fn (?:read|body)\(.*?^ {4}\}$/gms),
    ...code.matchAll(/^ {4}const SQL: .*?^ {4}\};$/gms),
    ...code.matchAll(/^ {4}const UNDECIDED: .*;$/gm),
    ...code.matchAll(/^(?:payload|outcomes|new_ids)! \{.*?^\}$/gms),
  ];
  assert.equal(parts.length, 7);
  for (const [part] of parts) {
    assert.ok(
      shown.some((text) => text.includes(part)),
      part,
    );
  }
});

/** A file that nothing is in yet. */
function newFile() {
  const place = mkdtempSync(join(tmpdir(), "einmal-notes-"));
  after(() => rmSync(place, { recursive: true }));
  return join(place, "operation.json");
}

test("the tutorial's program, restarted after every response was lost, saves one note", async () => {
  const person = await newPerson();
  const file = newFile();
  const headers = { Authorization: person.Authorization };
  const lose = async (url, init) => {
    await (await fetch(url, init)).text();
    throw new TypeError("the answer was lost");
  };
  const options = { headers, wait: async () => {} };
  await assert.rejects(saveNote(`${origin}/notes`, "Buy milk", file, { ...options, fetch: lose }), {
    name: "OperationOpen",
  });
  const { notes } = await stored(person);
  assert.equal(notes.length, 1);

  assert.equal(await saveNote(`${origin}/notes`, "Buy milk", file, options), notes[0].id);
  assert.deepEqual(await stored(person), { notes, receipts: 1 });
  assert.equal(existsSync(file), false, "nothing is kept of what is done");
});

test("the tutorial's program makes no new key if it cannot read its record", async () => {
  const person = await newPerson();
  const file = newFile();
  writeFileSync(file, '{"version":1,"key":');
  const headers = { Authorization: person.Authorization };
  await assert.rejects(
    saveNote(`${origin}/notes`, "Buy milk", file, { headers }),
    /expected an operation/,
  );
  assert.deepEqual(await stored(person), { notes: [], receipts: 0 });
});
