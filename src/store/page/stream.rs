//! Where the next key of a stream goes: which leaf, and between which of its entries.
//!
//! No key is kept. Of uniform keys the rank of the next among the `n` present is uniform; of keys that
//! come roughly in order the rank *from the right* follows from how many later ones are already there.
//! A gap between two leaves belongs to the left one: the separator is the first key of the right leaf.

use super::{Arrival, Leaves};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Any fixed number: the same model gives the same answer everywhere.
const SEED: u64 = 0x7575_6964_6361_7031;

/// Where in a wrap the first pass of [`Arrival::Wrapping`] begins.
const FIRST_PHASE: f64 = 0.5;

/// Delays, in means, that are waited for: e^-12 of the keys are later still.
const LONGEST_DELAY: f64 = 12.0;

/// A stream of keys in one order of arrival.
pub(super) struct Stream {
    rng: ChaCha8Rng,
    /// Entries that a leaf holds at most, the bound of the rejection sampling.
    capacity: u32,
    order: Order,
}

enum Order {
    Uniform,
    Ascending,
    Bucketed(Bucket),
    Ranked { ranks: Vec<u64>, next: usize },
    Wrapping(Wrap),
}

/// Where [`Arrival::Bucketed`] stands.
struct Bucket {
    keys_per_bucket: f64,
    /// Keys of all buckets so far.
    inserted: u64,
    /// Keys so far when the present bucket is complete.
    end: f64,
    /// Keys of the present bucket so far.
    present: u64,
}

/// The cursor of [`Arrival::Wrapping`]. The first pass begins in the middle of a wrap, which is as
/// likely as any other moment: only then do the leaves below it see a first run of ascending keys that
/// is not at the right edge.
struct Wrap {
    keys_per_wrap: f64,
    /// Keys of this pass so far, those that the first pass missed included.
    phase: f64,
    /// Passes begun before this one.
    passes: u32,
    /// Where in the first gap each earlier pass began, the first one aside.
    offsets: Vec<f64>,
    leaf: usize,
    position: u32,
}

impl Stream {
    /// A stream of at most `keys` keys into leaves of at most `capacity` entries.
    pub(super) fn new(arrival: Arrival, capacity: u32, keys: u64) -> Self {
        Self::seeded(arrival, capacity, keys, 0)
    }

    /// The same, of the streams that differ in nothing but chance the one of a number.
    pub(super) fn seeded(arrival: Arrival, capacity: u32, keys: u64, number: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED.wrapping_add(number));
        let order = match arrival {
            Arrival::Uniform => Order::Uniform,
            Arrival::Ascending => Order::Ascending,
            Arrival::Bucketed { keys_per_bucket } if keys_per_bucket > 1.0 => {
                Order::Bucketed(Bucket { keys_per_bucket, inserted: 0, end: keys_per_bucket, present: 0 })
            }
            Arrival::Bucketed { .. } => Order::Ascending,
            Arrival::Delayed { rate_per_s, mean_delay_s } => {
                // A load stops in mid-stream: keys made later than its last arrive before some of it.
                let late = (rate_per_s * mean_delay_s * LONGEST_DELAY).min(keys as f64);
                let ranks = delayed_ranks(&mut rng, rate_per_s, mean_delay_s, keys + late as u64);
                Order::Ranked { ranks, next: 0 }
            }
            Arrival::Wrapping { keys_per_wrap } => Order::Wrapping(Wrap {
                keys_per_wrap: keys_per_wrap.max(2.0),
                phase: keys_per_wrap.max(2.0) * FIRST_PHASE,
                passes: 0,
                offsets: Vec::new(),
                leaf: 0,
                position: 0,
            }),
        };
        Stream { rng, capacity, order }
    }

    /// The leaf and the position on it of the next key.
    pub(super) fn next(&mut self, leaves: &Leaves) -> (usize, u32) {
        let rng = &mut self.rng;
        match &mut self.order {
            Order::Uniform => uniform(rng, self.capacity, leaves),
            Order::Ascending => from_right(leaves, 0),
            Order::Bucketed(bucket) => {
                bucket.open();
                let rank = rank_below(rng, bucket.present + 1);
                bucket.take(1);
                from_right(leaves, rank)
            }
            Order::Ranked { ranks, next } => {
                let rank = ranks.get(*next).copied().unwrap_or(0);
                *next += 1;
                from_right(leaves, rank)
            }
            Order::Wrapping(wrap) => wrap.next(leaves),
        }
    }

    /// Keys, before the next one, that a run may find in disorder with it, how many more keys meet no
    /// others, and the source of their ranks; `None` where keys go elsewhere than to the right end.
    pub(super) fn right_end(&mut self) -> Option<RightEnd<'_>> {
        match &mut self.order {
            Order::Ascending => Some(RightEnd { rng: &mut self.rng, bucket: None }),
            Order::Bucketed(bucket) => {
                bucket.open();
                Some(RightEnd { rng: &mut self.rng, bucket: Some(bucket) })
            }
            _ => None,
        }
    }
}

/// What comes next to the right end of an index.
pub(super) struct RightEnd<'a> {
    rng: &'a mut ChaCha8Rng,
    /// The bucket that is open; `None` where keys ascend.
    bucket: Option<&'a mut Bucket>,
}

