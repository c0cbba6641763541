-- write_receipt: writes the receipt of an operation, unless it has one and if it can be decided.
--
-- {decide} is the operation type's SELECT of the outcome. It has one row, or none: undecided.
-- {columns} are the columns of its own that it adds to the receipt, each after a comma.
-- :responses is a JSON object: for each outcome its status and body.
--
-- LIMIT 1 keeps SQLite from evaluating the outcome once more for each column that is made of it.
-- WHERE true keeps ON CONFLICT from being read as part of a join.
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
