-- list_workshops: what is on offer and has not ended, the next one first.
--
-- ?1 now in ms
SELECT
    id, title, place, time_zone, capacity, reserved,
    strftime('%Y-%m-%dT%H:%M:%SZ', starts_at_ms / 1000, 'unixepoch') AS starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', ends_at_ms / 1000, 'unixepoch') AS ends_at,
    ?1 < COALESCE(closes_at_ms, starts_at_ms, ?1 + 1) AS open
FROM workshops
WHERE published_at_ms <= ?1 AND ?1 < COALESCE(ends_at_ms, starts_at_ms, ?1 + 1)
ORDER BY starts_at_ms, id
