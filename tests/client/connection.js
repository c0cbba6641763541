// A service that breaks the connection after it has received a request and before it answers: the
// failure after which a client cannot know the outcome.

import { createServer } from "node:http";

/**
 * @returns `origin`; `keys`, the keys of the requests that came to `/break`; `close`. Everything
 *   else is answered, so that there is a connection to reuse.
 */
export async function breakingService() {
  const keys = [];
  const server = createServer(async (request, response) => {
    await request.toArray();
    if (request.url !== "/break") return response.end("<!doctype html>");
    keys.push(request.headers["idempotency-key"]);
    request.socket.destroy();
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  const origin = `http://localhost:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, keys, close };
}

/**
 * One attempt by a client, on a connection that was used before.
 * @returns what it threw: its reason and its key
 */
export async function attemptOnBrokenConnection({ newOperation, send }, origin) {
  for (const body of ["one", "two", "three"]) {
    await (await fetch(`${origin}/`, { method: "POST", body })).text();
  }
  const operation = newOperation(`${origin}/break`, { title: "Buy milk" });
  const { reason } = await send(operation, { attempts: 1 }).catch((error) => error);
  return { reason, key: operation.key };
}
