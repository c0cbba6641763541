-- take_places: makes the reservation, if this very attempt decided that there is one.
--
-- ?1 actor, ?2 key, ?3 attempt's id, ?4 reservation's id, ?5 quantity
--
-- The attempt's id tells the request that decided from every repetition. NOT EXISTS
-- is for the one repetition that has the same attempt's id: the same batch sent again
-- because its answer was lost.
INSERT INTO reservations (workshop, actor, key, id, quantity)
SELECT workshop, actor, key, ?4, ?5
FROM operations
WHERE actor = ?1 AND key = ?2 AND attempt = ?3 AND http_status = 201
    AND NOT EXISTS (
        SELECT 1
        FROM reservations
        WHERE workshop = operations.workshop AND actor = ?1 AND key = ?2
    )
