-- close_workshop: takes no new reservation from now on. A row: it did, until now.
--
-- ?1 now in ms, ?2 workshop
UPDATE workshops
SET closes_at_ms = ?1
WHERE id = ?2 AND ?1 < COALESCE(closes_at_ms, starts_at_ms, ?1 + 1)
RETURNING id
