-- close_workshop: takes no new reservation from now on. A row: it did, until now.
--
-- :now_ms, :workshop
UPDATE workshops
SET closes_at_ms = :now_ms
WHERE id = (
    SELECT id
    FROM scheduled_workshops
    WHERE id = :workshop AND :now_ms < takes_reservations_until_ms
)
RETURNING id
