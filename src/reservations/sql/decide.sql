-- decide: selects the outcome. No row: no such workshop is on offer, and the operation stays undecided.
--
-- :workshop, :quantity, :actor, :now_ms
--
-- The only definition of who may reserve: the workshop is published, is not closed, has the places, and the
-- actor stays within its limit.
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
