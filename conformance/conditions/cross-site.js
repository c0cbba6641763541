// Requests that a page of another site makes in a person's browser (CSRF).

import { randomUUID } from "node:crypto";
import { equal, rejected, reserved } from "../expect.js";
import { contract } from "../sources.js";

const sources = [contract("cross_site")];
const OTHER_SITE = "https://elsewhere.example";

export const crossSite = [
  {
    id: "cross-site",
    claim: "A request of another site's or host's page is rejected with 403 and stores nothing.",
    sources,
    async check(instance) {
      const free = await instance.free();
      const key = randomUUID();
      for (const headers of [
        { "Sec-Fetch-Site": "cross-site" },
        { "Sec-Fetch-Site": "same-site" },
        { Origin: OTHER_SITE },
        { Origin: "null" },
        // The service's own origin is only a prefix of it.
        { Origin: `${instance.origin}.elsewhere.example` },
      ]) {
        const answer = await instance.reserve({ key, headers });
        rejected(answer, 403, "cross_site", JSON.stringify(headers));
      }
      rejected(await instance.lookUp(key), 404, "unknown_operation", "the look-up");
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "same-origin",
    claim: "A request of the service's own page is decided.",
    sources,
    async check(instance) {
      await instance.requireFree(1);
      const headers = { Origin: instance.origin, "Sec-Fetch-Site": "same-origin" };
      reserved(await instance.reserve({ headers }));
    },
  },
  {
    id: "cross-site-cancel",
    claim: "A page of another site cannot cancel or abandon.",
    sources,
    async check(instance) {
      const { key } = await instance.reservation();
      const free = await instance.free();
      const headers = { ...instance.a.headers, Origin: OTHER_SITE };
      for (const path of [`/operations/${key}/cancel`, `/operations/${key}/abandon`]) {
        const answer = await instance.send(path, { method: "POST", headers });
        rejected(answer, 403, "cross_site", path);
      }
      equal("free places", await instance.free(), free);
    },
  },
  {
    id: "cross-site-session",
    claim: "A page of another site cannot begin or end a session.",
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
