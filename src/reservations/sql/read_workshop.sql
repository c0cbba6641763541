-- read_workshop: one workshop, if it is on offer, even after it ended.
--
-- :now_ms, :workshop
SELECT
    id, title, venue, time_zone, capacity, reserved,
    strftime('%Y-%m-%dT%H:%M:%SZ', starts_at_ms / 1000, 'unixepoch') AS starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', ends_at_ms / 1000, 'unixepoch') AS ends_at,
    :now_ms < takes_reservations_until_ms AS open
FROM scheduled_workshops
WHERE id = :workshop AND published_at_ms <= :now_ms
