// The page in people's hands: sessions, texts and announcements, and devices.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { AxeBuilder } from "@axe-core/playwright";
import ICAL from "ical.js";
import { held, makeWorkshop, query } from "../support/service.js";
import { at, intercept, letDecide, newPerson, story } from "./person.js";
import { makeSeason, scenes } from "./scenes.js";

const nothing = { reserved: 0, places: 0, reservations: 0, receipts: 0 };
const one = { reserved: 1, places: 1, reservations: 1, receipts: 1 };

// --- Sessions -----------------------------------------------------------------------

story("two tabs opened at once in a new browser are one actor", async (person) => {
  const workshop = await makeWorkshop();
  const tabs = [person, at(await person.context.newPage()), at(await person.context.newPage())];
  await Promise.all(tabs.map((tab) => tab.open(workshop)));
  await Promise.all(tabs.map((tab) => tab.press("Reserve")));
  await Promise.all(tabs.map((tab) => tab.state("reserved")));
  const actors = await query("SELECT DISTINCT actor FROM operations WHERE workshop = ?1", workshop);
  assert.equal(actors.length, 1);
  assert.equal(new Set(person.posts.map(({ actor }) => actor)).size, 1);
  assert.deepEqual(await held(workshop), { reserved: 3, places: 3, reservations: 3, receipts: 3 });
});

story(
  "lost answer, then no session, then a new one: foreign, and never sent again",
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
    await person.context.clearCookies();

    await person.press("Try again"); // 401: no session
    await person.page.getByText("no longer recognised this browser").waitFor();
    await person.state("open");
    await person.press("Try again"); // a new session is another actor
    await person.state("foreign");
    assert.equal(person.posts.length, 2);
    assert.equal(await person.button("Reserve it for me").isVisible(), false);

    await person.page.reload();
    await person.state("foreign");
    await person.press("Set it aside");
    await person.state("ready");
    await person.page.getByRole("heading", { name: "A request was set aside" }).waitFor();
    assert.equal(person.posts.length, 2);
    assert.deepEqual(await held(workshop), one);
  },
);

story(
  "another tab has another session: nothing is sent as that actor, and what did nothing can be taken over",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    const first = await person.actor();
    await person.page.waitForLoadState("networkidle");
    await person.context.clearCookies();
    const second = await (await elsewhere(person)).actor();
    assert.notEqual(first, second);

    await person.press("Reserve");
    await person.state("foreign");
    assert.equal(person.posts.at(-1).actor, first);
    assert.deepEqual(await held(workshop), nothing);
    await person.press("Reserve it for me");
    await person.state("reserved");
    assert.equal(person.posts.at(-1).actor, second);
    assert.equal(person.posts[1].key, person.posts[0].key);
    assert.deepEqual(await held(workshop), one);
  },
);

/** A new tab of the same browser. */
async function elsewhere({ context }) {
  const page = await context.newPage();
  await page.goto("/contract");
  return at(page);
}

story("another actor's receipt is not shown", async (person) => {
  const workshop = await makeWorkshop();
  await person.reserve(workshop);
  await person.context.clearCookies();
  await person.page.reload();
  await person.state("foreign");
  assert.equal(await person.page.locator("#receipt").isVisible(), false);
  assert.match(await person.status(), /someone else’s/);
});

story("to be forgotten with nothing to lose takes one click", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  const before = await person.actor();
  await person.page.getByRole("button", { name: "Forget me on this device" }).click();
  await person.page.getByText("You are forgotten on this device").waitFor();
  const { value } = (await person.context.cookies())[0] ?? { value: "" };
  assert.equal(value, "");
  await person.press("Reserve");
  await person.state("reserved");
  assert.notEqual(person.posts[0].actor, before);
});

story(
  "to be forgotten with a place reserved needs a confirmation, and then nothing stays",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.reserve(workshop);
    await person.press("Reserve again");
    const forget = person.page.getByRole("button", { name: "Forget me on this device" });
    const dialog = person.page.getByRole("dialog");
    await forget.click();
    assert.match(await dialog.textContent(), /They stay reserved/);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.ok(await forget.evaluate((element) => element === document.activeElement));
    assert.equal(await person.page.locator("#receipt-list li").count(), 1);
    await forget.click();
    await dialog.getByRole("button", { name: "Forget me" }).click();
    await person.page.getByText("You are forgotten on this device").waitFor();
    assert.equal(await person.page.evaluate(() => sessionStorage.length), 0);
    assert.equal((await person.context.cookies()).length, 0);
    assert.deepEqual(await held(workshop), one);
  },
);

