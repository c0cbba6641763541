// Requests that a page of another site has made in somebody's browser.

import { randomUUID } from "node:crypto";
import { equal, rejected, reserved } from "../expect.js";
import { contract, prevent } from "../sources.js";

const sources = [contract("cross_site")];
const elsewhere = "https://elsewhere.example";

/** A condition on the headers of a browser that is at another site. */
function refuses(id, claim, headers) {
  return {
    id,
    claim,
    sources,
    async check(instance) {
      rejected(await instance.reserve({ headers }), 403, "cross_site");
    },
  };
}

export const crossSite = [
  refuses("cross-site-fetch", "A request that the browser calls cross-site is refused.", {
    "Sec-Fetch-Site": "cross-site",
  }),
  refuses("cross-site-sibling", "A request from another host of the same site is refused.", {
    "Sec-Fetch-Site": "same-site",
  }),
  refuses("cross-site-origin", "A request with the origin of another site is refused.", {
    Origin: elsewhere,
  }),
  refuses("cross-site-null", "A request whose origin is hidden is refused.", { Origin: "null" }),
  {
    id: "cross-site-prefix",
    claim: "An origin that only begins like the service's own is another one.",
    sources,
    async check(instance) {
      const headers = { Origin: `${instance.origin}.elsewhere.example` };
      rejected(await instance.reserve({ headers }), 403, "cross_site");
    },
  },
  {
    id: "cross-site-own",
    claim: "A request of the service's own page is decided.",
    sources,
    async check(instance) {
      await instance.needFree(1);
      const headers = { Origin: instance.origin, "Sec-Fetch-Site": "same-origin" };
      reserved(await instance.reserve({ headers }));
    },
  },
  {
    id: "cross-site-stores-nothing",
    claim: "A request of another site's page takes no place and leaves no operation.",
    sources: [...sources, prevent("Scope the identifier to the correct actor")],
    async check(instance) {
      const free = await instance.free();
      const key = randomUUID();
      await instance.reserve({ key, headers: { Origin: elsewhere } });
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "cross-site-cancel",
    claim: "A page of another site cancels nothing and gives nothing up.",
    sources,
    async check(instance) {
      const { key } = await instance.reservation();
      const free = await instance.free();
      const headers = { ...instance.a.headers, Origin: elsewhere };
      for (const path of [`/operations/${key}/cancel`, `/operations/${key}/abandon`]) {
        const answer = await instance.send(path, { method: "POST", headers });
        rejected(answer, 403, "cross_site", path);
      }
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "cross-site-session",
    claim: "A page of another site begins no session and ends none.",
    sources,
    async check(instance) {
      const headers = { ...(await instance.newSession()).headers, "Sec-Fetch-Site": "cross-site" };
      for (const [method, path] of [
        ["GET", "/session"],
        ["POST", "/session/end"],
      ]) {
        const answer = await instance.send(path, { method, headers });
        rejected(answer, 403, "cross_site", path);
        equal(`cookies of ${path}`, answer.cookies, []);
      }
    },
  },
];
