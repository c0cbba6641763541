-- The receipts of operations, which the engine writes and reads, and the notes.

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

CREATE TABLE notes (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL, -- the operation that made it: at most one note each
    id    TEXT NOT NULL, -- 128 random bits, lowercase hex
    title TEXT NOT NULL,
    PRIMARY KEY (actor, key),
    CONSTRAINT notes_have_a_receipt FOREIGN KEY (actor, key) REFERENCES operations (actor, key),
    CONSTRAINT notes_title_length CHECK (length(title) BETWEEN 1 AND 200)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER operations_are_final BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'operations_are_final: a receipt never changes'); END;
CREATE TRIGGER operations_stay BEFORE DELETE ON operations BEGIN SELECT RAISE(ABORT, 'operations_stay: a receipt is never deleted'); END;
