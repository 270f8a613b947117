//! What the machine is and what it was doing: figures of a busy, tired or hurried machine are not its own.

use super::answer::Row;
use super::rounds::{median, spread};
use serde::Serialize;

/// A cache of the processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// 1 is nearest to the core.
    pub level: u8,
    /// Data, Instruction or Unified.
    pub kind: String,
    /// Bytes of one such cache.
    pub bytes: u64,
}

/// What the processor does of AES.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aes {
    /// Nothing: it is done in software.
    Software,
    /// One block an instruction.
    Instructions,
    /// Several blocks an instruction.
    Vectors,
}

/// Facts of the machine at one moment; none where the system does not tell.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Machine {
    /// Name of the processor.
    pub cpu: Option<String>,
    /// Processors that the process may use.
    pub cpus: Option<usize>,
    /// Processors that the machine has in use.
    pub online_cpus: Option<usize>,
    /// Caches of the first processor.
    pub caches: Vec<Cache>,
    /// What it does of AES.
    pub aes: Option<Aes>,
    /// Mean number of runnable threads in the last minute.
    pub load_average: Option<f64>,
    /// Whether it runs on a battery.
    pub on_battery: Option<bool>,
    /// How the clock of the processor is chosen.
    pub governor: Option<String>,
    /// The highest clock that is allowed over the highest that there is.
    pub clock_limit: Option<f64>,
    /// Processors that the process may run on; with a quota of their time it may use fewer of them at once.
    #[serde(skip)]
    pub allowed_cpus: Option<usize>,
    /// Seconds since the start of the machine that the processors which the process may use were at work for anyone.
    #[serde(skip)]
    pub busy_s: Option<f64>,
    /// Seconds of a processor that the process itself has had.
    #[serde(skip)]
    pub own_s: Option<f64>,
    /// Seconds since the start of the machine that a hypervisor gave to others, of the processors which the process may
    /// use.
    #[serde(skip)]
    pub stolen_s: Option<f64>,
}

/// What makes figures doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// The same work took different times.
    Noisy,
    /// The machine slowed down, or its clock is held down.
    Throttled,
    /// It runs on a battery.
    OnBattery,
    /// Others were using the processors.
    Busy,
    /// A hypervisor gave the processors to others.
    Steal,
    /// More threads than processors.
    Crowded,
}

/// One reason to doubt the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Its kind.
    pub kind: Doubt,
    /// What was seen, as a sentence without its full stop.
    pub text: String,
}

/// The machine, and what it was doing.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Conditions {
    /// The machine before anything was measured.
    pub machine: Machine,
    /// Nanoseconds that a fixed piece of work took before each round.
    pub calibration_ns: Vec<u64>,
    /// The slowest of these less the fastest, over the median: a share.
    pub calibration_spread: f64,
    /// Processors that others on this machine kept at work meanwhile, of those that the process may use.
    pub others_cpus: Option<f64>,
    /// Share of the processors' time that a hypervisor gave to others meanwhile.
    pub stolen_share: Option<f64>,
    /// Reasons to doubt the figures.
    pub warnings: Vec<Warning>,
}

/// The fixed work differs by more than this on a machine that is not its own.
const NOISY: f64 = 0.05;
/// Half of the rows swing by more than this.
const SWINGING: f64 = 0.10;
/// The later half of the rounds is slower by more than this.
const SLOWER: f64 = 1.05;
/// A clock held below this share of its highest.
const HELD_DOWN: f64 = 0.95;
/// A share of time that somebody else's machine took.
const STOLEN: f64 = 0.01;
/// Processors that background work keeps busy.
const BACKGROUND: f64 = 0.1;
/// The system counts time in hundredths of a second, on each processor by itself.
const TICKS_S: f64 = 0.02;

/// Steps of the fixed work: some milliseconds.
const STEPS: u64 = 1 << 20;

