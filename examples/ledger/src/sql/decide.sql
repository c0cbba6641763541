-- decide: selects the outcome. No row: one of the accounts is unknown, and the operation stays undecided.
--
-- :from, :to, :amount, :actor
SELECT
    iif(payer.balance >= :amount, 'transferred', 'insufficient') AS outcome,
    -- Before any effect was run.
    json_object('balance', payer.balance - iif(payer.balance >= :amount, :amount, 0)) AS members
FROM accounts AS payer
JOIN accounts AS payee ON payee.id = :to
WHERE payer.id = :from AND payer.owner = :actor
