import { statement } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `close ID

Ends reservations now; existing ones stay. set ID --closes none opens the workshop again, so there is
no confirmation. Requests that were refused meanwhile stay refused; people can start new ones.`;

/** @type {import("../types.js").Verb["options"]} */
export const options = {};
export const operands = ["ID"];

/**
 * @param {import("../types.js").Invocation} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], database, now_ms, hint }) {
  const id = readId(operand);
  const [closed, rows] = await database.run([
    statement("close_workshop", { now_ms, workshop: id }),
    readWorkshops(now_ms, id),
  ]);
  const workshop = theWorkshop(rows, id, hint);
  const done = closed.length > 0 ? "closed" : "already closed";
  return { json: toJson(workshop), text: `${done}\n${describe(workshop)}` };
}
