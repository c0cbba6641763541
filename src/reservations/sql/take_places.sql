-- take_places: inserts the reservation. A trigger counts its places.
--
-- :reservation_id, :quantity
--
-- `decided` alone makes this run once. NOT EXISTS is the second line of defence. ON CONFLICT could not be:
-- the trigger reservations_are_not_replaced would abort first.
INSERT INTO reservations (workshop, actor, key, id, quantity)
SELECT workshop, actor, key, :reservation_id, :quantity
FROM decided
WHERE NOT EXISTS (
    SELECT 1
    FROM reservations
    WHERE workshop = decided.workshop AND actor = decided.actor AND key = decided.key
)
