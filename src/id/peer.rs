//! Other people's generators as they come, one id a call: what `bench` measures beside this crate's own.
//!
//! They read the system's clock and its entropy by themselves, so nothing here can be repeated.

use super::text::TextForm;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uuid::{Builder, Uuid};

/// A node for those who want one: the multicast bit says that it is no network address.
const NODE: [u8; 6] = [0x03, 0x00, 0x5e, 0x90, 0x10, 0x01];

/// `Uuid::new_v4` with its feature `fast-rng`, as this crate is built: a generator of `rand` on each thread.
pub fn v4_uuid_rs() -> Uuid {
    Uuid::new_v4()
}

/// What `Uuid::new_v4` does without that feature, as the crate `uuid` comes: 16 bytes of the operating system's
/// entropy for each id. One program has one set of features, so its steps are taken here.
///
/// # Panics
/// Where the operating system has no entropy, as `Uuid::new_v4` does.
pub fn v4_uuid_rs_default() -> Uuid {
    let mut bytes = [0; 16];
    entropy(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// `Uuid::now_v1` with a fixed node.
pub fn v1_uuid_rs() -> Uuid {
    Uuid::now_v1(&NODE)
}

/// `Uuid::now_v6` with a fixed node.
pub fn v6_uuid_rs() -> Uuid {
    Uuid::now_v6(&NODE)
}

/// `Uuid::now_v7`: one counter for all threads.
pub fn v7_uuid_rs() -> Uuid {
    Uuid::now_v7()
}

/// `uuid7::uuid7`: one generator for all threads.
pub fn v7_uuid7() -> Uuid {
    Uuid::from_bytes(*uuid7::uuid7().as_bytes())
}

/// `ulid::Ulid::generate`: 80 random bits an id.
pub fn ulid_rs() -> Uuid {
    Uuid::from_u128(ulid::Ulid::generate().0)
}

/// `nanoid::nanoid!()`: 21 characters in a string of its own.
///
/// # Panics
/// Where the string is no 21 bytes long, which its alphabet does not allow.
pub fn nanoid_rs() -> [u8; 21] {
    let text = nanoid::nanoid!();
    text.as_bytes().try_into().expect("21 characters of ASCII are 21 bytes")
}

/// Bytes of the operating system's entropy, as many as there is room for.
///
/// # Panics
/// Where it has none.
pub fn entropy(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system has entropy, without which no id is safe");
}

/// A `ChaCha8Rng` of `rand_chacha`, which a program would fill its buffers from.
#[derive(Debug)]
pub struct RandChacha8(ChaCha8Rng);

impl RandChacha8 {
    /// The generator of a thread.
    pub fn new(thread: u64) -> RandChacha8 {
        let mut stream = ChaCha8Rng::from_seed([0x5e; 32]);
        stream.set_stream(thread);
        RandChacha8(stream)
    }

    /// `fill_bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    /// The same, and each id by `uuid::Builder::from_random_bytes`.
    pub fn v4(&mut self, ids: &mut [Uuid]) {
        self.fill(bytemuck::cast_slice_mut(ids));
        for id in ids {
            *id = Builder::from_random_bytes(id.into_bytes()).into_uuid();
        }
    }
}

/// Writes an id as text into a buffer of its length.
pub type Write = fn(Uuid, &mut [u8]);

/// How a crate writes a form, where it can.
pub type Form = fn(TextForm) -> Option<Write>;

/// The forms of the crate `uuid`: hyphenated and simple, in small letters.
pub fn uuid_text(form: TextForm) -> Option<Write> {
    match form {
        TextForm::Hyphenated => Some(|id, text| {
            id.hyphenated().encode_lower(text);
        }),
        TextForm::Simple => Some(|id, text| {
            id.simple().encode_lower(text);
        }),
        _ => None,
    }
}

/// The form of the crate `ulid`: base32.
pub fn ulid_text(form: TextForm) -> Option<Write> {
    match form {
        TextForm::Base32 => Some(|id, text| {
            let text = text.try_into().expect("a buffer of 26 bytes");
            ulid::Ulid(id.as_u128()).array_to_str(text);
        }),
        _ => None,
    }
}
