import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorkshop, origin, reserve } from "../support/service.js";

async function get(path, method = "GET") {
  const response = await fetch(origin + path, { method });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

test("a workshop has its times, venue and available places", async () => {
  const starts_at_ms = Date.UTC(2099, 2, 29, 9);
  const id = await makeWorkshop({
    title: "Linocut",
    venue: "Room 1",
    starts_at_ms,
    ends_at_ms: starts_at_ms + 2 * 3_600_000,
    time_zone: "Europe/Zurich",
  });
  await reserve(id, 2);
  const expected = {
    id,
    title: "Linocut",
    venue: "Room 1",
    starts_at: "2099-03-29T09:00:00Z",
    ends_at: "2099-03-29T11:00:00Z",
    time_zone: "Europe/Zurich",
    capacity: 3,
    reserved: 2,
    available: 1,
    state: "open",
  };
  const one = await get(`/workshops/${id}`);
  assert.deepEqual([one.status, one.body], [200, expected]);
  assert.equal(one.headers.get("cache-control"), "no-store");
  const all = await get("/workshops");
  assert.deepEqual(
    all.body.workshops.filter((workshop) => workshop.id === id),
    [expected],
  );
});

test("a workshop that has started is closed, and one that has ended is no longer listed", async () => {
  const id = await makeWorkshop({ starts_at_ms: 1, ends_at_ms: 2, time_zone: "Europe/Zurich" });
  assert.equal((await get(`/workshops/${id}`)).body.state, "closed");
  const { workshops } = (await get("/workshops")).body;
  assert.ok(!workshops.some((workshop) => workshop.id === id));
});

test("an unpublished workshop is unknown", async () => {
  const draft = await makeWorkshop({ published_at_ms: null });
  for (const path of [
    `/workshops/${draft}`,
    "/workshops/nowhere",
    "/workshops/",
    "/workshops/A%2Fb",
  ]) {
    const { status, body } = await get(path);
    assert.deepEqual([status, body.error], [404, "unknown_workshop"], path);
  }
});
