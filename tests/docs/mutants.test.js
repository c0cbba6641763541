// The list of mutants is up to date: each text that a mutant replaces is in its file once.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { mutants } from "../mutants/list.js";

/** How often a mutant's text stands in its file. */
function count({ file, find }) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (typeof find === "string") return text.split(find).length - 1;
  return text.match(new RegExp(find, "g"))?.length ?? 0;
}

test("the text that a mutant replaces is in its file exactly once", () => {
  const found = mutants.map((mutant) => [mutant.name, mutant.file, count(mutant)]);
  assert.deepEqual(
    found.filter(([, , times]) => times !== 1),
    [],
  );
});

test("the names of the mutants are unique", () => {
  const names = mutants.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});
