-- A workshop to try the service with, in the local database only: three places, in two
-- weeks from now, and moved there again once it is over.
INSERT INTO workshops (id, title, venue, starts_at_ms, ends_at_ms, time_zone, capacity, published_at_ms)
SELECT
    'workshop-demo', 'Demo workshop', 'The workshop room',
    day * 86400000 + 17 * 3600000, day * 86400000 + 19 * 3600000, 'Europe/Zurich', 3, 0
FROM (SELECT unixepoch() / 86400 + 14 AS day)
WHERE true
ON CONFLICT (id) DO UPDATE
SET starts_at_ms = excluded.starts_at_ms, ends_at_ms = excluded.ends_at_ms
WHERE starts_at_ms < unixepoch() * 1000;
