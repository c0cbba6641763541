// `npm run example:notes`: the notes on this machine. `PORT` chooses another port than 8787.

import { randomUUID } from "node:crypto";
import { serve } from "../../scripts/serve.js";

await serve({
  crate: "examples/notes",
  folder: "examples/notes",
  greeting: (origin) => `Save a note from a shell; send the same line again and there is still one:

curl -s -o /dev/null -b einmal.cookies -c einmal.cookies ${origin}/session; curl -i -b einmal.cookies ${origin}/notes -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomUUID()}' -d '{"title":"Buy milk"}'

curl -b einmal.cookies ${origin}/notes`,
});
