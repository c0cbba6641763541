// A receipt in a browser: stop trying, cancel, list the reservations, confirm before more.

import assert from "node:assert/strict";
import { held, makeWorkshop, query } from "../support/service.js";
import { at, duplicate, gate, intercept, letDecide, story } from "./person.js";

const nothing = { reserved: 0, places: 0, reservations: 0, receipts: 0 };
const one = { reserved: 1, places: 1, reservations: 1, receipts: 1 };
const givenBack = { reserved: 0, places: 0, reservations: 1, receipts: 1 };

/** The stored HTTP status and outcome of an operation. */
async function receiptOf(key) {
  const rows = await query("SELECT http_status, body FROM operations WHERE key = ?1", key);
  return rows.map(({ http_status, body }) => [http_status, JSON.parse(body).status]);
}

/** Reserves a place, and loses the answer. */
async function loseAnAnswer(person, workshop) {
  await person.open(workshop);
  await intercept(person.page, async (route) => {
    await letDecide(route);
    await route.abort();
  });
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
}

const focused = ({ page }) => page.evaluate(() => document.activeElement.textContent);

// --- Stop trying ----------------------------------------------------------------------------

story("a lost answer, then stop trying: you do have the place", async (person) => {
  const workshop = await makeWorkshop({ title: "Linocut" });
  await loseAnAnswer(person, workshop);
  await person.press("Stop trying");
  await person.state("reserved");
  assert.equal(
    await person.status(),
    "Your reservation went through. 1 place in “Linocut” is reserved for you.",
  );
  assert.equal(await focused(person), "Reserved");
  const [{ id }] = await query("SELECT id FROM reservations WHERE workshop = ?1", workshop);
  assert.equal(await person.page.locator("#reservation-id").textContent(), id);
  assert.deepEqual(await held(workshop), one);
  const [{ key, actor }] = person.posts;
  assert.deepEqual(person.settlings, [{ key, what: "abandon", actor }]);
});

story(
  "the request was lost, then stop trying: nothing was reserved, and only then a new key",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, (route) => route.abort());
    await person.press("Reserve");
    await person.state("open");
    await person.page.unroute("**/reserve");
    await person.press("Stop trying");
    await person.state("abandoned");
    assert.match(await person.status(), /Nothing was reserved/);
    const [{ key }] = person.posts;
    assert.deepEqual(await receiptOf(key), [[409, "abandoned"]]);
    await person.page.reload();
    await person.state("abandoned");
    await person.press("Change selection");
    await person.press("Reserve");
    await person.state("reserved");
    assert.notEqual(person.posts[1].key, key);
    assert.deepEqual(await held(workshop), one);
  },
);

for (const first of ["the original", "the abandonment"]) {
  story(
    `the original is delayed and abandoned; ${first} arrives first and decides`,
    async (person) => {
      const workshop = await makeWorkshop();
      await person.page.clock.install();
      await person.open(workshop);
      const original = gate();
      const arrived = gate();
      const abandon = gate();
      let late;
      await intercept(person.page, async (route) => {
        await original.opened;
        late = await letDecide(route);
        arrived.open();
        await route.abort().catch(() => {});
      });
      await person.page.route("**/abandon", async (route) => {
        await abandon.opened;
        await route.continue();
      });
      await person.press("Reserve");
      await person.state("sending");
      await person.page.clock.runFor(15_000);
      await person.state("open");
      await person.press("Stop trying");
      await person.state("sending");
      const [{ key }] = person.posts;
      if (first === "the original") {
        original.open();
        await arrived.opened;
        abandon.open();
        await person.state("reserved");
        assert.equal(late.status(), 201);
        assert.deepEqual(await held(workshop), one);
      } else {
        abandon.open();
        await person.state("abandoned");
        original.open();
        await arrived.opened;
        assert.deepEqual([late.status(), late.text], [409, '{"status":"abandoned"}']);
        assert.equal((await held(workshop)).reservations, 0);
        assert.deepEqual(await receiptOf(key), [[409, "abandoned"]]);
        await person.state("abandoned");
      }
      assert.equal(person.posts.length, 1);
    },
  );
}

story(
  "the answer to abandoning is lost: still open, with both ways out, and a reload sends nothing",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, (route) => route.abort());
    await person.press("Reserve");
    await person.state("open");
    await person.page.unroute("**/reserve");
    await person.page.route("**/abandon", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await person.press("Stop trying");
    await person.page.locator("#stop").waitFor();
    await person.state("open");
    assert.match(await person.status(), /do not know yet whether it was reserved/);
    await person.page.unroute("**/abandon");
    await person.page.reload();
    await person.state("open");
    assert.equal(person.settlings.length, 1);
    await person.press("Try again");
    await person.state("abandoned");
    assert.deepEqual(await receiptOf(person.posts[0].key), [[409, "abandoned"]]);
    assert.deepEqual(await held(workshop), nothing);
    assert.deepEqual(person.posts[1], person.posts[0]);
  },
);

