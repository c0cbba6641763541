-- publish_workshop: puts a workshop on offer. A row: it was not, until now.
--
-- ?1 now in ms, ?2 workshop
UPDATE workshops
SET published_at_ms = ?1
WHERE id = ?2 AND (published_at_ms IS NULL OR published_at_ms > ?1)
RETURNING id
