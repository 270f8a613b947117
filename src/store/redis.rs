//! Memory that Redis takes for a key with a value and an expiry.
//!
//! Every key is an entry of the main dictionary (24 bytes: key, value, next), a string for the key, an
//! object for the value, and an entry of the expires dictionary (24 bytes, sharing the key's string).
//! Both dictionaries are an array of 8-byte slots, the next power of two at or above the keys. Each
//! allocation is rounded up to a size class of jemalloc, which Redis builds with a quantum of 8.
//! The result is what the server calls `used_memory`, less that of an empty one.
//!
//! Source: `dict.c`, `sds.h`, `object.c`, `expire.c`, `t_string.c` of Redis 7.0; jemalloc 5 size classes.

use super::packed::Packed;
use super::page::Memo;
use super::{Billing, Evidence, Footprint, Load, Model, Part, Place, Purge, Spread};
use crate::error::{Error, Result};

/// An entry of a dictionary: pointers to key, value and next entry.
const ENTRY_BYTES: f64 = 24.0;
/// A slot of a dictionary's array: a pointer.
const SLOT_BYTES: f64 = 8.0;
/// The head of a value: type, encoding, access time, reference count, pointer.
const OBJECT_BYTES: u64 = 16;
/// Up to here a string lies in one allocation with its object (`OBJ_ENCODING_EMBSTR_SIZE_LIMIT`).
const EMBEDDED_LIMIT: u64 = 44;
/// `proto-max-bulk-len`: no string is longer.
const STRING_LIMIT: u64 = 512 << 20;
/// The smallest array of a dictionary (`DICT_HT_INITIAL_SIZE`).
const SMALLEST_TABLE: f64 = 4.0;

/// Whether the arrays of the dictionaries are at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rehash {
    /// The last doubling is done: a store that has held its keys for a while.
    Settled,
    /// Caught while loading one key after the other: for a while after a doubling the old array
    /// stands beside the new one, and each command moves a few slots.
    Loading,
}

/// The model and what can be varied in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Redis {
    /// Whether the dictionaries are at rest.
    pub rehash: Rehash,
    /// Keys that one instance expires per second at most before the load is spread over more.
    pub expiries_per_instance_per_s: f64,
    /// Bytes that one instance holds at most before the keys are spread over more.
    pub bytes_per_instance: f64,
}

/// Settled, with instances that take 50,000 expiries per second: beyond it the time limit of the
/// expiry cycle, 25 ms in 100, begins to count at one or two microseconds a key. And of 100 GiB, about
/// what the largest nodes that are sold for it hold.
pub const REDIS: Redis = Redis {
    rehash: Rehash::Settled,
    expiries_per_instance_per_s: 50_000.0,
    bytes_per_instance: 107_374_182_400.0,
};

const NOTES: [&str; 4] = [
    "Bytes are used_memory; resident memory is higher by what fragmentation adds.",
    "While a child saves or rewrites the log, each page written to is copied: leave room for it, \
                 up to the size of the data under a high write rate.",
    "Hash tables double at powers of two: they take 16 to 32 bytes a key, least just below one. \
                 The figure holds for one instance and for any power of two of equal shards.",
    "The log is the append-only file with its default rewriting; snapshots (save points) come on \
                 top where they are left on.",
];

/// The engine's own expiry, with what it still holds at the upper end of its lag.
fn purge(bytes_per_live_key: f64, delete_bytes: f64) -> Purge {
    Purge {
        strategy: "engine TTL",
        bytes_per_live_key,
        log_bytes_per_key: delete_bytes,
        pages_dirtied_per_key: 0.0,
        how: "samples of 20 keys, repeated while more than a tenth of one had expired; bytes at the \
              upper end of the range, and a DEL in the log for each key",
    }
}

