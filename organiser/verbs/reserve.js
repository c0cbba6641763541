import { randomUUID } from "node:crypto";
import { doorCode } from "../../public/door-code.js";
import { throwExplained } from "../constraints.js";
import { UnknownOutcome } from "../database.js";
import { compare, newAttempt, ORGANISER, reserveStatements } from "../operation.js";
import { Refused, UsageError } from "../refused.js";
import { statement } from "../sql.js";
import { counted, describe, readId, readWorkshops, theWorkshop } from "../workshops.js";

export const help = `reserve ID --quantity N [--note TEXT] [--key UUID]

Reserves on behalf of someone, for example by telephone, as the actor t_organiser. The same rules apply
as for everybody.

--quantity  number of places, 1 or 2
--note      for whom; only attendees and cancel show it
--key       the idempotency key, to repeat a command whose outcome is unknown: with the same key it
            reserves only once`;

/** @type {import("../types.js").Verb["options"]} */
export const options = {
  quantity: { type: "string" },
  note: { type: "string" },
  key: { type: "string" },
};
export const operands = ["ID"];

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * @param {import("../types.js").Invocation<{quantity?: string, note?: string, key?: string}>} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], values, database, now_ms, hint }) {
  const { note, key = randomUUID() } = values;
  const workshop = readId(operand);
  if (!/^[12]$/.test(values.quantity ?? "")) {
    throw new UsageError(`expected --quantity to be 1 or 2, found ${values.quantity ?? "none"}`);
  }
  if (!KEY.test(key)) {
    throw new UsageError(`expected --key to be a UUID version 4 in lower case, found ${key}`);
  }
  const operation = { actor: ORGANISER, key, workshop, quantity: Number(values.quantity) };
  const attempt = newAttempt(now_ms);
  const statements = reserveStatements(operation, attempt, note);
  const reads = [
    statement("count_held", { actor: ORGANISER, workshop }),
    readWorkshops(now_ms, workshop),
  ];
  const results = await database.run([...statements, ...reads]).catch((error) => {
    if (!(error instanceof UnknownOutcome)) throwExplained(error);
    const noted = note === undefined ? [] : [`--note=${shellQuoted(note)}`];
    const again = hint(
      "reserve",
      workshop,
      "--quantity",
      String(operation.quantity),
      ...noted,
      "--key",
      key,
    );
    throw new UnknownOutcome(error.message, again);
  });
  const [receipts, [{ places: held }], rows] = results.slice(-3);
  const row = theWorkshop(rows, workshop, hint);
  const decision = compare(receipts, operation, attempt);
  if (decision.kind === "unknown_workshop") {
    throw new Refused(`${workshop} is not published. First run: ${hint("publish", workshop)}`);
  }
  if (decision.kind !== "decided") {
    throw new Refused(
      `the key ${key} already has a receipt with another payload; nothing was changed`,
    );
  }
  const { outcome, replayed, body } = decision;
  const json = { ...body, key, replayed };
  const earlier = replayed ? " (a replay; nothing was changed)" : "";
  if (outcome === "reserved") {
    const code = doorCode(body.reservation_id);
    return {
      json: { ...json, code },
      text: `reserved: ${code}, ${counted(body.quantity, "place")}${earlier}\n${describe(row)}`,
    };
  }
  const reason = replayed
    ? "a refusal is final for its key"
    : refusalReason(row, operation.quantity, held);
  return {
    json: { ...json, reason },
    text: `nothing was reserved${earlier}: ${reason}\n${describe(row)}`,
    exitCode: 1,
  };
}

/**
 * Quotes a text for a shell.
 * @param {string} text
 */
function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The reason of a refusal, in the order of the conditions in `decide.sql`.
 * @param {import("../types.js").WorkshopRow} workshop
 * @param {number} quantity
 * @param {number} held places that the organiser holds
 */
function refusalReason(workshop, quantity, held) {
  if (["closed", "over"].includes(workshop.state)) return "reservations are closed";
  if (workshop.available < quantity) return `${counted(workshop.available, "place")} available`;
  return `the organiser holds ${counted(held, "place")} of at most ${workshop.places_per_actor} per actor`;
}
