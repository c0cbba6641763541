-- read_receipt: the operation's receipt, whichever attempt decided it. No row: it has none.
--
-- :actor, :key
SELECT fingerprint_version, fingerprint, send_id, outcome, http_status, body
FROM operations
WHERE actor = :actor AND key = :key
