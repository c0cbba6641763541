// People in front of the page: one Chromium for the whole suite, one profile for each of them.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { browserPath } from "../support/browser.js";
import { origin } from "../support/service.js";

const browser = await chromium.launch({
  executablePath: browserPath(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  // Without this no page would ever be kept to go back to.
  ignoreDefaultArgs: ["--disable-back-forward-cache"],
});
after(() => browser.close());

/**
 * A person with a browser profile of their own.
 * @param {import("playwright-core").BrowserContextOptions} options
 */
export async function newPerson(options = {}) {
  const context = await browser.newContext({ locale: "en-GB", baseURL: origin, ...options });
  context.setDefaultTimeout(10_000);
  /** Requests to reserve: key, actor, body. */
  const posts = [];
  /** What went wrong in the page itself. */
  const errors = [];
  /** Requests to abandon or to cancel: key, what, actor. */
  const settlings = [];
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const headers = request.headers();
    const [, key, what] = /^\/operations\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    if (what) settlings.push({ key, what, actor: headers["einmal-actor"] });
    if (request.method() !== "POST" || pathname !== "/reserve") return;
    posts.push({
      key: headers["idempotency-key"],
      actor: headers["einmal-actor"],
      body: request.postData(),
    });
  });
  context.on("weberror", (event) => errors.push(event.error().message));
  context.on("console", (message) => {
    const isNetwork = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isNetwork) errors.push(message.text());
  });
  return { context, posts, settlings, errors, ...at(await context.newPage()) };
}

/** What a person does and sees in one tab. */
export function at(page) {
  const main = page.getByRole("main");
  return {
    page,
    main,
    /** Opens a workshop, or the list, and waits until all is shown. */
    async open(workshop) {
      await page.goto(workshop ? `/?workshop=${workshop}` : "/");
      await page.locator("#desk:not([data-state=starting])").waitFor({ state: "attached" });
      await page.locator("#about[aria-busy=false]").waitFor();
      await page.locator("#receipts[aria-busy=false]").waitFor({ state: "attached" });
    },
    /** Opens a workshop, reserves what the form has chosen, and waits for the receipt. */
    async reserve(workshop) {
      await this.open(workshop);
      await this.press("Reserve");
      await this.state("reserved");
    },
    button: (name) => main.getByRole("button", { name, exact: true }),
    /** Presses a button, by its whole name or a pattern. */
    async press(name) {
      await main.getByRole("button", { name, exact: true }).click();
    },
    /** Answers a question with one of its buttons. */
    async answer(name) {
      await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    },
    async choose(quantity) {
      await main
        .getByRole("radio")
        .nth(quantity - 1)
        .check();
    },
    /** Waits until the machine is in a state. */
    state: (name) => page.locator(`#desk[data-state="${name}"]`).waitFor({ state: "attached" }),
    status: () => page.getByRole("status").textContent(),
    headline: () => page.locator("#headline").textContent(),
    saved: () => page.evaluate(() => JSON.parse(sessionStorage.getItem("einmal-operation"))),
    /** The id of the browser's actor, read as the page does it. */
    actor: () =>
      page.evaluate(() =>
        navigator.locks.request("einmal-session", async () => {
          const answer = await fetch("/session");
          return (await answer.json()).actor;
        }),
      ),
    /** Saves a record in the tab. */
    save: (value) =>
      page.evaluate(
        (text) => sessionStorage.setItem("einmal-operation", text),
        typeof value === "string" ? value : JSON.stringify(value),
      ),
  };
}

/**
 * A test with a person, whose page must not log an error.
 * @param {string} name
 * @param {(person: Awaited<ReturnType<typeof newPerson>>) => Promise<void>} story
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export function story(name, story, options) {
  test(name, async () => {
    const person = await newPerson(options);
    try {
      await story(person);
      assert.deepEqual(person.errors, []);
    } finally {
      await person.context.close();
    }
  });
}

/** Ways to lose the answer to a request that the service has decided. */
export const loseAnswers = {
  "the connection breaks": (route) => route.abort("connectionreset"),
  "a page of HTML comes instead": (route) =>
    route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Welcome to our Wi-Fi</h1>" }),
  "it is cut off": (route, answer) =>
    route.fulfill({ response: answer, body: answer.text.slice(0, -9) }),
  "it is a 503 of a proxy": (route) =>
    route.fulfill({ status: 503, contentType: "text/html", body: "upstream error" }),
  "it is a 503 after the commit": (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      body: JSON.stringify({ status: 503, error: "outcome_unknown", retry: "same_key" }),
    }),
};

/**
 * The same tab once more: a window that a page opens begins with a copy of its session storage,
 * as a duplicate does.
 */
export async function duplicate({ context, page }) {
  const [twin] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate(() => void window.open(location.href)),
  ]);
  return at(twin);
}

/** A promise and what fulfils it. */
export function gate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Intercepts each request to reserve, until `page.unroute`. */
export function intercept(page, handle) {
  return page.route("**/reserve", handle);
}

/** Forwards an intercepted request, and returns the service's answer. */
export async function letDecide(route) {
  const response = await route.fetch();
  const text = await response.text();
  return Object.assign(response, { text });
}