impl RightEnd<'_> {
    /// Keys present that the next key may be less than.
    pub(super) fn in_disorder(&self) -> u64 {
        self.bucket.as_ref().map_or(0, |bucket| bucket.present)
    }

    /// Keys until the next bucket is opened.
    pub(super) fn left(&self) -> u64 {
        self.bucket.as_ref().map_or(u64::MAX, |bucket| bucket.left())
    }

    /// Takes keys of any number of buckets, and says how many are greater than the last of them.
    pub(super) fn take_over(&mut self, keys: u64) -> u64 {
        let mut keys = keys;
        while let Some(bucket) = self.bucket.as_mut().filter(|bucket| bucket.left() < keys) {
            keys -= bucket.left();
            bucket.take(bucket.left());
            bucket.open();
        }
        self.take(keys)
    }

    /// Takes keys of the open bucket, and says how many are greater than the last of them.
    pub(super) fn take(&mut self, keys: u64) -> u64 {
        match &mut self.bucket {
            None => 0,
            Some(bucket) => {
                bucket.take(keys);
                rank_below(self.rng, bucket.present)
            }
        }
    }
}

impl Bucket {
    /// Begins the next bucket where this one is complete.
    fn open(&mut self) {
        if self.inserted as f64 >= self.end {
            self.end += self.keys_per_bucket;
            self.present = 0;
        }
    }

    /// Keys that the bucket is still to get.
    fn left(&self) -> u64 {
        (self.end - self.inserted as f64).ceil().max(1.0) as u64
    }

    fn take(&mut self, keys: u64) {
        self.inserted += keys;
        self.present += keys;
    }
}

impl Wrap {
    /// Moves the cursor past the key inserted last and past the older ones before the next: one of
    /// each earlier pass that came by here.
    fn next(&mut self, leaves: &Leaves) -> (usize, u32) {
        if self.phase >= self.keys_per_wrap {
            self.phase -= self.keys_per_wrap;
            self.passes += 1;
            let below = self.offsets.iter().filter(|&&offset| offset < self.phase).count() as u32;
            (self.leaf, self.position) = (0, below);
            self.offsets.push(self.phase);
        } else {
            let missed = self.passes > 0 && self.phase < self.keys_per_wrap * FIRST_PHASE;
            self.position += 1 + self.passes - u32::from(missed);
        }
        self.phase += 1.0;
        while self.position > leaves.counts[self.leaf] && self.leaf + 1 < leaves.counts.len() {
            self.position -= leaves.counts[self.leaf];
            self.leaf += 1;
        }
        self.position = self.position.min(leaves.counts[self.leaf]);
        (self.leaf, self.position)
    }
}

/// A leaf with a chance proportional to its entries, and the gap after one of them.
fn uniform(rng: &mut ChaCha8Rng, capacity: u32, leaves: &Leaves) -> (usize, u32) {
    if leaves.counts.len() == 1 {
        return (0, below(rng, u64::from(leaves.counts[0]) + 1) as u32);
    }
    loop {
        let draw = rng.next_u64();
        let leaf = (((draw >> 32) * leaves.counts.len() as u64) >> 32) as usize;
        let entry = (((draw & 0xffff_ffff) * u64::from(capacity)) >> 32) as u32;
        if entry < leaves.counts[leaf] {
            return (leaf, entry + 1);
        }
    }
}

/// The gap that has `rank` entries to the right of it.
fn from_right(leaves: &Leaves, mut rank: u64) -> (usize, u32) {
    let mut leaf = leaves.counts.len() - 1;
    while leaf > 0 && rank >= u64::from(leaves.counts[leaf]) {
        rank -= u64::from(leaves.counts[leaf]);
        leaf -= 1;
    }
    let count = leaves.counts[leaf];
    (leaf, count - (rank.min(u64::from(count)) as u32))
}

/// A number below `bound` with a bias under `bound` / 2^64.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// The same for the rank in a bucket: half the random bits, with a bias under 2^-12, where the bucket is
/// small.
fn rank_below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    if bound < 1 << 20 { (u64::from(rng.next_u32()) * bound) >> 32 } else { below(rng, bound) }
}

/// For each arrival in turn, how many keys present are greater: key `i` is made at `i / rate`, carries
/// that time in milliseconds and random bits below, and arrives after an exponential delay.
fn delayed_ranks(rng: &mut ChaCha8Rng, rate_per_s: f64, mean_delay_s: f64, keys: u64) -> Vec<u64> {
    let n = keys as usize;
    let mut place: Vec<u32> = (0..n as u32).collect();
    let millisecond = |i: usize| (i as f64 / rate_per_s * 1e3).floor();
    let mut start = 0;
    while start < n {
        let mut end = start + 1;
        while end < n && millisecond(end) == millisecond(start) {
            end += 1;
        }
        for i in (start + 1..end).rev() {
            place.swap(i, start + below(rng, (i - start) as u64 + 1) as usize);
        }
        start = end;
    }
    let mut arrivals: Vec<(f64, u32)> = place
        .iter()
        .enumerate()
        .map(|(i, &place)| {
            let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            (i as f64 / rate_per_s - mean_delay_s * (-unit).ln_1p(), place)
        })
        .collect();
    arrivals.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    ranks_from_right(&arrivals)
}

/// How many earlier arrivals have a greater place, by a Fenwick tree over places counted from the right.
fn ranks_from_right(arrivals: &[(f64, u32)]) -> Vec<u64> {
    let n = arrivals.len();
    let mut tree = vec![0u32; n + 1];
    arrivals
        .iter()
        .map(|&(_, place)| {
            let from_right = n - place as usize;
            let mut greater = 0u64;
            let mut node = from_right;
            while node > 0 {
                greater += u64::from(tree[node]);
                node &= node - 1;
            }
            node = from_right;
            while node <= n {
                tree[node] += 1;
                node += node & node.wrapping_neg();
            }
            greater
        })
        .collect()
}
