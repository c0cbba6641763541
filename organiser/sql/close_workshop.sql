-- close_workshop: takes no new reservation from now on. A row: it did, until now.
--
-- :now_ms, :workshop
UPDATE workshops
SET closes_at_ms = :now_ms
WHERE id = :workshop AND :now_ms < COALESCE(closes_at_ms, starts_at_ms, :now_ms + 1)
RETURNING id
