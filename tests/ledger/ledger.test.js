// The ledger over HTTP: the engine's guarantees for an operation that updates rows, can be refused,
// and whose actors the Worker authenticates itself.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET } from "../support/worker.js";
import {
  balances,
  logOf,
  newAccount,
  newCustomer,
  origin,
  query,
  stored,
  transfer,
} from "./service.js";

const answered = ({ status, body, headers }) => [status, headers["idempotent-replayed"], body];
const code = ({ status, document, headers }) => [
  status,
  document?.error,
  headers["idempotent-replayed"],
];
const count = (answers, is) => answers.filter(is).length;
const isFirst = ({ headers }) => headers["idempotent-replayed"] === "false";
const atOnce = (times, one) => Promise.all(Array.from({ length: times }, (_, index) => one(index)));

test("an amount is transferred once, and every replay is the first response, byte for byte", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const first = await transfer(customer, { from, to, amount: 60 }, { key });
  const { transfer_id } = first.document;
  assert.match(transfer_id, /^[0-9a-f]{32}$/);
  // Whole numbers, although D1 binds floating-point ones.
  const body = `{"status":"transferred","transfer_id":"${transfer_id}","amount":60,"balance":40}`;
  assert.deepEqual(answered(first), [201, "false", body]);
  // The balance has changed since; the receipt has not.
  await transfer(customer, { from, to, amount: 10 });
  for (const [again, spelled] of [
    [{ from, to, amount: 60 }, key],
    [`{ "amount" : 60, "to": "${to}", "from": "${from}" }`, `"${key}"`],
  ]) {
    assert.deepEqual(answered(await transfer(customer, again, { key: spelled })), [
      201,
      "true",
      body,
    ]);
  }
  assert.deepEqual(await balances(from, to), [30, 70]);
  assert.deepEqual(await stored(customer), {
    receipts: 2,
    transfers: 2,
    entries: [
      { account: from, amount: -60 },
      { account: from, amount: -10 },
      { account: to, amount: 10 },
      { account: to, amount: 60 },
    ],
  });
});

test("twenty equal requests at once transfer once, and all responses are equal", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const answers = await atOnce(20, () => transfer(customer, { from, to, amount: 10 }, { key }));
  assert.equal(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size, 1);
  assert.deepEqual([answers[0].status, count(answers, isFirst)], [201, 1]);
  assert.deepEqual(await balances(from, to), [90, 10]);
});

test("twenty requests at once under one key, with four amounts: one amount is transferred", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const answers = await atOnce(20, (index) =>
    transfer(customer, { from, to, amount: 1 + (index % 4) }, { key }),
  );
  assert.equal(
    count(answers, ({ status }) => status === 201),
    5,
  );
  assert.equal(
    count(answers, ({ document }) => document.error === "operation_conflict"),
    15,
  );
  assert.equal(count(answers, isFirst), 1);
  const { amount } = answers.find(isFirst).document;
  assert.deepEqual(await balances(from, to), [100 - amount, amount]);
});

test("another payload under the key is a conflict, and transfers nothing", async () => {
  const customer = await newCustomer(100, 100, 100);
  const [from, to, third] = customer.accounts;
  const key = randomUUID();
  await transfer(customer, { from, to, amount: 10 }, { key });
  const before = await balances(from, to, third);
  for (const other of [
    { from, to, amount: 11 },
    { from: third, to, amount: 10 },
    { from, to: third, amount: 10 },
    { from: to, to: from, amount: 10 },
    { from, to: "no-account", amount: 10 },
  ]) {
    assert.deepEqual(code(await transfer(customer, other, { key })), [
      409,
      "operation_conflict",
      undefined,
    ]);
  }
  assert.deepEqual(await balances(from, to, third), before);
  assert.equal((await stored(customer)).receipts, 1);
});

