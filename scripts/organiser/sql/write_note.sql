-- write_note: keeps a note beside the reservation, if this very attempt decided that there is one.
--
-- ?1 actor, ?2 key, ?3 attempt's id, ?4 note
INSERT INTO notes (actor, key, note)
SELECT actor, key, ?4
FROM operations
WHERE actor = ?1 AND key = ?2 AND attempt = ?3 AND http_status = 201
ON CONFLICT (actor, key) DO NOTHING
