//! Large trials: 2^24 draws of 40 bits and 2^28 of 64, drawn and counted, on one thread and on two; with `--peers` beside
//! what else counts repeats.
//!
//! The bars, one thread: 25 and 45 times std's `HashSet`, 3 and 5 times numpy's `sort` with AVX-512 (which sorts ids that
//! were made before), 5 and 4.5 bytes a draw; two threads 1.75 times one. Rounds alternate, the least of each is shown, and
//! every way must find the same repeats. Memory is what the process held at most (`VmHWM` of Linux) less what it held before.
//! `--draws-log2 26` makes the second regime smaller, `--rounds 5` asks for more; numpy is looked for in the environment that
//! `benches/peers/run` makes, then in `python3`.

use rdst::RadixSort;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use uuidcap::id::generator::{Cipher, Seed, Stream};
use uuidcap::sim::count::Counts;
use uuidcap::sim::count::partition::{Memory, Plan, count};
use uuidcap::sim::draw::{Draws, Uniform};

/// Draws that peers are handed at once.
const AT_ONCE: usize = 1 << 12;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let number = |name: &str, default: u32| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(default, |at| arguments[at + 1].parse().expect("a number"))
    };
    // `cargo test --benches` only wants to know that it runs.
    let test = has("--test") || !has("--bench");
    let large = if test { 20 } else { number("--draws-log2", 28) };
    let rounds = if test { 1 } else { number("--rounds", if has("--peers") { 3 } else { 2 }) };
    for (bits, log2) in [(40, large.min(24)), (64, large)] {
        regime(bits, 1 << log2, rounds, has("--peers"));
    }
}

/// A way to count, with the least time of the rounds so far.
struct Way<'a> {
    name: String,
    run: Box<dyn FnMut() -> u64 + 'a>,
    least_ns: f64,
}

fn regime(bits: u32, n: u64, rounds: u32, peers: bool) {
    println!("{bits} bits, {n} draws");
    let draws = Uniform::<u64>::new(Stream::new(Cipher::Aes, &Seed::from(7), 0), bits);
    let mut expected = None;
    let mut ours = Vec::new();
    for threads in [1, 2] {
        let plan = Plan::new(n, bits, threads, u64::MAX).expect("memory is not limited");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let before = held_bytes(true);
        let mut memory = Memory::new(&plan);
        let mut run = || -> Counts {
            let counts = pool.install(|| count(&draws, 0..plan.slices(), &mut memory, 0, &(), |_| ()));
            counts.expect("uniform").expect("not cancelled")
        };
        // Its time counts for nothing: pages are touched for the first time.
        let counts = run();
        assert_eq!(*expected.get_or_insert(counts), counts, "threads change the counts");
        let a_draw = |bytes: u64| bytes as f64 / n as f64;
        let held = held_bytes(false).zip(before).map(|(after, before)| after.saturating_sub(before));
        let held = held.map_or("unknown".into(), |held| format!("{:.2}", a_draw(held)));
        println!("  {threads} threads: {held} bytes a draw, {:.2} as planned", a_draw(plan.memory_bytes()));
        let mut least_ns = f64::MAX;
        if threads == 1 && peers {
            // One thread goes on beside the peers, in their rounds.
            drop(memory);
        } else {
            (0..rounds).for_each(|_| least_ns = timed(least_ns, n, || run().repeats, counts.repeats));
            drop(memory);
        }
        ours.push(least_ns);
    }
    let counts = expected.expect("two threads counts");
    let first =
        counts.first_clash.map_or("none".to_owned(), |drawn| format!("the first after {drawn} draws"));
    println!("  {} repeats, {} pairs, {first}", counts.repeats, counts.pairs);
    if peers {
        ours[0] = beside_peers(&draws, n, rounds, counts.repeats);
    }
    println!("  1 thread {:.2} ns a draw, 2 threads {:.2}: {:.2} times", ours[0], ours[1], ours[0] / ours[1]);
}

/// The least of so far and of one more run, in ns a draw.
fn timed(least_ns: f64, n: u64, run: impl FnOnce() -> u64, repeats: u64) -> f64 {
    let started = Instant::now();
    let counted = run();
    let ns = started.elapsed().as_secs_f64() * 1e9 / n as f64;
    assert_eq!(counted, repeats, "repeats");
    least_ns.min(ns)
}

