-- run_effect: runs an effect only for the send that decided, and only for one outcome.
--
-- {effect} is the operation type's INSERT, UPDATE or DELETE, which selects from `decided`: the
-- receipt, if this very send wrote it with this outcome, and else no row.
WITH decided AS (
    SELECT *
    FROM operations
    WHERE actor = :actor AND key = :key AND send_id = :send_id AND outcome = {'outcome'}
)
{effect}
