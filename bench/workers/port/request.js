// Parses and validates a request: its key and its payload.

import { within } from "./timing.js";

const BODY_BYTES_MAX = 1024;
const BODY_MILLISECONDS_MAX = 10_000;

const WORKSHOP = /^[a-z][a-z0-9-]{1,40}$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of the body, or its rejection. */
export async function readBody(request) {
  const length = request.headers.get("Content-Length");
  if (Number(length) > BODY_BYTES_MAX) return { rejected: "body_too_large" };
  try {
    // The runtime enforces an announced length.
    const reading = length === null ? readPieces(request.body) : request.arrayBuffer();
    const bytes = await within(BODY_MILLISECONDS_MAX, reading);
    if (bytes === undefined) return { rejected: "body_too_large" };
    return { text: utf8.decode(bytes) };
  } catch {
    return { rejected: "malformed_body" };
  }
}

/** The bytes of a body without a Content-Length; undefined if there are too many. */
async function readPieces(stream) {
  const body = new Uint8Array(BODY_BYTES_MAX);
  let read = 0;
  for await (const piece of stream ?? []) {
    if (read + piece.length > BODY_BYTES_MAX) return undefined;
    body.set(piece, read);
    read += piece.length;
  }
  return body.subarray(0, read);
}

/** The key of an `Idempotency-Key` header, or undefined. */
export function operationKey(header) {
  const bare = header?.startsWith('"') && header.endsWith('"') ? header.slice(1, -1) : header;
  return bare != null && UUID_V4.test(bare) ? bare : undefined;
}

/** The payload of a body. `1.0` and `1e0` are not accepted for 1, so the reviver checks the source. */
export function payloadOf(text) {
  const contract = (detail) => ({ rejected: "request_contract", detail });
  let value;
  let spelling;
  try {
    value = JSON.parse(text, (name, member, { source }) => {
      if (name === "quantity") spelling = source;
      return member;
    });
  } catch {
    return { rejected: "malformed_body" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return contract("Expected a JSON object.");
  }
  const { workshop, quantity } = value;
  if (Object.keys(value).length !== 2 || workshop === undefined || quantity === undefined) {
    return contract("Expected exactly the members workshop and quantity, each once.");
  }
  if (typeof workshop !== "string" || !WORKSHOP.test(workshop)) {
    return contract("Expected workshop to be a string that matches [a-z][a-z0-9-]{1,40}.");
  }
  if (typeof quantity !== "number" || (spelling !== "1" && spelling !== "2")) {
    return contract("Expected quantity to be the JSON integer 1 or 2.");
  }
  return { workshop, quantity };
}
