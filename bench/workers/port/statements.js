// The statements of `POST /reserve`, made of the files in `src/` as the macro `operation_sql!` of
// `src/operation.rs` makes them.

import { numbered, template } from "../../../scripts/sql-text.js";

const ENGINE = { actor: "text", key: "text", send_id: "text" };

/**
 * @param {Record<string, string>} sql the texts of the files, by their names
 * @returns the statements of one batch, in their order
 */
export function reserveBatch({ writeReceipt, runEffect, readReceipt, decide, takePlaces }) {
  const body = ":responses ->> ('$.' || outcome || '.body')";
  return [
    numbered(template(writeReceipt, { decide, columns: ", workshop", body }), {
      ...ENGINE,
      fingerprint_version: "integer",
      fingerprint: "text",
      now_ms: "integer",
      responses: "text",
      workshop: "text",
      quantity: "integer",
    }),
    numbered(template(runEffect, { effect: takePlaces, outcome: "reserved" }), {
      ...ENGINE,
      reservation_id: "text",
      quantity: "integer",
    }),
    numbered(readReceipt, { actor: "text", key: "text" }),
  ];
}

/** The values of a statement's parameters, `?1` first. */
export function valuesOf({ names }, values) {
  return names.map((name) => values[name]);
}