impl Model for Redis {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn title(&self) -> &'static str {
        "Redis"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Measured("Redis 7.0.15")
    }

    fn footprint(&self, load: &Load, _pages: &Memo) -> Result<Footprint> {
        let packed = Packed::of(&load.record);
        if packed.value_bytes() > STRING_LIMIT {
            return Err(Error::range(format!(
                "a Redis string holds at most 512 MiB, the record has {} bytes; try a response of 1000000 bytes",
                packed.value_bytes()
            )));
        }
        let parts = self.parts(&packed, load.live_keys);
        let log_parts = log_parts(&packed);
        let log_bytes: f64 = log_parts.iter().map(|p| p.bytes).sum();
        let delete_bytes = delete_log_bytes(&packed);
        let bytes_per_key: f64 = parts.iter().map(|p| p.bytes).sum();
        let spread = load.detail.then(|| self.expiry_lag(load.rate_per_s, bytes_per_key * load.live_keys));
        Ok(Footprint {
            parts,
            leaf_fill: None,
            log_parts,
            completion_log_bytes: load.record.has_outcome().then(|| completion_log_bytes(&packed)),
            pages_dirtied_per_insert: None,
            // auto-aof-rewrite-percentage 100: the file is rewritten whenever it has grown by its own
            // size, so that each byte logged is followed by one byte rewritten.
            background_bytes_per_insert: log_bytes + delete_bytes,
            purges: spread.map(|lag| purge(bytes_per_key * lag.high, delete_bytes)).into_iter().collect(),
            spread,
            billing: Billing::Memory,
            false_positive_rate: None,
            notes: if load.detail { NOTES.to_vec() } else { Vec::new() },
        })
    }
}

impl Redis {
    fn parts(&self, packed: &Packed, keys: f64) -> Vec<Part> {
        let key = text_allocation(packed.full_key_bytes());
        let value = value_allocation(packed.value_bytes());
        let filler = u64::from(packed.value_bytes() == 0);
        let part = |name, place, bytes, why| Part { name, place, bytes, why };
        let (main, expires) = self.table_slots(keys);
        vec![
            part("key", Place::Table, packed.key_bytes as f64, "the key's bytes"),
            part(
                "columns",
                Place::Table,
                (packed.scope_bytes + packed.column_bytes + filler) as f64,
                "owner columns before the key, the others packed in one string value; one byte where there are none",
            ),
            part("response", Place::Table, packed.response_bytes as f64, "at the end of the value"),
            part(
                "row header",
                Place::Table,
                ENTRY_BYTES + (key.header_bytes + value.header_bytes) as f64,
                "24-byte dictionary entry, 16-byte object, string headers of 1 to 9 bytes and a final zero",
            ),
            part(
                "alignment",
                Place::Table,
                (key.padding_bytes + value.padding_bytes) as f64,
                "size classes of jemalloc: steps of 8 bytes up to 64, then four to a doubling",
            ),
            part("hash table", Place::Table, SLOT_BYTES * main / keys, "8-byte slots, the next power of two"),
            part(
                "index entry",
                Place::Index,
                ENTRY_BYTES,
                "24-byte entry of the expires dictionary, sharing the key",
            ),
            part(
                "hash table",
                Place::Index,
                SLOT_BYTES * expires / keys,
                "8-byte slots, the next power of two",
            ),
        ]
    }

    /// Slots of the main and of the expires dictionary.
    ///
    /// A dictionary that is full as another key comes gets an array of twice the size. From then on
    /// each look-up, insert or delete in it moves one non-empty slot of the old array, of which at
    /// one key a slot a share of 1 − 1/e is not empty. `SET key value EX n` touches the main dictionary
    /// four times (look up, add, look up before clearing and before setting the expiry) and the
    /// expires dictionary twice (clear, set). What the server moves in idle time is left out.
    fn table_slots(&self, keys: f64) -> (f64, f64) {
        let slots = next_power_of_two(keys).max(SMALLEST_TABLE);
        let old = slots / 2.0;
        let slots_to_move = old * -(-1.0_f64).exp_m1();
        let with_old = |moves_per_insert: f64| {
            let moving = self.rehash == Rehash::Loading
                && old >= SMALLEST_TABLE
                && (keys - old) * moves_per_insert < slots_to_move;
            if moving { slots + old } else { slots }
        };
        (with_old(4.0), with_old(2.0))
    }

    /// How many times the live keys are held, for keys that have expired and are not yet removed.
    ///
    /// A cycle takes samples of 20 keys of the expires dictionary, removes what has expired, and
    /// repeats while more than 10 % of a sample had. With a share s of expired keys it ends after a
    /// sample with chance q = P(Bin(20, s) ≤ 2), so it removes 20·s/q keys on average. s settles where
    /// that, times the cycles per second, is the rate of expiry. Ten slow cycles per second always
    /// run (hz 10); fast ones come before the server sleeps, not within 2 ms of one another.
    fn expiry_lag(&self, rate_per_s: f64, bytes: f64) -> Spread {
        let by_rate = rate_per_s / self.expiries_per_instance_per_s;
        let instances = by_rate.max(bytes / self.bytes_per_instance).ceil().max(1.0);
        let held = |cycles_per_s: f64| 1.0 + stale_odds(rate_per_s / instances / cycles_per_s);
        Spread {
            low: held(10.0 + 500.0),
            high: held(10.0),
            why: "expired keys stay until a random sample meets them, the longer the fewer expiry cycles an \
                  instance runs (510 to 10 a second; at most 50,000 expiries a second and 100 GiB an instance); \
                  one that is short of time holds more",
        }
    }
}

