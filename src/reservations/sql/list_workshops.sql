-- list_workshops: what is on offer and has not ended, the next one first.
--
-- :now_ms
SELECT
    id, title, place, time_zone, capacity, reserved,
    strftime('%Y-%m-%dT%H:%M:%SZ', starts_at_ms / 1000, 'unixepoch') AS starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', ends_at_ms / 1000, 'unixepoch') AS ends_at,
    :now_ms < COALESCE(closes_at_ms, starts_at_ms, :now_ms + 1) AS open
FROM workshops
WHERE published_at_ms <= :now_ms AND :now_ms < COALESCE(ends_at_ms, starts_at_ms, :now_ms + 1)
ORDER BY starts_at_ms, id
