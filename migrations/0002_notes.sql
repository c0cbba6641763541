-- What the organiser wrote beside a reservation made for somebody: a name, a telephone number.
-- Kept apart from receipts, which are for ever and are shown to clients: the Worker never reads
-- a note, and a note may be deleted.

CREATE TABLE notes (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL,
    note  TEXT NOT NULL,
    PRIMARY KEY (actor, key),
    CONSTRAINT notes_have_a_receipt FOREIGN KEY (actor, key)
        REFERENCES operations (actor, key) ON DELETE RESTRICT,
    CONSTRAINT notes_note_is_said CHECK (length(note) BETWEEN 1 AND 500)
) STRICT, WITHOUT ROWID;
