import { randomUUID } from "node:crypto";
import { doorCode } from "../../public/door-code.js";
import { inWords } from "../constraints.js";
import { NoAnswer } from "../database.js";
import { judge, newAttempt, ORGANISER, reserveStatements } from "../operation.js";
import { Misspelled, Refused } from "../refused.js";
import { statement } from "../sql.js";
import { counted, describe, readId, readWorkshops } from "../workshops.js";

export const help = `reserve ID --quantity N [--note TEXT] [--key UUID]

Reserves for somebody, by telephone say: by the same statements and rules as everybody, as the actor
t_organiser.

--quantity  how many places, 1 or 2
--note      for whom; attendees shows it, and nobody else
--key       the operation's key, only to send one again whose answer was lost: with the same key it
            is never done twice`;

export const options = {
  quantity: { type: "string" },
  note: { type: "string" },
  key: { type: "string" },
};
export const operands = ["ID"];

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const { note, key = randomUUID() } = values;
  const workshop = readId(operand);
  if (!/^[12]$/.test(values.quantity ?? "")) {
    throw new Misspelled(`expected --quantity to be 1 or 2, found ${values.quantity ?? "none"}`);
  }
  if (!KEY.test(key)) {
    throw new Misspelled(`expected --key to be a UUID version 4 in lower case, found ${key}`);
  }
  const operation = { actor: ORGANISER, key, workshop, quantity: Number(values.quantity) };
  const attempt = newAttempt(now_ms);
  const statements = reserveStatements(operation, attempt, note);
  const asked = [
    statement("count_held", { actor: ORGANISER, workshop }),
    readWorkshops(now_ms, workshop),
  ];
  const answers = await database.run([...statements, ...asked]).catch((error) => {
    if (!(error instanceof NoAnswer)) inWords(error);
    const noted = note === undefined ? [] : [`--note=${shellQuoted(note)}`];
    const again = hint("reserve", workshop, "--quantity", values.quantity, ...noted, "--key", key);
    throw new NoAnswer(error.message, again);
  });
  const [receipts, [{ places: held }], [row]] = answers.slice(-3);
  const decision = judge(receipts, operation, attempt);
  if (decision.kind === "unknown_workshop") {
    if (row === undefined) {
      throw new Refused(`there is no workshop ${workshop}. See: ${hint("list")}`);
    }
    throw new Refused(
      `${workshop} is not published, so nothing can be reserved. ` +
        `Run first: ${hint("publish", workshop)}`,
    );
  }
  if (decision.kind === "operation_conflict") {
    throw new Refused(`the key ${key} has a receipt for other values, which stays as it was`);
  }
  const { outcome, replayed, body } = decision;
  const json = { ...body, key, replayed };
  const earlier = replayed ? " (decided earlier; nothing more was done)" : "";
  if (outcome === "reserved") {
    const code = doorCode(body.reservation_id);
    return {
      json: { ...json, code },
      text: `reserved: ${code}, ${counted(body.quantity, "place")}${earlier}\n${describe(row)}`,
    };
  }
  const reason = replayed ? "a refusal is final for its key" : why(row, operation.quantity, held);
  return {
    json: { ...json, reason },
    text: `nothing was reserved${earlier}: ${reason}\n${describe(row)}`,
    exitCode: 1,
  };
}

/** A text as one word of a shell. */
function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Why a workshop had no places for this, in the order of the rule in `decide.sql`. */
function why(workshop, quantity, held) {
  if (["closed", "over"].includes(workshop.state)) return "it takes no reservations any more";
  if (workshop.available < quantity) return `${counted(workshop.available, "place")} available`;
  return `the organiser holds ${counted(held, "place")}, and each may hold ${workshop.places_per_actor}`;
}
