-- check_receipts: receipts that contradict themselves, and those of a reservation that is not there.
--
-- :workshop: an id, or NULL for all
--
-- A receipt that has its reservation is compared with it by check_workshop.
-- Receipts have no index by workshop, which would cost each decision a row: this reads them all,
-- once for all workshops.
SELECT o.workshop, o.actor, o.key, o.outcome
FROM operations AS o
LEFT JOIN reservations AS r ON r.workshop = o.workshop AND r.actor = o.actor AND r.key = o.key
WHERE (:workshop IS NULL OR o.workshop = :workshop)
    AND CASE o.outcome
        WHEN 'reserved' THEN r.id IS NULL
        ELSE o.http_status IS NOT 409
            OR json_extract(CASE WHEN json_valid(o.body) THEN o.body END, '$.status') IS NOT o.outcome
    END
ORDER BY o.workshop, o.decided_at_ms
