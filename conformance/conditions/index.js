// Every condition, in the order in which they are asked.
//
// A condition has an `id`, a `claim`, the clauses of its `sources`, and `check`, which is given
// the instance (instance.js) and throws (expect.js) if the claim does not hold or cannot be
// asked. It leaves nothing behind: what it reserves is cancelled after it.

import { after } from "./after.js";
import { body } from "./body.js";
import { concurrency } from "./concurrency.js";
import { conflicts } from "./conflicts.js";
import { crossSite } from "./cross-site.js";
import { elsewhere } from "./elsewhere.js";
import { identity } from "./identity.js";
import { key } from "./key.js";
import { outcomes } from "./outcomes.js";
import { page } from "./page.js";
import { problems } from "./problems.js";
import { replays } from "./replays.js";
import { scope } from "./scope.js";
import { semantics } from "./semantics.js";

/** By theme; the names are the headings of docs/conformance.md. */
export const themes = {
  "The key": key,
  "The body": body,
  "First answers": outcomes,
  Replays: replays,
  Conflicts: conflicts,
  "Two who ask": scope,
  "At once": concurrency,
  "After an operation": after,
  "Who asks": identity,
  "Pages of other sites": crossSite,
  HTTP: semantics,
  "The page": page,
  Rejections: problems,
  "Not over HTTP": elsewhere,
};

export const conditions = Object.values(themes).flat();
