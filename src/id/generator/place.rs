//! Ids whose second half counts up while the first stands still: what UUIDv1, UUIDv6 and ULID are made of.
//!
//! A generator reserves consecutive places, numbers that it never gives out again; an id follows from its
//! place alone, so a reservation is written in any number of pieces.

use super::stamp::SHARE;
use rayon::prelude::*;
use uuid::Uuid;

/// Ids from one place on, for as long as their first half stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// The first 64 bits of all of them.
    pub high: u64,
    /// The last 64 bits of the first.
    pub low: u64,
    /// What the last 64 bits rise by from one to the next.
    pub step: u64,
    /// How many there are, at least 1.
    pub ids: u128,
}

/// Makes the ids of the places from `first` on; `run` tells what begins at a place.
pub(super) fn fill(first: u128, run: impl Fn(u128) -> Run, mut ids: &mut [Uuid]) {
    let mut at = first;
    while !ids.is_empty() {
        let Run { high, low, step, ids: there } = run(at);
        let length = usize::try_from(there).map_or(ids.len(), |there| there.min(ids.len()));
        let (now, later) = ids.split_at_mut(length);
        let now: &mut [[u8; 16]] = bytemuck::cast_slice_mut(now);
        let (high, mut low) = (high.to_be_bytes(), low);
        for id in now {
            id[..8].copy_from_slice(&high);
            id[8..].copy_from_slice(&low.to_be_bytes());
            // Past the last id of a run it may wrap; nothing is made of it then.
            low = low.wrapping_add(step);
        }
        at += length as u128;
        ids = later;
    }
}

/// The same ids as [`fill`] makes, on all threads of the current rayon pool.
pub(super) fn fill_parallel(first: u128, run: impl Fn(u128) -> Run + Sync, ids: &mut [Uuid]) {
    ids.par_chunks_mut(SHARE).enumerate().for_each(|(share, ids)| {
        fill(first + (share * SHARE) as u128, &run, ids);
    });
}
