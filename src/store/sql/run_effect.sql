-- run_effect: runs an effect for the send that decided and for one outcome only.
--
-- {effect} is the operation type's INSERT, UPDATE or DELETE, which selects from `decided`: the receipt, if
-- this send wrote it with this outcome, otherwise no row.
WITH decided AS (
    SELECT *
    FROM operations
    WHERE actor = :actor AND key = :key AND send_id = :send_id AND outcome = {'outcome'}
)
{effect}
