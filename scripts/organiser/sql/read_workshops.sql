-- read_workshops: one workshop or all, also those that are not on offer, the next one first.
--
-- ?1 now in ms, ?2 workshop, or NULL for all
SELECT
    id, title, place, starts_at_ms, ends_at_ms, time_zone, closes_at_ms, published_at_ms,
    capacity, reserved, capacity - reserved AS available, places_per_actor,
    CASE
        WHEN published_at_ms IS NULL OR ?1 < published_at_ms THEN 'not published'
        WHEN ?1 >= COALESCE(ends_at_ms, starts_at_ms, ?1 + 1) THEN 'over'
        WHEN ?1 >= COALESCE(closes_at_ms, starts_at_ms, ?1 + 1) THEN 'closed'
        WHEN reserved >= capacity THEN 'full'
        ELSE 'open'
    END AS state
FROM workshops
WHERE ?2 IS NULL OR id = ?2
ORDER BY starts_at_ms, id
