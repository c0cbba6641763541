-- read_receipt: the receipt of an operation, whichever attempt decided it. No row: it is undecided.
--
-- :actor, :key
SELECT fingerprint_version, fingerprint, send_id, outcome, http_status, body
FROM operations
WHERE actor = :actor AND key = :key
