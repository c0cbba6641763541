// What the retry client promises, as cases for every runtime: Node.js, Chromium and Workers. Each
// takes the client's module and throws if it does not hold. No network: the transport is a list of
// answers.

const URL = "https://service.example/notes";
const VALUES = { title: "Buy milk" };

/** Rejections that did nothing, after which the same operation may be sent. */
const UNDONE = ["rate_limited", "not_configured", "actor_required", "actor_changed"];

const json = (status, document, headers = {}, type = "application/json") =>
  new Response(typeof document === "string" ? document : JSON.stringify(document), {
    status,
    headers: { "Content-Type": type, ...headers },
  });
const outcome =
  (replayed = "false", status = 201) =>
  () =>
    json(status, { id: "a5" }, { "Idempotent-Replayed": replayed });
const rejection = (status, error, retry, headers) => () =>
  json(status, { status, error, retry }, headers, "application/problem+json");
const html = (status, headers) => () => json(status, "<h1>Oops</h1>", headers, "text/html");
const conflict = rejection(409, "operation_conflict", "fix_request");
const unknown = rejection(503, "outcome_unknown", "same_key");
const unreachable = () => {
  throw new TypeError("fetch failed");
};
const silence = (signal, leave) =>
  new Promise((_, reject) => {
    if (leave) signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Answers that are not definite on a first attempt. */
const OPEN = {
  "the network": unreachable,
  "a redirection": () => new Response(null, { status: 302, headers: { Location: "/login" } }),
  "HTML with 200": html(200),
  "HTML with 404": html(404),
  "503 of a proxy": html(503),
  "503 outcome_unknown": unknown,
  "429 rate_limited": rejection(429, "rate_limited", "same_key"),
  "401 actor_required": rejection(401, "actor_required", "same_key"),
  "403 actor_changed": rejection(403, "actor_changed", "same_key"),
  "an unknown code": rejection(503, "brand_new", "same_key"),
  "a rejection with an unknown retry": rejection(409, "operation_conflict", "new_key"),
  "a rejection with another status": () =>
    json(500, { status: 409, error: "e", retry: "fix_request" }, {}, "application/problem+json"),
  "a rejection as application/json": () =>
    json(409, { status: 409, error: "e", retry: "fix_request" }),
  "half an outcome": () => json(201, '{"id":"a5"', { "Idempotent-Replayed": "false" }),
  "an outcome without Idempotent-Replayed": () => json(201, { id: "a5" }),
  "an outcome that is a list": () => json(201, ["a5"], { "Idempotent-Replayed": "false" }),
};

/** One answer for each attempt, the last one for all that follow. */
function play(...answers) {
  const attempts = [];
  const waits = [];
  const saves = [];
  return {
    attempts,
    waits,
    saves,
    options: {
      fetch: async (url, { method, headers, body, redirect, signal }) => {
        attempts.push({
          url,
          method,
          key: headers.get("Idempotency-Key"),
          actor: headers.get("Einmal-Actor"),
          type: headers.get("Content-Type"),
          authorization: headers.get("Authorization"),
          body,
          redirect,
          saved: saves.at(-1)?.unanswered ?? null,
        });
        return answers[Math.min(attempts.length, answers.length) - 1](signal);
      },
      wait: async (ms) => {
        waits.push(ms);
      },
      random: () => 0.5,
      save: (operation) => {
        saves.push(operation);
      },
    },
  };
}

function same(found, expected, about = "") {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${about}: expected ${b}, found ${a}`);
}

/** The reason of a rejected promise, which must have this name. */
async function error(name, promise, about = "") {
  const thrown = await promise.then(
    (value) => ({ name: `no error but ${JSON.stringify(value)}` }),
    (reason) => reason,
  );
  same(thrown.name, name, about);
  return thrown;
}

export const cases = {
  "an operation has a key of its own, and cannot be changed": ({ newOperation }) => {
    const values = { title: "Buy milk", tags: ["a"] };
    const [one, two] = [newOperation(URL, values), newOperation(URL, values)];
    values.tags.push("b");
    same(one.key === two.key, false, "two keys");
    same(/^[0-9a-f-]{14}4[0-9a-f-]{21}$/.test(one.key), true, one.key);
    same(one, {
      version: 1,
      url: URL,
      key: one.key,
      actor: null,
      values: { title: "Buy milk", tags: ["a"] },
      unanswered: false,
    });
    for (const part of [one, one.values, one.values.tags]) same(Object.isFrozen(part), true);
  },

  "an invalid operation is neither made nor sent": async ({ newOperation, send }) => {
    const made = [
      () => newOperation(7, VALUES),
      () => newOperation(URL, ["title"]),
      () => newOperation(URL, null),
      () => newOperation(URL, "title"),
      () => newOperation(URL, VALUES, { key: "1" }),
      () => newOperation(URL, VALUES, { key: "0B6F6C1E-6F0E-4B52-9F5D-1C1B5D1F7A10" }),
      () => newOperation(URL, VALUES, { actor: "somebody" }),
    ];
    for (const make of made) await error("TypeError", (async () => make())(), String(make));
    const { attempts, options } = play(outcome());
    await error("TypeError", send({ url: URL, values: VALUES }, options));
    await error(
      "TypeError",
      send(newOperation(URL, VALUES), { ...options, headers: { "\n": "" } }),
    );
    same(attempts, []);
  },

  "a saved operation is restored unchanged, from text or from an object": ({
    newOperation,
    restoreOperation,
  }) => {
    const operation = newOperation(URL, VALUES, { actor: "0123456789abcdef" });
    const saved = JSON.stringify({ ...operation, unanswered: true });
    for (const restored of [restoreOperation(saved), restoreOperation(JSON.parse(saved))]) {
      same(restored, JSON.parse(saved));
      same(Object.isFrozen(restored) && Object.isFrozen(restored.values), true);
    }
  },

  "a value that does not fit is not restored": ({ newOperation, restoreOperation }) => {
    const operation = newOperation(URL, VALUES);
    const { key, ...keyless } = operation;
    const misfits = [
      undefined,
      null,
      "",
      "null",
      "[]",
      JSON.stringify(operation).slice(0, -1),
      keyless,
      { ...operation, version: 2 },
      { ...operation, url: null },
      { ...operation, key: [key] },
      { ...operation, key: `${key} ` },
      { ...operation, key: key.replace(/^(.{14})4/, "$15") },
      { ...operation, actor: 7 },
      { ...operation, actor: "" },
      { ...operation, values: [] },
      { ...operation, unanswered: "false" },
      { ...operation, more: 1 },
      // JSON cannot represent it.
      { ...operation, values: { big: 1n } },
    ];
    for (const misfit of misfits) same(restoreOperation(misfit), null, String(misfit));
  },

  "an outcome ends the attempts, even a refusal": async ({ newOperation, send }) => {
    for (const [status, replayed] of [
      [201, "false"],
      [409, "false"],
      [200, "true"],
    ]) {
      const { attempts, waits, options } = play(outcome(replayed, status));
      const operation = newOperation(URL, VALUES);
      const decided = await send(operation, options);
      same(decided, {
        status,
        document: { id: "a5" },
        replayed: replayed === "true",
        attempts: 1,
        operation: { ...operation, unanswered: true },
      });
      same([attempts.length, waits], [1, []]);
    }
  },

  "what is sent is what is saved": async ({ newOperation, send }) => {
    const { attempts, options } = play(unreachable, outcome("true"));
    const operation = newOperation(URL, VALUES, { actor: "0123456789abcdef" });
    // They cannot replace the operation's own headers.
    const headers = { Authorization: "Bearer t", "idempotency-key": "mine", "einmal-actor": "me" };
    const { replayed } = await send(operation, { ...options, headers });
    const attempt = {
      url: URL,
      method: "POST",
      key: operation.key,
      actor: operation.actor,
      type: "application/json",
      authorization: "Bearer t",
      body: '{"title":"Buy milk"}',
      redirect: "manual",
      saved: true,
    };
    same(attempts, [attempt, attempt]);
    same(replayed, true);
  },

  "a rejection with fix_request ends the attempts, and nothing is open": async ({
    newOperation,
    send,
  }) => {
    const { attempts, waits, saves, options } = play(conflict);
    const operation = newOperation(URL, VALUES);
    const rejected = await error("OperationRejected", send(operation, { ...options, attempts: 5 }));
    same(rejected.answer, { kind: "rejection", error: "operation_conflict", retry: "fix_request" });
    same([rejected.operation, rejected.attempts], [operation, 1]);
    same([attempts.length, waits], [1, []]);
    same(
      saves.map(({ unanswered }) => unanswered),
      [true, false],
    );
  },

  "an operation without a definite answer is sent again, with the same key": async ({
    newOperation,
    send,
  }) => {
    for (const [what, answer] of Object.entries(OPEN)) {
      const { attempts, options } = play(answer, outcome("true"));
      const operation = newOperation(URL, VALUES);
      const { document, attempts: sent } = await send(operation, options);
      same([document, sent], [{ id: "a5" }, 2], what);
      same(
        attempts.map(({ key }) => key),
        [operation.key, operation.key],
        what,
      );
    }
  },

  "when the attempts run out, the error carries the operation, and a later send goes on": async ({
    newOperation,
    restoreOperation,
    send,
    OperationOpen,
  }) => {
    for (const [what, answer] of Object.entries(OPEN)) {
      const { attempts, options } = play(answer);
      const operation = newOperation(URL, VALUES);
      const open = await error("OperationOpen", send(operation, options), what);
      same(open instanceof OperationOpen, true);
      same([open.attempts, attempts.length], [2, 2], what);
      same({ ...open.operation, unanswered: false }, operation, what);
      const later = play(outcome("true"));
      const saved = JSON.stringify(open.operation);
      const decided = await send(restoreOperation(saved), later.options);
      same([decided.document, later.attempts[0].key], [{ id: "a5" }, operation.key], what);
    }
  },

  "an unanswered attempt is distinguished from one that did nothing": async ({
    newOperation,
    send,
  }) => {
    for (const [what, answer] of Object.entries(OPEN)) {
      const { options } = play(answer);
      const sent = send(newOperation(URL, VALUES), { ...options, attempts: 1 });
      const { operation, reason } = await error("OperationOpen", sent, what);
      same(operation.unanswered, !UNDONE.includes(reason), `${what}: ${reason}`);
    }
  },

  "after an unanswered attempt, a rejection with fix_request settles nothing": async ({
    newOperation,
    restoreOperation,
    send,
  }) => {
    for (const first of [unreachable, unknown, html(503)]) {
      const { options, saves } = play(first, conflict);
      const open = await error("OperationOpen", send(newOperation(URL, VALUES), options));
      same([open.reason, open.operation.unanswered], ["operation_conflict", true]);
      // Not even after it was saved and restored.
      const later = play(conflict);
      const restored = restoreOperation(JSON.stringify(saves.at(-1)));
      const still = await error("OperationOpen", send(restored, { ...later.options, attempts: 1 }));
      same(still.operation.unanswered, true);
      const decided = await send(still.operation, play(outcome("true")).options);
      same(decided.replayed, true);
    }
  },

  "after attempts that all did nothing, a rejection with fix_request is definite": async ({
    newOperation,
    send,
  }) => {
    const answers = UNDONE.map((error) => rejection(429, error, "same_key"));
    const { attempts, options } = play(...answers, conflict);
    const sent = send(newOperation(URL, VALUES), { ...options, attempts: 9 });
    const rejected = await error("OperationRejected", sent);
    same([rejected.attempts, attempts.length], [5, 5]);
  },

  "the waits are random, grow twofold, and are bounded": async (client) => {
    const { newOperation, send, BACKOFF_MS, BACKOFF_MS_MAX } = client;
    for (const random of [0, 0.5, 0.999]) {
      const { waits, options } = play(unreachable);
      const sent = send(newOperation(URL, VALUES), {
        ...options,
        attempts: 9,
        random: () => random,
      });
      await error("OperationOpen", sent);
      const expected = [1, 2, 4, 8, 16, 32, 64, 128].map(
        (times) => random * Math.min(BACKOFF_MS_MAX, BACKOFF_MS * times),
      );
      same(waits, expected);
    }
  },

  "Retry-After of any answer is awaited, in addition to the random backoff": async (client) => {
    const { newOperation, send, BACKOFF_MS } = client;
    for (const [header, seconds] of [
      ["2", 2],
      ["60", 60],
      ["0", 0],
      ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
      ["-1", 0],
      ["soon", 0],
    ]) {
      const headers = { "Retry-After": header };
      for (const answer of [
        html(503, headers),
        rejection(429, "rate_limited", "same_key", headers),
      ]) {
        const { waits, options } = play(answer, outcome());
        await send(newOperation(URL, VALUES), options);
        same(waits, [seconds * 1000 + BACKOFF_MS / 2], header);
      }
    }
  },

  "a Retry-After that is too long ends the attempts": async ({ newOperation, send }) => {
    for (const [header, least] of [
      ["61", 61],
      ["99999999999999999999", 61],
      ["Wed, 21 Oct 2999 07:28:00 GMT", 61],
    ]) {
      const { attempts, waits, options } = play(html(503, { "Retry-After": header }));
      const open = await error("OperationOpen", send(newOperation(URL, VALUES), options));
      same([attempts.length, waits.length], [1, 0], header);
      same(open.retry_after_s >= least, true, header);
    }
  },

  "an attempt times out, even if fetch ignores its signal": async ({ newOperation, send }) => {
    for (const obeys of [true, false]) {
      let signal;
      const { attempts, options } = play((given) => {
        signal = given;
        return silence(given, obeys);
      }, outcome("true"));
      const sent = { ...options, timeout_ms: 5 };
      const open = await error(
        "OperationOpen",
        send(newOperation(URL, VALUES), { ...sent, attempts: 1 }),
      );
      same([open.reason, open.operation.unanswered, signal.aborted], ["no_answer", true, true]);
      same((await send(open.operation, sent)).replayed, true);
      same(attempts.length, 2);
    }
  },

  "an answer whose body does not end times out": async ({ newOperation, send }) => {
    const endless = { text: () => new Promise(() => {}), headers: new Headers(), status: 201 };
    const options = { fetch: async () => endless, timeout_ms: 5, attempts: 1 };
    const sent = send(newOperation(URL, VALUES), options);
    same((await error("OperationOpen", sent)).reason, "no_answer");
  },

  "aborted before the first attempt: nothing is sent or saved": async ({ newOperation, send }) => {
    const { attempts, saves, options } = play(outcome());
    const sent = send(newOperation(URL, VALUES), { ...options, signal: AbortSignal.abort() });
    const open = await error("OperationOpen", sent);
    same([open.reason, open.operation.unanswered, open.attempts], ["aborted", false, 0]);
    same([attempts, saves], [[], []]);
  },

  "aborted during an attempt: the outcome is unknown": async ({ newOperation, send }) => {
    for (const obeys of [true, false]) {
      const stop = new AbortController();
      const { attempts, waits, options } = play((signal) => {
        queueMicrotask(() => stop.abort());
        return silence(signal, obeys);
      });
      const sent = send(newOperation(URL, VALUES), { ...options, signal: stop.signal });
      const open = await error("OperationOpen", sent);
      same([open.reason, open.operation.unanswered, open.attempts], ["aborted", true, 1]);
      same([attempts.length, waits.length], [1, 0]);
    }
  },

  "aborted during the backoff: the wait ends, and nothing more is sent": async ({
    newOperation,
    send,
  }) => {
    for (const [answer, unanswered] of [
      [unreachable, true],
      [rejection(429, "rate_limited", "same_key", { "Retry-After": "60" }), false],
    ]) {
      const stop = new AbortController();
      const { attempts, saves, options } = play(answer);
      // The client's own wait: it would take a minute.
      const { wait, ...own } = options;
      const random = () => {
        setTimeout(() => stop.abort(), 1);
        return 0.999;
      };
      const sent = send(newOperation(URL, VALUES), { ...own, random, signal: stop.signal });
      const open = await error("OperationOpen", sent);
      same([open.reason, open.operation.unanswered], ["aborted", unanswered]);
      same([attempts.length, saves.length], [1, 2]);
    }
  },

  "the client's own wait ends by itself": async ({ newOperation, send }) => {
    const { attempts, options } = play(unreachable, outcome());
    const { wait, ...own } = options;
    await send(newOperation(URL, VALUES), { ...own, random: () => 0.001 });
    same(attempts.length, 2);
  },

  "an operation that cannot be saved is not sent": async ({ newOperation, send }) => {
    const { attempts, options } = play(outcome());
    for (const save of [
      () => {
        throw new Error("full");
      },
      async () => {
        throw new Error("full");
      },
    ]) {
      const sent = send(newOperation(URL, VALUES), { ...options, save });
      const open = await error("OperationOpen", sent);
      same(
        [open.reason, open.operation.unanswered, open.attempts, open.cause.message],
        ["unsent", false, 0, "full"],
      );
    }
    same(attempts, []);
  },

  "an operation that cannot be saved again is not sent again": async ({ newOperation, send }) => {
    const { attempts, options } = play(unreachable);
    const save = () => {
      if (attempts.length > 0) throw new Error("full");
    };
    const open = await error(
      "OperationOpen",
      send(newOperation(URL, VALUES), { ...options, save }),
    );
    same([open.reason, open.operation.unanswered, open.attempts], ["unsent", true, 1]);
    same(attempts.length, 1);
  },

  "the operation is saved before each attempt, and again after one that did nothing": async ({
    newOperation,
    send,
  }) => {
    const { attempts, saves, options } = play(
      rejection(429, "rate_limited", "same_key"),
      unreachable,
      outcome("true"),
    );
    const save = async (operation) => {
      await Promise.resolve();
      options.save(operation);
    };
    await send(newOperation(URL, VALUES), { ...options, save, attempts: 3 });
    same(
      saves.map(({ unanswered }) => unanswered),
      // Sent, nothing done, sent, lost, sent. Not after the outcome: nothing is left to send.
      [true, false, true, true, true],
    );
    same(
      attempts.map(({ saved }) => saved),
      [true, true, true],
    );
  },

  "a custom reader decides what an answer is": async ({ newOperation, send, readAnswer }) => {
    const { attempts, options } = play(outcome());
    const received = [];
    const read = (answer) => {
      received.push(answer);
      return { kind: "lost", reason: "strange" };
    };
    const open = await error(
      "OperationOpen",
      send(newOperation(URL, VALUES), { ...options, read, attempts: 1 }),
    );
    same([open.reason, open.operation.unanswered], ["strange", true]);
    same(received, [
      {
        status: 201,
        type: "application/json",
        replayed: "false",
        retryAfter: null,
        text: '{"id":"a5"}',
      },
    ]);
    same(readAnswer(received[0]), { kind: "outcome", outcome: { id: "a5" } });
    const failing = () => {
      throw new Error("a reader's mistake");
    };
    const still = send(newOperation(URL, VALUES), { ...options, read: failing, attempts: 1 });
    same((await error("OperationOpen", still)).reason, "unreadable");
    same(attempts.length, 2);
  },
};
