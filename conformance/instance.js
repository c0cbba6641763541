// The running instance as a condition uses it: two actors, one workshop, and a record of every
// reservation, so that it can be cancelled.

import { randomUUID } from "node:crypto";
import { equal, matches, NotRun, refused, reserved, Unavailable } from "./expect.js";
import { exchange } from "./http.js";

/** A rate limit lasts a minute; beyond these bounds a condition is not run. */
const WAITS_MAX = 3;
const WAIT_SECONDS_MAX = 120;

/** Maximum of free places that a condition may take to fill a workshop. */
const FILLED_PLACES_MAX = 20;

/** Maximum of places in one reservation. */
const QUANTITY_MAX = 2;

/**
 * @typedef {object} Actor
 * @property {string} name
 * @property {Record<string, string>} headers what authenticates it
 * @property {string} actorId
 * @property {boolean} isProgram it has a token, not a session
 */

export class Instance {
  /** Number of requests sent, and seconds waited because of `Retry-After`. */
  requests = 0;
  waitedSeconds = 0;
  /** The answers 429. */
  limited = [];

  #held = new Map();
  #waiting;

  /**
   * @param {string} origin
   * @param {(text: string) => void} log receives a line for each wait
   */
  constructor(origin, log = () => {}) {
    this.origin = new URL(origin).origin;
    this.log = log;
  }

  /**
   * Sends one request, and again after `Retry-After` if it exceeded a rate limit: nothing was
   * done then.
   * @param {Parameters<typeof exchange>[1] & {as?: Actor}} options
   */
  async send(path, { as, headers = {}, ...options } = {}) {
    const all = { ...as?.headers, ...headers };
    for (let waits = 0; ; waits += 1) {
      this.requests += 1;
      const answer = await this.#exchange(path, { headers: all, ...options });
      if (answer?.status === 429) {
        this.limited.push(answer);
        const seconds = Number(answer.headers["retry-after"]);
        if (!(seconds > 0 && seconds <= WAIT_SECONDS_MAX) || waits === WAITS_MAX) {
          throw new NotRun(
            `rate limited, with Retry-After: ${answer.headers["retry-after"]}, after ${waits} waits`,
          );
        }
        await this.wait(seconds);
        continue;
      }
      if (answer?.status === 503) {
        throw new Unavailable(
          `${path} answered 503 ${answer.document?.error ?? ""}`,
          Number(answer.headers["retry-after"]) || 2,
        );
      }
      if (path === "/reserve" && answer?.status === 201) this.#note(all);
      return answer;
    }
  }

