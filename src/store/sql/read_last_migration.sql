-- read_last_migration: the file name of the last migration that was applied.
SELECT name
FROM d1_migrations
ORDER BY id DESC
LIMIT 1
