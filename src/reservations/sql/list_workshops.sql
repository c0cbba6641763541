-- list_workshops: the workshops that are on offer and have not ended, the earliest first.
--
-- :now_ms
SELECT
    id, title, venue, time_zone, capacity, reserved,
    strftime('%Y-%m-%dT%H:%M:%SZ', starts_at_ms / 1000, 'unixepoch') AS starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', ends_at_ms / 1000, 'unixepoch') AS ends_at,
    :now_ms < takes_reservations_until_ms AS open
FROM scheduled_workshops
WHERE published_at_ms <= :now_ms AND :now_ms < over_at_ms
ORDER BY starts_at_ms, id
