import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { contractPage } from "../../scripts/contract-page.js";
import { send } from "../support/http.js";
import { origin } from "../support/service.js";

const get = (path) => send(origin + path, { method: "GET" });

/** The directives of a Content-Security-Policy. */
const directives = (policy) =>
  Object.fromEntries(policy.split(";").map((part) => part.trim().split(/ (.*)/s, 2)));

test("no response of the Worker may be cached or executed", async () => {
  for (const path of ["/health", "/workshops", "/workshops/nowhere", "/nowhere", "/reserve"]) {
    const { headers } = await get(path);
    assert.equal(headers["cache-control"], "no-store", path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["referrer-policy"], "same-origin", path);
    assert.deepEqual(directives(headers["content-security-policy"]), {
      "default-src": "'none'",
      "frame-ancestors": "'none'",
    });
    assert.equal(headers["access-control-allow-origin"], undefined, path);
  }
});

/** Where each file of `public/` is served. */
const assets = readdirSync("public", { recursive: true })
  .filter((name) => name !== "_headers")
  .map((name) => `/${name}`.replace(/(index)?\.html$/, ""));

test("every asset may load only from this service, and may not be framed", async () => {
  assert.ok(assets.includes("/") && assets.includes("/page.js"));
  for (const path of assets) {
    const { status, headers } = await get(path);
    assert.equal(status, 200, path);
    const policy = directives(headers["content-security-policy"]);
    assert.equal(policy["default-src"], "'none'", path);
    assert.equal(policy["frame-ancestors"], "'none'", path);
    for (const [directive, sources] of Object.entries(policy)) {
      assert.match(sources, /^'(none|self)'$/, `${path}: ${directive}`);
    }
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["referrer-policy"], "same-origin", path);
    assert.match(headers["permissions-policy"], /camera=\(\)/, path);
  }
});

test("an asset with a constant name is revalidated each time", async () => {
  for (const path of assets) {
    const { headers } = await get(path);
    assert.equal(headers["cache-control"], "public, max-age=0, must-revalidate", path);
    assert.ok(headers.etag, path);
  }
});

test("the served contract page is that of docs/, with a section for every code", async () => {
  assert.equal(
    readFileSync("public/contract.html", "utf8"),
    contractPage(),
    "public/contract.html is not up to date: npm run contract-page",
  );
  const { body } = await get("/contract");
  const { document } = await get("/nowhere");
  const [path, anchor] = document.type.split("#");
  assert.equal(path, "/contract");
  assert.ok(body.includes(`<h3 id="${anchor}">`));
  for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) {
    assert.ok(body.includes(` id="${target}"`), `the link to #${target} leads somewhere`);
  }
});
