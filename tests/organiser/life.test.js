// A workshop's life cycle by commands, each in its own process, while clients reserve over HTTP on the
// same local database.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import { newState, type } from "./organiser.js";

const CLIENTS = 8;
const CAPACITY = 12;

const state = await newState();
const worker = await startWorker({ state, migrated: false });
after(worker.close);

/** Runs a command that must succeed; returns its JSON. */
async function command(...words) {
  const { exitCode, output, error } = await type([...words, "--json", "--persist-to", state]);
  assert.equal(exitCode, 0, error || output);
  return JSON.parse(output);
}

const responses = [];
let open = true;

/** A client that repeats each operation until it is decided, then starts the next. */
async function client(name) {
  const authorization = await bearer(name, SECRET);
  while (open) {
    const operation = { key: randomUUID(), quantity: 1 + (responses.length % 2) };
    let response;
    do {
      await pause(100 + Math.random() * 300);
      response = await send(`${worker.origin}/reserve`, {
        headers: {
          "Content-Type": "application/json",
          "Idempotency-Key": operation.key,
          Authorization: authorization,
        },
        body: JSON.stringify({ workshop: "linocut", quantity: operation.quantity }),
      });
      // 404 until it is published; 503 while a command holds the local file. The key stays.
    } while (open && [404, 503].includes(response.status));
    if (![404, 503].includes(response.status)) responses.push({ name, ...operation, ...response });
  }
}

const reservedByClients = () => responses.filter(({ status }) => status === 201);

/** Waits for a condition. */
async function until(condition) {
  const deadline_ms = Date.now() + 300_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline_ms, "it did not happen within five minutes");
    await pause(100);
  }
}

test("a workshop's life cycle, from add to close, while clients reserve", async () => {
  const crowd = Array.from({ length: CLIENTS }, (_, index) => client(`p${index}`));
  try {
    await command(
      ...["add", "linocut", "--title", "Linocut", "--capacity", "4", "--venue", "Room 1"],
      ...["--starts", "2097-03-06 10:00", "--ends", "2097-03-06 12:00", "--zone", "Europe/Zurich"],
    );
    assert.equal(responses.length, 0);
    assert.equal((await command("publish", "linocut")).state, "open");
    await until(() => responses.some(({ status }) => status === 409));
    await command("set", "linocut", "--capacity", String(CAPACITY));
    const phone = await type([
      ...["reserve", "linocut", "--quantity", "1", "--note", "Ada, by telephone"],
      ...["--json", "--persist-to", state],
    ]);
    const refusals = () => responses.filter(({ status }) => status === 409).length;
    const before = refusals();
    await until(() => refusals() > before + CLIENTS);

    const attendees = await command("attendees", "linocut");
    const cancelled = attendees.find(({ note }) => note === null);
    await command("cancel", cancelled.code, "--yes");
    await until(() => reservedByClients().length >= attendees.length);

    await command("close", "linocut");
    const decided = responses.length;
    await until(() => responses.length > decided + CLIENTS);
    open = false;
    await Promise.all(crowd);

    const [workshop] = await command("list");
    assert.equal(workshop.state, "closed");
    const finalAttendees = await command("attendees", "linocut");
    const held = finalAttendees.filter((attendee) => attendee.state === "held");
    const places = held.reduce((sum, { quantity }) => sum + quantity, 0);
    assert.equal(workshop.reserved, places);
    assert.ok(places <= CAPACITY);
    assert.equal(finalAttendees.find(({ code }) => code === cancelled.code).state, "cancelled");

    // The attendees are exactly the reservations that clients received.
    const ids = reservedByClients().map(({ document }) => document.reservation_id);
    const { status, reservation_id } = JSON.parse(phone.output);
    if (status === "reserved") ids.push(reservation_id);
    assert.deepEqual(finalAttendees.map((attendee) => attendee.reservation_id).sort(), ids.sort());
    const checked = await command("check");
    assert.deepEqual(checked, { workshops: 1, reservations: ids.length, differences: [] });
  } finally {
    open = false;
    await Promise.allSettled(crowd);
  }
});
