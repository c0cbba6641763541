import { statement } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `publish ID

Puts a workshop on offer: from now on everybody can see and reserve it.`;

export const options = {};
export const operands = ["ID"];

export async function run({ operands: [operand], database, now_ms, hint }) {
  const id = readId(operand);
  const [published, rows] = await database.run([
    statement("publish_workshop", { now_ms, workshop: id }),
    readWorkshops(now_ms, id),
  ]);
  const workshop = theWorkshop(rows, id, hint);
  const done = published.length > 0 ? "published" : "it was published already";
  return { json: toJson(workshop), text: `${done}\n${describe(workshop)}` };
}
