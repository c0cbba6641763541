// Every condition, in the order in which they are checked.
//
// A condition has an `id`, a `claim`, its `sources`, and a `check` that receives the instance
// (instance.js) and throws (expect.js) if the claim does not hold or cannot be checked. What it
// reserves is cancelled after it.

import { actors } from "./actors.js";
import { after } from "./after.js";
import { authentication } from "./authentication.js";
import { body } from "./body.js";
import { concurrency } from "./concurrency.js";
import { conflicts } from "./conflicts.js";
import { crossSite } from "./cross-site.js";
import { key } from "./key.js";
import { outcomes } from "./outcomes.js";
import { page } from "./page.js";
import { rejections } from "./rejections.js";
import { replays } from "./replays.js";
import { semantics } from "./semantics.js";

/** By theme; the names are the headings of docs/conformance.md. */
export const themes = {
  "The key": key,
  "The request": body,
  Outcomes: outcomes,
  Replays: replays,
  Conflicts: conflicts,
  "Two actors": actors,
  Concurrency: concurrency,
  "Look up, abandon, cancel": after,
  Authentication: authentication,
  "Cross-site requests": crossSite,
  "HTTP and reading": semantics,
  "The page": page,
  Rejections: rejections,
};

export const conditions = Object.values(themes).flat();
