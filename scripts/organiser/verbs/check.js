import { doorCode } from "../../../public/door-code.js";
import { READ_SCHEMA, schemaDifferences } from "../../schema.js";
import { CALL_BYTES_MAX } from "../database.js";
import { actorTag } from "../operation.js";
import { Refused } from "../refused.js";
import { statement } from "../sql.js";
import { counted, readId } from "../workshops.js";

export const help = `check [ID]

Checks that the database has the schema that the service needs, and that the count of each workshop,
or of one, is right: what is reserved is the sum of the places held and not more than there are,
every reservation has its receipt, and every receipt of a reservation has the reservation. Changes
nothing. Exit code 1 if something differs.`;

export const options = {};
export const operands = ["[ID]"];

export async function run({ operands: [operand], database, hint }) {
  const one = operand === undefined ? null : readId(operand);
  const [schema, ids, receipts] = await database.run([
    READ_SCHEMA,
    statement("list_ids"),
    statement("check_receipts", one),
  ]);
  const wanted = ids.map(({ id }) => id).filter((id) => one === null || id === one);
  if (one !== null && wanted.length === 0)
    throw new Refused(`there is no workshop ${one}. See: ${hint("list")}`);
  const workshops = [];
  // A statement for each workshop keeps each of them short, however many there are.
  for (const statements of calls(wanted.map((id) => statement("check_workshop", id)))) {
    workshops.push(...(await database.run(statements)).flat());
  }
  const differences = [
    ...schemaDifferences(schema).map((difference) => `schema: ${difference}`),
    ...workshops.flatMap(differencesOf),
    ...receipts.map(withoutReservation),
  ];
  const reservations = workshops.reduce((sum, row) => sum + row.reservations, 0);
  const checked = `${counted(workshops.length, "workshop")} and ${counted(reservations, "reservation")} checked`;
  const found = differences.length === 0 ? "nothing differs" : `${differences.length} differ`;
  return {
    json: { workshops: workshops.length, reservations, differences },
    text: [...differences, `${checked}: ${found}`].join("\n"),
    exitCode: differences.length === 0 ? 0 : 1,
  };
}

/** What is wrong with a row of `check_workshop.sql`, in words. */
function differencesOf({ id, capacity, reserved, held, unreceipted }) {
  const found = [];
  if (capacity === null) found.push(`${id}: has reservations, but there is no such workshop`);
  else if (reserved !== held)
    found.push(`${id}: counts ${reserved} reserved, but ${held} are held`);
  if (capacity !== null && Math.max(reserved, held) > capacity) {
    found.push(`${id}: ${Math.max(reserved, held)} reserved, but the capacity is ${capacity}`);
  }
  for (const reservation of JSON.parse(unreceipted)) {
    found.push(
      `${id}: the reservation ${reservation} (${doorCode(reservation)}) has no receipt that says so`,
    );
  }
  return found;
}

/** A row of `check_receipts.sql`, in words. */
function withoutReservation({ workshop, actor, key }) {
  return `${workshop ?? "?"}: the receipt of ${key} by ${actorTag(actor)} says reserved, but there is no reservation`;
}

/** The statements in lists that each fit into one call. */
function calls(statements) {
  const lists = [];
  let bytes = CALL_BYTES_MAX;
  for (const sql of statements) {
    bytes += sql.length + 2;
    if (bytes > CALL_BYTES_MAX) {
      lists.push([]);
      bytes = sql.length;
    }
    lists.at(-1).push(sql);
  }
  return lists;
}
