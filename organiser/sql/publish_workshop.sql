-- publish_workshop: puts a workshop on offer. A row: it was not, until now.
--
-- :now_ms, :workshop
UPDATE workshops
SET published_at_ms = :now_ms
WHERE id = :workshop AND (published_at_ms IS NULL OR published_at_ms > :now_ms)
RETURNING id
