-- read_receipt: the operation's receipt, whoever decided it. No row: it has none.
--
-- ?1 actor, ?2 key
SELECT fingerprint_version, fingerprint, attempt, http_status, body
FROM operations
WHERE actor = ?1 AND key = ?2
