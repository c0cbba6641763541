-- find_reservations: those whose id begins in one way, in every workshop.
--
-- :least, :greatest: such ids
--
-- There is no index on the id, which would cost each reservation a row: this reads them all.
SELECT r.id, r.workshop, r.actor, r.key, r.quantity, r.cancelled_at_ms, o.decided_at_ms, w.title, w.time_zone, n.note
FROM reservations AS r
LEFT JOIN workshops AS w ON w.id = r.workshop
LEFT JOIN operations AS o ON o.actor = r.actor AND o.key = r.key
LEFT JOIN notes AS n ON n.actor = r.actor AND n.key = r.key
WHERE r.id BETWEEN :least AND :greatest
ORDER BY o.decided_at_ms, r.id
