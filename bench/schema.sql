-- The data of the two applications that Einmal is compared with: what a competent one has. With
-- the indexes every statement is a look-up, and counting a workshop's places reads one covering index.

CREATE TABLE workshops (
    id       TEXT    NOT NULL PRIMARY KEY,
    title    TEXT    NOT NULL,
    capacity INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reservations (
    id            TEXT    NOT NULL PRIMARY KEY,
    workshop      TEXT    NOT NULL REFERENCES workshops (id),
    actor         TEXT    NOT NULL,
    quantity      INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 2),
    created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reservations_by_workshop ON reservations (workshop, quantity);

-- `http_status` and `body` are empty while a request holds the lock (middleware only).
CREATE TABLE receipts (
    actor         TEXT    NOT NULL,
    key           TEXT    NOT NULL,
    fingerprint   TEXT    NOT NULL,
    locked_at_ms  INTEGER NOT NULL,
    http_status   INTEGER,
    body          TEXT,
    PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
