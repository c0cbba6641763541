-- abandon: writes the receipt of an abandoned operation, unless it has a receipt.
--
-- :actor, :key, :send_id, :body, :now_ms
--
-- The receipt has no fingerprint, so it matches any payload: if the original request still arrives, it
-- gets this receipt.
INSERT INTO operations (actor, key, send_id, outcome, http_status, body, decided_at_ms)
VALUES (:actor, :key, :send_id, 'abandoned', 409, :body, :now_ms)
ON CONFLICT (actor, key) DO NOTHING
