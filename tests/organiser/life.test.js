// A workshop's whole life by commands, each a process of its own, while people reserve over HTTP
// on the same local database.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { send } from "../support/http.js";
import { bearer } from "../support/tokens.js";
import { SECRET, startWorker } from "../support/worker.js";
import { newState, type } from "./organiser.js";

const PEOPLE = 8;
const CAPACITY = 12;

const state = await newState();
const stage = await startWorker({ state, migrated: false });
after(stage.close);

/** A command that succeeds, and what it says as JSON. */
async function command(...words) {
  const { exitCode, output, error } = await type([...words, "--json", "--persist-to", state]);
  assert.equal(exitCode, 0, error || output);
  return JSON.parse(output);
}

const told = [];
let open = true;

/** Somebody who wants places again and again, each time until there is an answer. */
async function person(name) {
  const authorization = await bearer(name, SECRET);
  while (open) {
    const operation = { key: randomUUID(), quantity: 1 + (told.length % 2) };
    let answer;
    do {
      await pause(100 + Math.random() * 300);
      answer = await send(`${stage.origin}/reserve`, {
        headers: {
          "Content-Type": "application/json",
          "Idempotency-Key": operation.key,
          Authorization: authorization,
        },
        body: JSON.stringify({ workshop: "linocut", quantity: operation.quantity }),
      });
      // 404 until it is published; 503 while a command holds the local file. The key stays.
    } while (open && [404, 503].includes(answer.status));
    if (![404, 503].includes(answer.status)) told.push({ name, ...operation, ...answer });
  }
}

const reservedToPeople = () => told.filter(({ status }) => status === 201);

/** Waits for something that people bring about. */
async function until(condition) {
  const patience_ms = Date.now() + 300_000;
  while (!condition()) {
    assert.ok(Date.now() < patience_ms, "it did not happen within five minutes");
    await pause(100);
  }
}

test("a workshop lives from its making to its close while people reserve", async () => {
  const crowd = Array.from({ length: PEOPLE }, (_, index) => person(`p${index}`));
  try {
    await command(
      ...["add", "linocut", "--title", "Linocut", "--capacity", "4", "--venue", "Room 1"],
      ...["--starts", "2097-03-06 10:00", "--ends", "2097-03-06 12:00", "--zone", "Europe/Zurich"],
    );
    assert.equal(told.length, 0);
    assert.equal((await command("publish", "linocut")).state, "open");
    await until(() => told.some(({ status }) => status === 409));
    await command("set", "linocut", "--capacity", String(CAPACITY));
    const phone = await type([
      ...["reserve", "linocut", "--quantity", "1", "--note", "Ada, by telephone"],
      ...["--json", "--persist-to", state],
    ]);
    const refusals = () => told.filter(({ status }) => status === 409).length;
    const before = refusals();
    await until(() => refusals() > before + PEOPLE);

    const attendees = await command("attendees", "linocut");
    const cancelled = attendees.find(({ note }) => note === null);
    await command("cancel", cancelled.code, "--yes");
    await until(() => reservedToPeople().length >= attendees.length);

    await command("close", "linocut");
    const decided = told.length;
    await until(() => told.length > decided + PEOPLE);
    open = false;
    await Promise.all(crowd);

    const [workshop] = await command("list");
    assert.equal(workshop.state, "closed");
    const comes = await command("attendees", "linocut");
    const held = comes.filter((attendee) => attendee.state === "held");
    const places = held.reduce((sum, { quantity }) => sum + quantity, 0);
    assert.equal(workshop.reserved, places);
    assert.ok(places <= CAPACITY);
    assert.equal(comes.find(({ code }) => code === cancelled.code).state, "cancelled");

    // Everybody who was told "reserved" is on the list, once, and nobody else is.
    const ids = reservedToPeople().map(({ document }) => document.reservation_id);
    const { status, reservation_id } = JSON.parse(phone.output);
    if (status === "reserved") ids.push(reservation_id);
    assert.deepEqual(comes.map((attendee) => attendee.reservation_id).sort(), ids.sort());
    const checked = await command("check");
    assert.deepEqual(checked, { workshops: 1, reservations: ids.length, differences: [] });
  } finally {
    open = false;
    await Promise.allSettled(crowd);
  }
});
