//! Ids of one generator, made on several threads at once and all compared with each other.

use super::answer::{Distinct, Order};
use super::check::number;
use super::contender::{Contender, Maker};
use super::question::L1_BYTES;
use super::room::Aligned;
use crate::error::Result;
use crate::question::Progress;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::{Barrier, Mutex, PoisonError};

/// What a thread saw of its own ids.
#[derive(Debug, Clone, Copy)]
struct Own {
    invalid: u64,
    rising: bool,
}

/// Makes so many ids, an equal share on each thread, sorts them as numbers and counts what is not as it must be.
/// None where the progress asks to stop.
///
/// # Errors
/// Where the generator refuses so many threads.
pub(super) fn distinct(
    contender: &Contender,
    threads: usize,
    pool: &ThreadPool,
    ids: &mut [u128],
    progress: &dyn Progress,
) -> Result<Option<Distinct>> {
    let makers = (contender.team)(threads).map_err(|error| error.within(contender.name))?;
    // At least one id a part, so that there are no more parts than threads.
    let share = ids.len().div_ceil(threads).max(1);
    let mut parts: Vec<&mut [u128]> = ids.chunks_mut(share).collect();
    // The last threads may have nothing left to do.
    parts.resize_with(threads, Default::default);
    let works: Vec<_> = makers.into_iter().zip(parts).map(Mutex::new).collect();
    let start = Barrier::new(threads);
    let seen = pool.broadcast(|context| {
        let mut work = works[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
        let (maker, part) = &mut *work;
        start.wait();
        make(contender, maker.as_mut(), part, progress)
    });
    drop(works);
    if progress.cancelled() {
        return Ok(None);
    }
    let rising = seen.iter().all(|own| own.rising);
    pool.install(|| ids.par_sort_unstable());
    let repeats = pool.install(|| ids.par_windows(2).filter(|pair| pair[0] == pair[1]).count()) as u64;
    let ids = ids.len() as u64;
    Ok(Some(Distinct {
        generator: contender.name,
        kind: contender.kind,
        call: contender.call,
        stream: contender.stream,
        threads,
        ids,
        distinct: ids - repeats,
        repeats,
        invalid: seen.iter().map(|own| own.invalid).sum(),
        order: match (rising, threads) {
            (true, 1) => Order::Rising,
            (true, _) => Order::RisingWithinThread,
            (false, _) => Order::None,
        },
    }))
}

/// Makes ids a buffer at a time and keeps them as numbers. An id that is none of its shape is counted, and kept
/// by its bytes.
fn make(contender: &Contender, maker: &mut dyn Maker, part: &mut [u128], progress: &dyn Progress) -> Own {
    let length = contender.shape.id_bytes();
    let mut buffer = Aligned::new(L1_BYTES);
    let bytes = buffer.bytes();
    let mut own = Own { invalid: 0, rising: true };
    let mut last = None;
    for piece in part.chunks_mut(bytes.len() / length) {
        if progress.cancelled() {
            return own;
        }
        let bytes = &mut bytes[..piece.len() * length];
        maker.make(bytes);
        for (id, place) in bytes.chunks_exact(length).zip(piece) {
            let number = number(contender.shape, id);
            own.invalid += u64::from(number.is_none());
            *place = number.unwrap_or_else(|| by_bytes(id));
            own.rising &= last.is_none_or(|last| last < *place);
            last = Some(*place);
        }
    }
    own
}

/// The last 16 bytes as a number.
fn by_bytes(id: &[u8]) -> u128 {
    id.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}
