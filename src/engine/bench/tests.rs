//! The engine against a clock that stands still until a maker moves it, so that every figure is known.

use super::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A stopwatch that moves only when something is made, and whose machine says nothing.
#[derive(Default)]
struct Still(AtomicU64);

impl Host for Still {
    fn ns(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts up from where it stands, and lets each id take so long.
struct Counting {
    host: Arc<Still>,
    ns_per_id: u64,
    next: u64,
    step: u64,
    version: u8,
}

impl Maker for Counting {
    fn make(&mut self, bytes: &mut [u8]) {
        for id in bytes.as_chunks_mut::<16>().0 {
            *id = [0; 16];
            id[6] = self.version << 4;
            id[8] = 0x80;
            id[..6].copy_from_slice(&self.next.to_be_bytes()[..6]);
            id[14..].copy_from_slice(&self.next.to_be_bytes()[6..]);
            self.next += self.step;
            self.host.0.fetch_add(self.ns_per_id, Ordering::Relaxed);
        }
    }
}

fn contender(name: &'static str, host: &Arc<Still>, ns_per_id: u64, step: u64, version: u8) -> Contender {
    let host = Arc::clone(host);
    Contender {
        name,
        role: Role::Own,
        call: Call::Bulk,
        scheme: None,
        stream: None,
        shape: Shape::Uuid(4),
        rising: true,
        burst: 0,
        most_threads: None,
        team: Box::new(move |threads| {
            let maker = |thread| -> Box<dyn Maker> {
                Box::new(Counting { host: Arc::clone(&host), ns_per_id, next: thread << 40, step, version })
            };
            Ok((0..threads as u64).map(maker).collect())
        }),
    }
}

fn inputs(baseline: &str) -> Inputs {
    Inputs {
        generators: Vec::new(),
        threads: vec![1],
        into: vec![Into::L1],
        key_format: Format::Binary,
        seconds: 0.02,
        rounds: 4,
        quick: true,
        baseline: Some(baseline.to_owned()),
        risk: "1e-6".parse().expect("a probability"),
        distinct: None,
    }
}

fn measured(inputs: Inputs, contenders: &[Contender], host: &Still) -> Result<Answer> {
    answer(&Benchmark::new(inputs, contenders)?, contenders, host, &())
}

#[test]
fn figures_are_those_of_the_clock() {
    let host = Arc::new(Still::default());
    let contenders = [contender("slow", &host, 12, 1, 4), contender("fast", &host, 3, 1, 4)];
    for into in [Into::L1, Into::Memory] {
        let asked = Inputs { into: vec![into], ..inputs("slow") };
        let answer = measured(asked, &contenders, &host).expect("all goes well");
        let [slow, fast] = answer.rows.as_slice() else { panic!("{:?}", answer.rows) };
        assert_eq!((slow.ns_per_id, fast.ns_per_id), (12.0, 3.0));
        assert_eq!((slow.ids_per_s, fast.ids_per_s), (1e9 / 12.0, 1e9 / 3.0));
        assert_eq!(fast.bytes_per_s, fast.ids_per_s * 16.0);
        assert_eq!((fast.ratio_to_baseline, fast.ratio_low, fast.ratio_high), (4.0, 4.0, 4.0));
        assert_eq!((slow.ratio_to_baseline, slow.spread, fast.spread), (1.0, Some(0.0), Some(0.0)));
        assert_eq!((answer.rounds, answer.stopped_early), (4, false));
        // A slice is over after 5 ms, and is looked at once a call.
        let call = if into == Into::L1 { 1_024 } else { 131_072 };
        assert_eq!(fast.ids, 4 * 5_000_000u64.div_ceil(3 * call) * call);
    }
}

#[test]
fn a_row_that_swings_says_so() {
    let host = Arc::new(Still::default());
    let clock = Arc::clone(&host);
    let mut contenders = [contender("steady", &host, 10, 1, 4), contender("swings", &host, 10, 1, 4)];
    contenders[1].team = Box::new(move |_| {
        struct Swinging(Counting, u64);
        impl Maker for Swinging {
            fn make(&mut self, bytes: &mut [u8]) {
                // 5 ms are 1,954 calls of 256 ids at 10 ns in the warm-up; then 489 of 1,024 at 10 ns or 245 at 20 ns. Each
                // slice has one more before it.
                let ends = [(1_955 + 490, 10), (2_691, 20), (3_181, 10), (u64::MAX, 20)];
                self.0.ns_per_id = ends.into_iter().find(|(end, _)| self.1 < *end).expect("no end").1;
                self.1 += 1;
                self.0.make(bytes);
            }
        }
        let counting = Counting { host: Arc::clone(&clock), ns_per_id: 10, next: 0, step: 1, version: 4 };
        Ok(vec![Box::new(Swinging(counting, 0)) as Box<dyn Maker>])
    });
    let answer = measured(inputs("steady"), &contenders, &host).expect("all goes well");
    let row = &answer.rows[1];
    assert_eq!((row.ns_per_id, row.spread), (15.0, Some(10.0 / 15.0)));
    assert_eq!((row.ratio_to_baseline, row.ratio_low, row.ratio_high), (0.75, 0.5, 1.0));
}

#[test]
fn threads_together_are_faster_than_each() {
    // Both threads move one clock, so each sees the time of both: nothing exact follows but this.
    let host = Arc::new(Still::default());
    let contenders = [contender("one", &host, 10, 1, 4)];
    let asked = Inputs { threads: vec![2, 1, 2], ..inputs("one") };
    let answer = measured(asked, &contenders, &host).expect("all goes well");
    let threads: Vec<usize> = answer.rows.iter().map(|row| row.threads).collect();
    assert_eq!(threads, [1, 2]);
    for row in &answer.rows {
        assert!((row.ns_per_id * row.ids_per_s / 1e9 - 1.0).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn the_baseline_runs_where_it_was_not_asked_for() {
    let host = Arc::new(Still::default());
    let contenders = [contender("slow", &host, 12, 1, 4), contender("fast", &host, 3, 1, 4)];
    let asked = Inputs { generators: vec!["fast".to_owned()], ..inputs("slow") };
    let answer = measured(asked, &contenders, &host).expect("all goes well");
    let names: Vec<_> = answer.rows.iter().map(|row| (row.generator, row.ratio_to_baseline)).collect();
    assert_eq!(names, [("slow", 1.0), ("fast", 4.0)]);
}

#[test]
fn a_maker_that_breaks_its_promise_ends_the_run_by_its_name() {
    for (step, version, seen) in [(0, 4, "not above"), (1, 7, "no valid id")] {
        let host = Arc::new(Still::default());
        let contenders = [contender("good", &host, 5, 1, 4), contender("bad", &host, 5, step, version)];
        let error = measured(inputs("good"), &contenders, &host).expect_err("it is found");
        let text = error.to_string();
        assert!(text.contains("bad") && text.contains(seen) && !error.is_usage(), "{text}");
    }
}

#[test]
fn a_maker_that_makes_the_same_ids_again_or_nothing_is_found() {
    for idle in [false, true] {
        let host = Arc::new(Still::default());
        let clock = Arc::clone(&host);
        let mut contenders = [contender("good", &host, 5, 1, 4), contender("bad", &host, 5, 1, 4)];
        contenders[1].team = Box::new(move |_| {
            struct Again(Counting, bool, bool);
            impl Maker for Again {
                fn make(&mut self, bytes: &mut [u8]) {
                    self.0.next = 0;
                    if self.1 && self.2 {
                        self.0.host.0.fetch_add(5_000, Ordering::Relaxed);
                    } else {
                        self.0.make(bytes);
                    }
                    self.2 = true;
                }
            }
            let counting = Counting { host: Arc::clone(&clock), ns_per_id: 5, next: 0, step: 1, version: 4 };
            Ok(vec![Box::new(Again(counting, idle, false)) as Box<dyn Maker>])
        });
        let asked =
            Inputs { generators: vec!["bad".to_owned()], baseline: Some("bad".to_owned()), ..inputs("") };
        let error = measured(asked, &contenders, &host).expect_err("it is found");
        // What was never written is no id.
        let seen = if idle { "is no valid id" } else { "the same buffer" };
        assert!(error.to_string().contains(seen), "{error}");
    }
}

/// Asks to stop after so many steps.
struct Until(AtomicU64, AtomicBool);

impl Progress for Until {
    fn advance(&self, done: u64) {
        let left = self.0.load(Ordering::Relaxed).saturating_sub(done);
        self.0.store(left, Ordering::Relaxed);
        self.1.store(left == 0, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }
}

#[test]
fn a_run_that_is_stopped_keeps_its_whole_rounds() {
    let host = Arc::new(Still::default());
    let contenders = [contender("slow", &host, 12, 1, 4), contender("fast", &host, 3, 1, 4)];
    let question = Benchmark::new(inputs("slow"), &contenders).expect("a question");
    let stopped =
        |steps: u64| answer(&question, &contenders, &*host, &Until(steps.into(), AtomicBool::new(false)));
    // Two steps of warm-up, two a round.
    for steps in [1, 2, 3] {
        assert!(stopped(steps).is_err_and(|error| error.to_string().contains("stopped before")), "{steps}");
    }
    for (steps, rounds) in [(4, 1), (5, 1), (6, 2)] {
        let answer = stopped(steps).expect("a round is over");
        assert_eq!((answer.rounds, answer.stopped_early), (rounds, true), "{steps}");
        assert_eq!(answer.rows[1].ratio_to_baseline, 4.0);
    }
}

#[test]
fn what_is_out_of_range_is_refused_with_what_helps() {
    let host = Arc::new(Still::default());
    let contenders = [contender("v4", &host, 12, 1, 4), contender("v4:one", &host, 3, 1, 4)];
    let refused = |asked: Inputs, words: &[&str]| {
        let text = Benchmark::new(asked, &contenders).expect_err("it is refused").to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text} lacks one of {words:?}");
    };
    let base = || inputs("v4");
    for seconds in [0.0, f64::NAN, 1e9, -1.0, f64::INFINITY] {
        refused(Inputs { seconds, ..base() }, &["--seconds", "0.02 to 3600", "try 1"]);
    }
    refused(Inputs { threads: vec![1, 0], ..base() }, &["--threads", "\"0\"", "1 to 4096"]);
    refused(Inputs { threads: Vec::new(), ..base() }, &["--threads"]);
    refused(Inputs { rounds: 0, ..base() }, &["--rounds", "1 to 1000"]);
    refused(Inputs { rounds: 21, ..base() }, &["--seconds", "0.02", "at least 0.021", "--rounds is 21"]);
    refused(Inputs { generators: vec!["v44".to_owned()], ..base() }, &["--generator", "\"v44\"", "try v4"]);
    refused(Inputs { baseline: Some("v4:on".to_owned()), ..base() }, &["--baseline", "try v4:one"]);
    refused(Inputs { distinct: Some(1), ..base() }, &["--ids", "2 to 2^32"]);
    let twice = Inputs { generators: vec!["v4:one".to_owned(), "v4".to_owned(), "own".to_owned()], ..base() };
    let question = Benchmark::new(twice, &contenders).expect("named twice is named once");
    assert_eq!(question.inputs().generators, ["v4", "v4:one"]);
    let family = Inputs { generators: vec!["v4:*".to_owned()], ..base() };
    let question = Benchmark::new(family, &contenders).expect("a family");
    assert_eq!(question.inputs().generators, ["v4", "v4:one"]);
}

#[test]
fn ids_that_are_made_twice_on_two_threads_are_counted_and_order_is_told() {
    let host = Arc::new(Still::default());
    let contenders = [contender("good", &host, 1, 1, 4), contender("stuck", &host, 1, 0, 4)];
    let compared = |name: &str, threads: usize, ids: u64| {
        let asked = Inputs {
            generators: vec![name.to_owned()],
            threads: vec![threads],
            distinct: Some(ids),
            baseline: None,
            ..inputs("")
        };
        let answer = measured(asked, &contenders, &host).expect("ids are counted, whatever they are");
        let [one] = answer.distinct.as_slice() else { panic!("{:?}", answer.distinct) };
        (one.ids, one.distinct, one.repeats, one.order, one.kept)
    };
    assert_eq!(compared("good", 1, 100_000), (100_000, 100_000, 0, Order::Rising, Some(true)));
    assert_eq!(compared("good", 3, 100_001), (100_001, 100_001, 0, Order::RisingWithinThread, Some(true)));
    // Fewer ids than threads: one id is in no order.
    assert_eq!(compared("good", 7, 2), (2, 2, 0, Order::None, None));
    // Each of two threads makes one id again and again.
    assert_eq!(compared("stuck", 2, 5_000), (5_000, 2, 4_998, Order::None, Some(false)));
}

#[test]
fn invalid_ids_are_counted() {
    let host = Arc::new(Still::default());
    let contenders = [contender("bad", &host, 1, 1, 7)];
    let asked = Inputs { distinct: Some(3_000), baseline: None, ..inputs("") };
    let answer = measured(asked, &contenders, &host).expect("ids are counted, whatever they are");
    assert_eq!((answer.distinct[0].invalid, answer.distinct[0].is_sound()), (3_000, false));
}

#[test]
fn a_buffer_in_memory_is_gone_through_from_end_to_end_and_one_in_cache_is_filled_again() {
    /// Notes which bytes it was given.
    struct Noting(Counting, Arc<Mutex<BTreeSet<(usize, usize)>>>);
    impl Maker for Noting {
        fn make(&mut self, bytes: &mut [u8]) {
            self.1.lock().expect("nobody fails").insert((bytes.as_ptr() as usize, bytes.len()));
            self.0.make(bytes);
        }
    }
    for (into, length, pieces) in [(Into::L1, 16 << 10, 1), (Into::Memory, 2 << 20, 32)] {
        let (host, noted) = (Arc::new(Still::default()), Arc::default());
        let (clock, notes) = (Arc::clone(&host), Arc::clone(&noted));
        let mut contenders = [contender("notes", &host, 3, 1, 4)];
        contenders[0].team = Box::new(move |_| {
            let counting = Counting { host: Arc::clone(&clock), ns_per_id: 3, next: 0, step: 1, version: 4 };
            Ok(vec![Box::new(Noting(counting, Arc::clone(&notes))) as Box<dyn Maker>])
        });
        // Four rounds of 13 pieces of 131,072 ids, 0.39 ms each, go round the 32 of 64 MiB.
        measured(Inputs { into: vec![into], ..inputs("notes") }, &contenders, &host).expect("all goes well");
        let noted: Arc<Mutex<BTreeSet<(usize, usize)>>> = noted;
        let noted = noted.lock().expect("nobody fails");
        assert_eq!(noted.iter().filter(|(_, filled)| *filled == length).count(), pieces, "{into:?}");
        assert!(noted.iter().all(|(start, _)| start % 64 == 0), "a piece begins at a line of the cache");
    }
}

#[test]
fn a_generator_that_waits_for_the_clock_is_not_faster_than_it() {
    /// 4,096 ids a millisecond of the clock, each in 2 ns; then it waits.
    struct Limited(Counting, u64, u64);
    impl Maker for Limited {
        fn make(&mut self, bytes: &mut [u8]) {
            for id in bytes.chunks_exact_mut(16) {
                let ms = self.0.host.ns() / 1_000_000;
                if ms > self.1 {
                    (self.1, self.2) = (ms, 0);
                } else if self.2 == 4_096 {
                    (self.1, self.2) = (ms + 1, 0);
                    self.0.host.0.store((ms + 1) * 1_000_000, Ordering::Relaxed);
                }
                self.2 += 1;
                self.0.make(id);
            }
        }
    }
    let host = Arc::new(Still::default());
    let clock = Arc::clone(&host);
    let limited = move |_| {
        let counting = Counting { host: Arc::clone(&clock), ns_per_id: 2, next: 0, step: 1, version: 4 };
        Ok(vec![Box::new(Limited(counting, 0, 0)) as Box<dyn Maker>])
    };
    // The other row takes any part of a millisecond, and is a pause for the first.
    let mut contenders = [contender("limited", &host, 2, 1, 4), contender("other", &host, 777, 1, 4)];
    contenders[0] =
        Contender { burst: 4_096, team: Box::new(limited), ..contender("limited", &host, 2, 1, 4) };
    for seconds in [0.02, 0.08, 0.2] {
        let asked = Inputs { seconds, ..inputs("other") };
        let answer = measured(asked, &contenders, &host).expect("all goes well");
        let rate = answer.rows[0].ids_per_s;
        assert!(rate <= 4.096e6 * 1.01, "{seconds} s: {rate}");
    }
}

#[test]
fn who_cannot_serve_so_many_threads_is_left_out_unless_he_is_named() {
    let host = Arc::new(Still::default());
    let few = Contender { most_threads: Some(2), ..contender("few", &host, 5, 1, 4) };
    let contenders = [contender("good", &host, 5, 1, 4), few];
    let asked = Inputs { threads: vec![1, 3], generators: vec!["own".to_owned()], ..inputs("good") };
    let answer = measured(asked.clone(), &contenders, &host).expect("all goes well");
    let rows: Vec<_> = answer.rows.iter().map(|row| (row.generator, row.threads)).collect();
    assert_eq!(rows, [("good", 1), ("good", 3), ("few", 1)]);
    assert_eq!(answer.skipped, [Skipped { generator: "few", threads: 3, most_threads: 2 }]);
    for (threads, name) in [(vec![1, 3], "few"), (vec![3], "few:*")] {
        let named = Inputs { threads, generators: vec![name.to_owned()], ..asked.clone() };
        let error =
            measured(named, &contenders, &host).expect_err("nobody is left, or he was named").to_string();
        assert!(
            error.contains("--threads") && error.contains("at most 2 for few") && error.contains("\"3\""),
            "{error}"
        );
    }
    let compared = Inputs { distinct: Some(1_000), baseline: None, ..asked };
    let answer = measured(compared, &contenders, &host).expect("all goes well");
    assert_eq!((answer.distinct.len(), answer.skipped.len()), (3, 1));
}

#[test]
fn as_many_steps_are_told_as_were_announced() {
    let host = Arc::new(Still::default());
    let contenders = [contender("slow", &host, 12, 1, 4), contender("fast", &host, 3, 1, 4)];
    for (generators, threads) in
        [("slow", vec![1]), ("slow", vec![2]), ("fast", vec![1, 2]), ("own", vec![1, 3])]
    {
        let asked = Inputs { generators: vec![generators.to_owned()], threads, ..inputs("slow") };
        let question = Benchmark::new(asked, &contenders).expect("a question");
        let left = Until(AtomicU64::new(steps(&question) + 1), AtomicBool::new(false));
        answer(&question, &contenders, &*host, &left).expect("all goes well");
        assert_eq!(left.0.load(Ordering::Relaxed), 1, "{generators}");
    }
}

#[test]
fn one_round_has_no_spread() {
    let host = Arc::new(Still::default());
    let contenders = [contender("good", &host, 5, 1, 4)];
    let asked = Inputs { rounds: 1, ..inputs("good") };
    let answer = measured(asked, &contenders, &host).expect("all goes well");
    assert_eq!((answer.rows[0].spread, answer.rows[0].ratio_low), (None, 1.0));
}

#[test]
fn names_that_are_nearly_right_are_offered() {
    let host = Arc::new(Still::default());
    let names = ["v4", "v7:uuid7", "v7:uuid-rs", "memset"];
    let contenders = names.map(|name| contender(name, &host, 5, 1, 4));
    for (name, near) in
        [("uuid7", "v7:uuid7"), ("peer", "peers"), ("ceiling", "ceilings"), ("memst", "memset")]
    {
        let asked = Inputs { generators: vec![name.to_owned()], ..inputs("v4") };
        let error = Benchmark::new(asked, &contenders).expect_err("no such name").to_string();
        assert!(error.ends_with(&format!("try {near}")), "{error}");
    }
    assert_eq!(" L1".parse::<Into>().ok().zip("Memory".parse().ok()), Some((Into::L1, Into::Memory)));
}