test("a refusal states the balance, transfers nothing, and stays after a deposit", async () => {
  const customer = await newCustomer(40, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const body = '{"status":"insufficient","balance":40}';
  const values = { from, to, amount: 41 };
  assert.deepEqual(answered(await transfer(customer, values, { key })), [409, "false", body]);
  await query("UPDATE accounts SET balance = 1000 WHERE id = ?1", from);
  assert.deepEqual(answered(await transfer(customer, values, { key })), [409, "true", body]);
  assert.deepEqual(await balances(from, to), [1000, 0]);
  assert.equal((await transfer(customer, values)).status, 201);
  assert.deepEqual(await balances(from, to), [959, 41]);
});

test("the whole balance can be transferred, and not a cent more", async () => {
  const customer = await newCustomer(40, 0);
  const [from, to] = customer.accounts;
  assert.equal((await transfer(customer, { from, to, amount: 40 })).document.balance, 0);
  assert.equal((await transfer(customer, { from, to, amount: 1 })).status, 409);
  assert.deepEqual(await balances(from, to), [0, 40]);
});

for (const [missing, error] of [
  ["from", "unknown_payer"],
  ["to", "unknown_payee"],
]) {
  test(`${error} does not consume the key: the same request transfers once the account exists`, async () => {
    const customer = await newCustomer(100);
    const [known] = customer.accounts;
    const later = `later-${missing}`;
    const values = { from: known, to: known, [missing]: later, amount: 10 };
    const key = randomUUID();
    assert.deepEqual(code(await transfer(customer, values, { key })), [404, error, undefined]);
    assert.equal((await stored(customer)).receipts, 0);
    await newAccount(customer.actor, 100, later);
    const first = await transfer(customer, values, { key });
    assert.deepEqual([first.status, first.headers["idempotent-replayed"]], [201, "false"]);
    assert.deepEqual(await balances(values.from, values.to), [90, 110]);
  });
}

test("an account of another customer is unknown as payer, and can be the payee", async () => {
  const [customer, another] = [await newCustomer(100), await newCustomer(100)];
  const [[mine], [theirs]] = [customer.accounts, another.accounts];
  const stolen = await transfer(customer, { from: theirs, to: mine, amount: 1 });
  assert.deepEqual(code(stolen), [404, "unknown_payer", undefined]);
  assert.equal((await transfer(customer, { from: mine, to: theirs, amount: 1 })).status, 201);
  const read = (who, id) =>
    send(`${origin}/accounts/${id}`, {
      method: "GET",
      headers: { Authorization: who.Authorization },
    });
  assert.deepEqual((await read(another, theirs)).document, { id: theirs, balance: 101 });
  for (const id of [theirs, "no-account", "NO ACCOUNT", ""]) {
    assert.deepEqual(code(await read(customer, id)), [404, "unknown_account", undefined], id);
  }
});

test("without a valid API key nothing is decided", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const cookies = await send(`${origin}/session`, { method: "GET" });
  assert.equal(cookies.status, 404);
  for (const headers of [
    { Authorization: "" },
    { Authorization: "Bearer " },
    { Authorization: "Bearer nobodys" },
    { Authorization: customer.Authorization.replace("Bearer", "Basic") },
    // A token that the engine itself would accept.
    { Authorization: await bearer("somebody", SECRET) },
  ]) {
    const answer = await transfer(customer, { from, to, amount: 1 }, headers);
    assert.deepEqual(code(answer), [401, "actor_required", undefined], headers.Authorization);
    assert.equal(answer.headers["www-authenticate"], "Bearer");
    assert.match(answer.document.detail, /API key/);
  }
  assert.deepEqual(await stored(customer), { receipts: 0, transfers: 0, entries: [] });
});

test("an invalid body is rejected, and stores nothing", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  for (const body of [
    { from, to },
    { from, to, amount: 0 },
    { from, to, amount: -1 },
    { from, to, amount: "1" },
    { from, to, amount: 100000001 },
    { from, to, amount: 4294967297 },
    { from, to: from, amount: 1 },
    { from, to: "Ümlaut", amount: 1 },
    { from, to, amount: 1, note: "" },
    `{"from":"${from}","to":"${to}","amount":1.0}`,
  ]) {
    const answer = await transfer(customer, body);
    assert.deepEqual(code(answer), [422, "request_contract", undefined], JSON.stringify(body));
  }
  assert.deepEqual(await stored(customer), { receipts: 0, transfers: 0, entries: [] });
});

test("two customers can use the same key", async () => {
  const key = randomUUID();
  for (const customer of [await newCustomer(100, 0), await newCustomer(100, 0)]) {
    const [from, to] = customer.accounts;
    const answer = await transfer(customer, { from, to, amount: 10 }, { key });
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "false"]);
    assert.deepEqual(await balances(from, to), [90, 10]);
  }
});

