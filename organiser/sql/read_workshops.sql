-- read_workshops: one workshop or all, including unpublished ones, ordered by start.
--
-- :now_ms, :workshop: an id, or NULL for all
SELECT
    id, title, venue, starts_at_ms, ends_at_ms, time_zone, closes_at_ms, published_at_ms,
    capacity, reserved, capacity - reserved AS available, places_per_actor,
    CASE
        WHEN published_at_ms IS NULL OR :now_ms < published_at_ms THEN 'not published'
        WHEN :now_ms >= over_at_ms THEN 'over'
        WHEN :now_ms >= takes_reservations_until_ms THEN 'closed'
        WHEN reserved >= capacity THEN 'full'
        ELSE 'open'
    END AS state
FROM scheduled_workshops
WHERE :workshop IS NULL OR id = :workshop
ORDER BY starts_at_ms, id
