-- The receipts of operations, which the engine writes and reads, and the ledger.
--
-- Every amount is in cents.

CREATE TABLE operations (
    actor               TEXT    NOT NULL,
    key                 TEXT    NOT NULL, -- the Idempotency-Key, a UUID version 4
    fingerprint_version INTEGER NOT NULL, -- the rule that fingerprint was computed by
    fingerprint         TEXT    NOT NULL, -- SHA-256 of operation type and payload, hex
    send_id             TEXT    NOT NULL, -- the send that decided: 128 random bits of its attempt, hex, and its number
    outcome             TEXT    NOT NULL, -- what was decided
    http_status         INTEGER NOT NULL, -- of the response
    body                TEXT    NOT NULL, -- of the response, its bytes
    decided_at_ms       INTEGER NOT NULL, -- since 1970-01-01T00:00:00Z
    PRIMARY KEY (actor, key),
    CONSTRAINT operations_send_id_is_whole CHECK (length(send_id) = 34),
    CONSTRAINT operations_http_status_is_one CHECK (http_status BETWEEN 200 AND 599),
    CONSTRAINT operations_body_is_json CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

-- The API keys, by which requests are authenticated.
CREATE TABLE api_keys (
    sha256 TEXT NOT NULL PRIMARY KEY, -- of the API key, hex
    actor  TEXT NOT NULL,             -- that it authenticates
    CONSTRAINT api_keys_sha256_is_whole CHECK (length(sha256) = 64)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id      TEXT    NOT NULL PRIMARY KEY,
    owner   TEXT    NOT NULL, -- the actor that may transfer from it
    balance INTEGER NOT NULL,
    CONSTRAINT accounts_are_not_overdrawn CHECK (balance >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL, -- the operation that made it: at most one transfer each
    id    TEXT NOT NULL, -- 128 random bits, lowercase hex
    PRIMARY KEY (actor, key),
    CONSTRAINT transfers_have_a_receipt FOREIGN KEY (actor, key) REFERENCES operations (actor, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transfers_by_id ON transfers (id);

-- Double-entry bookkeeping: the entries of a transfer add up to 0.
CREATE TABLE entries (
    id       TEXT    NOT NULL PRIMARY KEY, -- 128 random bits, lowercase hex
    transfer TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    amount   INTEGER NOT NULL, -- added to the balance of the account
    CONSTRAINT entries_are_of_a_transfer FOREIGN KEY (transfer) REFERENCES transfers (id),
    CONSTRAINT entries_have_an_account FOREIGN KEY (account) REFERENCES accounts (id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER operations_are_final BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'operations_are_final: a receipt never changes'); END;
CREATE TRIGGER operations_stay BEFORE DELETE ON operations BEGIN SELECT RAISE(ABORT, 'operations_stay: a receipt is never deleted'); END;
