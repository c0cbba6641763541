-- write_receipt: decides an operation and writes its receipt, unless it has a receipt.
--
-- {decide} is the operation type's SELECT of the outcome. No row: the operation stays undecided.
-- {columns} are the operation type's additional columns of the receipt, each preceded by a comma.
-- :responses is a JSON object with the status and the body of each outcome.
--
-- LIMIT 1 prevents SQLite from evaluating the outcome again for each column derived from it.
-- WHERE true prevents SQLite from parsing ON CONFLICT as the constraint of a join.
INSERT INTO operations (
    actor, key, fingerprint_version, fingerprint, send_id, decided_at_ms, outcome, http_status, body{columns}
)
SELECT
    :actor, :key, :fingerprint_version, :fingerprint, :send_id, :now_ms,
    outcome, :responses ->> ('$.' || outcome || '.status'), {body}{columns}
FROM (
    SELECT *
    FROM (
{decide}
    )
    LIMIT 1
)
WHERE true
ON CONFLICT (actor, key) DO NOTHING
