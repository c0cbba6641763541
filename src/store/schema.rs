//! Compares the schema of a database with the schema that a build needs. It does not migrate.
//!
//! Without its triggers, a database would enforce nothing and answer all the same. So `/health` compares the
//! whole schema, not the name of the last migration.

use sha2::{Digest, Sha256};

use super::{Batch, Row, Unreadable, text};
use crate::statement;

/// The schema that a build needs: the content of a `migrations/schema.txt`, as `npm run schema` writes it.
/// A line for each table, index, trigger and view: type, name and
/// the [`fingerprint`] of its SQL, separated by spaces.
#[derive(Clone, Copy, Debug)]
pub struct NeededSchema(pub &'static str);

/// Reads the schema of the database.
pub fn read_schema() -> Batch {
    vec![statement!("read_schema", include_str!("sql/read_schema.sql"))]
}

impl NeededSchema {
    /// The differences in the rows of [`read_schema`], a sentence each; none if a service of this build can
    /// decide on that database.
    ///
    /// A difference is a needed object that is missing or was made by other SQL, or an unknown trigger on a
    /// needed table, since it would run with every decision. Other tables, indexes and views belong to the
    /// owner.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] if a row lacks a column.
    pub fn differences(self, rows: &[impl Row]) -> Result<Vec<String>, Unreadable> {
        let mut found = Vec::new();
        for row in rows {
            let [kind, name] = [text(row, "type")?, text(row, "name")?];
            found.push((format!("{kind} {name}"), text(row, "tbl_name")?, fingerprint(&text(row, "sql")?)));
        }
        let mut differences = Vec::new();
        for (object, needed) in self.objects() {
            match found.iter().find(|(name, ..)| name == object) {
                None => differences.push(format!("the {object} is missing")),
                Some((.., is)) if is != needed => {
                    differences.push(format!("the {object} is not the one that this build needs"));
                }
                Some(_) => (),
            }
        }
        let is_needed = |object: &str| self.objects().any(|(needed, _)| needed == object);
        for (object, table, _) in &found {
            if object.starts_with("trigger ") && is_needed(&format!("table {table}")) && !is_needed(object) {
                differences.push(format!("the {object} is not known to this build"));
            }
        }
        Ok(differences)
    }

    /// Each needed object as "type name", and its fingerprint.
    fn objects(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.lines().filter_map(|line| line.rsplit_once(' '))
    }
}

/// The first 16 hexadecimal digits of the SHA-256 of a definition, without its comments, white space and
/// double quotes: an export or a migration tool may change those. It detects drift; it is no defence against
/// a writer who can change the schema.
pub fn fingerprint(sql: &str) -> String {
    let code = sql.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    let mut hash = Sha256::new();
    for character in code.flat_map(|line| line.bytes()) {
        if !character.is_ascii_whitespace() && character != b'"' {
            hash.update([character]);
        }
    }
    base16ct::lower::encode_string(hash.finalize().get(..8).unwrap_or_default())
}
