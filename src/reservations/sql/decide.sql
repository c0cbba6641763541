-- decide: writes the operation's receipt, if it has none and the workshop is on offer.
--
-- ?1 actor, ?2 key, ?3 fingerprint's version, ?4 fingerprint, ?5 attempt's id, ?6 now in ms,
-- ?7 body if reserved, ?8 body if unavailable, ?9 workshop, ?10 quantity
--
-- `may_reserve` is the one rule of who may reserve: the workshop is published, has not
-- closed, has the places, and leaves the actor within its limit. LIMIT 1 keeps it from
-- being evaluated once for the status and once more for the body; WHERE true keeps
-- ON CONFLICT from being read as part of a join.
INSERT INTO operations (
    actor, key, workshop, fingerprint_version, fingerprint, attempt, http_status, body, decided_at_ms
)
SELECT
    ?1, ?2, id, ?3, ?4, ?5,
    CASE WHEN may_reserve THEN 201 ELSE 409 END,
    CASE WHEN may_reserve THEN ?7 ELSE ?8 END,
    ?6
FROM (
    SELECT
        id,
        ?6 < COALESCE(closes_at_ms, starts_at_ms, ?6 + 1)
        AND reserved + ?10 <= capacity
        AND (
            places_per_actor IS NULL
            OR ?10 + (
                SELECT COALESCE(SUM(quantity), 0)
                FROM reservations
                WHERE workshop = workshops.id AND actor = ?1 AND cancelled_at_ms IS NULL
            ) <= places_per_actor
        ) AS may_reserve
    FROM workshops
    WHERE id = ?9 AND published_at_ms <= ?6
    LIMIT 1
)
WHERE true
ON CONFLICT (actor, key) DO NOTHING