/// The odds s/(1 − s) of the share s at which a cycle removes so many keys: 20·s/q(s) = removed, with
/// q = (1 − s)¹⁸·(1 + 18·s + 171·s²). Newton's method on ln s/q, which rises everywhere with the logit of
/// s, by 1 to 19.
fn stale_odds(removed_per_cycle: f64) -> f64 {
    let target = (removed_per_cycle / 20.0).ln();
    // A first guess: few stale keys, where the curve is the logit itself; its bend; and most keys stale,
    // where it is 18 times the logit less ln 190.
    let mut logit = match target {
        ..-1.5 => target,
        -1.5..0.0 => 0.43 * target - 1.39,
        0.0..10.0 => 0.2 * target - 1.39,
        _ => (target + 5.2) / 18.0,
    };
    for _ in 0..12 {
        let odds = logit.exp();
        let rest = 1.0 / (1.0 + odds);
        let share = odds * rest;
        let few = 1.0 + 18.0 * share + 171.0 * share * share;
        let value = logit - 17.0 * rest.ln() - few.ln();
        let slope = 1.0 + 17.0 * share - (18.0 + 342.0 * share) / few * share * rest;
        let step = (value - target) / slope;
        logit -= step;
        // Each step squares the error: the next one would be below 1e-9.
        if step.abs() < 1e-5 {
            break;
        }
    }
    logit.exp()
}

/// What an allocation holds beside the payload.
struct Allocation {
    header_bytes: u64,
    padding_bytes: u64,
}

/// A string of its own: header by length, content, a final zero (`sdsReqType`).
fn text_allocation(bytes: u64) -> Allocation {
    let header_bytes = 1 + match bytes {
        0 => 3,
        1..32 => 1,
        32..256 => 3,
        256..65_536 => 5,
        65_536..0x1_0000_0000 => 9,
        _ => 17,
    };
    let asked = bytes + header_bytes;
    Allocation { header_bytes, padding_bytes: size_class(asked) - asked }
}

/// A value object; a short string lies behind it in the same allocation, with an 8-bit header. A record
/// without columns still needs a value: one byte.
fn value_allocation(bytes: u64) -> Allocation {
    let bytes = bytes.max(1);
    if bytes > EMBEDDED_LIMIT {
        let text = text_allocation(bytes);
        return Allocation { header_bytes: OBJECT_BYTES + text.header_bytes, ..text };
    }
    let header_bytes = OBJECT_BYTES + 3 + 1;
    Allocation { header_bytes, padding_bytes: size_class(bytes + header_bytes) - bytes - header_bytes }
}

/// The size class of jemalloc at or above a request: multiples of 8 up to 64, then four classes to
/// each doubling.
fn size_class(bytes: u64) -> u64 {
    let step = if bytes <= 64 { 8 } else { 1 << ((bytes - 1).ilog2() - 2) };
    bytes.next_multiple_of(step)
}

/// The least power of two that is not below `keys`.
fn next_power_of_two(keys: f64) -> f64 {
    let power = keys.log2().ceil().exp2();
    // The logarithm of a number next to a power of two may round to the power's own.
    if power < keys {
        power * 2.0
    } else if power / 2.0 >= keys {
        power / 2.0
    } else {
        power
    }
}

/// A string of the protocol: `$16\r\n`, content, `\r\n`.
fn bulk_overhead(bytes: u64) -> f64 {
    let digits = bytes.checked_ilog10().map_or(1, |digits| digits + 1);
    f64::from(1 + digits + 2 + 2)
}

fn bulk(bytes: u64) -> f64 {
    bulk_overhead(bytes) + bytes as f64
}

