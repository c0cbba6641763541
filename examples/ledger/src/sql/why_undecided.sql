-- why_undecided: selects the code of the reason, after decide selected no row.
--
-- :from, :actor
SELECT iif(
    EXISTS (SELECT 1 FROM accounts WHERE id = :from AND owner = :actor),
    'unknown_payee',
    'unknown_payer'
) AS error
