// The built ledger Worker with its database: one for the whole suite.

import { createHash, randomUUID } from "node:crypto";
import { after } from "node:test";
import { send } from "../support/http.js";
import { startWorker } from "../support/worker.js";

const worker = await startWorker({
  built: ".wrangler/built-ledger",
  migrations: "examples/ledger/migrations",
});
after(worker.close);

export const { origin, logOf, query } = worker;

let customers = 0;

/**
 * A customer: an actor, its API key, and an account for each balance.
 * @param {...number} balances
 */
export async function newCustomer(...balances) {
  customers += 1;
  const actor = `k_customer-${customers}`;
  const apiKey = randomUUID();
  const sha256 = createHash("sha256").update(apiKey).digest("hex");
  await query("INSERT INTO api_keys (sha256, actor) VALUES (?1, ?2)", sha256, actor);
  const accounts = [];
  for (const balance of balances) accounts.push(await newAccount(actor, balance));
  return { actor, accounts, Authorization: `Bearer ${apiKey}` };
}

let accounts = 0;

/** Another account. */
export async function newAccount(owner, balance, id = `account-${++accounts}`) {
  await query("INSERT INTO accounts (id, owner, balance) VALUES (?1, ?2, ?3)", id, owner, balance);
  return id;
}

/** `POST /transfers` with a body as it stands, or the values of one. */
export function transfer(customer, body, { key = randomUUID(), ...headers } = {}) {
  return send(`${origin}/transfers`, {
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      Authorization: customer.Authorization,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The balances of accounts, as the database has them. */
export async function balances(...ids) {
  const rows = await query("SELECT id, balance FROM accounts");
  const all = new Map(rows.map(({ id, balance }) => [id, balance]));
  return ids.map((id) => all.get(id));
}

/** How many receipts and transfers a customer has, and the entries of those transfers. */
export async function stored({ actor }) {
  const [{ receipts }] = await query(
    "SELECT COUNT(*) AS receipts FROM operations WHERE actor = ?1",
    actor,
  );
  const transfers = await query("SELECT id FROM transfers WHERE actor = ?1", actor);
  const entries = await query(
    `SELECT account, amount FROM entries
     WHERE transfer IN (SELECT id FROM transfers WHERE actor = ?1)
     ORDER BY amount`,
    actor,
  );
  return { receipts, transfers: transfers.length, entries };
}