story(
  "to be forgotten with an open request needs a confirmation; if the service is unreachable, all stays",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, (route) => route.abort());
    await person.press("Reserve");
    await person.state("open");
    await person.page.route("**/session/end", (route) => route.abort());
    await person.page.getByRole("button", { name: "Forget me on this device" }).click();
    const dialog = person.page.getByRole("dialog");
    assert.match(await dialog.textContent(), /still open/);
    await dialog.getByRole("button", { name: "Forget me" }).click();
    await person.page.getByText("Nothing was forgotten").waitFor();
    await person.state("open");
    assert.ok(await person.saved());
  },
);

// --- Texts and announcements --------------------------------------------------------------

story(
  "the list distinguishes open, full and closed; a single workshop shows its form at once",
  async (person) => {
    const { linocut } = await makeSeason();
    await person.open(null);
    const rows = await person.main.getByRole("listitem").allTextContents();
    assert.equal(rows.length, 5);
    assert.ok(
      rows.some((row) => /Linocut.*10:00.*CET.*Printing room.*7 of 12 places free/.test(row)),
    );
    assert.ok(rows.some((row) => /oak galls.*Fully booked/.test(row)));
    assert.ok(rows.some((row) => /Papermaking.*Reservations are closed/.test(row)));
    await person.main.getByRole("link", { name: /Linocut/ }).click();
    await person.button("Reserve").waitFor();
    assert.match(person.page.url(), new RegExp(linocut));

    await query("UPDATE workshops SET published_at_ms = NULL WHERE id <> ?1", linocut);
    await person.reserve(null);
    await person.page.goto("/");
    await person.state("reserved");
    assert.deepEqual(await held(linocut), {
      reserved: 6,
      places: 6,
      reservations: 4,
      receipts: 4,
    });
  },
);

story(
  "the form of a full workshop still sends: the service decides, not the page",
  async (person) => {
    const workshop = await makeWorkshop({ capacity: 0 });
    await person.open(workshop);
    await person.page.getByText("Fully booked at the moment").waitFor();
    await query("UPDATE workshops SET capacity = 1 WHERE id = ?1", workshop);
    await person.press("Reserve");
    await person.state("reserved");
    assert.deepEqual(await held(workshop), one);
  },
);

story(
  "free places are read again after each answer and when the page becomes visible",
  async (person) => {
    const workshop = await makeWorkshop({ capacity: 3 });
    await person.open(workshop);
    await person.page.getByText("3 of 3 places").waitFor();
    await person.press("Reserve");
    await person.page.getByText("2 of 3 places").waitFor();
    await query("UPDATE workshops SET capacity = 5 WHERE id = ?1", workshop);
    await person.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await person.page.getByText("4 of 5 places").waitFor();
  },
);

story("each change is announced once, and the focus goes to the result", async (person) => {
  const workshop = await makeWorkshop({ title: "Linocut" });
  await person.page.addInitScript(() => {
    window.announced = [];
    new MutationObserver((changes) => {
      const status = document.getElementById("status");
      if (changes.some(({ target }) => target === status)) announced.push(status.textContent);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  await person.open(workshop);
  await intercept(person.page, (route) => route.abort());
  await person.press("Reserve");
  await person.state("open");
  const focused = () => person.page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), "Not confirmed yet");
  await person.page.unroute("**/reserve");
  await person.press("Try again");
  await person.state("reserved");
  assert.equal(await focused(), "Reserved");
  await person.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await person.page.waitForLoadState("networkidle");
  const announced = await person.page.evaluate(() => window.announced);
  assert.deepEqual(
    announced.map((text) => text.slice(0, 22)),
    [
      "Sending. One moment …",
      "The service cannot be ",
      "Sending. One moment …",
      "1 place in “Linocut” i",
    ],
  );
  assert.equal(await person.page.getByRole("status").count(), 1);
  await person.page.reload();
  await person.page.getByText("1 place in “Linocut”").waitFor();
  assert.deepEqual(
    (await person.page.evaluate(() => window.announced)).filter((text) => text !== ""),
    ["1 place in “Linocut” is reserved for you."],
    "and once when it is loaded again",
  );
  await person.press("Reserve again");
  const radio = person.page.getByRole("radio", { name: "1 place" });
  assert.ok(await radio.evaluate((element) => element === document.activeElement));
});

story("an error is at its field", async (person) => {
  const workshop = await makeWorkshop();
  await person.open(workshop);
  await scenes.error(person);
  const group = person.page.getByRole("radiogroup", { name: "How many places?" });
  assert.equal(await group.getAttribute("aria-invalid"), "true");
  const radio = group.getByRole("radio").first();
  assert.ok(await radio.evaluate((element) => element === document.activeElement));
  const description = await radio.evaluate(
    (element) => document.getElementById(element.getAttribute("aria-describedby")).textContent,
  );
  assert.equal(description, "Please choose 1 or 2 places.");
  assert.equal(person.posts.length, 0);
  await person.choose(2);
  assert.equal(await group.getAttribute("aria-invalid"), "false");
  await person.press("Reserve");
  await person.state("reserved");
  assert.equal((await held(workshop)).places, 2);
});

story(
  "with the keyboard alone: reserve, lose the answer, try again, copy, reserve again",
  async (person) => {
    const workshop = await makeWorkshop();
    const { page } = person;
    await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await person.open(workshop);
    const tabTo = async (name) => {
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((text) => document.activeElement.textContent === text, name))
          return;
      }
      throw new Error(`${name} cannot be reached by Tab`);
    };
    await intercept(page, async (route) => {
      await letDecide(route);
      await route.abort();
    });
    await page.keyboard.press("Tab"); // einmal
    await page.keyboard.press("Tab"); // Deutsch
    await page.keyboard.press("Tab"); // All workshops
    await page.keyboard.press("Tab"); // 1 place
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter"); // from within the choice
    await person.state("open");
    await page.unroute("**/reserve");
    await tabTo("Try again");
    await page.keyboard.press("Space");
    await person.state("reserved");
    await tabTo("Copy");
    await page.keyboard.press("Enter");
    await page.getByText("Copied").waitFor();
    const [{ id }] = await query("SELECT id FROM reservations WHERE workshop = ?1", workshop);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), id);
    await tabTo("Reserve again");
    await page.keyboard.press("Enter");
    await person.state("ready");
    assert.deepEqual(await held(workshop), {
      reserved: 2,
      places: 2,
      reservations: 1,
      receipts: 1,
    });
    assert.equal(person.posts.length, 2);
  },
);

