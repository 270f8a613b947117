//! Ids of one generator, made on several threads at once and all compared with each other.

use super::answer::{Distinct, Order};
use super::check::number;
use super::contender::{Contender, Maker};
use super::crew::together;
use super::question::L1_BYTES;
use super::room::Aligned;
use super::sort::sort;
use crate::error::Result;
use crate::question::Progress;
use rayon::ThreadPool;
use rayon::prelude::*;

/// What a thread saw of its own ids.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    invalid: u64,
    /// Whether each was above the one before; none of fewer than two.
    rising: Option<bool>,
}

/// Makes so many ids, an equal share on each thread, sorts them as numbers and counts what is not as it must be.
/// None where the progress asks to stop.
///
/// # Errors
/// Where the generator refuses so many threads, or they cannot be started.
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
    let works = makers.into_iter().zip(parts).collect();
    let seen = together(works, |(mut maker, part), [begin, _]| {
        if begin.pass() { make(contender, maker.as_mut(), part, progress) } else { Own::default() }
    })?;
    if progress.cancelled() || !pool.install(|| sort(ids, &|| progress.cancelled())) {
        return Ok(None);
    }
    let repeats = pool.install(|| ids.par_windows(2).filter(|pair| pair[0] == pair[1]).count()) as u64;
    let ids = ids.len() as u64;
    let orders = || seen.iter().filter_map(|own| own.rising);
    let rising = if threads == 1 { Order::Rising } else { Order::RisingWithinThread };
    let promised = if contender.rising { rising } else { Order::None };
    Ok(Some(Distinct {
        generator: contender.name,
        role: contender.role,
        call: contender.call,
        stream: contender.stream,
        threads,
        ids,
        distinct: ids - repeats,
        repeats,
        invalid: seen.iter().map(|own| own.invalid).sum(),
        order: if orders().next().is_some() && orders().all(|rises| rises) { rising } else { Order::None },
        promised,
        kept: orders().reduce(|all, rises| all && rises).filter(|_| contender.rising),
    }))
}

/// Makes ids a buffer at a time and keeps them as numbers. An id that is none of its shape is counted, and kept
/// by its bytes.
fn make(contender: &Contender, maker: &mut dyn Maker, part: &mut [u128], progress: &dyn Progress) -> Own {
    let length = contender.shape.id_bytes();
    let mut buffer = Aligned::new(L1_BYTES);
    let bytes = buffer.bytes();
    let mut own = Own::default();
    let mut last: Option<u128> = None;
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
            if let Some(last) = last {
                own.rising = Some(own.rising != Some(false) && last < *place);
            }
            last = Some(*place);
        }
    }
    own
}

/// The last 16 bytes as a number.
fn by_bytes(id: &[u8]) -> u128 {
    id.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}
