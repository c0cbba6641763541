// Makes docs/conformance.md of the conditions themselves. `npm run conformance-page` writes it; a
// test asks whether it is up to date.

import { writeFileSync } from "node:fs";
import { conditions, themes } from "./conditions/index.js";
import { documents, nameOf } from "./sources.js";

/** The page as it should be. */
export function conformancePage() {
  const asked = conditions.filter(({ elsewhere }) => elsewhere === undefined);
  const tables = Object.entries(themes).map(([theme, list]) => `## ${theme}\n\n${table(list)}`);
  return `<!-- Made of conformance/conditions/ by conformance/document.js. -->

# Conformance from outside

\`npm run conformance -- URL\` asks a running instance over HTTP, local or deployed, whether it keeps what its sources
say: ${asked.length} conditions below, a line each, with the clause that each comes from.

\`\`\`sh
npm run conformance -- http://localhost:8787
npm run conformance -- https://einmal.example --token "$A" --token "$B" --workshop a-workshop-for-this
\`\`\`

- **Two who ask.** Without \`--token\` it begins two sessions, as two browsers do. With tokens (\`npm run token -- NAME\`) it
  asks as two programs, and some conditions more can be asked.
- **A workshop** with three free places at least, and twenty at most so that it may be filled, which nobody else uses
  meanwhile and which has no \`places_per_actor\`. Each condition gives its places back by cancelling; the operations
  remain, as receipts do.
- **Limits.** When one is met, it waits as \`Retry-After\` says and sends the same again. A run sends about 1100 requests:
  less than a minute with \`npm start -- --no-limits\`, about five with the limits of \`wrangler.toml\`.
- **The report** says \`ok\`, \`FAILED\` with what was expected and found, or \`not run\` with the reason. \`--json\` gives the same
  as JSON. The exit code is 0 when nothing failed, 1 when something did, and 2 when the instance could not be asked.

\`npm test -- conformance\` runs it against the built Worker, which keeps every condition, and against servers that break one
promise each: one that looks no key up, one that finds operations by their key alone, one that decides refusals again,
and others. Each condition is failed by at least one of them.

Where Einmal differs from the draft on purpose, the condition is what Einmal promises: a key with other values is answered
with 409 and not with 422 (\`conflict-quantity\`), and no request is told that another one is in progress
(\`at-once-no-in-progress\`). [The contract](contract.md#conflict-and-why-it-is-409) says why.

## Sources

${Object.entries(documents)
  .map(([name, text]) => `- **${name}**: ${text}`)
  .join("\n")}

${tables.join("\n\n")}
`;
}

function table(list) {
  const rows = list.map(
    ({ id, claim, sources }) => `| \`${id}\` | ${claim} | ${sources.map(nameOf).join("; ")} |`,
  );
  return ["| condition | what it says | source |", "| --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) writeFileSync("docs/conformance.md", conformancePage());
