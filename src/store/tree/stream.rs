//! Keys of an order of arrival, one after another, as numbers in the order of the keys' bytes.
//!
//! A number has 64 bits. Where time comes first they are `01`, the shard, the ticks and, in what is left,
//! what tells keys of a tick apart: at least as many bits as the keys of a run need. Uniform keys that stood
//! there before lie outside of what begins with `01`, as none of 10^9 random UUIDs lies among the UUIDv7 of a
//! few hours (one in 10^5 runs has one).

use super::order::{FarFuture, Order, Shape, SkewLaw, Within};
use crate::store::page::V1_WRAP_S;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where numbers of timed keys begin.
const BASE: u64 = 1 << 62;
/// Bits below that.
const BITS: u32 = 62;
/// Standard deviations of a clock that are provided for.
const FARTHEST: f64 = 9.0;
/// Bits of the random numbers at which counters begin, and of a client's number.
const CLIENT_BITS: u32 = 20;

/// A stream of keys.
#[derive(Debug, Clone)]
pub struct Stream {
    order: Order,
    random: ChaCha8Rng,
    /// Offset of each client's clock, in seconds; empty where all are right.
    offsets: Vec<f64>,
    /// Seconds added to all times, so that none is negative.
    margin_s: f64,
    low_bits: u32,
    tick_bits: u32,
    /// Keys made so far.
    made: u64,
    /// Keys that were made and have not arrived: time of arrival in ns, key.
    late: BinaryHeap<Reverse<(u64, u64)>>,
    far_first: u64,
}

impl Stream {
    /// The stream of so many keys from a seed.
    pub fn new(order: Order, keys: u64, seed: u64) -> Stream {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let offsets = offsets(&order, &mut random);
        let margin_s = offsets.iter().fold(0.0_f64, |most, offset| most.max(-offset));
        let tick_s = match order.shape {
            Shape::Timed { tick_s, .. } => tick_s,
            _ => 1.0,
        };
        let ahead = offsets.iter().fold(0.0_f64, |most, offset| most.max(*offset));
        let ticks = (keys as f64 / order.rate_per_s + margin_s + ahead) / tick_s + 2.0;
        // Far-future keys have all bits of the ticks set.
        let tick_bits = ((ticks + 1.0).log2().ceil() as u32).clamp(1, BITS - shard_bits(&order) - 1);
        let low_bits = BITS - shard_bits(&order) - tick_bits;
        let far_first = match order.far_future {
            FarFuture::First(keys) => keys,
            FarFuture::Share(_) => 0,
        };
        Stream {
            order,
            random,
            offsets,
            margin_s,
            low_bits,
            tick_bits,
            made: 0,
            late: BinaryHeap::new(),
            far_first,
        }
    }

    /// Whether the next key is as likely to lie in one gap between those that came as in any other.
    pub fn is_uniform(&self) -> bool {
        self.order.shape == Shape::Uniform
    }

    /// The source of chance, for trees that need no key.
    pub fn random(&mut self) -> &mut ChaCha8Rng {
        &mut self.random
    }

    /// A random key, as it may have stood there before the others.
    pub fn key_before(&mut self) -> u64 {
        let key = self.random.next_u64();
        // Timed keys take the second quarter of all numbers.
        if self.is_uniform() || key >> BITS != 1 { key } else { key ^ BASE }
    }

    /// The key that arrives next.
    #[inline]
    pub fn next_key(&mut self) -> u64 {
        if self.is_uniform() {
            return self.random.next_u64();
        }
        if self.far_first > 0 {
            self.far_first -= 1;
            return self.far_key();
        }
        if self.order.delay_s == 0.0 {
            return self.make().1;
        }
        loop {
            let next_ns = self.made_at_s(self.made) * 1e9;
            if let Some(&Reverse((arrives, key))) = self.late.peek()
                && arrives as f64 <= next_ns
            {
                self.late.pop();
                return key;
            }
            let (at_s, key) = self.make();
            let delay = -self.order.delay_s * (-unit(&mut self.random)).ln_1p();
            self.late.push(Reverse((((at_s + delay) * 1e9) as u64, key)));
        }
    }

    fn made_at_s(&self, number: u64) -> f64 {
        number as f64 / self.order.rate_per_s
    }

