-- check_ids: duplicate reservation ids.
--
-- :workshop: an id, or NULL for all
SELECT id, MIN(workshop) AS workshop, COUNT(*) AS reservations
FROM reservations
GROUP BY id
HAVING COUNT(*) > 1 AND (:workshop IS NULL OR MAX(workshop = :workshop))
ORDER BY id
