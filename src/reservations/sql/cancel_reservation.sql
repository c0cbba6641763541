-- cancel_reservation: cancels the reservation of an operation, once. A trigger releases the places.
--
-- :actor, :key, :now_ms
UPDATE reservations
SET cancelled_at_ms = :now_ms
WHERE workshop = (SELECT workshop FROM operations WHERE actor = :actor AND key = :key)
    AND actor = :actor AND key = :key AND cancelled_at_ms IS NULL
