-- close_workshop: ends reservations now. Returns a row if they were open.
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