story("a calendar takes the file that is offered", async (person) => {
  const starts_at_ms = Date.UTC(2099, 5, 1, 8);
  const workshop = await makeWorkshop({
    title: "Linocut, for beginners",
    venue: "Room 1",
    starts_at_ms,
    ends_at_ms: starts_at_ms + 7_200_000,
    time_zone: "Europe/Zurich",
  });
  await person.reserve(workshop);
  const [download] = await Promise.all([
    person.page.waitForEvent("download"),
    person.button("Save to calendar").click(),
  ]);
  assert.equal(download.suggestedFilename(), `${workshop}.ics`);
  const calendar = new ICAL.Component(ICAL.parse(readFileSync(await download.path(), "utf8")));
  const event = new ICAL.Event(calendar.getFirstSubcomponent("vevent"));
  assert.equal(event.summary, "Linocut, for beginners");
  assert.equal(event.location, "Room 1");
  assert.equal(event.startDate.toString(), "2099-06-01T10:00:00");
  const [{ id }] = await query("SELECT id FROM reservations WHERE workshop = ?1", workshop);
  assert.equal(event.uid, `${id}@einmal`);
});

story(
  "the browser chooses the language, a link switches it in the middle of it, and it is remembered",
  async (person) => {
    const workshop = await makeWorkshop();
    await person.open(workshop);
    await intercept(person.page, (route) => route.abort());
    await person.press("Reservieren");
    await person.state("open");
    assert.equal(await person.headline(), "Noch nicht bestätigt");
    assert.equal(await person.page.locator("html").getAttribute("lang"), "de");
    await person.page.unroute("**/reserve");
    await person.page.getByRole("link", { name: "English" }).click();
    await person.page.getByRole("heading", { name: "Not confirmed yet" }).waitFor();
    assert.equal(await person.page.locator("html").getAttribute("lang"), "en");
    await person.open(workshop);
    await person.press("Try again");
    await person.state("reserved");
    assert.deepEqual(await held(workshop), one);
    assert.equal(person.posts.length, 2);
    assert.deepEqual(person.posts[1], person.posts[0]);
  },
  { locale: "de-CH" },
);

// --- Devices ------------------------------------------------------------------

test("in every state, light and dark, in both languages: axe finds nothing, nothing scrolls sideways, every target is large enough", async () => {
  const season = await makeSeason();
  for (const [name, set] of Object.entries(scenes)) {
    const person = await newPerson({ colorScheme: "light", reducedMotion: "reduce" });
    await person.open(season.linocut);
    await set(person, season);
    assert.ok((await inspect(person, name)) > 128, "light");
    await person.page.emulateMedia({ colorScheme: "dark" });
    if (name !== "contract")
      await person.page.locator("#language").evaluate((link) => link.click());
    assert.ok((await inspect(person, name)) < 128, "dark");
    assert.deepEqual(person.errors, [], name);
    await person.context.close();
  }
});

