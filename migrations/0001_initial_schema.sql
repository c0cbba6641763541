-- Workshops, operations with their receipts, reservations, and the organiser notes about them.
--
-- The columns that are named _ms are times in milliseconds since 1970-01-01T00:00:00Z.
-- The rules of capacity are named constraints and triggers, so that they hold for every writer, not
-- only for the Worker.
-- octet_length equal to length refuses a text that contains NUL, where GLOB would stop comparing.
--
-- A deployed D1 splits this file into statements without a full SQL parser. So each trigger is on
-- one line, and no comment has a semicolon, a quote, a backtick, or a word that opens or closes a
-- block. tests/native/migrations.rs splits the file in naive ways.
--
-- A migration is never edited once released: the next change is a new file.

-- Workshops. The column reserved is the number of places of all reservations that are not cancelled.
-- Only the triggers below change it, each time together with count_version. Because it is stored, the
-- cost of a decision does not depend on the number of reservations.
CREATE TABLE workshops (
    id               TEXT    NOT NULL PRIMARY KEY,
    title            TEXT    NOT NULL,
    venue            TEXT,             -- where it takes place, for people
    starts_at_ms     INTEGER,
    ends_at_ms       INTEGER,
    time_zone        TEXT,             -- IANA name of the zone to display times in
    capacity         INTEGER NOT NULL, -- places
    reserved         INTEGER NOT NULL DEFAULT 0, -- places, of reservations not cancelled
    count_version    INTEGER NOT NULL DEFAULT 0, -- number of changes of reserved
    places_per_actor INTEGER,          -- maximum places held by one actor, NULL: no limit
    published_at_ms  INTEGER,          -- on offer from this time, NULL: not on offer
    closes_at_ms     INTEGER,          -- no new reservations from this time, NULL: from the start
    CONSTRAINT workshops_id_form CHECK (
        length(id) BETWEEN 2 AND 41 AND octet_length(id) = length(id)
        AND id GLOB '[a-z]*' AND id NOT GLOB '*[^a-z0-9-]*'
    ),
    CONSTRAINT workshops_title_length CHECK (length(title) BETWEEN 1 AND 200),
    CONSTRAINT workshops_venue_length CHECK (length(venue) BETWEEN 1 AND 200),
    CONSTRAINT workshops_times_in_order CHECK (
        starts_at_ms BETWEEN 0 AND 253402300799000 -- the last second of the year 9999
        AND ends_at_ms BETWEEN starts_at_ms AND 253402300799000
    ),
    CONSTRAINT workshops_end_has_a_start CHECK (ends_at_ms IS NULL OR starts_at_ms IS NOT NULL),
    CONSTRAINT workshops_times_have_a_zone CHECK (starts_at_ms IS NULL OR time_zone IS NOT NULL),
    CONSTRAINT workshops_capacity_is_a_count CHECK (capacity BETWEEN 0 AND 1000000),
    CONSTRAINT workshops_reserved_within_capacity CHECK (reserved BETWEEN 0 AND capacity),
    CONSTRAINT workshops_places_per_actor_is_a_count CHECK (places_per_actor >= 1),
    CONSTRAINT workshops_published_at_is_a_time CHECK (published_at_ms >= 0),
    CONSTRAINT workshops_closes_at_is_a_time CHECK (closes_at_ms >= 0)
) STRICT, WITHOUT ROWID;

