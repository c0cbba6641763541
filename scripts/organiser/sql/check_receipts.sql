-- check_receipts: receipts that say "reserved" and have no reservation.
--
-- ?1 workshop, or NULL for all
--
-- Receipts have no index by workshop, which would cost each decision a row: this reads them all,
-- once for all workshops.
SELECT o.workshop, o.actor, o.key
FROM operations AS o
LEFT JOIN reservations AS r ON r.workshop = o.workshop AND r.actor = o.actor AND r.key = o.key
WHERE o.http_status = 201 AND r.id IS NULL AND (?1 IS NULL OR o.workshop = ?1)
ORDER BY o.workshop, o.decided_at_ms
