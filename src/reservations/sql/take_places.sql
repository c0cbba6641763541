-- take_places: makes the reservation, if this very attempt decided that there is one.
--
-- ?1 actor, ?2 key, ?3 attempt's id, ?4 reservation's id, ?5 quantity
--
-- NOT EXISTS makes it happen once, also when the same batch is sent again because its
-- answer was lost. The attempt's id tells the request that decided from every other one,
-- which by it ends here without reading a reservation.
INSERT INTO reservations (workshop, actor, key, id, quantity)
SELECT workshop, actor, key, ?4, ?5
FROM operations
WHERE actor = ?1 AND key = ?2 AND attempt = ?3 AND http_status = 201
    AND NOT EXISTS (
        SELECT 1
        FROM reservations
        WHERE workshop = operations.workshop AND actor = ?1 AND key = ?2
    )
