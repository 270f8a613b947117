//! The idempotency claim as work: several who insert the same keys at the same time, each if it is not there, with
//! replays of older keys between. Of every key exactly one may be told that it was new, and of a replay none.

use super::Scene;
use super::answer::Claims;
use super::lane::{Lane, within};
use crate::error::{Error, Result};
use crate::store::live::{Claimant, Row};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Keys that are claimed: a hundredth of those loaded, within these.
const KEYS: (usize, usize) = (100, 1_000);

/// What one claimant saw.
#[derive(Default)]
struct Seen {
    /// Of every key whether it was told that it was new.
    won: Vec<bool>,
    replays: u64,
    replays_won: u64,
    latencies_ns: Vec<u64>,
}

pub(super) fn claims(scene: &Scene<'_>, lane: &mut Lane) -> Result<Claims> {
    let (older, mut fresh) = (&lane.rows, Vec::new());
    lane.source.fill(&mut fresh, (older.len() / 100).clamp(KEYS.0, KEYS.1));
    let mut claimants = Vec::new();
    for _ in 0..scene.question.claimants() {
        claimants.push(lane.table.claimant()?);
    }
    let (ns, all) = scene.timed(|| together(scene, claimants, &fresh, older))?;
    let winners_of = |place: usize| all.iter().filter(|seen| seen.won[place]).count();
    let broken_keys = (0..fresh.len()).filter(|place| winners_of(*place) != 1).count() as u64;
    let replays_won: u64 = all.iter().map(|seen| seen.replays_won).sum();
    let there = lane.table.count()?;
    let due = (older.len() + fresh.len()) as u64;
    let replays = all.iter().map(|seen| seen.replays).sum();
    let claims = (fresh.len() * all.len()) as u64 + replays;
    let mut latencies_ns: Vec<u64> = all.iter().flat_map(|seen| seen.latencies_ns.iter().copied()).collect();
    latencies_ns.sort_unstable();
    Ok(Claims {
        claimants: all.len(),
        keys: fresh.len() as u64,
        claims,
        replays,
        winners: (0..fresh.len()).map(winners_of).sum::<usize>() as u64 + replays_won,
        broken: broken_keys + replays_won + there.abs_diff(due),
        claims_per_s: claims as f64 / (ns as f64 * 1e-9),
        latency_s_p99: within(&latencies_ns, 0.99),
    })
}

/// Has all of them claim the same keys in the same order.
fn together(
    scene: &Scene<'_>,
    claimants: Vec<Box<dyn Claimant>>,
    fresh: &[Row],
    older: &[Row],
) -> Result<Vec<Seen>> {
    std::thread::scope(|scope| {
        let run = |(number, claimant): (usize, Box<dyn Claimant>)| {
            scope.spawn(move || one(scene, claimant, number as u64, fresh, older))
        };
        let running: Vec<_> = claimants.into_iter().enumerate().map(run).collect();
        let joined = running.into_iter().map(|thread| thread.join());
        joined.map(|seen| seen.unwrap_or_else(|_| Err(Error::data("a claimant panicked")))).collect()
    })
}

fn one(
    scene: &Scene<'_>,
    mut claimant: Box<dyn Claimant>,
    number: u64,
    fresh: &[Row],
    older: &[Row],
) -> Result<Seen> {
    let mut rng = ChaCha8Rng::seed_from_u64(scene.seed ^ number);
    let share = scene.question.replay_share();
    let mut seen = Seen::default();
    for row in fresh {
        scene.go_on()?;
        // So many replays before it that their share of all claims is as asked: geometric, s ÷ (1 − s) on average.
        while !older.is_empty() && rng.random::<f64>() < share {
            let again = &older[rng.random_range(0..older.len())];
            seen.replays += 1;
            seen.replays_won += u64::from(claimant.claim(again)?);
        }
        let (ns, won) = scene.timed(|| claimant.claim(row))?;
        seen.latencies_ns.push(ns);
        seen.won.push(won);
    }
    Ok(seen)
}
