-- find_reservations: the reservations with ids in a range, in every workshop.
--
-- :id_min, :id_max
--
-- A full scan: an index on the id would cost an additional row write for each reservation.
SELECT r.id, r.workshop, r.actor, r.key, r.quantity, r.cancelled_at_ms, o.decided_at_ms, w.title, w.time_zone, n.note
FROM reservations AS r
LEFT JOIN workshops AS w ON w.id = r.workshop
LEFT JOIN operations AS o ON o.actor = r.actor AND o.key = r.key
LEFT JOIN notes AS n ON n.actor = r.actor AND n.key = r.key
WHERE r.id BETWEEN :id_min AND :id_max
ORDER BY o.decided_at_ms, r.id
