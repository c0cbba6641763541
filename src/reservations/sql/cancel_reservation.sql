-- cancel_reservation: gives the places of an operation's reservation back, once.
--
-- ?1 actor, ?2 key, ?3 now in ms
UPDATE reservations
SET cancelled_at_ms = ?3
WHERE workshop = (SELECT workshop FROM operations WHERE actor = ?1 AND key = ?2)
    AND actor = ?1 AND key = ?2 AND cancelled_at_ms IS NULL
