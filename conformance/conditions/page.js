// What a browser loads: the page, its files, the contract.

import { equal, Failed, matches, NotRun } from "../expect.js";
import { contract, draft, http } from "../sources.js";

const headersOfAll = contract("Headers of every answer");

/** The page at `/`. An instance may be deployed without it. */
async function pageOf(instance) {
  const page = await instance.send("/");
  if (page.status === 404) throw new NotRun("the instance has no page at /");
  equal("the status of /", page.status, 200);
  return page;
}

/** The paths of the scripts and stylesheets in the page. */
function filesOf({ body }) {
  const found = [...body.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
  return found.map(([, path]) => new URL(path, "http://page/").pathname);
}

export const page = [
  {
    id: "page",
    claim: "The page is HTML that declares its language, and every file it names exists.",
    sources: [http("8.3")],
    async check(instance) {
      const page = await pageOf(instance);
      matches("Content-Type", page.headers["content-type"], /^text\/html/);
      matches("the page", page.body, /<html[^>]* lang="/);
      const files = filesOf(page);
      if (files.length === 0) throw new Failed("expected scripts or stylesheets, found none");
      for (const path of files) equal(path, (await instance.send(path)).status, 200);
    },
  },
  {
    id: "page-policy",
    claim: "The page runs only scripts of its own origin, none inline, and cannot be framed.",
    sources: [headersOfAll],
    async check(instance) {
      const { headers, body } = await pageOf(instance);
      const policy = headers["content-security-policy"];
      matches("Content-Security-Policy", policy, /default-src 'none'/);
      matches("Content-Security-Policy", policy, /frame-ancestors 'none'/);
      matches("Content-Security-Policy", policy, /script-src 'self'(;|$)/);
      equal("it allows inline scripts", /unsafe/.test(policy), false);
      matches("the page", body, /<script [^>]*src=/);
      equal("inline scripts", body.match(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+="/g), null);
    },
  },
  {
    id: "page-revalidated",
    claim: "A browser revalidates the page each time; an unchanged page is answered with 304.",
    sources: [http("13.1.2"), http("15.4.5")],
    async check(instance) {
      const { headers } = await pageOf(instance);
      matches("Cache-Control", headers["cache-control"], /max-age=0|no-cache/);
      matches("ETag", headers.etag, /^(W\/)?".+"$/);
      const again = await instance.send("/", { headers: { "If-None-Match": headers.etag } });
      equal("with If-None-Match", [again.status, again.body], [304, ""]);
    },
  },
  {
    id: "page-contract",
    claim: "The service publishes its contract, with the section on keys, as a page.",
    sources: [draft("2.5"), draft("2.3"), contract("Rejections")],
    async check(instance) {
      const { status, headers, body } = await instance.send("/contract");
      equal("status", status, 200);
      matches("Content-Type", headers["content-type"], /^text\/html/);
      matches("the page", body, /Idempotency-Key/);
      matches("the page", body, / id="the-key"/);
    },
  },
  {
    id: "page-nothing-else",
    claim: "The service's settings, secrets and sources are not served.",
    sources: [contract("not_found")],
    async check(instance) {
      for (const path of [
        "/.dev.vars",
        "/wrangler.toml",
        "/_headers",
        "/src/lib.rs",
        "/.git/HEAD",
      ]) {
        equal(path, (await instance.send(path)).status, 404);
      }
    },
  },
];
