-- check_fingerprints: the fingerprints there are, with how many receipts have each.
--
-- :workshop: an id, or NULL for all
--
-- A payload has one fingerprint, so there are few rows, however many receipts there are. `quantity`
-- is NULL where nothing was reserved. Of the receipts, `actor` and `key` name one.
SELECT
    o.workshop, r.quantity, o.fingerprint_version, o.fingerprint, o.actor, MIN(o.key) AS key, COUNT(*) AS receipts
FROM operations AS o
LEFT JOIN reservations AS r ON r.workshop = o.workshop AND r.actor = o.actor AND r.key = o.key
WHERE o.outcome <> 'abandoned' AND (:workshop IS NULL OR o.workshop = :workshop)
GROUP BY o.workshop, r.quantity, o.fingerprint_version, o.fingerprint
ORDER BY o.workshop, r.quantity, o.fingerprint
