//! The record that a store keeps, as it is written in flags.

use clap::ValueEnum;
use uuidcap::store::record;

/// How much of a record is kept.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum RecordKind {
    /// The key alone
    Key,
    /// Also created_at, lease_expires_at, state
    Claim,
    /// Also status, response
    Outcome,
    /// Also account, endpoint, 32-byte fingerprint
    Full,
}

/// For whom a key is unique.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Scope {
    None,
    Account,
    #[value(name = "endpoint+account")]
    EndpointAccount,
}

impl From<RecordKind> for record::RecordKind {
    fn from(kind: RecordKind) -> Self {
        match kind {
            RecordKind::Key => record::RecordKind::Key,
            RecordKind::Claim => record::RecordKind::Claim,
            RecordKind::Outcome => record::RecordKind::Outcome,
            RecordKind::Full => record::RecordKind::Full,
        }
    }
}

impl From<Scope> for record::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::None => record::Scope::None,
            Scope::Account => record::Scope::Account,
            Scope::EndpointAccount => record::Scope::EndpointAccount,
        }
    }
}
