-- list_ids: the ids of all workshops, including those that only reservations refer to.
SELECT id FROM workshops
UNION
SELECT workshop FROM reservations
