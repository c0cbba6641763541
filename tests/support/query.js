/**
 * Queries of a D1 database.
 * @param {D1Database} database
 * @returns a function of one statement and its parameters, which returns the rows
 */
export function queryOf(database) {
  return async (sql, ...parameters) => {
    const { results } = await database
      .prepare(sql)
      .bind(...parameters)
      .all();
    return results;
  };
}
