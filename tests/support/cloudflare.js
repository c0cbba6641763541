// A local stand-in for Cloudflare: the API that `wrangler deploy`, `d1`, `secret` and `versions` use, with
// real D1 databases, and the built Worker as deployed. It can reject a request, or execute it and lose
// the response.

import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitStatements } from "wrangler";
import { builtModules } from "./worker.js";

/** The Worker with the bindings that were deployed, as a header lists them. */
const entry = `
import Inner from "./index.js";
import { WorkerEntrypoint } from "cloudflare:workers";

export default class extends WorkerEntrypoint {
  fetch(request) {
    const { database, secrets } = JSON.parse(request.headers.get("Deployed"));
    return new Inner(this.ctx, { ...secrets, DB: this.env[database] }).fetch(request);
  }
}
`;

/** How many databases all accounts of one stand-in may create. */
const DATABASES_MAX = 16;

/** Where every Worker is reached, as the API reports it: on this machine, where nobody answers. */
const subdomain = { enabled: true, previews_enabled: false, url: "https://einmal.localhost" };

/** The request is carried out, and its answer never arrives. */
export const LOST = { lost: true };

/** The request is not carried out. */
export function refused(status, code, message) {
  return { refusal: new Refusal(status, code, message) };
}

class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

/**
 * Splits statements like an API that ends a statement at every semicolon at a line's end, even inside
 * a trigger.
 */
export function splitNaively(sql) {
  return sql.split(/(?<=;)[ \t]*\n/);
}

/**
 * @param {{built?: string}} what the folder of the Worker
 * @returns `account`, which opens an empty account with a server of its own; `close`
 */
export async function startCloudflare({ built } = {}) {
  const names = Array.from({ length: DATABASES_MAX }, (_, index) => `DATABASE_${index}`);
  const workerd = new Miniflare({
    handleStructuredLogs: () => {},
    workers: [
      {
        config: {
          name: "einmal",
          compatibilityDate: "2026-08-01",
          manifest: {
            mainModule: "entry.js",
            modules: { "entry.js": { type: "esm", contents: entry }, ...builtModules(built) },
          },
          env: Object.fromEntries(names.map((id) => [id, { type: "d1", id }])),
        },
      },
    ],
  });
  const bindings = await workerd.getBindings();
  const servers = [];
  return {
    async account(options) {
      const takeDatabase = () => {
        const id = names.shift();
        return { id, d1: bindings[id] };
      };
      const account = newAccount({ takeDatabase, workerd, ...options });
      const server = createServer(account.answer);
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.push(server);
      account.origin = `http://127.0.0.1:${server.address().port}`;
      return account;
    },
    async close() {
      for (const server of servers) server.close();
      await workerd.dispose();
    },
  };
}

/**
 * @param {object} what
 * @param {(sql: string) => string[]} [what.split] how the query endpoint splits statements
 * @returns what a test uses of an account: its `env` for wrangler, what it holds, what was `done`,
 *   and `next`
 */
