// Both languages are complete, and the right one is chosen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chooseLanguage, wordsOf } from "../../public/words.js";

const languages = { de: await wordsOf("de"), en: await wordsOf("en") };

/** Every entry with its kind: `rejected.other: string`, `places: function of 1`. */
function entries(words, path = "") {
  return Object.entries(words)
    .flatMap(([name, value]) => {
      if (typeof value === "object") return entries(value, `${path}${name}.`);
      return `${path}${name}: ${typeof value}${typeof value === "function" ? ` of ${value.length}` : ""}`;
    })
    .sort();
}

test("both languages have the same entries", () => {
  assert.deepEqual(entries(languages.de), entries(languages.en));
});

test("no entry is empty, and nothing is left untranslated", () => {
  const same = new Set(["documentTitle", "workshops", "receipt"]);
  const texts = (words) =>
    Object.entries(words).flatMap(([name, entry]) => {
      const value = typeof entry === "function" ? entry(2, "x", "y") : entry;
      return typeof value === "object" ? texts(value) : [[name, value]];
    });
  const english = texts(languages.en);
  for (const [index, [name, german]] of texts(languages.de).entries()) {
    assert.ok(german.trim() && english[index][1].trim(), name);
    if (!same.has(name)) assert.notEqual(german, english[index][1], name);
  }
});

test("one place is singular, in both languages", () => {
  assert.equal(languages.en.places(1), "1 place");
  assert.equal(languages.de.places(1), "1 Platz");
  assert.match(languages.en.reserved(1, "Linocut"), /1 place in “Linocut” is reserved/);
  assert.match(languages.de.reserved(2, "Linolschnitt"), /2 Plätze in «Linolschnitt» sind/);
});

test("every text that the HTML refers to exists", () => {
  const html = readFileSync("public/index.html", "utf8");
  const names = [...html.matchAll(/data-words="(\w+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  for (const name of names) assert.equal(typeof languages.en[name], "string", name);
});

test("the address decides the language, then the earlier choice, then the browser", () => {
  const none = { address: null, remembered: null, browser: [] };
  for (const [wishes, language] of [
    [none, "en"],
    [{ ...none, browser: ["fr-CH", "de-CH", "en"] }, "de"],
    [{ ...none, browser: ["en-US", "de"] }, "en"],
    [{ ...none, browser: ["fr"] }, "en"],
    [{ ...none, remembered: "de", browser: ["en"] }, "de"],
    [{ address: "en", remembered: "de", browser: ["de"] }, "en"],
    [{ address: "xx", remembered: "toString", browser: ["de"] }, "de"],
  ]) {
    assert.equal(chooseLanguage(wishes), language, JSON.stringify(wishes));
  }
});