/** Looks at what is shown, with axe and at every width. Gives how light it is, of 255. */
async function inspect({ page }, name) {
  // There are no frames, so axe need not open a page of its own to put frames together.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await axe.options({ resultTypes: ["violations"] }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  assert.deepEqual(found, [], name);
  let background;
  // 720 px is what 1440 px are at 200 % zoom.
  for (const width of [320, 390, 720, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const measured = await page.evaluate(measure);
    assert.ok(measured.scrolls <= width, `${name} at ${width}: ${measured.scrolls} px wide`);
    if (name !== "contract") assert.deepEqual(measured.small, [], `${name} at ${width}`);
    background = measured.background;
  }
  return Number(background.match(/\d+/)[0]);
}

/** In the page: how wide it is, and which targets are smaller than 44 px. */
function measure() {
  const targets = [...document.querySelectorAll("a, button, input, summary")];
  const small = targets
    .map((target) => [target, target.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 44 || height < 44))
    .map(([target, { width, height }]) => `${target.outerHTML} ${width}x${height}`);
  return {
    small,
    scrolls: document.documentElement.scrollWidth,
    background: getComputedStyle(document.documentElement).backgroundColor,
  };
}

test("reduced motion is respected", async () => {
  const workshop = await makeWorkshop();
  for (const [reducedMotion, animations] of [
    ["reduce", 0],
    ["no-preference", 1],
  ]) {
    const person = await newPerson({ reducedMotion });
    await person.open(workshop);
    await scenes.sending(person);
    const running = () => document.getAnimations().filter((one) => one.animationName).length;
    assert.equal(await person.page.evaluate(running), animations, reducedMotion);
    await person.context.close();
  }
});

test("without JavaScript the page shows what is missing and how else to reserve", async () => {
  const person = await newPerson({ javaScriptEnabled: false });
  await person.page.goto("/");
  const text = await person.main.textContent();
  assert.match(text, /needs JavaScript/);
  assert.match(text, /brauchen Sie JavaScript/);
  assert.match(text, /ask the organiser/);
  assert.equal(await person.page.locator("#submit").isDisabled(), true);
  const lines = readFileSync("public/index.html", "utf8").split("\n");
  assert.equal(lines.filter((line) => line.includes("DEPLOY:")).length, 1);
  await person.context.close();
});

test("all that the page loads is its own, and together at most 30 KB gzip", async () => {
  const { linocut } = await makeSeason();
  const person = await newPerson({ locale: "de" });
  const loaded = new Set();
  person.page.on("request", (request) => loaded.add(request.url()));
  await person.open(linocut);
  await person.press("Reservieren");
  await person.state("reserved");
  await person.press("Stornieren");
  await person.answer("Reservierung stornieren");
  await person.state("cancelled");
  const needed = namesOf(loaded);
  // On demand: the other language, and the calendar file.
  await person.page.getByRole("link", { name: "English" }).click();
  await person.press("Reserve again");
  await person.press("Reserve");
  await person.press("Save to calendar");
  await person.page.waitForLoadState("networkidle");
  const { origin } = new URL(person.page.url());
  for (const url of loaded) {
    if (!url.startsWith("blob:")) assert.equal(new URL(url).origin, origin);
  }
  await person.context.close();

  const later = ["calendar.js", "words-en.js"];
  const files = readdirSync("public").filter((name) => /\.(css|js|svg)$|^index\.html$/.test(name));
  const modules = files.filter((name) => name.endsWith(".js"));
  const all = namesOf(loaded);
  for (const name of modules) assert.ok(all.has(name), `${name} is never loaded`);
  for (const name of later) assert.ok(!needed.has(name), `${name} is loaded before it is needed`);
  const html = readFileSync("public/index.html", "utf8");
  for (const name of modules.filter((one) => needed.has(one) && !one.startsWith("words-")))
    assert.ok(html.includes(`"${name}"`), `${name} is not preloaded`);
  const bytes = files
    .filter((name) => needed.has(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(`public/${name}`), { level: 9 }).length, 0);
  console.log(`the page: ${bytes} bytes gzip`);
  assert.ok(bytes <= 30_000, `${bytes} bytes`);
});

/** The names of the requested files. */
function namesOf(urls) {
  const paths = [...urls]
    .filter((url) => url.startsWith("http"))
    .map((url) => new URL(url).pathname);
  return new Set(paths.map((path) => path.slice(1) || "index.html"));
}
