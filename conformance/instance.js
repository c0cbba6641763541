// The running instance as a condition sees it: two identities, one workshop, and everything
// that was reserved written down, so that it is given back.

import { randomUUID } from "node:crypto";
import { equal, matches, NotNow, NotRun, reserved } from "./expect.js";
import { exchange } from "./http.js";

/** A limit lasts a minute. Whoever is limited longer than this is told so instead. */
const WAITS_MAX = 3;
const WAIT_SECONDS_MAX = 120;

/** How many free places a condition may take to make a workshop full. */
const FILLED_PLACES_MAX = 20;

/** The most places of one reservation. */
const QUANTITY_MAX = 2;

/**
 * Somebody who asks.
 * @typedef {{name: string, headers: Record<string, string>, tag: string, isProgram: boolean}} Identity
 */

export class Instance {
  /** Requests that were sent, and how long it was waited as `Retry-After` says. */
  requests = 0;
  waitedSeconds = 0;
  /** Answers to requests past a limit. */
  limited = [];

  #held = new Map();
  #waiting;

  /**
   * @param {string} origin
   * @param {(text: string) => void} say told when it waits
   */
  constructor(origin, say = () => {}) {
    this.origin = new URL(origin).origin;
    this.say = say;
  }

  /**
   * Sends one request, the same again after `Retry-After` if a limit was met: a request past
   * a limit has done nothing.
   * @param {Parameters<typeof exchange>[1] & {as?: Identity}} options
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
            `limited, with Retry-After: ${answer.headers["retry-after"]}, after ${waits} waits`,
          );
        }
        await this.wait(seconds);
        continue;
      }
      if (answer?.status === 503) {
        throw new NotNow(
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
      // Nothing could be sent: an answer before was not what it should be.
      if (error instanceof TypeError) throw error;
      // A kept connection may be closed by the other side at any time.
      throw new NotNow(`${path}: ${error.code ?? error.message}`, 1);
    }
  }

  /** Waits. Requests that were sent together wait together. */
  async wait(seconds) {
    this.#waiting ??= this.#wait(seconds);
    await this.#waiting;
  }

  async #wait(seconds) {
    this.say(`waiting ${seconds} s, as Retry-After says`);
    this.waitedSeconds += seconds;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    this.#waiting = undefined;
  }

  /** Chooses who asks, from tokens and, for what is missing to two, from new sessions. */
  async meet(tokens) {
    const identities = [];
    for (const name of ["A", "B"]) {
      const token = tokens[identities.length];
      identities.push(
        token === undefined ? await this.newSession(name) : await this.#program(name, token),
      );
    }
    [this.a, this.b] = identities;
  }

  /** Somebody new, by a session. */
  async newSession(name = "a new session") {
    const answer = await this.send("/session");
    equal("GET /session", answer.status, 200);
    const cookie = answer.cookies[0]?.split(";")[0];
    matches("its cookie", cookie, /^[^=]+=[^=]+/);
    return { name, headers: { Cookie: cookie }, tag: answer.document?.actor, isProgram: false };
  }

  async #program(name, token) {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await this.send("/session", { headers });
    equal(`GET /session with the token of ${name}`, answer.status, 200);
    return { name, headers, tag: answer.document?.actor, isProgram: true };
  }

  /** Throws unless there are two who ask. */
  needTwo() {
    if (this.a.tag === this.b.tag) throw new NotRun("both identities are the same actor");
  }

  /** Throws unless one of the two is a program; gives it. */
  needProgram() {
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

  /** How many places are free now. */
  async free() {
    return (await this.readWorkshop()).available;
  }

  /** Throws unless so many places are free. */
  async needFree(places) {
    const free = await this.free();
    if (free < places) throw new NotRun(`needs ${places} free places, found ${free}`);
  }

  /** One attempt: `POST /reserve` by A, unless it is said otherwise. */
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

  /** A reservation that a condition begins with, and its key. */
  async reservation(options = {}) {
    const key = options.key ?? randomUUID();
    await this.needFree(options.quantity ?? 1);
    const answer = await this.reserve({ ...options, key });
    reserved(answer, "the first request");
    return { key, answer, id: answer.document.reservation_id };
  }

  /** A refusal that a condition begins with: the workshop is full then. */
  async refusal({ as = this.a, quantity = 1 } = {}) {
    await this.fill();
    const key = randomUUID();
    return { key, answer: await this.reserve({ as, key, quantity }) };
  }

  /** Reserves until so many places are left. */
  async fill(left = 0) {
    for (;;) {
      const more = (await this.free()) - left;
      if (more < 0) throw new NotRun(`needs ${left} free places, found ${more + left}`);
      if (more === 0) return;
      if (more > FILLED_PLACES_MAX) {
        throw new NotRun(`${more} places would have to be taken, at most ${FILLED_PLACES_MAX} are`);
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

  /** Writes an operation down that may hold places, because its answer is not known. */
  mayHold(key, as = this.a) {
    this.#note({ ...as.headers, "Idempotency-Key": key });
  }

  #note(headers) {
    const { Authorization, Cookie } = headers;
    const name = Object.keys(headers).find((other) => other.toLowerCase() === "idempotency-key");
    const key = [headers[name]].flat()[0]?.replaceAll('"', "");
    const who = { ...(Authorization && { Authorization }), ...(Cookie && { Cookie }) };
    this.#held.set(JSON.stringify([who, key]), { headers: who, key });
  }

  /** Cancels everything that was reserved; what cannot be cancelled is asked again next time. */
  async giveBack() {
    for (const [name, { headers, key }] of this.#held) {
      const { status } = await this.send(`/operations/${key}/cancel`, { headers, method: "POST" });
      if (status < 500) this.#held.delete(name);
    }
  }
}
