-- list_ids: every workshop, and what reservations name as one.
SELECT id FROM workshops
UNION
SELECT workshop FROM reservations
