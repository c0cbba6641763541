-- check_workshop: what one workshop counts, and what its reservations and receipts say.
--
-- ?1 workshop
--
-- One row. `capacity` is NULL if there is no such workshop. `unreceipted` is a JSON array of the
-- reservations whose operation has no receipt that says so: this workshop, this id, this quantity.
SELECT
    asked.id, w.capacity, w.reserved,
    COALESCE(SUM(r.quantity) FILTER (WHERE r.cancelled_at_ms IS NULL), 0) AS held,
    COUNT(r.id) AS reservations,
    json_group_array(r.id) FILTER (
        WHERE r.id IS NOT NULL AND (
            o.http_status IS NOT 201
            OR o.workshop IS NOT r.workshop
            OR json_extract(CASE WHEN json_valid(o.body) THEN o.body END, '$.reservation_id') IS NOT r.id
            OR json_extract(CASE WHEN json_valid(o.body) THEN o.body END, '$.quantity') IS NOT r.quantity
        )
    ) AS unreceipted
FROM (SELECT ?1 AS id) AS asked
LEFT JOIN workshops AS w ON w.id = asked.id
LEFT JOIN reservations AS r ON r.workshop = asked.id
LEFT JOIN operations AS o ON o.actor = r.actor AND o.key = r.key
