import { doorCode } from "../../public/door-code.js";
import { READ_SCHEMA, schemaDifferences } from "../../scripts/schema.js";
import { CALL_BYTES_MAX } from "../database.js";
import { actorTag, FINGERPRINT_VERSION, fingerprint } from "../operation.js";
import { Refused } from "../refused.js";
import { statement } from "../sql.js";
import { counted, readId } from "../workshops.js";

export const help = `check [ID]

Checks that the database has the schema that the service needs, and that the data of each workshop,
or of one, is consistent: what is reserved is the sum of the places held and not more than there are,
each reservation and each cancellation was counted, no id is that of two reservations, and every
reservation and its receipt agree: outcome, status, body, workshop, id, quantity, fingerprint. Changes
nothing. Exit code 1 if something differs.

It finds contradictions. What was changed everywhere alike is none: a reservation that was un-cancelled
with both counts mended, a receipt that was removed together with its reservation and the counts, a
time, a note, and the fingerprint of a receipt without a reservation, changed to that of the other
quantity.`;

export const options = {};
export const operands = ["[ID]"];

export async function run({ operands: [operand], database, hint }) {
  const one = operand === undefined ? null : readId(operand);
  const [schema, ids, receipts, fingerprints, twice] = await database.run([
    READ_SCHEMA,
    statement("list_ids"),
    ...["check_receipts", "check_fingerprints", "check_ids"].map((name) =>
      statement(name, { workshop: one }),
    ),
  ]);
  const wanted = ids.map(({ id }) => id).filter((id) => one === null || id === one);
  if (one !== null && wanted.length === 0)
    throw new Refused(`there is no workshop ${one}. See: ${hint("list")}`);
  const workshops = [];
  // A statement for each workshop keeps each of them short, however many there are.
  for (const statements of calls(
    wanted.map((id) => statement("check_workshop", { workshop: id })),
  )) {
    workshops.push(...(await database.run(statements)).flat());
  }
  const differences = [
    ...schemaDifferences(schema).map((difference) => `schema: ${difference}`),
    ...workshops.flatMap(differencesOf),
    ...receipts.map(contradiction),
    ...fingerprints.flatMap(otherFingerprint),
    ...twice.map(
      ({ id, workshop, reservations }) =>
        `${workshop}: ${reservations} reservations have the id ${id}`,
    ),
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
function differencesOf(row) {
  const { id, capacity, reserved, held, count_version, reservations, cancellations } = row;
  const found = [];
  if (capacity === null) found.push(`${id}: has reservations, but there is no such workshop`);
  else if (reserved !== held)
    found.push(`${id}: counts ${reserved} reserved, but ${held} are held`);
  else if (count_version !== reservations + cancellations) {
    const made = `${counted(reservations, "reservation")} and ${counted(cancellations, "cancellation")}`;
    found.push(`${id}: was counted ${counted(count_version, "time")}, but there are ${made}`);
  }
  if (capacity !== null && Math.max(reserved, held) > capacity) {
    found.push(`${id}: ${Math.max(reserved, held)} reserved, but the capacity is ${capacity}`);
  }
  for (const reservation of JSON.parse(row.unreceipted)) {
    found.push(
      `${id}: the reservation ${reservation} (${doorCode(reservation)}) has no receipt that agrees with it`,
    );
  }
  return found;
}

/** A row of `check_receipts.sql`, in words. */
function contradiction({ workshop, outcome, ...receipt }) {
  return outcome === "reserved"
    ? `${workshop ?? "?"}: ${named(receipt)} has the outcome reserved, but there is no reservation`
    : `${workshop ?? "?"}: ${named(receipt)} has the outcome ${outcome}, but the answer of another`;
}

/** What is wrong with a row of `check_fingerprints.sql`, in words. Rules of a newer service are not known. */
function otherFingerprint({ workshop, quantity, receipts, ...receipt }) {
  const { fingerprint_version: version } = receipt;
  if (version !== null && version !== FINGERPRINT_VERSION) return [];
  const quantities = quantity === null ? [1, 2] : [quantity];
  const expected = quantities.map((quantity) =>
    fingerprint({ workshop: workshop ?? "", quantity }),
  );
  if (version !== null && expected.includes(receipt.fingerprint)) return [];
  const more = receipts > 1 ? ` (and ${receipts - 1} more)` : "";
  return [`${workshop ?? "?"}: ${named(receipt)}${more} has the fingerprint of another payload`];
}

/** `the receipt of KEY by TAG` */
const named = ({ actor, key }) => `the receipt of ${key} by ${actorTag(actor)}`;

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
