// `npm start`: the service on this machine, with a demo workshop, rebuilt when a source
// changes. `PORT` chooses another port than 8787; `npm start -- --no-limits` lets one machine
// send as much as it likes.

import { randomUUID } from "node:crypto";
import { serve } from "./serve.js";
import { unlimitedConfig } from "./unlimited-config.js";

await serve({
  seed: ["--file", "scripts/demo-workshop.sql"],
  config: process.argv.includes("--no-limits") ? ["--config", unlimitedConfig()] : [],
  greeting: (origin) => `The page:  ${origin}/

To reserve from a shell, run this line. Run it again, and the response is the same:

${[
  `curl -s -o /dev/null -b einmal.cookies -c einmal.cookies ${origin}/session;`,
  `curl -i -b einmal.cookies ${origin}/reserve -H 'Content-Type: application/json'`,
  `-H 'Idempotency-Key: ${randomUUID()}' -d '{"workshop":"workshop-demo","quantity":1}'`,
].join(" ")}`,
});
