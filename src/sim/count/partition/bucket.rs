//! Repeats among the kept bits of one bucket: pieces whose bits fit a near cache, a bit for every key, then the keys that
//! met a set bit against all others.
//!
//! A key whose bit is set already is a suspect: every repeat is one, and 1 in 64 of the others where 16,384 keys meet 2^19
//! bits, which take 64 KiB. Suspects are put into slots, and a second look at the piece finds every key that equals one:
//! where only the suspects themselves are found there is no repeat, which is exact. Keys of few bits have a count each
//! instead.

use super::arena::Region;

/// Keys of a piece, on average and up to twice as many: their bits and slots fit a second-level cache of 512 KiB. Buckets
/// below that are not split.
const PIECE: usize = 1 << 16;
/// Bits of the filter for a key: 2^5, or half of that.
const PER_KEY_LOG2: u32 = 5;
/// Bits of a key that choose its bit in the filter, at least and at most: 16 to 256 KiB of bits.
const FILTER: [u32; 2] = [17, 21];
/// Bits of a key that choose the slot of a suspect, at least and at most.
const SLOT: [u32; 2] = [12, 16];
/// Keys of so many bits have a count each.
const COUNTED: u32 = 13;
/// Suspects without a slot that are looked for one after another, rather than by another round of slots.
const ONE_BY_ONE: usize = 3;

/// What was found in a bucket.
#[derive(Debug, Default, Clone)]
pub(super) struct Found {
    pub repeats: u64,
    pub pairs: u128,
    /// Repeated keys, each once: all, or of every piece those whose second came first.
    pub keys: Vec<u32>,
}

/// What a thread needs to count one bucket after another.
pub(super) struct Counter {
    /// The bucket, piece by piece.
    keys: Vec<u32>,
    filter: Vec<u64>,
    slots: Vec<u32>,
    counts: Box<[u32; 1 << COUNTED]>,
    suspects: Vec<u32>,
    rest: Vec<u32>,
    /// Keys equal to a suspect: the key above its place.
    met: Vec<u64>,
    /// Repeated keys of a piece, below the place of their second.
    seconds: Vec<u64>,
}

impl Counter {
    pub fn new() -> Counter {
        Counter {
            keys: Vec::new(),
            filter: vec![0; 1 << (FILTER[1] - 6)],
            slots: (0u32..1 << SLOT[1]).map(|slot| !slot).collect(),
            counts: Box::new([0; 1 << COUNTED]),
            suspects: Vec::new(),
            rest: Vec::new(),
            met: Vec::new(),
            seconds: Vec::new(),
        }
    }

    /// Bytes that it takes for buckets of so many keys.
    pub fn bytes(keys: u64) -> u64 {
        // Its keys piece by piece, and room for as many suspects.
        9 * keys + (1 << (FILTER[1] - 3)) + (4 << SLOT[1]) + (4 << COUNTED)
    }

