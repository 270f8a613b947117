//! The record that a store keeps for each key: which columns it has and how wide they are.

use serde::Serialize;

/// How much of an idempotency record is kept beside the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    /// The key alone.
    Key,
    /// Also `created_at`, `lease_expires_at` and `state`: enough for a three-phase lease.
    Claim,
    /// Also `status` and `response`: enough to replay the first answer.
    Outcome,
    /// Also `account`, `endpoint` and a SHA-256 `fingerprint` of the request.
    Full,
}

impl RecordKind {
    /// Whether the kind holds an outcome: a status and a response.
    pub fn has_outcome(self) -> bool {
        matches!(self, RecordKind::Outcome | RecordKind::Full)
    }
}

/// Which columns make the key unique to its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Scope {
    /// Neither column.
    #[serde(rename = "none")]
    None,
    /// `account`, an 8-byte integer.
    #[serde(rename = "account")]
    Account,
    /// `account` and `endpoint`, a 2-byte integer.
    #[serde(rename = "endpoint+account")]
    EndpointAccount,
}

/// How the key is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyFormat {
    /// Its bytes: 16 for a UUID.
    Binary,
    /// Its usual text: 36 characters for a UUID.
    Text,
}

/// One column, in the terms in which every engine can say how many bytes it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// The idempotency key: its stored length.
    Key(u32, KeyFormat),
    /// `account`: 8-byte integer.
    Account,
    /// `endpoint`: 2-byte integer.
    Endpoint,
    /// `created_at`: a time stamp.
    CreatedAt,
    /// `lease_expires_at`: a time stamp.
    LeaseExpiresAt,
    /// `state`: 2-byte integer.
    State,
    /// `status`: 2-byte integer.
    Status,
    /// `fingerprint`: 32 bytes, SHA-256.
    Fingerprint,
    /// `response`: so many bytes; 0 is NULL.
    Response(u64),
}

impl Column {
    /// The column's name as a schema would spell it.
    pub fn name(self) -> &'static str {
        match self {
            Column::Key(..) => "key",
            Column::Account => "account",
            Column::Endpoint => "endpoint",
            Column::CreatedAt => "created_at",
            Column::LeaseExpiresAt => "lease_expires_at",
            Column::State => "state",
            Column::Status => "status",
            Column::Fingerprint => "fingerprint",
            Column::Response(_) => "response",
        }
    }
}

/// What is stored for each key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    /// Stored length of the key in bytes, in the format below.
    pub key_bytes: u32,
    /// Binary or text.
    pub key_format: KeyFormat,
    /// The columns beside the key.
    pub kind: RecordKind,
    /// Owner columns.
    pub scope: Scope,
    /// Whether the 32-byte fingerprint is kept.
    pub fingerprint: bool,
    /// Length of the stored response; 0 stores NULL. Ignored where the kind has no response.
    pub response_bytes: u64,
}

impl Record {
    /// A record of a kind with the owner columns and the fingerprint that the kind implies.
    pub fn new(kind: RecordKind, key_bytes: u32, key_format: KeyFormat, response_bytes: u64) -> Self {
        let full = kind == RecordKind::Full;
        Record {
            key_bytes,
            key_format,
            kind,
            scope: if full { Scope::EndpointAccount } else { Scope::None },
            fingerprint: full,
            response_bytes,
        }
    }

    /// Whether an outcome is written after the claim, as a second write.
    pub fn has_outcome(&self) -> bool {
        self.kind.has_outcome()
    }

    /// Whether the record has the time stamps that a purge by age needs.
    pub fn has_times(&self) -> bool {
        self.kind != RecordKind::Key
    }

    /// The columns in the order in which a careful schema puts them: key, then wide fixed ones, then
    /// narrow fixed ones, then those of variable length, so that alignment wastes nothing.
    pub fn columns(&self) -> impl Iterator<Item = Column> + use<> {
        let (times, outcome) = (self.has_times(), self.has_outcome());
        [
            Some(Column::Key(self.key_bytes, self.key_format)),
            (self.scope != Scope::None).then_some(Column::Account),
            times.then_some(Column::CreatedAt),
            times.then_some(Column::LeaseExpiresAt),
            (self.scope == Scope::EndpointAccount).then_some(Column::Endpoint),
            times.then_some(Column::State),
            outcome.then_some(Column::Status),
            self.fingerprint.then_some(Column::Fingerprint),
            outcome.then_some(Column::Response(self.response_bytes)),
        ]
        .into_iter()
        .flatten()
    }
}
