-- read_operation: the outcome of an operation, and the state of its reservation. No row: it is undecided.
--
-- :actor, :key
SELECT
    operations.key, outcome, http_status, operations.workshop,
    strftime('%Y-%m-%dT%H:%M:%SZ', decided_at_ms / 1000, 'unixepoch') AS decided_at,
    id AS reservation_id, quantity, cancelled_at_ms IS NOT NULL AS cancelled
FROM operations
LEFT JOIN reservations USING (workshop, actor, key)
WHERE operations.actor = :actor AND operations.key = :key
