-- list_operations: the newest operations of an actor, with the columns of read_operation.
--
-- :actor, :maximum
--
-- The subquery selects the newest first, so that only their reservations are joined.
SELECT
    newest.key, outcome, http_status, newest.workshop,
    strftime('%Y-%m-%dT%H:%M:%SZ', decided_at_ms / 1000, 'unixepoch') AS decided_at,
    id AS reservation_id, quantity, cancelled_at_ms IS NOT NULL AS cancelled
FROM (
    SELECT *
    FROM operations
    WHERE actor = :actor
    ORDER BY decided_at_ms DESC, key
    LIMIT :maximum
) AS newest
LEFT JOIN reservations USING (workshop, actor, key)
ORDER BY decided_at_ms DESC, newest.key
