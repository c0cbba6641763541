// The promise, in a browser: whatever happens to the answer, the place is reserved once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { held, makeWorkshop, query } from "../support/service.js";
import {
  at,
  duplicate,
  gate,
  intercept,
  letDecide,
  loseAnswers,
  newPerson,
  story,
} from "./person.js";

const nothing = { reserved: 0, places: 0, reservations: 0, receipts: 0 };
const one = { reserved: 1, places: 1, reservations: 1, receipts: 1 };

/** The ids of the reservations in a workshop. */
const reservations = async (workshop) =>
  (await query("SELECT id FROM reservations WHERE workshop = ?1", workshop)).map(({ id }) => id);

story("a person reserves a place and sees the receipt", async (person) => {
  const workshop = await makeWorkshop({ title: "Linocut" });
  await person.reserve(workshop);
  const [id] = await reservations(workshop);
  assert.equal(await person.page.locator("#reservation-id").textContent(), id);
  const code = `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase();
  assert.equal(await person.page.locator("#code").textContent(), code);
  assert.equal(await person.status(), "1 place in “Linocut” is reserved for you.");
  assert.deepEqual(await held(workshop), one);
  assert.equal(person.posts.length, 1);
});

story("a double click sends once, and so do Enter and clicks while sending", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  const { open, opened } = gate();
  await intercept(person.page, async (route) => {
    await opened;
    await route.continue();
  });
  await person.button("Reserve").dblclick();
  await person.state("sending");
  const button = person.button("Sending …");
  assert.equal(await button.getAttribute("aria-disabled"), "true");
  assert.ok(await button.evaluate((element) => element === document.activeElement));
  await person.page.keyboard.press("Enter");
  await person.page.keyboard.press("Space");
  await button.click({ force: true });
  // Even if a script submits the form.
  await person.page.evaluate(() => document.getElementById("form").requestSubmit());
  open();
  await person.state("reserved");
  assert.equal(person.posts.length, 1);
  assert.deepEqual(await held(workshop), one);
});

for (const [how, lose] of Object.entries(loseAnswers)) {
  story(
    `the service decides and the answer is lost (${how}): reload, try again, one reservation`,
    async (person) => {
      const workshop = await makeWorkshop();
      await person.open(workshop);
      let first;
      await intercept(person.page, async (route) => {
        const answer = await letDecide(route);
        first = JSON.parse(answer.text);
        await lose(route, answer);
      });
      await person.press("Reserve");
      await person.state("open");
      assert.deepEqual(await held(workshop), one);
      assert.equal(await person.headline(), "Not confirmed yet");
      assert.match(await person.status(), /trying again will not reserve twice/);
      const saved = await person.saved();

      await person.page.unroute("**/reserve");
      await person.page.reload();
      await person.state("open");
      assert.deepEqual(await person.saved(), saved, "a reload changes nothing");
      assert.equal(person.posts.length, 1, "a reload sends nothing");

      await person.press("Try again");
      await person.state("reserved");
      assert.equal(
        await person.page.locator("#reservation-id").textContent(),
        first.reservation_id,
        "the first receipt",
      );
      assert.equal(person.posts.length, 2);
      assert.deepEqual(person.posts[1], person.posts[0], "the same key, actor and values");
      assert.deepEqual(await held(workshop), one);
    },
  );
}

story("the request is lost on its way: trying again reserves once", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await intercept(person.page, (route) => route.abort());
  await person.press("Reserve");
  await person.state("open");
  assert.deepEqual(await held(workshop), nothing);
  await person.page.unroute("**/reserve");
  await person.press("Try again");
  await person.state("reserved");
  assert.deepEqual(await held(workshop), one);
  assert.deepEqual(person.posts[1], person.posts[0]);
});

story("no answer for 15 seconds is a lost answer", async (person) => {
  const workshop = await makeWorkshop();
  await person.page.clock.install();
  await person.open(workshop);
  const { open, opened } = gate();
  await intercept(person.page, async (route) => {
    await letDecide(route);
    await opened;
    await route.abort().catch(() => {});
  });
  await person.press("Reserve");
  await person.state("sending");
  await person.page.clock.runFor(10_000);
  assert.equal(await person.page.locator("#desk").getAttribute("data-state"), "sending");
  await person.page.clock.runFor(5_000);
  await person.state("open");
  assert.match(await person.status(), /did not answer within 15 seconds/);
  open();
  await person.page.unroute("**/reserve");
  await person.press("Try again");
  await person.state("reserved");
  assert.deepEqual(await held(workshop), one);
  assert.equal(person.posts.length, 2);
});

story(
  "a second reservation is made only on purpose; a third is refused, and stays refused",
  async (person) => {
    const workshop = await makeWorkshop({ capacity: 3 });
    await person.reserve(workshop);
    await person.press("Reserve again");
    await person.state("ready");
    await person.choose(2);
    await person.press("Reserve");
    await person.answer("Reserve more");
    await person.state("reserved");
    assert.deepEqual(await held(workshop), {
      reserved: 3,
      places: 3,
      reservations: 2,
      receipts: 2,
    });

    await person.press("Reserve again");
    await person.choose(1);
    await person.press("Reserve");
    await person.answer("Reserve more");
    await person.state("unavailable");
    const refused = { reserved: 3, places: 3, reservations: 2, receipts: 3 };
    assert.deepEqual(await held(workshop), refused);
    assert.match(await person.status(), /Nothing was reserved/);
    assert.equal(new Set(person.posts.map(({ key }) => key)).size, 3);

    // More places later do not change it: not on the page, and not for the key.
    await query("UPDATE workshops SET capacity = 9 WHERE id = ?1", workshop);
    await person.page.reload();
    await person.state("unavailable");
    const { key, actor, quantity } = await person.saved();
    await person.save({ ...(await person.saved()), unanswered: true, result: null });
    await person.page.reload();
    await person.press("Try again");
    await person.state("unavailable");
    assert.deepEqual(await held(workshop), refused);
    assert.deepEqual(person.posts.at(-1), {
      key,
      actor,
      body: JSON.stringify({ workshop, quantity }),
    });

    await person.press("Change selection");
    await person.press("Reserve");
    await person.answer("Reserve more");
    await person.state("reserved");
    assert.deepEqual(await held(workshop), {
      reserved: 4,
      places: 4,
      reservations: 3,
      receipts: 4,
    });
    assert.equal(await person.page.locator("#receipt-list li").count(), 2, "earlier receipts stay");
  },
);

story("while open, the saved selection is sent, whatever the form shows", async (person) => {
  const workshop = await makeWorkshop();
  const elsewhere = await makeWorkshop();
  await person.open(workshop);
  await intercept(person.page, (route) => route.abort());
  await person.choose(2);
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
  await person.page.evaluate((id) => {
    for (const radio of document.querySelectorAll("[type=radio]")) {
      radio.disabled = false;
      radio.checked = radio.value === "1";
    }
    history.replaceState(null, "", `?workshop=${id}`);
  }, elsewhere);
  await person.press("Try again");
  await person.state("reserved");
  assert.equal(person.posts[1].body, JSON.stringify({ workshop, quantity: 2 }));
  assert.equal((await held(workshop)).places, 2);
  assert.deepEqual(await held(elsewhere), nothing);
});

story("an open operation is shown at any address; a settled one blocks nothing", async (person) => {
  const [first, second] = [await makeWorkshop({ title: "First" }), await makeWorkshop()];
  await person.open(first);
  await intercept(person.page, (route) => route.abort());
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
  for (const address of [second, null]) {
    await person.open(address);
    await person.state("open");
    await person.page.getByRole("heading", { name: "First" }).waitFor();
  }
  assert.equal(person.posts.length, 1);
  await person.press("Try again");
  await person.state("reserved");
  await person.open(second);
  await person.state("ready");
  await person.press("Reserve");
  await person.state("reserved");
  assert.deepEqual(await held(first), one);
  assert.deepEqual(await held(second), one);
  await person.page.locator("#receipt-list li").waitFor();
});

story("a lost answer, then a conflict: still open, and nothing is touched", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await intercept(person.page, async (route) => {
    await letDecide(route);
    await route.abort();
  });
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
  await person.save({ ...(await person.saved()), quantity: 2 });
  await person.page.reload();
  await person.press("Try again");
  await person.page.getByText("already sent with a different selection").waitFor();
  await person.state("open");
  assert.equal(await person.button("Change selection").isVisible(), false);
  assert.deepEqual(await held(workshop), one);
});

story(
  "a conflict at the first attempt is definite, and a new choice makes a new key",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.reserve(workshop);
    await person.save({ ...(await person.saved()), quantity: 2, result: null });
    await person.page.reload();
    await person.press("Try again");
    await person.state("rejected");
    assert.deepEqual(await held(workshop), one);
    await person.press("Change selection");
    await person.press("Reserve");
    await person.answer("Reserve more");
    await person.state("reserved");
    assert.equal(new Set(person.posts.map(({ key }) => key)).size, 2);
    assert.equal((await held(workshop)).reservations, 2);
  },
);

story("a workshop that is no longer published is a definite rejection", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await query("UPDATE workshops SET published_at_ms = NULL WHERE id = ?1", workshop);
  await person.press("Reserve");
  await person.state("rejected");
  assert.match(await person.status(), /no longer on offer. Nothing was reserved/);
  assert.deepEqual(await held(workshop), nothing);
  assert.equal(person.posts.length, 1);
});

story("rate limited: the countdown enables the button, and sends nothing", async (person) => {
  const workshop = await makeWorkshop();
  await person.page.clock.install();
  await person.open(workshop);
  await intercept(person.page, (route) =>
    route.fulfill({
      status: 429,
      contentType: "application/problem+json",
      headers: { "Retry-After": "20" },
      body: JSON.stringify({ status: 429, error: "rate_limited", retry: "same_key" }),
    }),
  );
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
  const submit = person.page.locator("#submit");
  assert.match(await submit.textContent(), /^Try again in (19|20) s$/);
  await submit.click({ force: true });
  await person.page.clock.runFor(10_000);
  assert.match(await submit.textContent(), /^Try again in (9|10) s$/);
  await person.page.reload();
  await person.state("open");
  assert.match(await submit.textContent(), /^Try again in \d+ s$/, "a reload is no way around it");
  await person.page.clock.runFor(11_000);
  assert.equal(await submit.textContent(), "Try again");
  assert.match(await person.status(), /You can try again now/);
  assert.equal(person.posts.length, 1);
  assert.deepEqual(await held(workshop), nothing);
  await person.press("Try again");
  await person.state("reserved");
  assert.deepEqual(person.posts[1], person.posts[0]);
  assert.deepEqual(await held(workshop), one);
});

story(
  "offline and online again: open, nothing sent by itself, then reserved once",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await person.page.waitForLoadState("networkidle");
    await person.context.setOffline(true);
    await person.press("Reserve");
    await person.state("open");
    assert.match(await person.status(), /cannot be reached/);
    await person.context.setOffline(false);
    await person.page.evaluate(() => dispatchEvent(new Event("online")));
    assert.deepEqual(await held(workshop), nothing);
    const before = person.posts.length;
    await person.press("Try again");
    await person.state("reserved");
    assert.equal(person.posts.length, before + 1);
    assert.equal(new Set(person.posts.map(({ key }) => key)).size, 1);
    assert.deepEqual(await held(workshop), one);
  },
);

story(
  "back from the browser's cache: the tab's present state, and nothing is sent",
  async (person) => {
    const [first, second] = [await makeWorkshop(), await makeWorkshop()];
    const { page } = person;
    await person.open(first);
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => {
        window.persisted = persisted;
      });
    });
    await page.waitForLoadState("networkidle");
    await person.open(second);
    await page.evaluate(() => {
      addEventListener("pageshow", ({ persisted }) => {
        window.persisted = persisted;
      });
    });
    await person.context.setOffline(true);
    await person.press("Reserve");
    await person.state("open");
    await person.context.setOffline(false);
    await page.waitForLoadState("networkidle");
    const sent = person.posts.length;

    await page.evaluate(() => history.back());
    await page.waitForFunction(() => window.persisted === true);
    await person.state("open");
    assert.match(page.url(), new RegExp(first), "the address is the first one's");
    await page.evaluate(() => history.forward());
    await page.waitForURL(new RegExp(second), { waitUntil: "commit" });
    await page.waitForFunction(() => window.persisted === true);
    await person.state("open");
    assert.equal(person.posts.length, sent);

    await person.press("Try again");
    await person.state("reserved");
    assert.deepEqual(await held(first), nothing);
    assert.deepEqual(await held(second), one);
  },
);

story(
  "left while sending: open when the person comes back, and nothing is sent",
  async (person) => {
    const workshop = await makeWorkshop();
    const { page } = person;
    await person.open(workshop);
    const { open, opened } = gate();
    const decided = gate();
    await intercept(page, async (route) => {
      await letDecide(route);
      decided.open();
      await opened;
      await route.abort().catch(() => {});
    });
    await person.press("Reserve");
    await decided.opened;
    await page.goto("/contract");
    open();
    await page.unroute("**/reserve");
    await page.goBack({ waitUntil: "commit" });
    await person.state("open");
    assert.match(await person.status(), /its answer is missing/);
    assert.equal(person.posts.length, 1);
    await person.press("Try again");
    await person.state("reserved");
    assert.deepEqual(await held(workshop), one);
  },
);

story("the tab crashes while sending: open when it is restored", async (person) => {
  const workshop = await makeWorkshop();
  const { page } = person;
  await person.open(workshop);
  const decided = gate();
  await intercept(page, async (route) => {
    await letDecide(route);
    decided.open();
  });
  await person.press("Reserve");
  await decided.opened;
  // A crash runs no handler. What a restored tab has is what was saved before the request.
  const saved = await person.saved();
  const restored = await person.context.newPage();
  const again = at(restored);
  await restored.goto("/contract");
  await again.save(saved);
  await again.open(workshop);
  await again.state("open");
  assert.equal(person.posts.length, 1);
  await again.press("Try again");
  await again.state("reserved");
  assert.deepEqual(await held(workshop), one);
});

story("a duplicated tab that tries again gets the same receipt", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await intercept(person.page, async (route) => {
    await letDecide(route);
    await route.abort();
  });
  await person.press("Reserve");
  await person.state("open");
  await person.page.unroute("**/reserve");
  const twin = await duplicate(person);
  await twin.state("open");
  await Promise.all([person.press("Try again"), twin.press("Try again")]);
  await Promise.all([person.state("reserved"), twin.state("reserved")]);
  const id = (page) => page.locator("#reservation-id").textContent();
  assert.equal(await id(person.page), await id(twin.page));
  assert.deepEqual(await held(workshop), one);
  assert.equal(person.posts.length, 3);
  assert.equal(new Set(person.posts.map((post) => JSON.stringify(post))).size, 1);
});

/** In the page: makes its storage as full as it gets. */
function fill() {
  for (let size = 4 * 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      sessionStorage.setItem(`full-${size}`, "x".repeat(size));
    } catch {}
  }
}

test("blocked or full storage: the page explains it, and nothing is sent", async () => {
  const workshop = await makeWorkshop();
  for (const spoil of [
    () => {
      Object.defineProperty(window, "sessionStorage", {
        get: () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    },
    fill,
  ]) {
    const person = await newPerson();
    await person.context.addInitScript(spoil);
    await person.open(workshop);
    await person.state("blocked");
    assert.match(await person.status(), /nothing is sent/);
    assert.equal(await person.page.locator("#submit").isVisible(), false);
    await person.page.evaluate(() => document.getElementById("form").requestSubmit());
    assert.equal(person.posts.length, 0);
    assert.deepEqual(person.errors, []);
    await person.context.close();
  }
  assert.deepEqual(await held(workshop), nothing);
});

story("storage full before the first attempt: nothing is sent", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await person.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await person.press("Reserve");
  await person.state("blocked");
  assert.equal(person.posts.length, 0);
  assert.deepEqual(await held(workshop), nothing);
});

story(
  "storage full after a lost answer: the open operation is shown, and can be tried again",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, async (route) => {
      await letDecide(route);
      await route.abort();
    });
    await person.press("Reserve");
    await person.state("open");
    await person.page.unroute("**/reserve");
    await person.page.evaluate(fill);
    await person.page.reload();
    await person.state("open");
    await person.page.evaluate(() => sessionStorage.removeItem("full-1"));
    await person.press("Try again");
    await person.page.locator("#desk:is([data-state=open], [data-state=reserved])").waitFor();
    assert.deepEqual(await held(workshop), one);
  },
);

story("a saved record that does not fit is put aside, shown, and never sent", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await person.save(`{"version":1,"key":"made-up","workshop":"${workshop}","quantity":5}`);
  await person.page.reload();
  await person.state("ready");
  const note = person.page.locator("#aside");
  await note.getByRole("heading", { name: "A request was set aside" }).waitFor();
  await person.page.reload();
  await note.getByText("Show it").click();
  assert.match(await note.locator("pre").textContent(), /"made-up"/);
  assert.equal(person.posts.length, 0);
  assert.deepEqual(await held(workshop), nothing);
  await note.getByRole("button", { name: "Delete it" }).click();
  await note.waitFor({ state: "hidden" });
  await person.press("Reserve");
  await person.state("reserved");
  assert.deepEqual(await held(workshop), one);
});

story("without a secure context nothing is sent", async (person) => {
  const workshop = await makeWorkshop();
  await person.context.addInitScript(() => {
    Object.defineProperty(window, "isSecureContext", { value: false });
    crypto.randomUUID = undefined;
  });
  await person.open(workshop);
  await person.state("blocked");
  assert.match(await person.status(), /https/);
  assert.equal(person.posts.length, 0);
  assert.deepEqual(await held(workshop), nothing);
});
