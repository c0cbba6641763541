// The links and quotations of docs/follow-one-operation.md match the code.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const page = readFileSync("docs/follow-one-operation.md", "utf8");

/** Every link, with the place that it stands under. */
function links() {
  let place = "";
  const found = [];
  for (const [, heading, label, target] of page.matchAll(/^## (.+)$|\[([^\]]+)\]\(([^)]+)\)/gm)) {
    if (heading) place = heading;
    else found.push({ place, label: label.replace(/\s+/g, " "), target });
  }
  return found;
}

const headings = (file) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replace(/`/g, "").replace(/ /g, "-"),
  );

test("every quotation is in the linked file, once", () => {
  const quoted = links().filter(({ label }) => label.startsWith("`"));
  assert.ok(quoted.length >= 20, `${quoted.length} places`);
  for (const { place, label, target } of quoted) {
    const text = label.slice(1, -1);
    const file = join("docs", target);
    assert.ok(existsSync(file), `${place}: there is no ${target}`);
    // Once, so that a search finds only this place.
    const times = readFileSync(file, "utf8").split(text).length - 1;
    assert.equal(times, 1, `${place}: expected ${target} to have this once: ${text}`);
  }
});

test("every other link leads somewhere", () => {
  for (const { label, target } of links()) {
    const [path, heading] = target.split("#");
    const file = join("docs", path);
    assert.ok(existsSync(file), `${label}: there is no ${path}`);
    if (heading) assert.ok(headings(file).includes(heading), `${label}: no ${heading} in ${path}`);
  }
});

test("each of the five places is linked", () => {
  const quoting = links().filter(({ label }) => label.startsWith("`"));
  const places = new Set(quoting.map(({ place }) => place).filter((place) => /^\d\. /.test(place)));
  assert.deepEqual(
    [...places].map((place) => place[0]),
    ["1", "2", "3", "4", "5"],
  );
});

test("only two modules of the page make keys", () => {
  const made = ["page.js", "client.js", "machine.js", "api.js", "saved.js", "view.js"].map(
    (name) => [name, readFileSync(`public/${name}`, "utf8").split("randomUUID()").length - 1],
  );
  assert.deepEqual(
    made.filter(([, count]) => count > 0),
    [
      ["page.js", 1],
      ["client.js", 1],
    ],
  );
});
