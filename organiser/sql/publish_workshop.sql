-- publish_workshop: publishes a workshop. Returns a row if it was not published before.
--
-- :now_ms, :workshop
UPDATE workshops
SET published_at_ms = :now_ms
WHERE id = :workshop AND (published_at_ms IS NULL OR published_at_ms > :now_ms)
RETURNING id
