// The machine of the measurement, and the maximum rate of the load generator on it.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { startClient } from "./client.js";
import { storesInMemory } from "./worker.js";

/**
 * Describes the machine, without its name.
 * @param {{rounds: number, seconds: number}} plan
 */
export async function describeMachine({ rounds, seconds }) {
  const [{ model }] = cpus();
  const version = (name) =>
    JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
  return [
    `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${platform()} ${release()} ${arch()}`,
    `workerd ${version("workerd")}, Miniflare ${version("miniflare")}, Node.js ${process.versions.node}`,
    `local databases ${storesInMemory ? "in memory (/dev/shm)" : "on disk"}; limiters in memory`,
    `${rounds} ${rounds === 1 ? "round" : "rounds"} after a warm-up, samples of ${seconds} s`,
    `the load generator itself: ${Math.round(await generatorRate(seconds))} requests/s of a server that does nothing`,
  ];
}

/** The client's requests/s against an empty server in this thread. */
async function generatorRate(seconds) {
  const server = createServer((request, response) =>
    request.resume().on("end", () => response.end()),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = startClient();
  try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    const sample = {
      origin,
      load: "new",
      isBaseline: true,
      tokens: ["Bearer nobody"],
      settled: [],
    };
    const options = { ...sample, milliseconds: seconds * 1000 };
    await client.run(options);
    const { latencies, seconds: took } = await client.run(options);
    return latencies.length / took;
  } finally {
    await client.close();
    server.close();
  }
}
