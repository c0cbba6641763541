import { statement } from "../sql.js";
import { describe, readId, readWorkshops, theWorkshop, toJson } from "../workshops.js";

export const help = `close ID

Takes no new reservation from now on. Those that are held stay. It does not ask, since
set ID --closes none opens the workshop again; but who was refused meanwhile stays refused and has
to ask anew.`;

export const options = {};
export const operands = ["ID"];

export async function run({ operands: [operand], database, now_ms, hint }) {
  const id = readId(operand);
  const [closed, rows] = await database.run([
    statement("close_workshop", { now_ms, workshop: id }),
    readWorkshops(now_ms, id),
  ]);
  const workshop = theWorkshop(rows, id, hint);
  const done = closed.length > 0 ? "closed" : "it was closed already";
  return { json: toJson(workshop), text: `${done}\n${describe(workshop)}` };
}
