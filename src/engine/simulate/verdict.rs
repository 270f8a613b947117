//! Whether what was seen is what mathematics expects, by tests whose false alarms are known.

use super::simulation::Simulation;
use crate::math::{birthday, goodness, interval, occupancy, poisson, repeats};
use crate::sim::tally::Tally;
use serde::Serialize;

/// How often a sound run is called into question: once in a thousand.
pub const FALSE_ALARM_RATE: f64 = 1e-3;
/// What tests look at.
const CLASHES: &str = "trials with a clash";
const REPEATS: &str = "repeats";
const REPEATS_OF_TRIAL: &str = "repeats of a trial";
const FIRST_CLASH: &str = "ids at first clash";
const PAIRS: &str = "pairs of all trials";
/// Degrees of freedom from which on a lower tail is one: of few, the evenest outcome alone would have none.
const ENOUGH_DEGREES: f64 = 30.0;
/// Ids a value from which on the values' numbers are near enough to normal (W. Cochran, 1954).
const CROWDED: f64 = 5.0;
/// Trials with a clash from which on the mean of pairs is near enough to normal.
const ENOUGH: u64 = 100;

/// One look at what was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// What was looked at.
    pub name: &'static str,
    /// By which test.
    pub by: &'static str,
    /// Its statistic; none of an exact test.
    pub statistic: Option<f64>,
    /// Its degrees of freedom.
    pub degrees: Option<f64>,
    /// The chance that a sound run lies as far off, or farther.
    pub p_value: f64,
}

/// What the tests say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// What was seen is what is expected.
    Consistent,
    /// It lies farther off than chance does in all but one of a thousand runs.
    Inconsistent,
    /// Nothing was counted, or nothing that was not all but certain beforehand.
    Untested,
}

/// Everything that can be tested of a tally, `due` the trials that the law expects in each bin of repeats.
pub(super) fn tests(simulation: &Simulation, tally: &Tally, due: Option<&[f64]>) -> Vec<Test> {
    if tally.trials == 0 {
        return Vec::new();
    }
    let expected = simulation.expected();
    let mut tests = vec![clashes(simulation, tally)];
    match expected.cells {
        Some(cells) if tally.trials == 1 => {
            tests.extend(one_trial(simulation, tally, cells));
            tests.extend(crowded_pairs(simulation, tally, cells));
        }
        Some(cells) => {
            tests.extend(crowded_pairs(simulation, tally, cells));
            tests.extend(due.and_then(|due| by_repeats(tally, due)));
            tests.extend(by_first_clash(simulation, tally, cells));
        }
        None if expected.singly => tests.extend(single_pairs(simulation, tally)),
        None => tests.extend(pairs(simulation, tally)),
    }
    // What was certain beforehand says something only where it did not come.
    tests.retain(|test| test.p_value < FALSE_ALARM_RATE || !is_certain(simulation, test.name, tally.trials));
    tests
}

/// Whether but one in a thousand runs shows the same of what a test looks at.
fn is_certain(simulation: &Simulation, test: &str, trials: u64) -> bool {
    let expected = simulation.expected();
    let rare = |each: f64| each * trials as f64 <= FALSE_ALARM_RATE;
    let (p, error) = (expected.probability, expected.probability_error);
    let (least, most) = (p * (1.0 - error).max(0.0), (p * (1.0 + error)).min(1.0));
    // Trials that have a clash, and that have none.
    let clashes = |p: f64| -(-p).ln_1p();
    match (test, expected.cells) {
        (CLASHES, _) => rare(clashes(most)) || rare(clashes(1.0 - least)),
        (FIRST_CLASH, Some(1.0)) => true,
        (FIRST_CLASH, _) => rare(clashes(most)),
        (REPEATS | REPEATS_OF_TRIAL, Some(cells)) => {
            rare(occupancy::repeats_variance(simulation.plan().draws, cells))
        }
        _ => rare(expected.pairs * (1.0 + expected.pairs_error)),
    }
}

/// Whether that holds for all that there is to look at: no pair to be had, or a space of one value.
pub(super) fn is_foregone(simulation: &Simulation, trials: u64) -> bool {
    let expected = simulation.expected();
    expected.cells == Some(1.0) || expected.pairs * trials as f64 <= FALSE_ALARM_RATE
}

/// The verdict of tests with the p-value of all of them together.
pub(super) fn verdict(tests: &[Test]) -> (Verdict, f64) {
    let p_values: Vec<f64> = tests.iter().map(|test| test.p_value).collect();
    let p_value = goodness::combined(&p_values);
    let verdict = match tests {
        [] => Verdict::Untested,
        _ if p_value < FALSE_ALARM_RATE => Verdict::Inconsistent,
        _ => Verdict::Consistent,
    };
    (verdict, p_value)
}

/// Trials with a clash: binomial, at the probability within its stated error that fits best.
fn clashes(simulation: &Simulation, tally: &Tally) -> Test {
    let expected = simulation.expected();
    let seen = tally.trials_with_collision as f64 / tally.trials as f64;
    let (p, error) = (expected.probability, expected.probability_error);
    let p = seen.clamp((p * (1.0 - error)).max(0.0), (p * (1.0 + error)).min(1.0));
    Test {
        name: CLASHES,
        by: "exact binomial",
        statistic: None,
        degrees: None,
        p_value: interval::binomial_two_sided(tally.trials_with_collision, tally.trials, p),
    }
}

/// The repeats of a single trial, by their law.
fn one_trial(simulation: &Simulation, tally: &Tally, cells: f64) -> Option<Test> {
    let repeats = u64::try_from(tally.repeats).ok()?;
    let p_value = repeats::repeats_two_sided(repeats, simulation.plan().draws, cells);
    Some(Test { name: REPEATS, by: "law of repeats", statistic: None, degrees: None, p_value })
}

