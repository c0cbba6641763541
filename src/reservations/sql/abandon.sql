-- abandon: writes the receipt that nothing was reserved, if the operation has none.
--
-- :actor, :key, :send_id, :body, :now_ms
--
-- It has no fingerprint, so that it answers the original request, should that still arrive,
-- with whatever payload.
INSERT INTO operations (actor, key, send_id, outcome, http_status, body, decided_at_ms)
VALUES (:actor, :key, :send_id, 'abandoned', 409, :body, :now_ms)
ON CONFLICT (actor, key) DO NOTHING