test("200 transfers at once from one account: never overdrawn, and the sum is constant", async () => {
  const customer = await newCustomer(4880, 0, 0);
  const [from, ...payees] = customer.accounts;
  const answers = await atOnce(200, (index) =>
    transfer(customer, { from, to: payees[index % 2], amount: 100 }),
  );
  assert.equal(
    count(answers, ({ status }) => status === 201),
    48,
  );
  assert.equal(
    count(answers, ({ document }) => document.status === "insufficient"),
    152,
  );
  const [left, ...received] = await balances(from, ...payees);
  assert.deepEqual([left, received[0] + received[1]], [80, 4800]);
  assert.equal((await stored(customer)).transfers, 48);
});

test("transfers in both directions, each key twice at once: the balances are the sums of the entries", async () => {
  const customer = await newCustomer(50, 50, 50);
  const ids = customer.accounts;
  const pairs = await atOnce(60, async (index) => {
    const [from, to] = [ids[index % 3], ids[(index + 1 + (index % 2)) % 3]];
    const key = randomUUID();
    const values = { from, to, amount: 1 + ((index * 7) % 40) };
    return atOnce(2, () => transfer(customer, values, { key }));
  });
  for (const pair of pairs) {
    assert.equal(pair[0].body, pair[1].body);
    assert.ok([201, 409].includes(pair[0].status), pair[0].body);
    assert.equal(count(pair, isFirst), 1);
  }
  const found = await balances(...ids);
  assert.equal(
    found.reduce((sum, balance) => sum + balance),
    150,
  );
  const grown = await query("SELECT account, SUM(amount) AS amount FROM entries GROUP BY account");
  for (const [index, id] of ids.entries()) {
    const entry = grown.find(({ account }) => account === id);
    assert.equal(found[index], 50 + (entry?.amount ?? 0), id);
  }
});

// The faults of D1 by send. The first batch of a request reads the API key.
const sequences = [
  ["after", 2],
  ["after,after", 3],
  ["before,after", 3],
  ["after,before", 3],
  ["late", 2],
];

for (const [sequence, sends] of sequences) {
  test(`D1 loses ${sequence}: each effect was run once, and this request made the transfer`, async () => {
    const customer = await newCustomer(100, 0);
    const [from, to] = customer.accounts;
    const [answer, line] = await logOf(() =>
      transfer(customer, { from, to, amount: 10 }, { Fault: `none,${sequence}` }),
    );
    // A late send arrives after the one with the response.
    if (sequence === "late") await setTimeout(1500);
    assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "false"]);
    assert.equal(answer.document.balance, 90);
    assert.equal(line.d1_calls, 1 + sends);
    assert.deepEqual(await balances(from, to), [90, 10]);
    const entries = [
      { account: from, amount: -10 },
      { account: to, amount: 10 },
    ];
    assert.deepEqual(await stored(customer), { receipts: 1, transfers: 1, entries });
  });

  test(`D1 loses ${sequence}: a refusal is decided once, and nothing is transferred`, async () => {
    const customer = await newCustomer(5, 0);
    const [from, to] = customer.accounts;
    const answer = await transfer(
      customer,
      { from, to, amount: 10 },
      { Fault: `none,${sequence}` },
    );
    if (sequence === "late") await setTimeout(1500);
    assert.deepEqual(answered(answer), [409, "false", '{"status":"insufficient","balance":5}']);
    assert.deepEqual(await balances(from, to), [5, 0]);
    assert.deepEqual(await stored(customer), { receipts: 1, transfers: 0, entries: [] });
  });
}

test("D1 loses three responses: the outcome is unknown, and the same key returns it", async () => {
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const values = { from, to, amount: 10 };
  const lost = await transfer(customer, values, { key, Fault: "none,after,after,after" });
  assert.deepEqual(code(lost), [503, "outcome_unknown", undefined]);
  assert.deepEqual(await balances(from, to), [90, 10]);
  const answer = await transfer(customer, values, { key });
  assert.deepEqual([answer.status, answer.headers["idempotent-replayed"]], [201, "true"]);
  assert.deepEqual(await balances(from, to), [90, 10]);
});

test("the Worker is healthy, and the log has a line for a transfer, without its key or accounts", async () => {
  assert.equal((await send(`${origin}/health`, { method: "GET" })).status, 200);
  const customer = await newCustomer(100, 0);
  const [from, to] = customer.accounts;
  const key = randomUUID();
  const [, line] = await logOf(() => transfer(customer, { from, to, amount: 10 }, { key }));
  assert.deepEqual(
    [line.route, line.status, line.outcome, line.replayed, line.d1_calls],
    ["/transfers", 201, "transferred", false, 2],
  );
  assert.doesNotMatch(JSON.stringify(line), new RegExp(`${key}|account-|customer-`));
});