  async #exchange(path, options) {
    try {
      return await exchange(new URL(path, this.origin), options);
    } catch (error) {
      // The request could not be made of an earlier answer, so that answer was wrong.
      if (error instanceof TypeError) throw error;
      // The other side may close a kept connection at any time.
      throw new Unavailable(`${path}: ${error.code ?? error.message}`, 1);
    }
  }

  /** Waits. Concurrent requests share one wait. */
  async wait(seconds) {
    this.#waiting ??= this.#wait(seconds);
    await this.#waiting;
  }

  async #wait(seconds) {
    this.log(`waiting ${seconds} s because of Retry-After`);
    this.waitedSeconds += seconds;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    this.#waiting = undefined;
  }

  /** Authenticates the actors A and B, by the tokens and, for each that is missing, by a new session. */
  async authenticate(tokens) {
    const actors = [];
    for (const name of ["A", "B"]) {
      const token = tokens[actors.length];
      actors.push(
        token === undefined ? await this.newSession(name) : await this.#program(name, token),
      );
    }
    [this.a, this.b] = actors;
  }

  /** A new actor with a session. */
  async newSession(name = "a new session") {
    const answer = await this.send("/session");
    equal("GET /session", answer.status, 200);
    const cookie = answer.cookies[0]?.split(";")[0];
    matches("its cookie", cookie, /^[^=]+=[^=]+/);
    const actorId = answer.document?.actor;
    return { name, headers: { Cookie: cookie }, actorId, isProgram: false };
  }

  async #program(name, token) {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await this.send("/session", { headers });
    equal(`GET /session with the token of ${name}`, answer.status, 200);
    return { name, headers, actorId: answer.document?.actor, isProgram: true };
  }

  /** Throws unless A and B are different actors. */
  requireTwoActors() {
    if (this.a.actorId === this.b.actorId) throw new NotRun("both tokens are of the same actor");
  }

  /** Returns A or B, whichever is a program; throws if neither is. */
  requireProgram() {
    const program = [this.a, this.b].find(({ isProgram }) => isProgram);
    if (program === undefined) throw new NotRun("no --token was given");
    return program;
  }

  /** The workshop's document. */
  async readWorkshop() {
    const answer = await this.send(`/workshops/${this.workshop}`);
    equal(`GET /workshops/${this.workshop}`, answer.status, 200);
    return answer.document;
  }

  /** The number of free places. */
  async free() {
    return (await this.readWorkshop()).available;
  }

  /** Throws unless so many places are free; returns how many are. */
  async requireFree(places) {
    const free = await this.free();
    if (free < places) throw new NotRun(`requires ${places} free places, found ${free}`);
    return free;
  }

  /** One attempt: `POST /reserve` by A, unless the options state otherwise. */
  reserve({
    as = this.a,
    key = randomUUID(),
    quantity = 1,
    workshop = this.workshop,
    ...rest
  } = {}) {
    const { headers, body = JSON.stringify({ workshop, quantity }), ...options } = rest;
    return this.send("/reserve", {
      as,
      method: "POST",
      body,
      ...options,
      headers: { "Content-Type": "application/json", "Idempotency-Key": key, ...headers },
    });
  }

  /** A new reservation, and its key. */
  async reservation(options = {}) {
    const key = options.key ?? randomUUID();
    await this.requireFree(options.quantity ?? 1);
    const answer = await this.reserve({ ...options, key });
    reserved(answer, "the first request");
    return { key, answer, id: answer.document.reservation_id };
  }

  /** A new refusal, and its key: the workshop is full afterwards. */
  async refusal({ as = this.a, quantity = 1 } = {}) {
    await this.fill();
    const key = randomUUID();
    const answer = await this.reserve({ as, key, quantity });
    refused(answer, "the first request");
    return { key, answer };
  }

  /** Reserves until so many places are left. */
  async fill(left = 0) {
    for (;;) {
      const more = (await this.requireFree(left)) - left;
      if (more === 0) return;
      if (more > FILLED_PLACES_MAX) {
        throw new NotRun(`would have to fill ${more} places, maximum ${FILLED_PLACES_MAX}`);
      }
      const answer = await this.reserve({ as: this.b, quantity: Math.min(more, QUANTITY_MAX) });
      reserved(answer, "a reservation that fills the workshop");
    }
  }

  lookUp(key, as = this.a) {
    return this.send(`/operations/${key}`, { as });
  }

  abandon(key, as = this.a) {
    return this.send(`/operations/${key}/abandon`, { as, method: "POST" });
  }

  cancel(key, as = this.a) {
    return this.send(`/operations/${key}/cancel`, { as, method: "POST" });
  }

  /** Records an operation that may hold places, because its outcome is unknown. */
  mayHold(key, as = this.a) {
    this.#note({ ...as.headers, "Idempotency-Key": key });
  }

  #note(headers) {
    const { Authorization, Cookie } = headers;
    const name = Object.keys(headers).find((other) => other.toLowerCase() === "idempotency-key");
    const key = [headers[name]].flat()[0]?.replaceAll('"', "");
    const actor = { ...(Authorization && { Authorization }), ...(Cookie && { Cookie }) };
    this.#held.set(JSON.stringify([actor, key]), { headers: actor, key });
  }

  /** Cancels every reservation. One that cannot be cancelled now is cancelled by the next call. */
  async cleanUp() {
    for (const [name, { headers, key }] of this.#held) {
      const { status } = await this.send(`/operations/${key}/cancel`, { headers, method: "POST" });
      if (status < 500) this.#held.delete(name);
    }
  }
}
