-- read_attendees: a workshop's reservations, in the order they were made.
--
-- :workshop
--
-- Reads one workshop's reservations by the prefix of their primary key, and looks up the receipt and
-- the note of each by key.
SELECT r.id, r.quantity, r.cancelled_at_ms, o.decided_at_ms, r.actor, n.note
FROM reservations AS r
LEFT JOIN operations AS o ON o.actor = r.actor AND o.key = r.key
LEFT JOIN notes AS n ON n.actor = r.actor AND n.key = r.key
WHERE r.workshop = :workshop
ORDER BY o.decided_at_ms, r.id