/// `SET key value NX EX n`, which the server logs as `SET key value PXAT ms`.
fn log_parts(packed: &Packed) -> Vec<Part> {
    let filler = u64::from(packed.value_bytes() == 0);
    let value = packed.value_bytes() + filler;
    let frame = 4.0 + bulk(3) + bulk_overhead(packed.full_key_bytes()) + bulk_overhead(value);
    let part = |name, bytes, why| Part { name, place: Place::Other, bytes, why };
    vec![
        part("key", packed.key_bytes as f64, "the key's bytes"),
        part(
            "columns",
            (packed.scope_bytes + packed.column_bytes + filler) as f64,
            "owner columns and packed value",
        ),
        part("response", packed.response_bytes as f64, "at the end of the value"),
        part("command", frame, "*5, SET and the lengths of key and value in the protocol's text form"),
        part("expiry", bulk(4) + bulk(13), "PXAT and 13 digits of milliseconds"),
    ]
}

/// `SET key value XX KEEPTTL`, logged as it came.
fn completion_log_bytes(packed: &Packed) -> f64 {
    4.0 + bulk(3) + bulk(packed.full_key_bytes()) + bulk(packed.value_bytes()) + bulk(2) + bulk(7)
}

/// `DEL key`, logged as a key expires.
fn delete_log_bytes(packed: &Packed) -> f64 {
    4.0 + bulk(3) + bulk(packed.full_key_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_are_those_of_jemalloc_with_a_quantum_of_eight() {
        let classes = [(1, 8), (8, 8), (9, 16), (40, 40), (41, 48), (64, 64), (65, 80), (80, 80), (81, 96)];
        let larger = [(113, 128), (129, 160), (257, 320), (1025, 1280), (16_385, 20_480), (1 << 20, 1 << 20)];
        for (asked, given) in classes.into_iter().chain(larger) {
            assert_eq!(size_class(asked), given, "{asked}");
        }
    }

    #[test]
    fn a_short_value_shares_its_allocation_and_a_longer_one_does_not() {
        let total = |bytes| {
            let a = value_allocation(bytes);
            bytes.max(1) + a.header_bytes + a.padding_bytes
        };
        assert_eq!(total(0), 24);
        assert_eq!(total(44), 64);
        assert_eq!(total(45), 16 + 56);
        assert_eq!(total(300), 16 + 320);
    }

    #[test]
    fn powers_of_two_are_exact() {
        for (keys, power) in
            [(1.0, 1.0), (3.0, 4.0), (4.0, 4.0), (4_194_304.0, 4_194_304.0), (4_194_305.0, 8_388_608.0)]
        {
            assert_eq!(next_power_of_two(keys), power, "{keys}");
        }
        for exponent in 0..127 {
            assert_eq!(next_power_of_two(f64::from(exponent).exp2()), f64::from(exponent).exp2());
        }
    }

    /// The equation itself, summed term by term.
    #[test]
    fn the_stale_share_solves_its_equation() {
        for removed in [1e-9, 1e-3, 0.5, 2.0, 20.0, 48.0, 745.0, 2460.0, 3800.0, 1e6, 1e12, 1e18] {
            let odds = stale_odds(removed);
            let (s, rest) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
            let few = rest.powi(20) + 20.0 * s * rest.powi(19) + 190.0 * s * s * rest.powi(18);
            let back = 20.0 * s / few;
            assert!((back / removed - 1.0).abs() < 1e-6, "{removed}: {back} at {s}");
        }
    }

    #[test]
    fn the_log_spells_out_the_command() {
        let packed = Packed { key_bytes: 36, scope_bytes: 0, column_bytes: 20, response_bytes: 0 };
        let spelled = format!(
            "*5\r\n$3\r\nSET\r\n$36\r\n{}\r\n$20\r\n{}\r\n$4\r\nPXAT\r\n$13\r\n1700000000000\r\n",
            "k".repeat(36),
            "v".repeat(20)
        );
        let total: f64 = log_parts(&packed).iter().map(|p| p.bytes).sum();
        assert_eq!(total, spelled.len() as f64);
        assert_eq!(
            delete_log_bytes(&packed),
            format!("*2\r\n$3\r\nDEL\r\n$36\r\n{}\r\n", "k".repeat(36)).len() as f64
        );
        let kept = format!(
            "*5\r\n$3\r\nSET\r\n$36\r\n{:36}\r\n$20\r\n{:20}\r\n$2\r\nXX\r\n$7\r\nKEEPTTL\r\n",
            "", ""
        );
        assert_eq!(completion_log_bytes(&packed), kept.len() as f64);
    }
}
