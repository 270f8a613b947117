//! A million UUIDv7 on four threads, unique by construction, as text on stdout.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};
use uuidcap::id::Uuid;
use uuidcap::id::clock::Clock;
use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V7Monotonic};
use uuidcap::id::text::TextForm;

/// The system's clock; the library has none of its own.
#[derive(Clone, Copy)]
struct System;

impl Clock for System {
    fn unix_ns(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        u64::try_from(now.as_nanos()).expect("a clock before 2554")
    }
}

fn main() -> std::io::Result<()> {
    // A seed that nobody can guess; a process that forks needs a new one in the child.
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).expect("the system has entropy");
    let seed = Seed::from_bytes(entropy);

    // One counter for all threads, and a stream for each.
    let first = V7Monotonic::new(Stream::new(Cipher::Aes, &seed, 0), System);
    let mut ids = vec![Uuid::nil(); 1_000_000];
    std::thread::scope(|scope| {
        for (number, share) in (1..).zip(ids.chunks_mut(250_000)) {
            let mut made = first.sibling(Stream::new(Cipher::Aes, &seed, number));
            scope.spawn(move || share.chunks_mut(1_024).for_each(|some| made.fill(some)));
        }
    });

    // Text has no separators: a line each is for the program to write.
    let mut text = vec![0; ids.len() * TextForm::Hyphenated.chars()];
    TextForm::Hyphenated.encode(&ids, &mut text);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for id in text.chunks(TextForm::Hyphenated.chars()) {
        out.write_all(id)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
