//! The engine on a store of its own making, whose every answer is known.

use super::*;
use crate::store::live::{
    Claimant, Cleaned, Counters, Cut, Durability, Key, Layout, Plan, Row as Kept, Table, Target, Way,
};
use crate::store::record::RecordKind;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Bytes of a key, of log an insert, and free for each key that was deleted.
const BYTES: u64 = 40;
const LOG_BYTES: u64 = 100;

/// What is known of the store when all is over.
#[derive(Default)]
struct Seen {
    made: AtomicBool,
    removed: AtomicBool,
}

struct Memory {
    seen: Arc<Seen>,
    /// Lets every claimant win.
    lies: bool,
}

struct Set {
    keys: Arc<Mutex<BTreeSet<Key>>>,
    old: u64,
    log: u64,
    lies: bool,
}

impl Target for Memory {
    fn store(&self) -> &'static str {
        "memory"
    }
    fn version(&self) -> &str {
        "1"
    }
    fn place(&self) -> String {
        String::new()
    }
    fn sources(&self) -> &'static [(&'static str, &'static str)] {
        &[("bytes_per_key", "counted")]
    }
    fn is_embedded(&self) -> bool {
        true
    }
    fn make(&mut self) -> Result<()> {
        self.seen.made.store(true, Ordering::Relaxed);
        Ok(())
    }
    fn table(&mut self, _plan: &Plan) -> Result<Box<dyn Table>> {
        Ok(Box::new(Set { keys: Arc::default(), old: 0, log: 0, lies: self.lies }))
    }
    fn clean(&mut self) -> Result<Cleaned> {
        Ok(Cleaned::default())
    }
    fn remove(&mut self) -> Result<()> {
        self.seen.removed.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Set {
    fn take(&mut self, gone: impl Fn(Key) -> bool) -> u64 {
        let mut keys = self.keys.lock().expect("nobody panics");
        let before = keys.len();
        keys.retain(|key| !gone(*key));
        (before - keys.len()) as u64
    }
}

impl Table for Set {
    fn insert(&mut self, rows: &[Kept]) -> Result<u64> {
        self.log += LOG_BYTES * rows.len() as u64;
        let mut keys = self.keys.lock().expect("nobody panics");
        Ok(rows.iter().filter(|row| keys.insert(row.key)).count() as u64)
    }
    fn delete(&mut self, rows: &[Kept]) -> Result<u64> {
        let gone: BTreeSet<Key> = rows.iter().map(|row| row.key).collect();
        Ok(self.take(|key| gone.contains(&key)))
    }
    fn claimant(&mut self) -> Result<Box<dyn Claimant>> {
        Ok(Box::new(Other { keys: Arc::clone(&self.keys), lies: self.lies }))
    }
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }
    fn reclaim(&mut self) -> Result<()> {
        Ok(())
    }
    fn counters(&mut self) -> Result<Counters> {
        Ok(Counters { log_bytes: Some(self.log), ..Counters::default() })
    }
    fn layout(&mut self) -> Result<Layout> {
        let keys = self.count()?;
        Ok(Layout { table_bytes: keys * BYTES, file_bytes: (keys + self.old) * BYTES, ..Layout::default() })
    }
    fn count(&mut self) -> Result<u64> {
        Ok(self.keys.lock().expect("nobody panics").len() as u64)
    }
    fn ways(&self) -> Vec<Way> {
        vec![Way::Rows, Way::KeyRange, Way::TableDrop]
    }
    fn prepare(&mut self, way: Way, cut: &Cut<'_>) -> Result<()> {
        if way == Way::TableDrop {
            self.old = self.delete(cut.rows)?;
        }
        Ok(())
    }
    fn purge(&mut self, way: Way, cut: &Cut<'_>) -> Result<u64> {
        match way {
            Way::KeyRange => Ok(self.take(|key| key <= cut.until_key)),
            Way::TableDrop => Ok(std::mem::take(&mut self.old)),
            _ => self.delete(cut.rows),
        }
    }
}

struct Other {
    keys: Arc<Mutex<BTreeSet<Key>>>,
    lies: bool,
}

impl Claimant for Other {
    fn claim(&mut self, row: &Kept) -> Result<bool> {
        Ok(self.keys.lock().expect("nobody panics").insert(row.key) || self.lies)
    }
}

/// A stopwatch that goes on by a microsecond at every look.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Host for Ticking {
    fn ns(&self) -> u64 {
        self.0.fetch_add(1_000, Ordering::Relaxed)
    }
}

