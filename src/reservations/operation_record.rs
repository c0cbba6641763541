/// A decided operation, and the current state of its reservation. If there is no record, the operation may
/// still be decided later: a request for it may be on its way.
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
    /// The workshop to reserve in. `None`: the operation was abandoned.
    pub workshop: Option<String>,
    /// The reservation that it made, if it made one.
    pub reservation: Option<Reservation>,
}

/// The places of one operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reservation {
    /// Its id, 32 lower-case hexadecimal digits.
    pub id: String,
    /// How many places.
    pub quantity: i64,
    /// Whether the places were released.
    pub cancelled: bool,
}
