-- check_workshop: a workshop's counts, and the totals of its reservations and receipts.
--
-- :workshop
--
-- One row. `capacity` is NULL if there is no such workshop. `count_version` counts each reservation and each
-- cancellation. `unreceipted` is a JSON array of the reservations whose operation has no receipt of
-- this outcome, workshop, id and quantity.
SELECT
    requested.id, w.capacity, w.reserved, w.count_version,
    COALESCE(SUM(r.quantity) FILTER (WHERE r.cancelled_at_ms IS NULL), 0) AS held,
    COUNT(r.id) AS reservations,
    COUNT(r.cancelled_at_ms) AS cancellations,
    json_group_array(r.id) FILTER (
        WHERE r.id IS NOT NULL AND (
            o.outcome IS NOT 'reserved'
            OR o.http_status IS NOT 201
            OR o.workshop IS NOT r.workshop
            OR json_extract(o.json, '$.status') IS NOT 'reserved'
            OR json_extract(o.json, '$.reservation_id') IS NOT r.id
            OR json_extract(o.json, '$.quantity') IS NOT r.quantity
        )
    ) AS unreceipted
FROM (SELECT :workshop AS id) AS requested
LEFT JOIN workshops AS w ON w.id = requested.id
LEFT JOIN reservations AS r ON r.workshop = requested.id
LEFT JOIN (
    SELECT *, CASE WHEN json_valid(body) THEN body END AS json
    FROM operations
) AS o ON o.actor = r.actor AND o.key = r.key
