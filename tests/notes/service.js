// The built notes Worker with its database: one for the whole suite.

import { randomUUID } from "node:crypto";
import { after } from "node:test";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";

/** Where the Worker is, once it is built, and what its database is made of. */
export const notesWorker = {
  built: ".wrangler/built-notes",
  migrations: "examples/notes/migrations",
};

const worker = await startWorker(notesWorker);
after(worker.close);

export const { origin, logOf, query } = worker;

let people = 0;

/** Somebody: the header that authenticates them, and their actor. */
export async function newPerson() {
  people += 1;
  const Authorization = await bearer(`person-${people}`, SECRET);
  return { Authorization, actor: `t_person-${people}` };
}

/** `POST /notes` with a body as it stands, or the title of one. */
export function post(person, body, { key = randomUUID(), ...headers } = {}) {
  return send(`${origin}/notes`, {
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      Authorization: person.Authorization,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** What the database holds of somebody: notes in the order of their making, and receipts. */
export async function stored({ actor }) {
  const notes = await query(
    `SELECT id, title FROM notes JOIN operations USING (actor, key)
     WHERE actor = ?1 ORDER BY decided_at_ms, id`,
    actor,
  );
  const [{ receipts }] = await query(
    "SELECT COUNT(*) AS receipts FROM operations WHERE actor = ?1",
    actor,
  );
  return { notes, receipts };
}
