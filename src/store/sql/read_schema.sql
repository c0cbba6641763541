-- read_schema: every table, index, trigger and view, with its SQL.
SELECT type, name, tbl_name, sql
FROM sqlite_schema
WHERE sql IS NOT NULL
ORDER BY type, name
