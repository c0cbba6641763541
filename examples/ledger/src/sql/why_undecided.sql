-- why_undecided: the code of the reason, after decide had no row.
--
-- :from, :actor
SELECT iif(
    EXISTS (SELECT 1 FROM accounts WHERE id = :from AND owner = :actor),
    'unknown_payee',
    'unknown_payer'
) AS error
