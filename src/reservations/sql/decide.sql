-- decide: whether the places are reserved. No row: no such workshop is on offer.
--
-- :workshop, :quantity, :actor, :now_ms
--
-- This is the one rule of who may reserve: the workshop is published, has not closed, has the
-- places, and leaves the actor within its limit.
SELECT
    id AS workshop,
    iif(
        :now_ms < takes_reservations_until_ms
        AND reserved + :quantity <= capacity
        AND (
            places_per_actor IS NULL
            OR :quantity + (
                SELECT COALESCE(SUM(quantity), 0)
                FROM reservations
                WHERE workshop = scheduled_workshops.id AND actor = :actor AND cancelled_at_ms IS NULL
            ) <= places_per_actor
        ),
        'reserved',
        'unavailable'
    ) AS outcome
FROM scheduled_workshops
WHERE id = :workshop AND published_at_ms <= :now_ms
