-- count_held: the places that one actor holds in a workshop.
--
-- :actor, :workshop
SELECT COALESCE(SUM(quantity), 0) AS places
FROM reservations
WHERE workshop = :workshop AND actor = :actor AND cancelled_at_ms IS NULL