function newAccount({ takeDatabase, workerd, split = splitStatements }) {
  const account = {
    origin: undefined,
    /** `{uuid, name, id, d1}` each, in the order of their creation. */
    databases: [],
    /** By the Worker's name: `{versions, deployments, secrets, puts}`. */
    workers: new Map(),
    /** The names of the operations that were carried out, and the SQL texts of the queries. */
    done: [],
    queries: [],
    get env() {
      return {
        CLOUDFLARE_API_BASE_URL: `${account.origin}/client/v4`,
        CLOUDFLARE_API_TOKEN: "a-token",
        CLOUDFLARE_ACCOUNT_ID: "an-account",
      };
    },
    createDatabase,
    /** What happens to the next `times` requests for an operation, if `when` likes their body. */
    next(operation, fault, { times = 1, when = () => true } = {}) {
      faults.push({ operation, fault, times, when });
    },
    answer,
  };
  const faults = [];
  const uploads = new Map();

  function createDatabase(name) {
    if (account.databases.some((database) => database.name === name)) {
      throw new Refusal(400, 7502, `Database with name '${name}' already exists`);
    }
    account.databases.push({ uuid: randomUUID(), name, ...takeDatabase() });
    return account.databases.at(-1);
  }

  function database(idOrName) {
    const found = account.databases.find(({ uuid, name }) => [uuid, name].includes(idOrName));
    if (found === undefined)
      throw new Refusal(404, 7404, `The database ${idOrName} could not be found`);
    return found;
  }

  function worker(name) {
    const found = account.workers.get(name);
    if (found === undefined) {
      throw new Refusal(404, 10007, "This Worker does not exist on your account.");
    }
    return found;
  }

  function addVersion({ versions }, uploaded) {
    const inherited = versions.at(-1)?.bindings ?? [];
    const bindings = uploaded.map((binding) => {
      if (binding.type !== "inherit") return binding;
      const kept = inherited.find(({ name }) => name === binding.name);
      if (kept === undefined) throw new Refusal(400, 10057, `nothing to inherit: ${binding.name}`);
      return kept;
    });
    versions.push({ id: randomUUID(), bindings });
    return versions.at(-1);
  }

  async function run(statements, { d1 }) {
    const batch = statements
      .filter((sql) => sql.replaceAll(/--.*/g, "").trim() !== "")
      .map((sql) => d1.prepare(sql));
    return d1.batch(batch).catch((error) => {
      throw new Refusal(400, 7500, error.message.replace(/^D1_ERROR: /, ""));
    });
  }

  /** Name of the operation, its request, and what it does. */
  const operations = [
    // The Worker.
    [
      "read service",
      "GET",
      "/workers/services/:name",
      ({ name }) => {
        const { tag } = worker(name);
        const script = { tag, tags: null, last_deployed_from: "wrangler" };
        return { default_environment: { environment: "production", script } };
      },
    ],
    [
      "upload Worker",
      "PUT",
      "/workers/scripts/:name",
      async ({ name }, body) => {
        const { bindings } = await body.metadata();
        const made = {
          tag: randomUUID(),
          versions: [],
          deployments: [],
          secrets: new Map(),
          puts: [],
        };
        const { id } = addVersion(made, bindings);
        made.deployments.unshift(id);
        account.workers.set(name, made);
        return { id: name, tag: made.tag, deployment_id: id, startup_time_ms: 1 };
      },
    ],
    [
      "upload version",
      "POST",
      "/workers/scripts/:name/versions",
      async ({ name }, body) => {
        const { bindings } = await body.metadata();
        const { id } = addVersion(worker(name), bindings);
        return { id, startup_time_ms: 1, resources: { script: { etag: id } } };
      },
    ],
    [
      "deploy version",
      "POST",
      "/workers/scripts/:name/deployments",
      ({ name }, body) => {
        worker(name).deployments.unshift(body.json().versions[0].version_id);
        return { id: randomUUID() };
      },
    ],
    [
      "list deployments",
      "GET",
      "/workers/scripts/:name/deployments",
      ({ name }) => ({
        deployments: worker(name).deployments.map((id) => ({
          id: randomUUID(),
          created_on: new Date().toISOString(),
          versions: [{ version_id: id, percentage: 100 }],
        })),
      }),
    ],
    [
      "read version",
      "GET",
      "/workers/scripts/:name/versions/:id",
      ({ name, id }) => {
        const { bindings } = worker(name).versions.find((version) => version.id === id);
        return { id, metadata: {}, resources: { bindings, script: {}, script_runtime: {} } };
      },
    ],
    [
      "read settings",
      "GET",
      "/workers/scripts/:name/settings",
      ({ name }) => {
        return { bindings: worker(name).versions.at(-1).bindings };
      },
    ],
    ["set settings", "PATCH", "/workers/scripts/:name/script-settings", () => ({})],
    ["set schedules", "PUT", "/workers/scripts/:name/schedules", () => ({})],
    ["set subdomain", "POST", "/workers/scripts/:name/subdomain", () => subdomain],
    ["read subdomain", "GET", "/workers/subdomain", () => ({ subdomain: "a-studio" })],
    [
      "read Worker",
      "GET",
      "/workers/workers/:name",
      ({ name }) => {
        worker(name);
        return { subdomain };
      },
    ],
    [
      "list assets",
      "POST",
      "/workers/scripts/:name/assets-upload-session",
      (_, body) => {
        const hashes = Object.values(body.json().manifest).map(({ hash }) => hash);
        return { jwt: "of-the-upload", buckets: [hashes] };
      },
    ],
    ["upload assets", "POST", "/workers/assets/upload", () => ({ jwt: "of-the-assets" })],
    // Its secrets.
    [
      "list secrets",
      "GET",
      "/workers/scripts/:name/secrets",
      ({ name }) => {
        return [...worker(name).secrets.keys()].map((key) => ({ name: key, type: "secret_text" }));
      },
    ],
    [
      "put secret",
      "PUT",
      "/workers/scripts/:name/secrets",
      ({ name }, body) => {
        const { name: key, text } = body.json();
        worker(name).secrets.set(key, text);
        worker(name).puts.push(key);
        return { name: key, type: "secret_text" };
      },
    ],
    // Databases.
    [
      "list databases",
      "GET",
      "/d1/database",
      () => {
        return account.databases.map(({ uuid, name }) => ({ uuid, name }));
      },
    ],
    [
      "create database",
      "POST",
      "/d1/database",
      (_, body) => {
        const { uuid, name } = createDatabase(body.json().name);
        return { uuid, name };
      },
    ],
    [
      "find database",
      "GET",
      "/d1/database/:database",
      ({ database: idOrName }) => {
        const { uuid, name } = database(idOrName);
        return { uuid, name };
      },
    ],
    [
      "query",
      "POST",
      "/d1/database/:database/query",
      async ({ database: id }, body) => {
        const { sql } = body.json();
        account.queries.push(sql);
        const results = await run(split(sql), database(id));
        return results.map(({ results: rows, meta }) => ({ results: rows, success: true, meta }));
      },
    ],
    [
      "import",
      "POST",
      "/d1/database/:database/import",
      async ({ database: id }, body) => {
        const { action, etag, filename } = body.json();
        const messages = [];
        if (action === "init") {
          const upload_url = `${account.origin}/upload/${etag}.sql`;
          return { success: true, messages, upload_url, filename: `${etag}.sql` };
        }
        if (action === "ingest") {
          await run(splitStatements(uploads.get(filename)), database(id));
          return { success: true, messages, status: "active", at_bookmark: "a-bookmark" };
        }
        const meta = { duration: 1, rows_read: 1, rows_written: 1, size_after: 1 };
        const result = { num_queries: 1, final_bookmark: "a-bookmark", meta };
        return { success: true, messages, status: "complete", result };
      },
    ],
  ].map(([name, method, path, act]) => {
    const pattern = path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
    return { name, method, pattern: new RegExp(`^/client/v4/accounts/an-account${pattern}$`), act };
  });

  async function answer(request, response) {
    const bytes = Buffer.concat(await request.toArray());
    const { pathname } = new URL(request.url, account.origin);
    if (pathname.startsWith("/upload/")) return takeUpload(pathname, bytes, response);
    if (!pathname.startsWith("/client/v4/")) return serve(request, response);
    const reply = (status, document) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ errors: [], messages: [], result: null, ...document }));
    };
    // Metrics of databases, which no test reads.
    if (pathname === "/client/v4/graphql") return reply(200, { data: null });
    try {
      if (!["Bearer a-token", "Bearer of-the-upload"].includes(request.headers.authorization)) {
        throw new Refusal(403, 10000, "Authentication error");
      }
      const result = await carryOut(request, pathname, bytes);
      if (result === LOST) request.socket.destroy();
      else reply(200, { success: true, result });
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(`the stand-in failed: ${error.stack}`);
      const { status = 500, code = 1, message } = error;
      reply(status, { success: false, errors: [{ code, message }] });
    }
  }

  async function carryOut({ method, headers }, pathname, bytes) {
    const operation = operations.find((one) => one.method === method && one.pattern.test(pathname));
    if (operation === undefined) throw new Refusal(404, 7000, `No route for ${method} ${pathname}`);
    const { name, pattern, act } = operation;
    const fault = faults.find((one) => {
      return one.operation === name && one.times > 0 && one.when(String(bytes));
    });
    if (fault !== undefined) fault.times -= 1;
    if (fault?.fault.refusal) throw fault.fault.refusal;
    const body = {
      json: () => JSON.parse(bytes),
      metadata: async () => {
        const form = await new Response(bytes, {
          headers: { "Content-Type": headers["content-type"] },
        }).formData();
        return JSON.parse(form.get("metadata"));
      },
    };
    const result = await act({ ...pattern.exec(pathname).groups }, body);
    account.done.push(name);
    return fault?.fault === LOST ? LOST : result;
  }

  function takeUpload(pathname, bytes, response) {
    uploads.set(pathname.slice("/upload/".length), String(bytes));
    response.setHeader("ETag", createHash("md5").update(bytes).digest("hex"));
    response.end();
  }

  /** The Worker that is deployed, on the database and with the secrets that it was given. */
  async function serve({ url }, response) {
    const [deployed] = account.workers.values();
    const version = deployed?.versions.find(({ id }) => id === deployed.deployments[0]);
    if (version === undefined) return response.writeHead(404).end("Not found");
    const { id } = version.bindings.find(({ type }) => type === "d1");
    const Deployed = JSON.stringify({
      database: database(id).id,
      secrets: Object.fromEntries(deployed.secrets),
    });
    const answered = await workerd.dispatchFetch(`http://localhost${url}`, {
      headers: { Deployed },
    });
    response.writeHead(answered.status, { "Content-Type": answered.headers.get("content-type") });
    response.end(await answered.text());
  }

  return account;
}
