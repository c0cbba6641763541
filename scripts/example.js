// `npm run example -- NAME`: the Worker in examples/NAME on this machine, rebuilt when a source
// changes. `PORT` chooses another port than 8787.
//
// If the folder has a seed.sql, it is run on the local database; if it has a try.txt, it is
// printed, with {origin} and a new {key} filled in.

import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { serve } from "./serve.js";

const names = readdirSync("examples").filter((name) =>
  existsSync(`examples/${name}/wrangler.toml`),
);
const [name] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(
    `example: expected one of ${names.join(", ")}, found ${name ?? "none"}, as in: npm run example -- ${names[0]}`,
  );
  process.exit(1);
}

const folder = `examples/${name}`;
const tryIt = existsSync(`${folder}/try.txt`) ? readFileSync(`${folder}/try.txt`, "utf8") : "";
await serve({
  crate: folder,
  folder,
  seed: existsSync(`${folder}/seed.sql`) ? ["--file", "seed.sql"] : [],
  greeting: (origin) =>
    tryIt.trimEnd().replaceAll("{origin}", origin).replaceAll("{key}", randomUUID()),
});
