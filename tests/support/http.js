// Sends one HTTP request with exactly the given headers and pieces of the body.

import { request as open } from "node:http";

/**
 * @param {string} url
 * @param {object} options
 * @param {string} [options.method]
 * @param {Record<string, string | string[]>} [options.headers]
 * @param {string | Buffer | (string | Buffer)[]} [options.body] an array is sent in pieces, without a length
 * @param {boolean} [options.end] false never ends the body
 * @returns {Promise<{status: number, headers: Record<string, string>, body: string, document: any}>}
 */
export async function send(url, { method = "POST", headers = {}, body, end = true } = {}) {
  const request = open(url, { method, headers });
  const answered = new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  if (Array.isArray(body)) {
    for (const piece of body) request.write(piece);
  } else if (body !== undefined) {
    request.setHeader("Content-Length", Buffer.byteLength(body));
    request.write(body);
  }
  if (end) request.end();
  else request.flushHeaders();
  try {
    const response = await answered;
    const text = (await response.setEncoding("utf8").toArray()).join("");
    const isJson = /^application\/(problem\+)?json$/.test(response.headers["content-type"]);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text,
      document: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
  } finally {
    request.destroy();
  }
}
