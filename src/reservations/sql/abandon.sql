-- abandon: writes a receipt that nothing was reserved, if the operation has none.
--
-- ?1 actor, ?2 key, ?3 attempt's id, ?4 body, ?5 now in ms
--
-- It has no values, so that it answers the original request, should that still arrive,
-- whatever it asks for.
INSERT INTO operations (actor, key, attempt, http_status, body, decided_at_ms)
VALUES (?1, ?2, ?3, 409, ?4, ?5)
ON CONFLICT (actor, key) DO NOTHING
