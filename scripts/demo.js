// `npm run demo`: loses the answer to a reservation and sends the reservation again. It needs a running
// `npm start`, on the port of `PORT` or 8787.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const host = `localhost:${process.env.PORT ?? 8787}`;
const origin = `http://${host}`;
const body = JSON.stringify({ workshop: "workshop-demo", quantity: 1 });

try {
  const session = await fetch(`${origin}/session`);
  const [Cookie] = (session.headers.get("set-cookie") ?? "").split(";");
  const key = randomUUID();
  const headers = { Cookie, "Content-Type": "application/json", "Idempotency-Key": key };

  console.log(`before:  ${await places()}`);
  await loseAnswer(headers);
  console.log(`attempt: POST /reserve, key ${key}: the answer is lost`);
  console.log(`now:     ${await places()}`);
  const answer = await fetch(`${origin}/reserve`, { method: "POST", headers, body });
  const replayed = answer.headers.get("idempotent-replayed");
  console.log(`retry:   the same key: ${answer.status}, Idempotent-Replayed: ${replayed}`);
  console.log(`         ${await answer.text()}`);
  console.log(`after:   ${await places()}`);
} catch (error) {
  console.error(
    `demo: ${error.cause?.message ?? error.message}. Is npm start running at ${origin}?`,
  );
  process.exitCode = 1;
}

/**
 * Sends the reservation, waits until it is decided, and closes the connection with the answer unread.
 * @param {Record<string, string>} headers
 */
async function loseAnswer(headers) {
  const { port, hostname } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const lines = Object.entries({ Host: host, "Content-Length": body.length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /reserve HTTP/1.1\r\n${head}\r\n${body}`);
  const lookUp = `${origin}/operations/${headers["Idempotency-Key"]}`;
  const deadline_ms = Date.now() + 10_000;
  while (!(await fetch(lookUp, { headers: { Cookie: headers.Cookie } })).ok) {
    if (Date.now() > deadline_ms) throw new Error("the service has not decided within 10 seconds");
    await pause(50);
  }
  socket.destroy();
}

async function places() {
  const response = await fetch(`${origin}/workshops/workshop-demo`);
  if (!response.ok) throw new Error(`expected the demo workshop, received ${response.status}`);
  const { reserved, capacity } = await response.json();
  return `${reserved} of ${capacity} places reserved`;
}
