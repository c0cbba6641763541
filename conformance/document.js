// Generates docs/conformance.md from the conditions. `npm run conformance-page` writes it; a test
// fails when it is outdated.

import { writeFileSync } from "node:fs";
import { conditions, themes } from "./conditions/index.js";
import { documents } from "./sources.js";

/** What HTTP alone cannot show, and the suites of `npm test` that show it. */
export const elsewhere = [
  ["If the receipt cannot be stored, no reservation remains.", "native"],
  ["More places later do not change a refusal.", "native"],
  ["If the database's answer is lost, the same key returns what was decided.", "worker"],
  ["If the database rejects a statement, nothing is done, and the answer states it.", "worker"],
  ["A body that does not end is rejected after a time-out.", "worker"],
  ["A double click sends one request.", "browser"],
  ["An answer that cannot be read leaves the operation open.", "browser"],
  ["A reload keeps the open operation and sends nothing.", "browser"],
  ["Only a person begins another operation.", "browser"],
  ["What cannot be saved is not sent.", "browser"],
  ["The page fits 320, 390 and 1440 pixels, light and dark.", "browser"],
];

/** The page as it should be. */
export function conformancePage() {
  const tables = Object.entries(themes).map(([theme, list]) => `### ${theme}\n\n${table(list)}`);
  return `<!-- Generated from conformance/conditions/ by conformance/document.js. -->

# Conformance

\`npm run conformance -- URL\` checks from outside whether a running instance, local or deployed, keeps its contract.
It has ${conditions.length} conditions, listed [below](#conditions) with the sections that they come from.

\`\`\`sh
npm run conformance -- http://localhost:8787
npm run conformance -- https://einmal.example --token "$A" --token "$B" --workshop a-workshop-for-this
\`\`\`

- **Two actors.**
  By default it begins two sessions, as two browsers do.
  With tokens (\`npm run token -- NAME\`) it acts as two programs, and checks a few more conditions.
- **A workshop** that no other client uses meanwhile, with three to twenty free places and no \`places_per_actor\`.
  Each condition cancels its reservations; its operations remain, since receipts do.
- **Rate limits.**
  Over a limit it waits for \`Retry-After\` and sends the same request again.
  A run takes less than a minute with \`npm start -- --no-limits\`,
  and a few minutes with the limits of \`wrangler.toml\`.
- **The report** has \`ok\`, \`FAILED\` with what was expected and found, or \`not run\` with the reason.
  \`--json\` prints it as JSON.
  The exit code is 0 if no condition failed, 1 if one did, and 2 if the instance could not be checked.

\`npm test -- conformance\` runs the conditions against the built Worker, which meets all of them,
and against servers that are broken on purpose:
one never looks a key up, one finds operations by their key alone, one decides refusals again.
Every condition is failed by at least one of them.

## Where Einmal deviates from its sources

In these points a condition checks what the [contract](contract.md) promises, on purpose:

- **Conflict.**
  A key with another payload is answered with 409, where the Idempotency-Key draft has 422 (\`conflict\`).
  The answer does not describe the receipt, although RFC 9110, section 15.5.10, recommends to describe the conflict
  (\`conflict-reveals-nothing\`).
- **No “in progress”.**
  Concurrent attempts all receive the outcome, where the draft has 409 until the first is decided
  (\`concurrent-one-reservation\`).
- **Stricter keys.**
  Only a UUID version 4 in lower case is a key, although RFC 9562 allows upper case and, in section 6.12, advises
  against parsing (\`key-other-uuid\`).
  A quoted key with parameters is rejected, although RFC 9651, section 2.3, discourages that (\`key-malformed\`).
- **Bare keys.**
  The draft has a key in double quotes; a bare one is accepted as well (\`key-spellings\`).
- **No expiry.**
  The draft allows keys to expire; receipts are kept for ever.
- **Relative \`type\`.**
  RFC 9457 recommends an absolute URI; \`type\` is a path of the service (\`problem-code\`).

## What HTTP cannot show

| promise | shown by |
| --- | --- |
${elsewhere.map(([claim, suite]) => `| ${claim} | \`npm test -- ${suite}\` |`).join("\n")}

## Sources

${Object.entries(documents)
  .map(([name, { title }]) => `- **${name}**: ${title}`)
  .join("\n")}
- **Contract**: [docs/contract.md](contract.md), by the headings of its sections

The articles that this service was built from are not public, and no condition cites them:
“Prevent duplicate operations through idempotency”,
“Idempotente Operationen und sichere Wiederholungen entwerfen”,
and an untitled one about a note that is saved twice.

## Conditions

${tables.join("\n\n")}

${definitions()}
`;
}

function table(list) {
  const rows = list.map(({ id, claim, sources }) => {
    return `| \`${id}\` | ${claim} | ${sources.map(({ name }) => `[${name}]`).join("; ")} |`;
  });
  return ["| condition | requirement | sources |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The target of each citation, once. */
function definitions() {
  const all = conditions.flatMap(({ sources }) => sources);
  const links = new Map(all.map(({ name, link }) => [name, link]));
  const names = [...links.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return names.map((name) => `[${name}]: ${links.get(name)}`).join("\n");
}

if (import.meta.main) writeFileSync("docs/conformance.md", conformancePage());
