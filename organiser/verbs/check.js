import { doorCode } from "../../public/door-code.js";
import { READ_SCHEMA, schemaDifferences } from "../../scripts/schema.js";
import { CALL_BYTES_MAX } from "../database.js";
import { actorId, FINGERPRINT_VERSION, fingerprint } from "../operation.js";
import { Refused } from "../refused.js";
import { statement } from "../sql.js";
import { counted, readId } from "../workshops.js";

/** @typedef {{type: string, name: string, tbl_name: string, sql: string}} SchemaRow of `READ_SCHEMA` */

export const help = `check [ID]

Checks that the database has the schema of this build, and that the data of all workshops, or of one,
is consistent: the reserved places are the sum of the places held and within the capacity, each
reservation and cancellation was counted, ids are unique, and every reservation agrees with its
receipt: outcome, status, body, workshop, id, quantity, fingerprint. Read-only. Exit code 1 if
something is inconsistent.

Consistent changes are not found: a reservation un-cancelled with both counts adjusted, a receipt
deleted together with its reservation and the counts, a changed time or note, and the fingerprint of
a receipt without a reservation, replaced by that of the other quantity.`;

/** @type {import("../types.js").Verb["options"]} */
export const options = {};
export const operands = ["[ID]"];

/**
 * @param {import("../types.js").Invocation} invocation
 * @returns {Promise<import("../types.js").Result>}
 */
export async function run({ operands: [operand], database, hint }) {
  const one = operand === undefined ? null : readId(operand);
  const [schema, ids, receipts, fingerprints, duplicates] = await database.run([
    READ_SCHEMA,
    statement("list_ids"),
    ...["check_receipts", "check_fingerprints", "check_ids"].map((name) =>
      statement(name, { workshop: one }),
    ),
  ]);
  const wanted = ids.map(({ id }) => id).filter((id) => one === null || id === one);
  if (one !== null && wanted.length === 0)
    throw new Refused(`there is no workshop ${one}. See: ${hint("list")}`);
  /** @type {Record<string, any>[]} */
  const workshops = [];
  // One statement per workshop, so that each is short, however many workshops there are.
  for (const statements of calls(
    wanted.map((id) => statement("check_workshop", { workshop: id })),
  )) {
    workshops.push(...(await database.run(statements)).flat());
  }
  const differences = [
    ...schemaDifferences(/** @type {SchemaRow[]} */ (schema)).map(
      (difference) => `schema: ${difference}`,
    ),
    ...workshops.flatMap(differencesOf),
    ...receipts.map(contradiction),
    ...fingerprints.flatMap(otherFingerprint),
    ...duplicates.map(
      ({ id, workshop, reservations }) =>
        `${workshop}: ${reservations} reservations have the id ${id}`,
    ),
  ];
  const reservations = workshops.reduce((sum, row) => sum + row.reservations, 0);
  const checked = `${counted(workshops.length, "workshop")} and ${counted(reservations, "reservation")} checked`;
  const found =
    differences.length === 0 ? "consistent" : `${counted(differences.length, "problem")} found`;
  return {
    json: { workshops: workshops.length, reservations, differences },
    text: [...differences, `${checked}: ${found}`].join("\n"),
    exitCode: differences.length === 0 ? 0 : 1,
  };
}

/**
 * Describes the problems in a row of `check_workshop.sql`.
 * @param {Record<string, any>} row
 */
function differencesOf(row) {
  const { id, capacity, reserved, held, count_version, reservations, cancellations } = row;
  const found = [];
  if (capacity === null) found.push(`${id}: has reservations, but does not exist`);
  else if (reserved !== held)
    found.push(`${id}: counts ${reserved} reserved, but ${held} are held`);
  else if (count_version !== reservations + cancellations) {
    const made = `${counted(reservations, "reservation")} and ${counted(cancellations, "cancellation")}`;
    found.push(`${id}: counted ${counted(count_version, "change")}, but there are ${made}`);
  }
  if (capacity !== null && Math.max(reserved, held) > capacity) {
    found.push(`${id}: ${Math.max(reserved, held)} reserved, but the capacity is ${capacity}`);
  }
  for (const reservation of JSON.parse(row.unreceipted)) {
    found.push(
      `${id}: the reservation ${reservation} (${doorCode(reservation)}) has no matching receipt`,
    );
  }
  return found;
}

/**
 * Describes a row of `check_receipts.sql`.
 * @param {Record<string, any>} row
 */
function contradiction({ workshop, outcome, ...receipt }) {
  return outcome === "reserved"
    ? `${workshop ?? "?"}: ${named(receipt)} has the outcome reserved, but no reservation`
    : `${workshop ?? "?"}: ${named(receipt)} has the outcome ${outcome}, but the response of another`;
}

/**
 * Describes the problem in a row of `check_fingerprints.sql`. Newer versions cannot be checked.
 * @param {Record<string, any>} row
 */
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

/**
 * `the receipt of KEY by ACTOR_ID`
 * @param {Record<string, any>} receipt
 */
const named = ({ actor, key }) => `the receipt of ${key} by ${actorId(actor)}`;

/**
 * Splits the statements into calls.
 * @param {string[]} statements
 */
function calls(statements) {
  /** @type {string[][]} */
  const lists = [];
  let bytes = CALL_BYTES_MAX;
  for (const sql of statements) {
    bytes += sql.length + 2;
    if (bytes > CALL_BYTES_MAX) {
      lists.push([]);
      bytes = sql.length;
    }
    lists.at(-1)?.push(sql);
  }
  return lists;
}