/// Our one thread and the peers by turns; ours in ns a draw.
fn beside_peers(draws: &Uniform<u64>, n: u64, rounds: u32, repeats: u64) -> f64 {
    let plan = Plan::new(n, draws.bits(), 1, u64::MAX).expect("memory is not limited");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut memory = Memory::new(&plan);
    let own = || -> u64 {
        let counts = pool.install(|| count(draws, 0..plan.slices(), &mut memory, 0, &(), |_| ()));
        counts.expect("uniform").expect("not cancelled").repeats
    };
    let way =
        |name: &str, run: Box<dyn FnMut() -> u64>| Way { name: name.to_owned(), run, least_ns: f64::MAX };
    let (a, b, c, d) = (draws.clone(), draws.clone(), draws.clone(), draws.clone());
    let mut ways = vec![
        Way { name: "ours".into(), run: Box::new(own), least_ns: f64::MAX },
        way(
            "HashSet",
            Box::new(move || {
                let mut set: HashSet<u64> = HashSet::with_capacity(n as usize);
                each(&a, n, |ids| set.extend(ids));
                n - set.len() as u64
            }),
        ),
        way(
            "hashbrown",
            Box::new(move || {
                let mut set: hashbrown::HashSet<u64> = hashbrown::HashSet::with_capacity(n as usize);
                each(&b, n, |ids| set.extend(ids));
                n - set.len() as u64
            }),
        ),
        way("sort_unstable", Box::new(move || sorted(&c, n, |ids| ids.sort_unstable()))),
        way(
            "rdst",
            Box::new(move || {
                sorted(&d, n, |ids| ids.radix_sort_builder().with_single_threaded_tuner().sort())
            }),
        ),
    ];
    let mut numpy = None;
    for _ in 0..rounds {
        for way in &mut ways {
            way.least_ns = timed(way.least_ns, n, &mut way.run, repeats);
        }
        match numpy_ns(draws.bits(), n) {
            Ok((ns, about)) => numpy = Some((numpy.map_or(ns, |(least, _)| ns.min(least)), about)),
            Err(why) => println!("  numpy: missing, {why}"),
        }
    }
    let own_ns = ways[0].least_ns;
    for way in &ways {
        println!(
            "  {:<14} {:7.2} ns a draw, {:6.1} times ours",
            way.name,
            way.least_ns,
            way.least_ns / own_ns
        );
    }
    if let Some((ns, about)) = numpy {
        println!("  {:<14} {ns:7.2} ns a draw, {:6.1} times ours ({about})", "numpy sort", ns / own_ns);
    }
    own_ns
}

/// Hands all draws to a peer, some at a time.
fn each(draws: &Uniform<u64>, n: u64, mut take: impl FnMut(&[u64])) {
    let mut ids = vec![0; AT_ONCE];
    for from in (0..n).step_by(AT_ONCE) {
        let ids = &mut ids[..AT_ONCE.min((n - from) as usize)];
        draws.fill(from, ids);
        take(ids);
    }
}

/// Repeats by sorting.
fn sorted(draws: &Uniform<u64>, n: u64, sort: impl FnOnce(&mut Vec<u64>)) -> u64 {
    let mut ids = vec![0; n as usize];
    draws.fill(0, &mut ids);
    sort(&mut ids);
    ids.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}

/// What a sort by numpy takes a draw, and which vector instructions it found.
fn numpy_ns(bits: u32, n: u64) -> Result<(f64, String), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("target/peers/python/bin/python");
    let python = if own.exists() { own } else { "python3".into() };
    let script = root.join("benches/peers/sort_large.py");
    let output = Command::new(&python).arg(script).args([bits.to_string(), n.to_string()]).output();
    let output = output.map_err(|error| format!("{}: {error}", python.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let (ns, about) = text.split_once(' ').ok_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        errors.lines().last().unwrap_or("nothing on stderr").to_owned()
    })?;
    Ok((ns.parse().map_err(|error| format!("{ns}: {error}"))?, about.to_owned()))
}

/// Bytes that the process held at most since it was last asked to start anew.
fn held_bytes(anew: bool) -> Option<u64> {
    if anew {
        // 5 sets the peak back to what is held now (Linux, proc(5)).
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}
