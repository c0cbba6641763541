-- check_fingerprints: the distinct fingerprints, with the number of their receipts.
--
-- :workshop: an id, or NULL for all
--
-- A payload has one fingerprint, so the rows are few, however many receipts there are. `quantity` is
-- NULL where nothing was reserved. `actor` and `key` name one of the receipts.
SELECT
    o.workshop, r.quantity, o.fingerprint_version, o.fingerprint, o.actor, MIN(o.key) AS key, COUNT(*) AS receipts
FROM operations AS o
LEFT JOIN reservations AS r ON r.workshop = o.workshop AND r.actor = o.actor AND r.key = o.key
WHERE o.outcome <> 'abandoned' AND (:workshop IS NULL OR o.workshop = :workshop)
GROUP BY o.workshop, r.quantity, o.fingerprint_version, o.fingerprint
ORDER BY o.workshop, r.quantity, o.fingerprint