/// A fixed piece of work whose every step waits for the one before, so that only the clock of the processor
/// and whoever else uses it decide how long it takes.
pub(super) fn spin() -> u64 {
    (0..STEPS).fold(std::hint::black_box(1), |value: u64, step| {
        (value ^ (value >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(step)
    })
}

/// What was seen before, after and in between.
pub(super) struct Seen<'a> {
    pub before: Machine,
    pub after: Machine,
    pub elapsed_s: f64,
    pub calibration_ns: Vec<u64>,
    pub most_threads: usize,
    pub rows: &'a [Row],
}

/// Weighs what was seen.
pub(super) fn weigh(seen: Seen<'_>) -> Conditions {
    let times: Vec<f64> = seen.calibration_ns.iter().map(|ns| *ns as f64).collect();
    let (others_cpus, stolen_share) = (others(&seen), stolen(&seen));
    let busy = busy(&seen, others_cpus);
    // Who is slowed down by others is not throttled.
    let times_alone: &[f64] = if busy.is_some() { &[] } else { &times };
    let warnings = [
        noisy(&seen, &times),
        throttled(&seen, times_alone),
        battery(&seen),
        busy,
        steal(stolen_share),
        crowded(&seen),
    ];
    Conditions {
        calibration_spread: spread(&times),
        warnings: warnings.into_iter().flatten().collect(),
        machine: seen.before,
        calibration_ns: seen.calibration_ns,
        others_cpus,
        stolen_share,
    }
}

fn warning(kind: Doubt, text: String) -> Option<Warning> {
    Some(Warning { kind, text })
}

fn noisy(seen: &Seen<'_>, times: &[f64]) -> Option<Warning> {
    let swings: Vec<f64> = seen.rows.iter().filter_map(|row| row.spread).collect();
    let (work, rows) = (spread(times), if swings.is_empty() { 0.0 } else { median(&swings) });
    if work > NOISY {
        let text = format!("the same work took times that differ by {:.0} %", work * 100.0);
        return warning(Doubt::Noisy, text);
    }
    if rows > SWINGING {
        let text = format!("half of the rows differ by {:.0} % or more from round to round", rows * 100.0);
        return warning(Doubt::Noisy, text);
    }
    None
}

fn throttled(seen: &Seen<'_>, times: &[f64]) -> Option<Warning> {
    if let Some(limit) = seen.before.clock_limit.filter(|limit| *limit < HELD_DOWN) {
        let text = format!("the clock of the processor is held to {:.0} % of its highest", limit * 100.0);
        return warning(Doubt::Throttled, text);
    }
    // Two halves of two each are the fewest of which one slow moment does not decide.
    if times.len() < 4 {
        return None;
    }
    let (earlier, later) = times.split_at(times.len() / 2);
    let slower = median(later) / median(earlier);
    if slower > SLOWER {
        let text = format!(
            "the same work took {:.0} % longer in the later half of the rounds",
            (slower - 1.0) * 100.0
        );
        return warning(Doubt::Throttled, text);
    }
    None
}

fn battery(seen: &Seen<'_>) -> Option<Warning> {
    let on = seen.before.on_battery == Some(true) || seen.after.on_battery == Some(true);
    if on { warning(Doubt::OnBattery, "the machine runs on its battery".to_owned()) } else { None }
}

/// Time at work less our own, over the time that passed. What the counting of time leaves open is not put down to
/// others.
fn others(seen: &Seen<'_>) -> Option<f64> {
    let all = seen.after.busy_s? - seen.before.busy_s?;
    let own = seen.after.own_s? - seen.before.own_s?;
    let open = TICKS_S * seen.before.allowed_cpus? as f64;
    (seen.elapsed_s > 0.0).then(|| ((all - own - open) / seen.elapsed_s).max(0.0))
}

fn busy(seen: &Seen<'_>, others: Option<f64>) -> Option<Warning> {
    let (others, cpus) = (others?, seen.before.allowed_cpus?);
    if others + seen.most_threads.min(cpus) as f64 <= cpus as f64 + BACKGROUND {
        return None;
    }
    let of = match seen.before.online_cpus {
        Some(online) if online != cpus => format!("the {} that this process may use", processors(cpus)),
        _ => processors(cpus),
    };
    warning(Doubt::Busy, format!("others kept {others:.1} of {of} at work meanwhile"))
}

fn processors(number: usize) -> String {
    if number == 1 { "1 processor".to_owned() } else { format!("{number} processors") }
}

fn stolen(seen: &Seen<'_>) -> Option<f64> {
    let stolen = seen.after.stolen_s? - seen.before.stolen_s?;
    let all = seen.elapsed_s * seen.before.allowed_cpus? as f64;
    (all > 0.0).then(|| (stolen / all).clamp(0.0, 1.0))
}

fn steal(share: Option<f64>) -> Option<Warning> {
    let share = share.filter(|share| *share > STOLEN)?;
    warning(Doubt::Steal, format!("a hypervisor gave {:.1} % of the time to others", share * 100.0))
}

fn crowded(seen: &Seen<'_>) -> Option<Warning> {
    let cpus = seen.before.cpus.filter(|cpus| seen.most_threads > *cpus)?;
    warning(Doubt::Crowded, format!("{} threads share {}", seen.most_threads, processors(cpus)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Machine {
        Machine {
            cpus: Some(4),
            allowed_cpus: Some(4),
            online_cpus: Some(4),
            busy_s: Some(100.0),
            own_s: Some(1.0),
            stolen_s: Some(10.0),
            ..Machine::default()
        }
    }

    fn kinds(before: Machine, after: Machine, calibration_ns: &[u64], most_threads: usize) -> Vec<Doubt> {
        let calibration_ns = calibration_ns.to_vec();
        let seen = Seen { before, after, elapsed_s: 10.0, calibration_ns, most_threads, rows: &[] };
        weigh(seen).warnings.into_iter().map(|warning| warning.kind).collect()
    }

    #[test]
    fn a_quiet_machine_gives_no_warning() {
        assert_eq!(kinds(quiet(), quiet(), &[100, 101, 102, 100], 4), []);
    }

    #[test]
    fn every_doubt_has_its_warning() {
        assert_eq!(kinds(quiet(), quiet(), &[100, 106], 4), [Doubt::Noisy]);
        assert_eq!(kinds(quiet(), quiet(), &[1000, 1000, 1060, 1060], 4), [Doubt::Noisy, Doubt::Throttled]);
        let held = Machine { clock_limit: Some(0.5), ..quiet() };
        assert_eq!(kinds(held, quiet(), &[100, 100], 4), [Doubt::Throttled]);
        let battery = Machine { on_battery: Some(true), ..quiet() };
        assert_eq!(kinds(battery, quiet(), &[100, 100], 4), [Doubt::OnBattery]);
        // In 10 s others had 26 s of 4 processors, and we 20.
        let busy = Machine { busy_s: Some(146.08), own_s: Some(21.0), ..quiet() };
        assert_eq!(kinds(quiet(), busy.clone(), &[100, 100], 2), [Doubt::Busy]);
        assert_eq!(kinds(quiet(), busy, &[100, 100], 1), []);
        // 10 s of 4 processors are 40; 1 of them is 2.5 %.
        let stolen = Machine { stolen_s: Some(11.0), ..quiet() };
        assert_eq!(kinds(quiet(), stolen, &[100, 100], 4), [Doubt::Steal]);
        assert_eq!(kinds(quiet(), quiet(), &[100, 100], 5), [Doubt::Crowded]);
    }

    #[test]
    fn only_what_happens_during_the_run_makes_it_busy() {
        let after = Machine { busy_s: Some(140.0), own_s: Some(41.0), ..quiet() };
        let before = Machine { load_average: Some(165.0), ..quiet() };
        assert_eq!(kinds(before, after, &[100, 100], 4), []);
    }

    #[test]
    fn a_process_that_may_use_one_processor_says_so_in_the_singular() {
        let one = |busy_s, own_s| Machine {
            cpus: Some(1),
            allowed_cpus: Some(1),
            online_cpus: Some(2),
            busy_s: Some(busy_s),
            own_s: Some(own_s),
            ..Machine::default()
        };
        let seen = Seen {
            before: one(0.0, 0.0),
            after: one(10.0, 5.0),
            elapsed_s: 10.0,
            calibration_ns: Vec::new(),
            most_threads: 8,
            rows: &[],
        };
        let conditions = weigh(seen);
        // 5 s of 10, less the two hundredths that the counting leaves open.
        assert!(conditions.others_cpus.is_some_and(|others| (others - 0.498).abs() < 1e-12));
        let texts: Vec<_> = conditions.warnings.into_iter().map(|warning| warning.text).collect();
        assert_eq!(
            texts,
            [
                "others kept 0.5 of the 1 processor that this process may use at work meanwhile",
                "8 threads share 1 processor"
            ]
        );
    }

    #[test]
    fn what_a_system_does_not_tell_is_no_reason_to_doubt() {
        assert_eq!(kinds(Machine::default(), Machine::default(), &[100, 100], 64), []);
    }
}
