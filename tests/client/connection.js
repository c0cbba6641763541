// A service that breaks the connection, once it has heard a request to the end and before it
// answers: the one failure after which whoever made the request cannot know what became of it.

import { createServer } from "node:http";

/**
 * @returns `origin`; `heard`, the keys of the requests that came to `/break`; `close`. Everything
 *   else is answered, so that there is a connection to be used again.
 */
export async function breakingService() {
  const heard = [];
  const server = createServer(async (request, response) => {
    await request.toArray();
    if (request.url !== "/break") return response.end("<!doctype html>");
    heard.push(request.headers["idempotency-key"]);
    request.socket.destroy();
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  const origin = `http://localhost:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, heard, close };
}

/**
 * One attempt, by the client that is given, on a connection that was used before.
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
