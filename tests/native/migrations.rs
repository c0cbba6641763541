//! The migrations: naive splitters split them correctly, and they make the schema that `/health` compares.

use std::path::PathBuf;

use einmal::reservations::NEEDED_SCHEMA;
use einmal::retry::Failure;
use einmal::store::{NeededSchema, fingerprint, read_schema};
use einmal::testing::Database;
use rusqlite::Connection;

use super::script::{Harness, new_ids, operation};

/// The files of `migrations/`, in order.
fn migrations() -> Vec<PathBuf> {
    migrations_of(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations").into())
}

/// The migrations in a folder, in order.
fn migrations_of(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "sql")).collect();
    files.sort();
    files
}

/// The whole schema of the service, as its migrations make it.
pub fn schema_of_the_service() -> String {
    migrations().iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// Every migration of the project, of the examples too.
fn every_migration() -> Vec<PathBuf> {
    let examples = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    let folders = examples.map(|entry| entry.unwrap().path().join("migrations"));
    let files: Vec<_> = migrations()
        .into_iter()
        .chain(folders.filter(|path| path.is_dir()).flat_map(migrations_of))
        .collect();
    assert!(files.len() > migrations().len(), "the examples have migrations");
    files
}

/// A naive way of splitting SQL text into statements, without a parser.
type Splitter = fn(&str) -> Vec<&str>;

/// At every `;` at the end of a line.
fn at_line_ends(text: &str) -> Vec<&str> {
    text.split(";\n").collect()
}

/// At every `;` outside `BEGIN` and `END` in upper case, even in a comment.
fn outside_begin_and_end(text: &str) -> Vec<&str> {
    let mut pieces = vec![];
    let (mut from, mut depth) = (0, 0);
    for (at, character) in text.char_indices() {
        let word_begins = |word: &str| {
            let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
            text[at..].starts_with(word)
                && !text[..at].ends_with(is_word)
                && !text[at + word.len()..].starts_with(is_word)
        };
        if word_begins("BEGIN") {
            depth += 1;
        } else if word_begins("END") {
            depth -= 1;
        } else if character == ';' && depth == 0 {
            pieces.push(&text[from..at]);
            from = at + 1;
        }
    }
    pieces.push(&text[from..]);
    pieces
}

/// At every `;`, but a trigger ends at the first `END;`.
fn at_the_first_end(text: &str) -> Vec<&str> {
    let mut pieces = vec![];
    let mut rest = text;
    while let Some(semicolon) = rest.find(';') {
        let end = match rest[..semicolon].contains("CREATE TRIGGER") {
            true => rest.find("END;").unwrap() + "END".len(),
            false => semicolon,
        };
        pieces.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    pieces.push(rest);
    pieces
}

/// Whether the piece has only comments and white space.
fn is_blank(piece: &str) -> bool {
    piece.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("--"))
}

#[test]
fn naive_splitters_split_every_migration_into_whole_statements() {
    let splitters: [(&str, Splitter); 3] = [
        ("at line ends", at_line_ends),
        ("outside BEGIN and END", outside_begin_and_end),
        ("at the first END", at_the_first_end),
    ];
    for file in every_migration() {
        let text = std::fs::read_to_string(&file).unwrap();
        let whole = Connection::open_in_memory().unwrap();
        whole.execute_batch(&text).unwrap();
        for (name, split) in splitters {
            let pieces = Connection::open_in_memory().unwrap();
            for piece in split(&text).into_iter().filter(|piece| !is_blank(piece)) {
                let run = pieces.prepare(piece).and_then(|mut statement| statement.execute([]));
                run.unwrap_or_else(|error| panic!("{file:?}, split {name}: {error} in {piece}"));
            }
            assert_eq!(schema(&pieces), schema(&whole), "{file:?}, split {name}");
        }
    }
}

/// The schema, as SQLite stores it.
fn schema(connection: &Connection) -> Vec<(String, String, String)> {
    let mut statement =
        connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn no_migration_has_text_that_confuses_a_splitter() {
    for file in every_migration() {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains('\r'), "{file:?}: lines end with LF");
        for line in text.lines() {
            let comment = line.split_once("--").map_or("", |(_, comment)| comment);
            assert!(!comment.contains([';', '\'', '"', '`']), "{file:?}: ; or a quote in a comment: {line}");
            let words: Vec<&str> =
                line.split(|character: char| !character.is_alphanumeric() && character != '_').collect();
            let count = |word| words.iter().filter(|found| found.eq_ignore_ascii_case(word)).count();
            assert_eq!(count("CASE"), 0, "{file:?}: CASE has an END too: {line}");
            let is_trigger = line.starts_with("CREATE TRIGGER ");
            let whole = is_trigger && line.contains(" BEGIN ") && line.ends_with("; END;");
            assert_eq!(whole, is_trigger, "{file:?}: a trigger is on one line: {line}");
            assert_eq!(count("BEGIN"), usize::from(is_trigger), "{file:?}: {line}");
            assert_eq!(count("END"), usize::from(is_trigger), "{file:?}: {line}");
        }
    }
}

/// The differences between the database and what a build needs.
fn differences(database: &mut Database, needed: NeededSchema) -> Vec<String> {
    needed.differences(&database.run(&read_schema()).unwrap()).unwrap()
}

#[test]
fn the_migrations_make_the_schema_that_the_worker_needs() {
    // If this fails, the migrations have changed: run `npm run schema`.
    assert_eq!(differences(&mut Database::new(&schema_of_the_service()).unwrap(), NEEDED_SCHEMA), [""; 0]);
    // Every object that they make is listed.
    assert_eq!(NEEDED_SCHEMA.0.lines().count(), schema_size());
}

fn schema_size() -> usize {
    let made = "SELECT COUNT(*) FROM sqlite_schema WHERE sql IS NOT NULL";
    Database::new(&schema_of_the_service()).unwrap().number(made).unwrap().try_into().unwrap()
}

#[test]
fn each_difference_of_a_schema_is_named() {
    let changes = [
        ("DROP TRIGGER reservations_take_places", "the trigger reservations_take_places is missing"),
        ("DROP TABLE notes", "the table notes is missing"),
        (
            "DROP TRIGGER operations_stay;
            CREATE TRIGGER operations_stay BEFORE DELETE ON operations BEGIN SELECT 1; END",
            "the trigger operations_stay is not the one that this build needs",
        ),
        (
            "ALTER TABLE workshops ADD COLUMN colour TEXT",
            "the table workshops is not the one that this build needs",
        ),
        (
            "CREATE TRIGGER surprise AFTER INSERT ON reservations BEGIN SELECT 1; END",
            "the trigger surprise is not known to this build",
        ),
    ];
    for (change, difference) in changes {
        let mut database = Database::new(&schema_of_the_service()).unwrap();
        database.script(change).unwrap();
        assert_eq!(differences(&mut database, NEEDED_SCHEMA), [difference]);
    }
    let mut empty = Database::new("").unwrap();
    assert_eq!(differences(&mut empty, NEEDED_SCHEMA).len(), schema_size());
}

/// Wherever a migration stopped, its last statement is missing.
#[test]
fn after_a_partial_migration_nothing_is_decided() {
    let schema = schema_of_the_service();
    let (most, last) = schema.split_at(schema.find("CREATE VIEW").unwrap());
    assert_eq!(last.matches("CREATE").count(), 1, "the view is the last thing that is made");
    let mut database = Database::new(most).unwrap();
    let mut harness = Harness::new();
    let batch = operation("k1", "ws", 1).batch(&harness.attempt(), &new_ids(&mut harness), 1);
    let error = database.run(&batch).unwrap_err().to_string();
    assert!(error.contains("no such table: scheduled_workshops"), "{error}");
    assert_eq!(Failure::of(&error), Failure::SchemaMissing);
}

#[test]
fn tables_indexes_and_views_of_the_owner_are_not_differences() {
    let mut database = Database::new(&schema_of_the_service()).unwrap();
    let more = "CREATE TABLE guests (name TEXT); CREATE INDEX by_time ON operations (decided_at_ms);
        CREATE VIEW held AS SELECT * FROM reservations;
        CREATE TRIGGER counts AFTER INSERT ON guests BEGIN SELECT 1; END";
    database.script(more).unwrap();
    assert_eq!(differences(&mut database, NEEDED_SCHEMA), [""; 0]);
}

#[test]
fn white_space_comments_and_quotes_do_not_change_a_fingerprint() {
    let definition = "CREATE TABLE t (a TEXT, -- what\n    b INTEGER)";
    assert_eq!(fingerprint(definition), fingerprint("CREATE TABLE \"t\" (a  TEXT,\n b INTEGER)"));
    assert_ne!(fingerprint(definition), fingerprint("CREATE TABLE t (a TEXT, c INTEGER)"));
}
