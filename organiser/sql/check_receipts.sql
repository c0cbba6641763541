-- check_receipts: receipts that contradict themselves, or whose reservation is missing.
--
-- :workshop: an id, or NULL for all
--
-- check_workshop compares a receipt with its reservation. This is a full scan: an index by workshop
-- would cost an additional row write for each decision.
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
