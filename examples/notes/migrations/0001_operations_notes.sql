-- The receipts of operations, which the engine reads and your statement writes, and the notes.

CREATE TABLE operations (
    actor               TEXT    NOT NULL,
    key                 TEXT    NOT NULL, -- the Idempotency-Key, a UUID version 4
    fingerprint_version INTEGER NOT NULL, -- the rule that fingerprint was made by
    fingerprint         TEXT    NOT NULL, -- SHA-256 of kind and values, hex
    attempt             TEXT    NOT NULL, -- the request that decided, random, hex
    http_status         INTEGER NOT NULL,
    body                TEXT    NOT NULL, -- the bytes of the response
    decided_at_ms       INTEGER NOT NULL, -- since 1970-01-01T00:00:00Z
    PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL, -- the operation that made it: at most one note each
    id    TEXT NOT NULL, -- 128 random bits, lowercase hex
    title TEXT NOT NULL,
    PRIMARY KEY (actor, key),
    CONSTRAINT notes_have_a_receipt FOREIGN KEY (actor, key) REFERENCES operations (actor, key),
    CONSTRAINT notes_title_is_said CHECK (length(title) BETWEEN 1 AND 200)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER operations_are_final BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'operations_are_final: a receipt never changes'); END;
CREATE TRIGGER operations_stay BEFORE DELETE ON operations BEGIN SELECT RAISE(ABORT, 'operations_stay: a receipt is never deleted'); END;
