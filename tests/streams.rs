//! Streams are a promise: a seed and a number give the same bytes on every machine and in every release.
//!
//! `tests/data/streams.csv` holds blocks made a second way, by `tests/data/streams.py`: AES of each counter by
//! OpenSSL, ChaCha8 and SplitMix64 written out in plain Python.

use std::collections::HashSet;
use uuid::Uuid;
use uuidcap::id::generator::stream::BLOCK;
use uuidcap::id::generator::{Cipher, Generator, Seed, Stream, V4};

struct Row {
    cipher: Cipher,
    seed: u64,
    number: u64,
    block: u64,
    bytes: [u8; BLOCK],
}

impl Row {
    fn stream(&self) -> Stream {
        Stream::new(self.cipher, &Seed::from(self.seed), self.number)
    }
}

fn rows() -> Vec<Row> {
    let lines = include_str!("data/streams.csv").lines().skip(1);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let whole = |place: usize| cells[place].parse().expect("a whole number of 64 bits");
        let cipher = [Cipher::Aes, Cipher::ChaCha8].into_iter().find(|cipher| cipher.name() == cells[0]);
        let bytes = u128::from_str_radix(cells[4], 16).expect("32 hexadecimal digits").to_be_bytes();
        Row {
            cipher: cipher.expect("a cipher of the library"),
            seed: whole(1),
            number: whole(2),
            block: whole(3),
            bytes,
        }
    });
    rows.collect()
}

#[test]
fn blocks_are_those_of_a_second_implementation() {
    let rows = rows();
    assert_eq!(rows.len(), 2 * 3 * 3 * 6, "two ciphers, three seeds, three numbers, six blocks");
    for row in &rows {
        let mut bytes = [0; BLOCK];
        row.stream().fill(row.block, &mut bytes);
        let Row { cipher, seed, number, block, .. } = row;
        assert_eq!(bytes, row.bytes, "{cipher:?}, seed {seed}, stream {number}, block {block}");
    }
    let distinct: HashSet<_> = rows.iter().map(|row| row.bytes).collect();
    assert_eq!(distinct.len(), rows.len(), "no two streams share a block");
}

/// Where a fill begins, in which piece of a cache, and how long it is must not show in the bytes.
#[test]
fn a_stream_is_entered_at_any_block() {
    for row in rows().iter().filter(|row| row.block != u64::MAX) {
        let mut whole = [0; 9 * BLOCK];
        row.stream().fill(row.block, &mut whole);
        assert_eq!(whole[..BLOCK], row.bytes);
        for (more, block) in whole.chunks(BLOCK).enumerate() {
            let mut alone = [0; BLOCK];
            row.stream().fill(row.block + more as u64, &mut alone);
            assert_eq!(alone, block, "block {} + {more}", row.block);
        }
        let mut part = [0; 2 * BLOCK + 5];
        row.stream().fill(row.block, &mut part);
        assert_eq!(part, whole[..part.len()], "a fill that ends within a block");
    }
}

/// The block after the last is the first.
fn starts_again(cipher: Cipher) {
    let mut seen = 0;
    for last in rows().iter().filter(|row| row.cipher == cipher && row.block == u64::MAX) {
        let mut across = [0; 2 * BLOCK];
        last.stream().fill(u64::MAX, &mut across);
        let mut first = [0; BLOCK];
        last.stream().fill(0, &mut first);
        assert_eq!(across[..BLOCK], last.bytes);
        assert_eq!(across[BLOCK..], first, "{cipher:?}, stream {}", last.number);
        seen += 1;
    }
    assert_eq!(seen, 9, "three seeds, three numbers");
}

#[test]
fn an_aes_stream_starts_again_after_its_last_block() {
    starts_again(Cipher::Aes);
}

#[test]
fn a_chacha8_stream_starts_again_after_its_last_block() {
    starts_again(Cipher::ChaCha8);
}

/// Version 4 and the variant of RFC 9562 set on a block.
fn stamped(mut bytes: [u8; BLOCK]) -> Uuid {
    bytes[6] = 0x40 | (bytes[6] % 16);
    bytes[8] = 0x80 | (bytes[8] % 64);
    Uuid::from_bytes(bytes)
}

#[test]
fn the_first_ids_are_the_first_blocks() {
    for row in rows().iter().filter(|row| row.block == 0) {
        assert_eq!(V4::new(row.stream()).next_id(), stamped(row.bytes));
    }
}

/// With the processor's vector instructions or without, in one fill or two, below the size from which ids are
/// written past the caches and above it: 16 MiB are 1,048,576 ids.
#[test]
fn ids_are_the_same_for_any_number_of_threads() {
    const IDS: usize = 1_100_003;
    const FIRST: usize = 50_001;
    for cipher in [Cipher::Aes, Cipher::ChaCha8] {
        let stream = Stream::new(cipher, &Seed::from(1), 1 << 63);
        let mut bytes = vec![[0; BLOCK]; IDS];
        stream.fill(0, bytes.as_flattened_mut());
        let expected: Vec<Uuid> = bytes.into_iter().map(stamped).collect();
        for stream in [stream.clone(), stream.without_vectors()] {
            let mut ids = vec![Uuid::nil(); IDS];
            V4::new(stream.clone()).fill(&mut ids);
            assert!(ids == expected, "{cipher:?}: ids in bulk are not the stream's blocks");
            for threads in [1, 2, 3, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                let mut made = V4::new(stream.clone());
                ids.fill(Uuid::nil());
                let (first, second) = ids.split_at_mut(FIRST);
                pool.install(|| made.fill_parallel(first));
                pool.install(|| made.fill_parallel(second));
                assert!(ids == expected, "{cipher:?}: {threads} threads give other ids than one");
            }
        }
    }
}
