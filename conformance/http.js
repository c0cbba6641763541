// One HTTP request with exactly the headers and the pieces of body that are given, over a
// connection that is used again.

import * as plain from "node:http";
import * as secure from "node:https";

/**
 * @param {URL} url
 * @param {object} request
 * @param {string} [request.method]
 * @param {Record<string, string | string[]>} [request.headers] an array is sent as several lines
 * @param {string | Buffer | (string | Buffer)[]} [request.body] an array is sent in pieces, without
 *   a length
 * @param {boolean} [request.hangUp] closes the connection as soon as the request is sent
 * @returns {Promise<Answer | undefined>} nothing if it hung up
 * @typedef {{status: number, headers: Record<string, string>, cookies: string[], body: string, document: any}} Answer
 */
export async function exchange(url, { method = "GET", headers = {}, body, hangUp = false } = {}) {
  const inPieces = Array.isArray(body);
  // After a body that is refused before its end, a connection is of no more use.
  const own = inPieces || hangUp || body?.length > 1024;
  const { request: open } = url.protocol === "https:" ? secure : plain;
  const request = open(url, { method, headers, ...(own && { agent: false }) });
  const answered = new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  if (inPieces) for (const piece of body) request.write(piece);
  else if (body !== undefined) request.setHeader("Content-Length", Buffer.byteLength(body));
  const sent = new Promise((resolve) => request.end(inPieces ? undefined : body, resolve));
  if (hangUp) {
    // Not `answered` alone: it is not waited for, unless nothing could be sent.
    await Promise.race([sent, answered]);
    request.destroy();
    answered.catch(() => {});
    return undefined;
  }
  const response = await answered;
  const text = (await response.setEncoding("utf8").toArray()).join("");
  return {
    status: response.statusCode,
    headers: response.headers,
    cookies: response.headers["set-cookie"] ?? [],
    body: text,
    document: parsed(text),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
