/// An operation that was decided, with what has become of it since. That an operation is not
/// found proves nothing: a request for it may still be on its way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OperationRecord {
    /// The operation's key.
    pub key: String,
    /// The name of its outcome.
    pub outcome: String,
    /// The HTTP status of its receipt.
    pub http_status: u16,
    /// When it was decided, RFC 3339 in UTC.
    pub decided_at: String,
    /// Where it was to reserve. `None`: it was abandoned before that was known.
    pub workshop: Option<String>,
    /// The reservation that it made.
    pub reservation: Option<Reservation>,
}

/// The places of one operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reservation {
    /// Its id, 32 lower-case hexadecimal digits.
    pub id: String,
    /// How many places.
    pub quantity: i64,
    /// Whether they were given back.
    pub cancelled: bool,
}
