import { statement } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `publish ID

Publishes a workshop: from now on everybody can see and reserve it.`;

/** @type {import("../types.js").Verb["options"]} */
export const options = {};
export const operands = ["ID"];

/**
 * @param {import("../types.js").Invocation} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], database, now_ms, hint }) {
  const id = readId(operand);
  const [published, rows] = await database.run([
    statement("publish_workshop", { now_ms, workshop: id }),
    readWorkshops(now_ms, id),
  ]);
  const workshop = theWorkshop(rows, id, hint);
  const done = published.length > 0 ? "published" : "already published";
  return { json: toJson(workshop), text: `${done}\n${describe(workshop)}` };
}