story(
  "abandoned in one tab: a duplicate that tries again shows it, and nothing is reserved",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, (route) => route.abort());
    await person.press("Reserve");
    await person.state("open");
    await person.page.unroute("**/reserve");
    const twin = await duplicate(person);
    await twin.state("open");
    await person.press("Stop trying");
    await person.state("abandoned");
    await twin.press("Try again");
    await twin.state("abandoned");
    assert.deepEqual(await held(workshop), nothing);
  },
);

story(
  "a conflict after a lost answer: stop trying shows what is reserved, not what was saved",
  async (person) => {
    const workshop = await makeWorkshop({ title: "Linocut" });
    await loseAnAnswer(person, workshop);
    await person.save({ ...(await person.saved()), quantity: 2 });
    await person.page.reload();
    await person.press("Try again");
    await person.page.getByText("already sent with a different selection").waitFor();
    await person.press("Stop trying");
    await person.state("reserved");
    assert.match(await person.status(), /1 place in “Linocut” is reserved/);
    assert.deepEqual(await held(workshop), one);
  },
);

story("rate limited while abandoning: both buttons wait, and nothing is sent", async (person) => {
  const workshop = await makeWorkshop();
  await person.page.clock.install();
  await loseAnAnswer(person, workshop);
  await person.page.route("**/abandon", (route) =>
    route.fulfill({
      status: 429,
      contentType: "application/problem+json",
      headers: { "Retry-After": "20" },
      body: JSON.stringify({ status: 429, error: "rate_limited", retry: "same_key" }),
    }),
  );
  await person.press("Stop trying");
  await person.page.getByText(/^Try again in (19|20) s$/).waitFor();
  await person.page.unroute("**/abandon");
  await person.page.locator("#stop").click({ force: true });
  await person.page.locator("#submit").click({ force: true });
  assert.equal(person.settlings.length, 1);
  await person.page.clock.runFor(21_000);
  assert.match(await person.status(), /You can try again now/);
  await person.press("Stop trying");
  await person.state("reserved");
  assert.deepEqual(await held(workshop), one);
});

story(
  "another actor's operation is not abandoned: the actor id is sent, and rejected",
  async (person) => {
    const workshop = await makeWorkshop();
    await loseAnAnswer(person, workshop);
    const other = at(await person.context.newPage());
    await person.context.clearCookies();
    await other.page.goto("/contract");
    await other.actor();
    await person.press("Stop trying");
    await person.state("foreign");
    assert.deepEqual(await held(workshop), one);
    const [{ key }] = person.posts;
    assert.deepEqual(await receiptOf(key), [[201, "reserved"]]);
  },
);

// --- Cancel ---------------------------------------------------------------------------------

