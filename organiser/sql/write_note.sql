-- write_note: keeps a note beside the reservation that was made.
--
-- :note
INSERT INTO notes (actor, key, note)
SELECT actor, key, :note
FROM decided
