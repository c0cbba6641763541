// One HTTP request with exactly the given headers and pieces of body, over a kept connection.

import * as plain from "node:http";
import * as secure from "node:https";

/**
 * @param {URL} url
 * @param {object} request
 * @param {string} [request.method]
 * @param {Record<string, string | string[]>} [request.headers] an array is sent as several lines
 * @param {string | Buffer | (string | Buffer)[]} [request.body] an array is sent in chunks, without
 *   a Content-Length
 * @param {boolean} [request.hangUp] closes the connection as soon as the request is sent
 * @returns {Promise<Answer | undefined>} undefined if it hung up
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {string[]} cookies the values of `Set-Cookie`
 * @property {string} body
 * @property {any} document the body as JSON; undefined if it is not JSON
 */
export async function exchange(url, { method = "GET", headers = {}, body, hangUp = false } = {}) {
  const isChunked = Array.isArray(body);
  // After a body that is rejected before its end, a connection cannot be used again.
  const own = isChunked || hangUp || body?.length > 1024;
  const { request: open } = url.protocol === "https:" ? secure : plain;
  const request = open(url, { method, headers, ...(own && { agent: false }) });
  const answered = new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  if (isChunked) for (const chunk of body) request.write(chunk);
  else if (body !== undefined) request.setHeader("Content-Length", Buffer.byteLength(body));
  const sent = new Promise((resolve) => request.end(isChunked ? undefined : body, resolve));
  if (hangUp) {
    // `answered` only matters if nothing could be sent.
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