    /// Makes a key: when, and which.
    fn make(&mut self) -> (f64, u64) {
        let at_s = self.made_at_s(self.made);
        self.made += 1;
        if let FarFuture::Share(share) = self.order.far_future
            && share > 0.0
            && unit(&mut self.random) < share
        {
            return (at_s, self.far_key());
        }
        let client = match self.order.clients {
            1 => 0,
            clients => below(&mut self.random, u64::from(clients)),
        };
        let offset = self.offsets.get(client as usize).copied().unwrap_or(0.0);
        let clock_s = at_s + offset + self.margin_s;
        let key = match self.order.shape {
            Shape::Uniform => self.random.next_u64(),
            Shape::Timed { tick_s, within } => self.timed(clock_s / tick_s, within, client),
            Shape::LowTimeFirst { phase } => self.low_time_first(clock_s + phase * V1_WRAP_S),
        };
        (at_s, key)
    }

    fn timed(&mut self, ticks: f64, within: Within, client: u64) -> u64 {
        // A rate may put a key a rounding error before the tick it begins.
        let ticks = ticks + 1e-9;
        let tick = (ticks as u64).min((1 << self.tick_bits) - 2);
        let fraction = ticks - ticks.floor();
        let low = match within {
            Within::Random => self.random.next_u64() >> (64 - self.low_bits),
            Within::Counter if self.order.clients == 1 => self.counter(0, 0, fraction),
            Within::Counter => self.counter(CLIENT_BITS, mix(client ^ mix(tick)), fraction),
            Within::ClientThenCounter if self.order.clients == 1 => self.counter(0, 0, fraction),
            Within::ClientThenCounter => self.counter(CLIENT_BITS, client << (64 - CLIENT_BITS), fraction),
        };
        self.sharded((tick << self.low_bits) | low)
    }

    /// The first bits of what names a client, then how far the tick is gone.
    fn counter(&self, client_bits: u32, client: u64, fraction: f64) -> u64 {
        let client_bits = client_bits.min(self.low_bits / 2);
        let rest = self.low_bits - client_bits;
        let named = if client_bits == 0 { 0 } else { client >> (64 - client_bits) };
        let gone = (fraction * (rest as f64).exp2()) as u64;
        (named << rest) | gone.min((1 << rest) - 1)
    }

    fn low_time_first(&mut self, clock_s: f64) -> u64 {
        let ticks = (clock_s * 1e7) as u64;
        let (low, high) = (ticks & 0xffff_ffff, (ticks >> 32) & 0xfff);
        let rest = self.random.next_u64() >> (64 - 6);
        self.sharded((low << 18) | (high << 6) | rest)
    }

    /// A key of the last tick there is.
    fn far_key(&mut self) -> u64 {
        let low = self.random.next_u64() >> (64 - self.low_bits);
        self.sharded((((1 << self.tick_bits) - 1) << self.low_bits) | low)
    }

    fn sharded(&mut self, key: u64) -> u64 {
        let bits = shard_bits(&self.order);
        if bits == 0 {
            return BASE | key;
        }
        let shard = below(&mut self.random, u64::from(self.order.shards));
        BASE | (shard << (BITS - bits)) | key
    }
}

/// Bits of a shard's number.
fn shard_bits(order: &Order) -> u32 {
    order.shards.next_power_of_two().trailing_zeros()
}

fn offsets(order: &Order, random: &mut ChaCha8Rng) -> Vec<f64> {
    if order.skew.seconds == 0.0 {
        return Vec::new();
    }
    let offset = |random: &mut ChaCha8Rng| match order.skew.law {
        SkewLaw::Uniform => 2.0 * unit(random) - 1.0,
        // Box and Muller.
        SkewLaw::Normal => {
            let (radius, angle) =
                ((-2.0 * (-unit(random)).ln_1p()).sqrt(), std::f64::consts::TAU * unit(random));
            (radius * angle.cos()).clamp(-FARTHEST, FARTHEST)
        }
    };
    (0..order.clients).map(|_| offset(random) * order.skew.seconds).collect()
}

/// A number from 0 to below 1.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A number below `bound`, with a bias under `bound` / 2^64.
fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbours become unlike.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