story("with the keyboard alone: cancel, dismiss, cancel, reserve again", async (person) => {
  const workshop = await makeWorkshop({ title: "Linocut" });
  const { page } = person;
  await person.reserve(workshop);
  const pressed = async (name) => {
    const button = page.getByRole("button", { name, exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
  };
  await pressed("Cancel");
  const dialog = page.getByRole("dialog", { name: "Cancel this reservation?" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await focused(person), "Cancel");
  assert.equal(person.settlings.length, 0);
  assert.deepEqual(await held(workshop), one);

  await page.keyboard.press("Enter");
  await dialog.waitFor();
  assert.equal(await focused(person), "Cancel the reservation");
  await page.keyboard.press("Enter");
  await person.state("cancelled");
  assert.equal(await focused(person), "Cancelled");
  assert.equal(await person.status(), "1 place in “Linocut” is no longer reserved for you.");
  assert.deepEqual(await held(workshop), givenBack);

  await page.reload();
  await person.state("cancelled");
  await pressed("Reserve again");
  await person.state("ready");
  await pressed("Reserve");
  await person.state("reserved");
  assert.notEqual(person.posts[1].key, person.posts[0].key);
  assert.equal((await held(workshop)).places, 1);
});

story(
  "cancelled in tab A, tried again in its duplicate B: it looks it up, and shows it as cancelled",
  async (person) => {
    const workshop = await makeWorkshop();
    await loseAnAnswer(person, workshop);
    const twin = await duplicate(person);
    await twin.page.addInitScript(() => {
      window.states = [];
      new MutationObserver(() => {
        states.push(document.getElementById("desk")?.dataset.state);
      }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-state"] });
    });
    await twin.page.reload();
    await twin.state("open");
    await person.press("Try again");
    await person.state("reserved");
    await person.press("Cancel");
    await person.answer("Cancel the reservation");
    await person.state("cancelled");
    assert.deepEqual(await held(workshop), givenBack);
    await twin.press("Try again");
    await twin.state("cancelled");
    assert.equal(await twin.page.locator("#receipt").isVisible(), false);
    const states = await twin.page.evaluate(() => window.states);
    assert.ok(!states.includes("reserved"), `shown before it was looked up: ${states}`);
    assert.ok(states.includes("checking"));
    assert.deepEqual(await held(workshop), givenBack);
    assert.equal(new Set(person.posts.map(({ key }) => key)).size, 1);
  },
);

story(
  "a replayed receipt that cannot be looked up: it was reserved, and may no longer be",
  async (person) => {
    const workshop = await makeWorkshop({ title: "Linocut" });
    await loseAnAnswer(person, workshop);
    await person.page.route("**/operations/*", (route) => route.abort());
    await person.page.route("**/operations", (route) => route.abort());
    await person.press("Try again");
    await person.state("unconfirmed");
    assert.equal(await person.headline(), "Reserved earlier");
    assert.match(
      await person.status(),
      /^1 place in “Linocut” was reserved for you. We could not check/,
    );
    assert.equal(await focused(person), "Reserved earlier");
    await person.page.unroute("**/operations/*");
    await person.press("Check again");
    await person.state("reserved");
    assert.equal(await focused(person), "Reserved");
    assert.deepEqual(await held(workshop), one);
  },
);

story(
  "the answer to a cancellation is lost: shown as unknown, and cancelling again is safe",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.reserve(workshop);
    await person.page.route("**/operations", (route) => route.abort());
    await person.page.route("**/cancel", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await person.press("Cancel");
    await person.answer("Cancel the reservation");
    await person.state("unconfirmed");
    assert.match(await person.status(), /do not know whether it was cancelled/);
    assert.deepEqual(await held(workshop), givenBack);
    await person.page.unroute("**/cancel");
    await person.press("Cancel");
    await person.answer("Cancel the reservation");
    await person.state("cancelled");
    assert.deepEqual(await held(workshop), givenBack);
    assert.equal(person.settlings.length, 2);
  },
);

story("cancelled elsewhere: the receipt shows it when the page becomes visible", async (person) => {
  const workshop = await makeWorkshop();
  await person.reserve(workshop);
  const elsewhere = at(await person.context.newPage());
  await elsewhere.open(workshop);
  await elsewhere.press(/^Cancel: /);
  await elsewhere.answer("Cancel the reservation");
  await elsewhere.page.locator("#receipt-list").getByText("Cancelled", { exact: true }).waitFor();
  await person.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await person.state("cancelled");
  assert.deepEqual(await held(workshop), givenBack);
});

// --- Your reservations ----------------------------------------------------------------------

story("in a new tab the reservations are listed, and can be cancelled", async (person) => {
  const [first, second] = [
    await makeWorkshop({ title: "Linocut" }),
    await makeWorkshop({ title: "Bookbinding" }),
  ];
  for (const workshop of [first, second]) {
    await person.reserve(workshop);
  }
  await person.page.close();
  const later = at(await person.context.newPage());
  await later.open(null);
  const list = later.page.getByRole("region", { name: "Your reservations" });
  const rows = list.getByRole("listitem");
  assert.match((await rows.allTextContents()).join(), /Bookbinding.*Reserved.*Linocut.*Reserved/);
  await rows.filter({ hasText: "Linocut" }).getByRole("button").click();
  await later.answer("Cancel the reservation");
  await later.page.getByRole("status").getByText("The reservation is cancelled.").waitFor();
  await rows.filter({ hasText: "Linocut" }).getByText("Cancelled").waitFor();
  assert.equal(await focused(later), "Your reservations");
  assert.equal(await list.getByRole("button").count(), 1, "what is cancelled has no button");
  assert.deepEqual(await held(first), givenBack);
  assert.deepEqual(await held(second), one);
  assert.equal(person.posts.length, 2);
});

story("the receipt on screen is not repeated in the list", async (person) => {
  const workshop = await makeWorkshop();
  await person.reserve(workshop);
  await person.page.waitForLoadState("networkidle");
  assert.equal(await person.page.locator("#receipt-list li").count(), 0);
  await person.press("Reserve again");
  await person.page.locator("#receipt-list li").waitFor();
  assert.equal(await person.page.locator("#receipt-list li").count(), 1);
});

story(
  "the list cannot be loaded: the page shows what the tab has saved, as unconfirmed",
  async (person) => {
    const workshop = await makeWorkshop({ title: "Linocut" });
    await person.reserve(workshop);
    await person.page.route("**/operations", (route) => route.abort());
    await person.page.reload();
    await person.press("Reserve again");
    await person.page.getByText("Your reservations cannot be loaded").waitFor();
    const row = person.page.locator("#receipt-list li");
    assert.match(await row.textContent(), /1 place, Linocut.*Reserved earlier/);
    await person.page.unroute("**/operations");
    await person.page.locator("#list-again").click();
    await row.getByText("Reserved", { exact: true }).waitFor();
    await person.page.getByText("Your reservations cannot be loaded").waitFor({ state: "hidden" });
  },
);

story(
  "the answer to a cancellation in the list is lost: its row shows it, and cancels again",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.reserve(workshop);
    await person.press("Reserve again");
    await person.page.route("**/cancel", (route) => route.abort());
    await person.press(/^Cancel: /);
    await person.answer("Cancel the reservation");
    const row = person.page.locator("#receipt-list li");
    await row.getByText(/do not know whether it was cancelled/).waitFor();
    await row.getByText("Reserved earlier").waitFor();
    assert.match(await focused(person), /^Cancel/);
    assert.deepEqual(await held(workshop), one);
    await person.page.unroute("**/cancel");
    await person.press(/^Cancel: /);
    await person.answer("Cancel the reservation");
    await row.getByText("Cancelled", { exact: true }).waitFor();
    assert.deepEqual(await held(workshop), givenBack);
  },
);

story("a forgotten person has no list, and the next one does not see it", async (person) => {
  const workshop = await makeWorkshop();
  await person.reserve(workshop);
  const later = at(await person.context.newPage());
  await later.open(workshop);
  await later.page.locator("#receipt-list li").waitFor();
  await later.page.getByRole("button", { name: "Forget me on this device" }).click();
  assert.match(await later.page.getByRole("dialog").textContent(), /They stay reserved/);
  await later.answer("Forget me");
  await later.page.getByText("You are forgotten on this device").waitFor();
  assert.equal(await later.page.locator("#receipts").isVisible(), false);
  await later.page.reload();
  await later.page.locator("#receipts[aria-busy=false]").waitFor({ state: "attached" });
  assert.equal(await later.page.locator("#receipt-list li").count(), 0);
  assert.deepEqual(await held(workshop), one);
});

// --- Before more ----------------------------------------------------------------------------

story(
  "with places here, a confirmation comes before anything is sent; no sends nothing",
  async (person) => {
    const workshop = await makeWorkshop({ title: "Linocut" });
    await person.open(workshop);
    await person.choose(2);
    await person.press("Reserve");
    await person.state("reserved");
    await person.page.close();
    const later = at(await person.context.newPage());
    await later.open(workshop);
    await later.press("Reserve");
    const dialog = later.page.getByRole("dialog", { name: "Reserve more?" });
    assert.match(await dialog.textContent(), /2 places in “Linocut” are already reserved for you/);
    await later.answer("Keep what I have");
    await later.state("ready");
    assert.equal(await focused(later), "Reserve");
    assert.equal(person.posts.length, 1);
    assert.equal(await later.saved(), null);
    assert.equal((await held(workshop)).receipts, 1);

    await intercept(later.page, (route) => route.abort());
    await later.press("Reserve");
    await later.answer("Reserve more");
    await later.state("open");
    await later.page.unroute("**/reserve");
    await later.press("Try again"); // without another confirmation
    await later.state("reserved");
    assert.deepEqual(await held(workshop), {
      reserved: 3,
      places: 3,
      reservations: 2,
      receipts: 2,
    });
  },
);

story("places in another workshop, or cancelled ones, need no confirmation", async (person) => {
  const [first, second] = [await makeWorkshop(), await makeWorkshop()];
  await person.reserve(first);
  await person.press("Cancel");
  await person.answer("Cancel the reservation");
  await person.state("cancelled");
  await person.press("Reserve again");
  await person.press("Reserve");
  await person.state("reserved");
  await person.reserve(second);
  assert.deepEqual(await held(second), one);
});

story(
  "a list that failed is read again; if it fails again, the request goes on",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.reserve(workshop);
    await person.page.close();
    const later = at(await person.context.newPage());
    await later.page.clock.install();
    const failing = (route) => route.abort();
    await later.page.route("**/operations", failing);
    await later.open(workshop);
    await later.page.unroute("**/operations", failing);
    await later.press("Reserve");
    await later.answer("Keep what I have");
    assert.equal(person.posts.length, 1);

    // Without any answer it waits for three seconds.
    const hanging = () => {};
    await later.page.route("**/operations", failing);
    await later.page.reload();
    await later.page.getByText("Your reservations cannot be loaded").waitFor();
    await later.page.unroute("**/operations", failing);
    await later.page.route("**/operations", hanging);
    await later.press("Reserve");
    await later.state("sending");
    await later.page.clock.runFor(2_000);
    assert.equal(person.posts.length, 1);
    await later.page.clock.runFor(1_100);
    await later.state("reserved");
    assert.equal(person.posts.length, 2);
    assert.equal((await held(workshop)).reservations, 2);
  },
);
