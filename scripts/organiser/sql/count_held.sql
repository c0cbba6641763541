-- count_held: the places that one actor holds in a workshop.
--
-- ?1 actor, ?2 workshop
SELECT COALESCE(SUM(quantity), 0) AS places
FROM reservations
WHERE workshop = ?2 AND actor = ?1 AND cancelled_at_ms IS NULL