fn question(orders: &[Order]) -> Probe {
    Probe::new(Inputs {
        stores: vec!["memory".to_owned()],
        keys: 2_000,
        orders: orders.to_vec(),
        rate: "10k/s".parse().expect("a rate"),
        clients: 4,
        skew_s: 0.02,
        record: RecordKind::Key,
        scope: None,
        response_bytes: 0,
        batch: 100,
        durability: Durability::Default,
        replay_share: 0.2,
        claimants: 3,
        phases: vec![Phase::Steady, Phase::Purge, Phase::Claims],
    })
    .expect("a question")
}

fn asked(orders: &[Order], lies: bool, progress: &dyn Progress) -> (Result<Answer>, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let target = Memory { seen: Arc::clone(&seen), lies };
    let answer = answer(&question(orders), &mut [Box::new(target)], &Ticking::default(), progress, 7);
    (answer, seen)
}

#[test]
fn what_a_store_tells_is_what_the_answer_says() {
    let (answer, seen) = asked(&[Order::V4, Order::V7, Order::V7Skewed], false, &());
    let answer = answer.expect("an answer");
    assert!(seen.removed.load(Ordering::Relaxed));
    for row in &answer.rows {
        assert_eq!((row.keys, row.bytes_per_key, row.bytes_per_key_at_half), (2_000, 40.0, 40.0));
        assert_eq!((row.log_bytes_per_insert, row.growth_since_half), (Some(100.0), 0.0));
        let steady = row.steady.as_ref().expect("steady state");
        assert_eq!((steady.steps, steady.stands_still, steady.live_keys), (10, true, 2_000));
        assert_eq!((steady.bytes_per_live_key, steady.log_bytes_per_insert), (40.0, Some(100.0)));
        // Three claimants on a hundred keys; replays 0.2 ÷ 0.8 for each claim on average: 75, deviation 9.7.
        let claims = row.claims.as_ref().expect("claims");
        assert_eq!((claims.keys, claims.winners, claims.broken), (100, 100, 0));
        assert!((36..=114).contains(&claims.replays), "{claims:?}");
        assert_eq!(claims.claims, 300 + claims.replays);
    }
    let ways = |row: &Row| row.purges.iter().map(|purge| purge.purge).collect::<Vec<_>>();
    assert_eq!(ways(&answer.rows[0]), [Way::Rows, Way::TableDrop]);
    assert_eq!(ways(&answer.rows[1]), [Way::Rows, Way::KeyRange, Way::TableDrop]);
    let of = |place: usize, way: Way| {
        answer.rows[place].purges.iter().find(|purge| purge.purge == way).expect("a purge").clone()
    };
    assert_eq!((of(1, Way::Rows).removed_keys, of(1, Way::Rows).expired_keys), (200, 200));
    assert_eq!(of(1, Way::TableDrop).returned_bytes_per_key, 40.0);
    // Keys made at 10 a millisecond by right clocks are parted exactly; by clocks 20 ms off they are not.
    assert_eq!(of(1, Way::KeyRange).removed_live_keys, 0);
    assert!(of(2, Way::KeyRange).removed_live_keys > 0);
}

#[test]
fn a_store_that_lets_two_win_is_found_out() {
    let (answer, _) = asked(&[Order::V4], true, &());
    let answer = answer.expect("an answer");
    let claims = answer.rows[0].claims.as_ref().expect("claims");
    assert_eq!(claims.broken, claims.keys + claims.replays);
    assert!(!answer.is_sound());
}

#[test]
fn a_run_that_is_stopped_removes_what_it_made() {
    struct Stop(AtomicU64);
    impl Progress for Stop {
        fn advance(&self, _done: u64) {}
        fn cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) > 5
        }
    }
    let (answer, seen) = asked(&[Order::V4], false, &Stop(AtomicU64::new(0)));
    assert!(answer.is_err());
    assert!(seen.made.load(Ordering::Relaxed) && seen.removed.load(Ordering::Relaxed));
}

#[test]
fn loads_are_cut_into_even_numbers_of_slices_of_at_most_half_a_million() {
    for (keys, slices) in [(1_000, 8), (4_000_000, 8), (4_000_001, 10), (1_000_000_000, 2_000)] {
        assert_eq!(question::slices(keys), slices);
        assert!(keys.div_ceil(slices) <= CHECKPOINT);
    }
}