-- An operation, one intended action of one actor, and its receipt: the stored response, decided once
-- and returned for every retry. An undecided operation has no row: there is no state in between.
CREATE TABLE operations (
    actor               TEXT    NOT NULL,
    key                 TEXT    NOT NULL, -- the Idempotency-Key, a UUID version 4
    workshop            TEXT,
    fingerprint_version INTEGER,          -- the rule that fingerprint was computed by
    fingerprint         TEXT,             -- SHA-256 of the payload, hex, NULL: matches any payload
    send_id             TEXT    NOT NULL, -- the send that decided: 128 random bits of its attempt, hex, and its number
    outcome             TEXT    NOT NULL, -- what was decided
    http_status         INTEGER NOT NULL, -- of the response
    body                TEXT    NOT NULL, -- of the response, its bytes
    decided_at_ms       INTEGER NOT NULL,
    PRIMARY KEY (actor, key),
    CONSTRAINT operations_workshop_exists FOREIGN KEY (workshop) REFERENCES workshops (id) ON DELETE RESTRICT,
    CONSTRAINT operations_actor_is_a_name CHECK (
        length(actor) BETWEEN 2 AND 41 AND octet_length(actor) = length(actor)
        AND actor GLOB '[a-z]*' AND actor NOT GLOB '*[^a-z0-9_-]*'
    ),
    CONSTRAINT operations_key_is_a_uuid CHECK (
        length(key) = 36 AND octet_length(key) = 36 AND key NOT GLOB '*[^0-9a-f-]*'
    ),
    CONSTRAINT operations_fingerprint_is_whole CHECK (length(fingerprint) = 64),
    CONSTRAINT operations_fingerprint_has_a_version CHECK (
        (fingerprint IS NULL) = (fingerprint_version IS NULL)
    ),
    CONSTRAINT operations_send_id_is_whole CHECK (length(send_id) = 34),
    CONSTRAINT operations_outcome_is_known CHECK (
        -- Not IN: SQLite implements it as a table of three rows, and reads one for each decision.
        outcome = 'reserved' OR outcome = 'unavailable' OR outcome = 'abandoned'
    ),
    CONSTRAINT operations_http_status_is_of_the_outcome CHECK (http_status = iif(outcome = 'reserved', 201, 409)),
    CONSTRAINT operations_body_is_json CHECK (json_valid(body)),
    CONSTRAINT operations_decided_at_is_a_time CHECK (decided_at_ms >= 0)
) STRICT, WITHOUT ROWID;

-- The reservations of operations, held or cancelled. A row is never deleted: cancelling sets its time
-- and releases the places.
CREATE TABLE reservations (
    workshop        TEXT    NOT NULL,
    actor           TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    id              TEXT    NOT NULL, -- 128 random bits, lowercase hex
    quantity        INTEGER NOT NULL, -- places
    cancelled_at_ms INTEGER,          -- NULL: held
    PRIMARY KEY (workshop, actor, key),
    CONSTRAINT reservations_workshop_exists FOREIGN KEY (workshop) REFERENCES workshops (id) ON DELETE RESTRICT,
    CONSTRAINT reservations_have_a_receipt FOREIGN KEY (actor, key)
        REFERENCES operations (actor, key) ON DELETE RESTRICT,
    CONSTRAINT reservations_id_is_hex CHECK (
        length(id) = 32 AND octet_length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'
    ),
    CONSTRAINT reservations_quantity_in_range CHECK (quantity BETWEEN 1 AND 2),
    CONSTRAINT reservations_cancelled_at_is_a_time CHECK (cancelled_at_ms >= 0)
) STRICT, WITHOUT ROWID;

-- Notes of the organiser about a reservation made for another person: a name, a telephone number. They
-- are separate from receipts, which are never deleted and are returned to clients. The Worker never
-- reads a note, and a note may be deleted.
CREATE TABLE notes (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL,
    note  TEXT NOT NULL,
    PRIMARY KEY (actor, key),
    CONSTRAINT notes_have_a_receipt FOREIGN KEY (actor, key)
        REFERENCES operations (actor, key) ON DELETE RESTRICT,
    CONSTRAINT notes_note_length CHECK (length(note) BETWEEN 1 AND 500)
) STRICT, WITHOUT ROWID;

-- Counting places.
CREATE TRIGGER reservations_take_places AFTER INSERT ON reservations WHEN NEW.cancelled_at_ms IS NULL BEGIN UPDATE workshops SET reserved = reserved + NEW.quantity, count_version = count_version + 1 WHERE id = NEW.workshop; END;
CREATE TRIGGER reservations_give_places_back AFTER UPDATE OF cancelled_at_ms ON reservations WHEN OLD.cancelled_at_ms IS NULL AND NEW.cancelled_at_ms IS NOT NULL BEGIN UPDATE workshops SET reserved = reserved - OLD.quantity, count_version = count_version + 1 WHERE id = OLD.workshop; END;

