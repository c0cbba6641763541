// What a browser loads: the page, its files, the contract.

import { equal, Failed, matches, NotRun } from "../expect.js";
import { contract, http, prevent } from "../sources.js";

const journey = prevent("Follow the complete browser flow");

/** The page at `/`. An instance may be deployed without it. */
async function pageOf(instance) {
  const page = await instance.send("/");
  if (page.status === 404) throw new NotRun("the instance has no page at /");
  equal("the status of /", page.status, 200);
  return page;
}

/** The paths of the scripts and stylesheets that the page names. */
function filesOf({ body }) {
  const found = [...body.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
  return found.map(([, path]) => new URL(path, "http://page/").pathname);
}

export const page = [
  {
    id: "page",
    claim: "The service has a page that says its language.",
    sources: [journey, http("8.3")],
    async check(instance) {
      const { headers, body } = await pageOf(instance);
      matches("Content-Type", headers["content-type"], /^text\/html/);
      matches("the page", body, /<html[^>]* lang="/);
    },
  },
  {
    id: "page-files",
    claim: "Every file that the page names is there.",
    sources: [journey],
    async check(instance) {
      const files = filesOf(await pageOf(instance));
      if (files.length === 0) throw new Failed("expected scripts or stylesheets, found none");
      for (const path of files) equal(path, (await instance.send(path)).status, 200);
    },
  },
  {
    id: "page-policy",
    claim: "The page runs only what the service itself serves, and nobody may frame it.",
    sources: [contract("Headers of every answer")],
    async check(instance) {
      const policy = (await pageOf(instance)).headers["content-security-policy"];
      matches("Content-Security-Policy", policy, /default-src 'none'/);
      matches("Content-Security-Policy", policy, /frame-ancestors 'none'/);
      matches("Content-Security-Policy", policy, /script-src 'self'(;|$)/);
      equal("it lets inline scripts run", /unsafe/.test(policy), false);
    },
  },
  {
    id: "page-no-inline-script",
    claim: "The page has no script in itself.",
    sources: [contract("Headers of every answer")],
    async check(instance) {
      const { body } = await pageOf(instance);
      matches("the page", body, /<script [^>]*src=/);
      equal("inline scripts", body.match(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+="/g), null);
    },
  },
  {
    id: "page-revalidated",
    claim: "The page is asked for again each time, and is not sent again if it is the same.",
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
    claim: "The service has the contract that it keeps as a page.",
    sources: [contract("Rejections"), prevent("Scope the identifier to the correct actor")],
    async check(instance) {
      const { status, headers, body } = await instance.send("/contract");
      equal("status", status, 200);
      matches("Content-Type", headers["content-type"], /^text\/html/);
      matches("the page", body, /Idempotency-Key/);
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
