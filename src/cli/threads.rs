//! Grids on as many threads as they have work for.

use super::Failure;
use super::options::Options;
use std::io;

/// Fewer cases than this are answered before a thread has started.
const CASES_PER_THREAD: usize = 64;

/// Runs a grid of so many cases in a pool of its own; a single case needs none.
pub(super) fn on_threads<T: Send>(
    cases: usize,
    options: &Options,
    run: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if cases <= 1 {
        return Ok(run());
    }
    in_pool(options.threads().min(cases.div_ceil(CASES_PER_THREAD)), run)
}

/// Runs on so many threads.
pub(super) fn in_pool<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        let reason = io::Error::other(format!("{error}; try --threads 1"));
        Failure::System(format!("starting {threads} threads"), reason)
    })?;
    Ok(pool.install(run))
}
