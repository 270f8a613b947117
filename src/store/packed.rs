//! A record as a store without columns keeps it: one key, one value of packed bytes.
//!
//! The owner columns come in front of the key, since one owner's key must not hide another's; the
//! rest is concatenated at fixed width, the response last, so that nothing needs a length or a name.

use super::record::{Column, Record};

/// Lengths in bytes of what a key-value store is handed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// The idempotency key itself.
    pub key_bytes: u64,
    /// Owner columns in front of it.
    pub scope_bytes: u64,
    /// Columns of fixed width in the value.
    pub column_bytes: u64,
    /// The response, at the end of the value.
    pub response_bytes: u64,
}

impl Packed {
    /// Integers and time stamps at their width, the fingerprint raw.
    pub fn of(record: &Record) -> Self {
        let mut packed = Packed { key_bytes: 0, scope_bytes: 0, column_bytes: 0, response_bytes: 0 };
        for column in record.columns() {
            match column {
                Column::Key(bytes, _) => packed.key_bytes = u64::from(bytes),
                Column::Account => packed.scope_bytes += 8,
                Column::Endpoint => packed.scope_bytes += 2,
                Column::CreatedAt | Column::LeaseExpiresAt => packed.column_bytes += 8,
                Column::State | Column::Status => packed.column_bytes += 2,
                Column::Fingerprint => packed.column_bytes += 32,
                Column::Response(bytes) => packed.response_bytes = bytes,
            }
        }
        packed
    }

    /// Length of the store's key.
    pub fn full_key_bytes(&self) -> u64 {
        self.key_bytes + self.scope_bytes
    }

    /// Length of the store's value.
    pub fn value_bytes(&self) -> u64 {
        self.column_bytes.saturating_add(self.response_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{KeyFormat, RecordKind};

    #[test]
    fn a_full_record_loses_no_column() {
        let packed = Packed::of(&Record::new(RecordKind::Full, 16, KeyFormat::Binary, 256));
        assert_eq!(packed.full_key_bytes(), 16 + 8 + 2);
        assert_eq!(packed.value_bytes(), 8 + 8 + 2 + 2 + 32 + 256);
    }

    #[test]
    fn a_key_alone_has_no_value() {
        let packed = Packed::of(&Record::new(RecordKind::Key, 36, KeyFormat::Text, 256));
        assert_eq!((packed.full_key_bytes(), packed.value_bytes()), (36, 0));
    }
}
