-- write_note: stores a note with a new reservation.
--
-- :note
INSERT INTO notes (actor, key, note)
SELECT actor, key, :note
FROM decided
