// The retry client in Chromium, as the service serves it, case by case.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { cases } from "../client/cases.js";
import { attemptOnBrokenConnection, breakingService } from "../client/connection.js";
import { newPerson } from "./person.js";

const { page, context, errors } = await newPerson();
after(() => context.close());
await page.route("**/cases.js", (route) => route.fulfill({ path: "tests/client/cases.js" }));
await page.goto("/");

for (const name of Object.keys(cases)) {
  test(`in Chromium: ${name}`, async () => {
    await page.evaluate(async (wanted) => {
      const [client, { cases }] = await Promise.all([import("/client.js"), import("/cases.js")]);
      await cases[wanted](client);
    }, name);
    assert.deepEqual(errors, []);
  });
}

// A browser may repeat a request below fetch when a reused connection breaks. The page cannot see it;
// only the key shows that it is the same operation.
test("in Chromium: one attempt may be two requests, but never two operations", async () => {
  const service = await breakingService();
  const other = await context.newPage();
  await other.route("**/client.js", (route) => route.fulfill({ path: "public/client.js" }));
  await other.goto(service.origin);
  const { reason, key } = await other.evaluate(
    `import("/client.js").then((client) => (${attemptOnBrokenConnection})(client, location.origin))`,
  );
  service.close();
  console.log(`Chromium sent one attempt ${service.keys.length} times`);
  assert.equal(reason, "unreachable");
  assert.ok(service.keys.length >= 1);
  assert.deepEqual([...new Set(service.keys)], [key]);
});