-- Guards: what no writer may do.

-- The only change of a reservation is that it is cancelled, once.
CREATE TRIGGER reservations_only_cancel BEFORE UPDATE ON reservations WHEN NOT (OLD.cancelled_at_ms IS NULL AND NEW.cancelled_at_ms IS NOT NULL AND NEW.workshop = OLD.workshop AND NEW.actor = OLD.actor AND NEW.key = OLD.key AND NEW.id = OLD.id AND NEW.quantity = OLD.quantity) BEGIN SELECT RAISE(ABORT, 'reservations_only_cancel: a reservation can only be cancelled, once'); END;
CREATE TRIGGER reservations_stay BEFORE DELETE ON reservations BEGIN SELECT RAISE(ABORT, 'reservations_stay: a reservation is cancelled, never deleted'); END;

-- INSERT OR REPLACE deletes without firing the trigger above.
CREATE TRIGGER reservations_are_not_replaced BEFORE INSERT ON reservations WHEN EXISTS (SELECT 1 FROM reservations WHERE workshop = NEW.workshop AND actor = NEW.actor AND key = NEW.key) BEGIN SELECT RAISE(ABORT, 'reservations_are_not_replaced: this operation has its reservation already'); END;
CREATE TRIGGER operations_are_final BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'operations_are_final: a receipt never changes'); END;
CREATE TRIGGER operations_stay BEFORE DELETE ON operations BEGIN SELECT RAISE(ABORT, 'operations_stay: a receipt is never deleted'); END;

-- Only the two triggers that count places change the column reserved, together with count_version. An
-- UPDATE by hand that sets one of the two alone is refused.
CREATE TRIGGER workshops_reserved_is_counted BEFORE UPDATE OF reserved, count_version ON workshops WHEN NEW.count_version <> OLD.count_version + (NEW.reserved <> OLD.reserved) BEGIN SELECT RAISE(ABORT, 'workshops_reserved_is_counted: only reservations change the count'); END;

-- The CHECK of the same name has the same rule. But with OR IGNORE it would only skip the counting,
-- and the reservation would remain.
CREATE TRIGGER workshops_reserved_within_capacity BEFORE UPDATE OF reserved, capacity ON workshops WHEN NEW.reserved NOT BETWEEN 0 AND NEW.capacity BEGIN SELECT RAISE(ABORT, 'workshops_reserved_within_capacity: more places than there are'); END;
CREATE TRIGGER workshops_keep_their_id BEFORE UPDATE OF id ON workshops WHEN NEW.id <> OLD.id BEGIN SELECT RAISE(ABORT, 'workshops_keep_their_id: reservations and receipts name it'); END;
CREATE TRIGGER workshops_start_empty BEFORE INSERT ON workshops WHEN NEW.reserved <> 0 OR NEW.count_version <> 0 BEGIN SELECT RAISE(ABORT, 'workshops_start_empty: only reservations change the count'); END;

-- A workshop that is replaced, or deleted and inserted again, would lose its count. Foreign keys
-- prevent that, unless a writer defers them.
CREATE TRIGGER workshops_are_not_replaced AFTER INSERT ON workshops WHEN EXISTS (SELECT 1 FROM reservations WHERE workshop = NEW.id) BEGIN SELECT RAISE(ABORT, 'workshops_are_not_replaced: there are reservations in it'); END;

-- Workshops with the two rules about time, each defined once: until when a workshop takes
-- reservations, and when it is over. 253402300800000 is later than every valid time.
--
-- This is the last object of the file, and the Worker needs it for every decision. So it decides
-- nothing on a database where only a part of this file was run.
CREATE VIEW scheduled_workshops AS
SELECT
    *,
    COALESCE(closes_at_ms, starts_at_ms, 253402300800000) AS takes_reservations_until_ms,
    COALESCE(ends_at_ms, starts_at_ms, 253402300800000) AS over_at_ms
FROM workshops;