/// Trials by their repeats, against the law.
fn by_repeats(tally: &Tally, due: &[f64]) -> Option<Test> {
    let (statistic, degrees) = goodness::chi_square(&tally.by_repeats, due)?;
    Some(Test {
        name: REPEATS_OF_TRIAL,
        by: "chi-square",
        statistic: Some(statistic),
        degrees: Some(degrees),
        p_value: goodness::chi_square_p(statistic, degrees),
    })
}

/// Trials that the law of repeats expects in each bin; none where it is not known. It can take a while.
pub(super) fn repeats_expected(simulation: &Simulation, trials: u64) -> Option<Vec<f64>> {
    let cells = simulation.expected().cells?;
    let bins = simulation.scheme().repeats;
    let (_, last) = bins.edges(bins.bins - 1);
    let most = usize::try_from(last).ok().filter(|most| *most <= 1 << 26)?;
    let law = repeats::repeats_law(simulation.plan().draws, cells, most);
    let upper = |bin: usize| match bins.edges(bin).1 {
        _ if bin + 1 == bins.bins => 1.0,
        edge => law.at_most(edge.saturating_sub(1)),
    };
    let lower = |bin: usize| if bin == 0 { 0.0 } else { upper(bin - 1) };
    Some((0..bins.bins).map(|bin| trials as f64 * (upper(bin) - lower(bin)).max(0.0)).collect())
}

/// Trials by the ids drawn at first clash, against the exact law: the greatest distance at the edges of the bins.
fn by_first_clash(simulation: &Simulation, tally: &Tally, cells: f64) -> Option<Test> {
    let bins = simulation.scheme().first_clash;
    let mut seen = 0u64;
    let mut distance = 0.0f64;
    for (bin, trials) in tally.by_first_clash.iter().enumerate() {
        seen += trials;
        let drawn = bins.last_of(bin).min(simulation.plan().draws);
        let due = birthday::probability(drawn as f64, cells);
        distance = distance.max((seen as f64 / tally.trials as f64 - due).abs());
    }
    Some(Test {
        name: FIRST_CLASH,
        by: "Kolmogorov-Smirnov",
        statistic: Some(distance),
        degrees: None,
        p_value: goodness::kolmogorov_smirnov_p(distance, tally.trials),
    })
}

/// Whether many pairs come at once and seldom, where two generators drew one seed or node number, or where a copy meets
/// another: a run that had none knows nothing of the spread they bring.
pub(super) fn comes_in_rare_heaps(simulation: &Simulation) -> bool {
    let (parameters, inputs) = (simulation.model().parameters(), simulation.inputs());
    let several = parameters.generators.is_some_and(|generators| generators > 1);
    several && (parameters.node_bits.is_some() || inputs.seed_bits.is_some() || inputs.has_copies())
}

/// The pairs of all trials together, where each value comes several times: Pearson's statistic of how often values came,
/// Σ(x − n/N)²/(n/N) = N/n (2 pairs + n) − n a trial.
fn crowded_pairs(simulation: &Simulation, tally: &Tally, cells: f64) -> Option<Test> {
    let (draws, trials) = (simulation.plan().draws as f64, tally.trials as f64);
    let degrees = trials * (cells - 1.0);
    if draws < CROWDED * cells || degrees < ENOUGH_DEGREES {
        return None;
    }
    let statistic = cells / draws * (2.0 * tally.pairs as f64 + trials * draws) - trials * draws;
    let above = goodness::chi_square_p(statistic.max(0.0), degrees);
    let p_value = goodness::two_sided(above, 1.0 - above);
    Some(Test { name: PAIRS, by: "chi-square", statistic: Some(statistic), degrees: Some(degrees), p_value })
}

/// The pairs of all trials together, where they come singly.
fn single_pairs(simulation: &Simulation, tally: &Tally) -> Option<Test> {
    let pairs = u64::try_from(tally.pairs).ok()?;
    let due = simulation.expected().pairs * tally.trials as f64;
    let p_value = goodness::two_sided(poisson::at_most(due, pairs), poisson::at_least(due, pairs));
    Some(Test { name: PAIRS, by: "exact Poisson", statistic: None, degrees: None, p_value })
}

/// The mean of pairs, by the spread of what was seen, where enough trials had any.
fn pairs(simulation: &Simulation, tally: &Tally) -> Option<Test> {
    let expected = simulation.expected();
    let trials = tally.trials as f64;
    if tally.pairs_squared == u128::MAX || comes_in_rare_heaps(simulation) {
        return None;
    }
    let mean = tally.pairs as f64 / trials;
    let slack = expected.pairs * expected.pairs_error;
    let off = ((mean - expected.pairs).abs() - slack).max(0.0);
    // Sums of squares cancel: a spread below what f64 can tell is none.
    let variance = tally.pairs_squared as f64 / trials - mean * mean;
    let variance = if variance > mean * mean * 1e-12 { variance } else { 0.0 };
    let test =
        |by, statistic, p_value| Test { name: "pairs of a trial", by, statistic, degrees: None, p_value };
    // Trials that are all alike have no spread to go by.
    if variance == 0.0 || tally.trials_with_collision < ENOUGH {
        return None;
    }
    let z = off / (variance / trials).sqrt();
    Some(test("normal, by the spread seen", Some(z), libm::erfc(z / std::f64::consts::SQRT_2)))
}

/// The interval of the expected pairs of all trials together, where pairs come singly enough to follow Poisson's law.
pub(super) fn pairs_interval(tally: &Tally, confidence: f64) -> Option<(f64, f64)> {
    let pairs = u64::try_from(tally.pairs).ok()?;
    Some(poisson::mean_interval(pairs, confidence))
}
