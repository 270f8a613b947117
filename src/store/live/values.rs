//! What stands in the columns beside a key: a function of the key, so that nothing has to be kept of it.

use super::{Key, Row};
use crate::store::record::{Column, Record};

/// Bytes of noise from which fingerprints and responses are cut, beside the longest response.
const NOISE_BYTES: usize = 1 << 16;
/// Bytes of a SHA-256.
const FINGERPRINT_BYTES: usize = 32;
/// Accounts and endpoints that keys are spread over.
const ACCOUNTS: u64 = 1_000_000;
const ENDPOINTS: u64 = 16;
/// How long a lease is held.
const LEASE_US: i64 = 30_000_000;

/// Values of columns, none of which a store can compress.
#[derive(Debug)]
pub struct Values {
    noise: Vec<u8>,
    response_bytes: usize,
}

impl Values {
    /// Values with responses of so many bytes.
    pub fn new(response_bytes: usize) -> Values {
        let words = (NOISE_BYTES + response_bytes + FINGERPRINT_BYTES).div_ceil(8) as u64;
        let noise = (0..words).flat_map(|word| mixed(word).to_le_bytes()).collect();
        Values { noise, response_bytes }
    }

    /// The account that a key belongs to, 0 to 999,999.
    pub fn account(&self, key: Key) -> i64 {
        (folded(key) % ACCOUNTS) as i64
    }

    /// The endpoint that it was called at, 0 to 15.
    pub fn endpoint(&self, key: Key) -> i16 {
        (folded(key) >> 32 & (ENDPOINTS - 1)) as i16
    }

    /// When the lease of a row ends, µs since 1970.
    pub fn lease_us(&self, row: &Row) -> i64 {
        row.created_us + LEASE_US
    }

    /// Completed.
    pub fn state(&self) -> i16 {
        2
    }

    /// Status of the response.
    pub fn status(&self) -> i16 {
        200
    }

    /// 32 bytes in the place of a SHA-256.
    pub fn fingerprint(&self, key: Key) -> &[u8] {
        self.cut(folded(key).rotate_left(16), FINGERPRINT_BYTES)
    }

    /// The response.
    pub fn response(&self, key: Key) -> &[u8] {
        self.cut(folded(key), self.response_bytes)
    }

    fn cut(&self, place: u64, bytes: usize) -> &[u8] {
        let from = place as usize % NOISE_BYTES;
        &self.noise[from..from + bytes]
    }

    /// The columns beside the key, one after another at their widths, for stores that keep bytes.
    pub fn pack(&self, record: &Record, row: &Row, into: &mut Vec<u8>) {
        for column in record.columns() {
            match column {
                Column::Key(..) => {}
                Column::Account => into.extend(self.account(row.key).to_be_bytes()),
                Column::CreatedAt => into.extend(row.created_us.to_be_bytes()),
                Column::LeaseExpiresAt => into.extend(self.lease_us(row).to_be_bytes()),
                Column::Endpoint => into.extend(self.endpoint(row.key).to_be_bytes()),
                Column::State => into.extend(self.state().to_be_bytes()),
                Column::Status => into.extend(self.status().to_be_bytes()),
                Column::Fingerprint => into.extend(self.fingerprint(row.key)),
                Column::Response(_) => into.extend(self.response(row.key)),
            }
        }
    }
}

fn folded(key: Key) -> u64 {
    mixed((key >> 64) as u64 ^ (key as u64).rotate_left(29))
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the word in every bit of the result.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{KeyFormat, RecordKind};

    #[test]
    fn a_packed_row_has_the_bytes_of_its_columns_and_is_a_function_of_its_key() {
        let record = Record::new(RecordKind::Full, 16, KeyFormat::Binary, 100);
        let values = Values::new(100);
        let pack = |key| {
            let mut bytes = Vec::new();
            values.pack(&record, &Row { key, created_us: 5 }, &mut bytes);
            bytes
        };
        // account, created, lease; endpoint, state, status; fingerprint; response.
        assert_eq!(pack(7).len(), 3 * 8 + 3 * 2 + 32 + 100);
        assert_eq!(pack(7), pack(7));
        assert_ne!(pack(7), pack(8));
    }

    #[test]
    fn responses_of_different_keys_differ_and_the_longest_fits() {
        let values = Values::new(1 << 20);
        assert_ne!(values.response(1), values.response(2));
        assert!((0..10_000).all(|key| values.response(key).len() == 1 << 20));
    }
}