    /// Counts the keys of a bucket, in the order of its regions; each has so many bits. Of every piece at most so many
    /// repeated keys are named.
    pub fn count(&mut self, regions: &[Region<'_>], bits: u32, named: usize) -> Found {
        let all: usize = regions.iter().map(|region| region.len()).sum();
        let pieces_log2 = (all / PIECE).max(1).ilog2().min(bits);
        if let ([region], 0) = (regions, pieces_log2) {
            let mut found = Found::default();
            self.piece(region, bits, named, &mut found);
            return found;
        }
        let mut keys = std::mem::take(&mut self.keys);
        let bits = bits - pieces_log2;
        let pieces = Pieces::split(regions, all, bits, pieces_log2, &mut keys);
        let mut found = Found::default();
        for (start, end) in pieces.starts.into_iter().zip(pieces.ends) {
            self.piece(&keys[start..end], bits, named, &mut found);
        }
        self.keys = keys;
        found
    }

    /// Counts one piece, whose keys differ in their lowest bits only.
    fn piece(&mut self, keys: &[u32], bits: u32, named: usize, found: &mut Found) {
        self.seconds.clear();
        if bits <= COUNTED {
            self.by_counts(keys, bits, found);
        } else {
            self.find_suspects(keys);
            if self.suspects.is_empty() {
                return;
            }
            self.met.clear();
            if self.suspects.len() > keys.len() / 4 {
                self.met.extend((0u64..).zip(keys).map(|(place, key)| (u64::from(*key) << 32) | place));
            } else {
                self.meet_suspects(keys);
            }
            self.group(found);
        }
        if self.seconds.len() > named {
            self.seconds.sort_unstable();
        }
        found.keys.extend(self.seconds.iter().take(named).map(|second| *second as u32));
    }

    /// A count for every value that a key may have.
    fn by_counts(&mut self, keys: &[u32], bits: u32, found: &mut Found) {
        let mask = (1 << bits) - 1;
        let (mut repeats, mut pairs) = (0, 0u64);
        for (place, key) in keys.iter().enumerate() {
            let count = &mut self.counts[(key & mask & ((1 << COUNTED) - 1)) as usize];
            if *count == 1 {
                self.seconds.push(((place as u64) << 32) | u64::from(*key));
            }
            repeats += u64::from(*count > 0);
            pairs += u64::from(*count);
            *count += 1;
        }
        self.counts[..1 << bits].fill(0);
        found.repeats += repeats;
        found.pairs += u128::from(pairs);
    }

    /// Keys that met a set bit.
    fn find_suspects(&mut self, keys: &[u32]) {
        let bits = keys.len().max(1).ilog2() + PER_KEY_LOG2;
        let filter = &mut self.filter[..1 << (bits.clamp(FILTER[0], FILTER[1]) - 6)];
        filter.fill(0);
        self.suspects.resize(keys.len(), 0);
        let suspects = &mut self.suspects[..];
        let mut found = 0;
        assert!(!filter.is_empty(), "a filter has words");
        let mask = filter.len() - 1;
        for key in keys {
            let word = &mut filter[(key >> 6) as usize & mask];
            // Written whether it is one or not: a branch on it would be guessed wrong too often.
            suspects[found] = *key;
            found += (*word >> (key & 63) & 1) as usize;
            *word |= 1 << (key & 63);
        }
        self.suspects.truncate(found);
    }

    /// Every key equal to a suspect.
    fn meet_suspects(&mut self, keys: &[u32]) {
        let size = 1usize << keys.len().max(1).ilog2().clamp(SLOT[0], SLOT[1]);
        let slots = &mut self.slots[..size];
        assert!(!slots.is_empty(), "there are slots");
        let mask = slots.len() - 1;
        // No slot holds a key of another, and an empty one holds such a key.
        let slot_of = |key: u32| key as usize & mask;
        while !self.suspects.is_empty() {
            if self.suspects.len() <= ONE_BY_ONE {
                self.suspects.sort_unstable();
                self.suspects.dedup();
                for suspect in self.suspects.drain(..) {
                    let equal = (0u64..).zip(keys).filter(|(_, key)| **key == suspect);
                    self.met.extend(equal.map(|(place, _)| (u64::from(suspect) << 32) | place));
                }
                return;
            }
            self.rest.clear();
            let taken = self.suspects.len();
            for suspect in &self.suspects {
                let slot = &mut slots[slot_of(*suspect)];
                if slot_of(*slot) != slot_of(*suspect) {
                    *slot = *suspect;
                } else if *slot != *suspect {
                    self.rest.push(*suspect);
                }
            }
            for (place, key) in keys.iter().enumerate() {
                if slots[slot_of(*key)] == *key {
                    self.met.push((u64::from(*key) << 32) | place as u64);
                }
            }
            for suspect in &self.suspects[..taken] {
                slots[slot_of(*suspect)] = !(slot_of(*suspect) as u32);
            }
            std::mem::swap(&mut self.suspects, &mut self.rest);
        }
    }

    /// Counts what met, key by key.
    fn group(&mut self, found: &mut Found) {
        self.met.sort_unstable();
        for equal in self.met.chunk_by(|one, other| one >> 32 == other >> 32) {
            let repeats = equal.len() as u64 - 1;
            if repeats > 0 {
                found.repeats += repeats;
                found.pairs += u128::from(repeats) * u128::from(repeats + 1) / 2;
                self.seconds.push(equal[1].rotate_right(32));
            }
        }
    }
}

/// Where the keys of a bucket lie, piece by piece.
struct Pieces {
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Pieces {
    /// Brings the keys into pieces by their bits from `shift` on, each in the order in which it came.
    ///
    /// With the same room for all pieces the keys are read once; where one of them has too many, they are counted first.
    fn split(
        regions: &[Region<'_>],
        all: usize,
        shift: u32,
        pieces_log2: u32,
        keys: &mut Vec<u32>,
    ) -> Pieces {
        let pieces = 1usize << pieces_log2;
        let mean = all as f64 / pieces as f64;
        let room = ((mean + 7.0 * mean.sqrt()) as usize + 1).min(all);
        let enough = if pieces == 1 { all } else { room * pieces };
        if keys.len() < enough {
            keys.resize(enough, 0);
        }
        if pieces == 1 {
            let mut at = 0;
            for region in regions {
                keys[at..at + region.len()].copy_from_slice(region);
                at += region.len();
            }
            return Pieces { starts: vec![0], ends: vec![all] };
        }
        let even = (0..pieces).map(|piece| piece * room).collect();
        Pieces::fill(regions, even, room, shift, keys).unwrap_or_else(|| {
            let mut sizes = vec![0; pieces];
            for key in regions.iter().copied().flatten() {
                sizes[(key >> shift) as usize & (pieces - 1)] += 1;
            }
            let mut sum = 0;
            let start = |size: &usize| {
                sum += size;
                sum - size
            };
            let starts = sizes.iter().map(start).collect();
            Pieces::fill(regions, starts, all, shift, keys).expect("a piece has all the room there is")
        })
    }

    /// Copies every key behind those of its piece; nothing where a piece has no room.
    fn fill(
        regions: &[Region<'_>],
        starts: Vec<usize>,
        room: usize,
        shift: u32,
        keys: &mut [u32],
    ) -> Option<Pieces> {
        let mut ends = starts.clone();
        let limits: Vec<usize> = starts.iter().map(|start| start + room).collect();
        {
            let (ends, limits) = (&mut ends[..], &limits[..]);
            assert!(!ends.is_empty() && limits.len() == ends.len(), "a limit for every end");
            let mask = ends.len() - 1;
            for region in regions {
                for key in *region {
                    let piece = (key >> shift) as usize & mask;
                    let end = ends[piece];
                    if end == limits[piece] {
                        return None;
                    }
                    keys[end] = *key;
                    ends[piece] = end + 1;
                }
            }
        }
        Some(Pieces { starts, ends })
    }
}
