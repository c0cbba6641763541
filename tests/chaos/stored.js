// Reads the database for `check.js`.

/** @returns {Promise<{workshops: object[], receipts: object[], reservations: object[], damage: object[]}>} */
export async function readStored(database) {
  const rows = async (sql) => (await database.prepare(sql).all()).results;
  return {
    workshops: await rows(
      `SELECT id, capacity, reserved, published_at_ms IS NOT NULL AS offered,
         (SELECT COALESCE(SUM(quantity), 0) FROM reservations
           WHERE workshop = workshops.id AND cancelled_at_ms IS NULL) AS held
       FROM workshops`,
    ),
    receipts: await rows(
      "SELECT actor, key, workshop, outcome, http_status, body, decided_at_ms FROM operations",
    ),
    reservations: await rows(
      "SELECT actor, key, workshop, id, quantity, cancelled_at_ms FROM reservations",
    ),
    // Both are empty unless the file is corrupt.
    damage: [
      ...(await rows("PRAGMA quick_check")).filter((row) => row.quick_check !== "ok"),
      ...(await rows("PRAGMA foreign_key_check")),
    ],
  };
}
