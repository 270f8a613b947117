//! What `simulate` says and draws: that it is the record's, fits its width, and claims nothing else.

mod figures;

use figures::{figure, series};
use uuidcap::document::figure::{Figure, Series, Shape};
use uuidcap::document::{self, Cell, Document, Piece, Sentence};
use uuidcap::engine::simulate::{self, Answer, Arrivals, Inputs, Resources, Simulation, Verdict};
use uuidcap::render::{number, plot, text};
use uuidcap::study::simulate::{Arrival, Report, Size, Sweep, report};

const RESOURCES: Resources = Resources { threads: 1, memory_bytes: 1 << 30 };

fn run(bits: u32, draws: u64, trials: u64, witness: u64) -> (Simulation, Report) {
    let inputs =
        Inputs { bits: Some(bits), draws: Some(draws), trials: Some(trials), witness, ..Inputs::default() };
    let simulation = Simulation::new(inputs).expect("a sound question");
    let all = simulation.share(None);
    let answer = simulate::answer(&simulation, 7, all, None, &RESOURCES, &()).expect("it fits");
    (simulation, report(answer))
}

fn document(run: &(Simulation, Report)) -> Document {
    document::simulate::document(&run.0, &run.1, Some(7))
}

/// A sentence as it is drawn.
fn sentence(sentence: &Sentence) -> String {
    let said = |piece: &Piece| match piece {
        Piece::Words(words) => words.to_string(),
        Piece::Value(cell, unit) => number::rounded(cell, *unit),
        Piece::Exact(cell, unit) => number::exact(cell, *unit),
    };
    sentence.iter().map(said).collect()
}

fn lead(run: &(Simulation, Report)) -> Vec<String> {
    document(run).lead.iter().map(sentence).collect()
}

fn grouped(number: u64) -> String {
    number::exact(&Cell::Integer(number.into()), document::Unit::None)
}

/// Every size with every ratio, seen as expected but for one trial.
fn sizes(trials: u64) -> Vec<Size> {
    let place = |bits: u32, ratio: f64| {
        let draws = (ratio * f64::from(bits / 2).exp2()).round();
        let p = uuidcap::math::birthday::probability(draws, f64::from(bits).exp2());
        let clashed = (p * trials as f64).round() as u64;
        let (low, high) = uuidcap::math::interval::binomial_interval(clashed, trials, 0.95);
        let ratio = draws / f64::from(bits).exp2().sqrt();
        Size {
            bits,
            ratio,
            draws_per_trial: draws as u64,
            trials,
            trials_with_collision: clashed,
            observed_probability: clashed as f64 / trials as f64,
            interval_low: low,
            interval_high: high,
            expected_probability: p,
            limit_probability: -(-ratio * ratio / 2.0).exp_m1(),
            p_value: 0.5,
        }
    };
    let bits = [16u32, 28, 40];
    bits.iter().flat_map(|bits| [0.5, 1.0, 2.0].map(|ratio| place(*bits, ratio))).collect()
}

fn arrivals() -> Vec<Arrival> {
    let place = |arrivals: Arrivals, burstiness: u64, pairs: u64| Arrival {
        arrivals,
        burstiness: burstiness as f64,
        draws_per_trial: 10_000,
        trials: 400,
        trials_with_collision: 200,
        pairs: (400 * pairs).into(),
        observed_pairs: pairs as f64,
        pairs_low: pairs as f64 * 0.8,
        pairs_high: pairs as f64 * 1.2 + 0.01,
        expected_pairs: pairs as f64 * 1.05 + 0.001,
        p_value: 0.4,
    };
    let mut all = vec![place(Arrivals::Steady, 1, 0), place(Arrivals::Poisson, 1, 1)];
    all.extend([2, 8, 64].map(|burst| place(Arrivals::Bursty, burst, burst)));
    all.extend([2, 8, 64].map(|burst| place(Arrivals::Batched, burst, burst + 1)));
    all
}

fn sweep(sizes: Vec<Size>, arrivals: Vec<Arrival>, verdict: Verdict) -> Sweep {
    let within = (sizes.len() + arrivals.len()) as u64;
    Sweep { sizes, arrivals, within, left_out: 0, p_value: 0.6, verdict }
}

fn of(figure: &Figure, shape: Shape) -> Vec<&Series> {
    series(figure).iter().filter(|one| one.shape == shape).collect()
}

fn heights(series: &Series) -> Vec<f64> {
    series.points.iter().filter_map(|point| point.y).collect()
}

#[test]
fn the_lead_has_what_was_seen_beside_what_is_expected_and_then_the_verdict() {
    let run = run(20, 1_024, 2_000, 0);
    let answer = &run.1.answer;
    let said = lead(&run);
    let percent = |p: f64| number::rounded(&Cell::Real(p), document::Unit::Percent);
    assert_eq!(
        said[0],
        format!(
            "{} of 2,000 trials had a clash: {} (95 % interval {} to {}); expected 39.33 %, exact.",
            grouped(answer.trials_with_collision),
            percent(answer.observed_probability.expect("trials")),
            percent(answer.interval_low),
            percent(answer.interval_high),
        )
    );
    // 1,024 x 2^51 ids of 122 bits: 2.306e18.
    assert_eq!(said[1], "As risky as 2.306e18 ids of 122 random bits (UUIDv4): n²/2N is 0.5 for both.");
    assert!(
        said[2].starts_with("As expected: p = ") && said[2].ends_with("once in 1,000 runs."),
        "{}",
        said[2]
    );
    assert_eq!(said.len(), 3);
}

#[test]
fn none_seen_is_an_upper_bound_and_all_seen_a_lower_one() {
    // 1 - 0.025^(1/100) = 0.0362, by hand.
    let none = lead(&run(60, 10, 100, 0));
    assert!(
        none[0].starts_with("None seen in 100 trials: the odds of a clash are at most 0.03622 (95 %);"),
        "{}",
        none[0]
    );
    assert!(!none[0].contains(" 0 ") && !none[0].contains(" 0;"), "{}", none[0]);
    let all = lead(&run(10, 500, 100, 0));
    assert!(
        all[0].starts_with("All 100 trials had a clash: the odds of one are at least 96.38 % (95 %);"),
        "{}",
        all[0]
    );
}

#[test]
fn of_no_pair_a_table_says_none_and_not_0() {
    let run = run(60, 10, 100, 0);
    let table = document(&run).tables.into_iter().find(|table| table.name == "quantities").expect("a table");
    for row in table.rows {
        assert_eq!(row[1], Cell::from("none"), "{:?}", row[0]);
    }
}

#[test]
fn a_single_trial_tells_its_repeats_and_the_witnesses_of_the_record() {
    let run = run(20, 4_096, 1, 3);
    let (answer, said) = (&run.1.answer, lead(&run));
    // 8 pairs are expected: that there are fewer than 3 repeats has odds of 1.4 %, and the seed is fixed.
    assert!(answer.repeats > 1);
    let start = format!(
        "One trial of 4,096 ids: {} repeats, {} pairs of equal ids (95 % interval ",
        answer.repeats, answer.pairs
    );
    assert!(said[0].starts_with(&start) && said[0].ends_with("; expected 7.998 pairs."), "{}", said[0]);
    assert_eq!(answer.witnesses.len(), 3);
    for (clash, line) in answer.witnesses.iter().zip(&said[3..]) {
        let [one, other] = clash.draws[..] else { panic!("a pair is two draws: {clash:?}") };
        let expected =
            format!("Draw {} and draw {} of trial 0 are both {}.", grouped(one), grouped(other), clash.id);
        assert_eq!(*line, expected);
    }
    assert!(document(&run).figures.is_empty(), "one trial has no law to be seen");
}

#[test]
fn what_is_not_as_expected_is_said_loudly_with_the_test_that_is_farthest_off() {
    let mut run = run(20, 1_024, 200, 0);
    let answer: &mut Answer = &mut run.1.answer;
    (answer.verdict, answer.p_value) = (Verdict::Inconsistent, 3e-9);
    answer.tests[1].p_value = 1e-9;
    let name = answer.tests[1].name;
    let said = lead(&run);
    assert!(
        said[2].starts_with(&format!("NOT as expected: p = 3e-9, farthest off are {name};")),
        "{}",
        said[2]
    );
    run.1.answer.verdict = Verdict::Untested;
    assert!(lead(&run)[2].starts_with("Not tested: too few trials"), "{}", lead(&run)[2]);
}

#[test]
fn the_main_table_has_the_names_that_are_promised_with_the_digits_of_the_record() {
    let run = run(20, 1_024, 200, 0);
    let answer = &run.1.answer;
    let main = &document(&run).tables[0];
    let cell = |name: &str| {
        let at = main.columns.iter().position(|column| column.name == Some(name));
        main.rows[0][at.unwrap_or_else(|| panic!("no column {name}"))].clone()
    };
    assert_eq!(main.rows.len(), 1);
    for (name, value) in [
        ("trials", 200u128),
        ("draws_per_trial", 1_024),
        ("trials_with_collision", answer.trials_with_collision.into()),
        ("repeats", answer.repeats),
        ("pairs", answer.pairs),
    ] {
        assert_eq!(cell(name), Cell::Integer(value), "{name}");
    }
    for (name, value) in [
        ("space_bits", 20.0),
        ("expected_probability", answer.expected_probability),
        ("observed_probability", answer.observed_probability.expect("trials")),
        ("interval_low", answer.interval_low),
        ("interval_high", answer.interval_high),
        ("p_value", answer.p_value),
    ] {
        assert_eq!(cell(name), Cell::Real(value), "{name}");
    }
}

#[test]
fn no_line_is_longer_than_its_width() {
    let mut runs =
        vec![run(20, 1_024, 2_000, 0), run(60, 10, 100, 0), run(20, 4_096, 1, 30), run(10, 500, 60, 0)];
    runs[0].1.sweep = Some(sweep(sizes(100), Vec::new(), Verdict::Consistent));
    runs[1].1.sweep = Some(sweep(Vec::new(), arrivals(), Verdict::Consistent));
    for run in &runs {
        for width in [80, 100, 120] {
            let shown = text::to_string(&document(run), width, false);
            let longest = shown.lines().max_by_key(|line| line.chars().count()).expect("lines");
            assert!(longest.chars().count() <= usize::from(width), "{width}: {longest}");
        }
    }
}

#[test]
fn histograms_hold_every_trial_and_lie_over_the_law_that_the_record_has() {
    let run = run(20, 1_024, 4_000, 0);
    let (answer, figures) = (&run.1.answer, document(&run).figures);
    let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["first-clash", "repeats"]);
    for (name, bins, all, shape) in [
        ("first-clash", &answer.by_first_clash, answer.trials_with_collision, Shape::Line),
        ("repeats", &answer.by_repeats, answer.trials, Shape::Dots),
    ] {
        let figure = figure(&figures, name);
        let seen = of(figure, Shape::Bins)[0];
        // The last point closes the last bar.
        let bars = &heights(seen)[..seen.points.len() - 1];
        assert_eq!(bars.iter().sum::<f64>(), all as f64, "{name}");
        assert!(seen.points.windows(2).all(|two| two[0].x < two[1].x));
        let law = heights(of(figure, shape)[0]);
        assert_eq!(law.len(), bars.len());
        let due: f64 = bins.iter().filter_map(|bin| bin.expected).sum();
        // Bins of less than half a trial may be left out.
        assert!((law.iter().sum::<f64>() - due).abs() < 1.0, "{name}: {law:?} {due}");
        plot::png(figure).expect("it can be drawn");
    }
}

#[test]
fn the_title_of_the_first_clash_has_the_means_of_the_record() {
    let run = run(20, 1_024, 4_000, 0);
    let rounded = |value: Option<f64>| number::rounded(&Cell::from(value), document::Unit::Probability);
    let expected = format!(
        "The first clash came after {} ids on average, of trials that had one; the exact law expects {}",
        rounded(run.1.answer.observed_first_clash),
        rounded(run.1.answer.expected_first_clash),
    );
    assert_eq!(sentence(&figure(&document(&run).figures, "first-clash").title), expected);
}

#[test]
fn all_sizes_are_dots_with_their_intervals_over_the_curve() {
    let mut run = run(20, 1_024, 50, 0);
    run.1.sweep = Some(sweep(sizes(1_000), Vec::new(), Verdict::Consistent));
    let figures = document(&run).figures;
    let collapse = figure(&figures, "collapse");
    assert_eq!(
        sentence(&collapse.title),
        "Spaces of 16 to 40 bits lie on one curve in n/√N: 9 of 9 points hold what is expected within their 95 % interval"
    );
    let dots = of(collapse, Shape::Dots);
    let names: Vec<&str> = dots.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["16 bits", "28 bits", "40 bits"]);
    let curve = of(collapse, Shape::Line)[0];
    for (point, size) in dots.iter().flat_map(|one| &one.points).zip(sizes(1_000)) {
        assert_eq!((point.x, point.y), (size.ratio, Some(size.observed_probability)));
        assert_eq!(point.interval, Some([size.interval_low, size.interval_high]));
        let near = curve.points.iter().min_by(|a, b| (a.x - point.x).abs().total_cmp(&(b.x - point.x).abs()));
        // Half a step of the curve, at its steepest 0.61, and half a trial of 1,000.
        let off = near.and_then(|near| near.y).expect("a curve") - size.observed_probability;
        assert!(off.abs() < 0.61 * 0.01 + 0.0005 + 0.25 / 256.0, "{} {off}", size.bits);
    }
    plot::png(collapse).expect("it can be drawn");
}

#[test]
fn sizes_that_are_off_the_curve_are_not_said_to_lie_on_it() {
    let mut run = run(20, 1_024, 50, 0);
    run.1.sweep = Some(sweep(sizes(1_000), Vec::new(), Verdict::Inconsistent));
    let said = sentence(&figure(&document(&run).figures, "collapse").title);
    assert!(said.starts_with("Spaces do NOT lie on one curve"), "{said}");
    assert!(lead(&run).iter().any(|line| line.contains("do NOT lie")));
}

#[test]
fn arrivals_are_dots_with_their_intervals_over_what_is_expected() {
    let mut run = run(20, 1_024, 50, 0);
    run.1.sweep = Some(sweep(Vec::new(), arrivals(), Verdict::Consistent));
    let figures = document(&run).figures;
    let figure = figure(&figures, "arrivals");
    assert_eq!(
        sentence(&figure.title),
        "Batches of 64 ids bring 65 pairs a trial, ids that come singly 1; expected 68.25 and 1.051"
    );
    let bursty = &of(figure, Shape::Line)[0].points;
    let places: Vec<f64> = bursty.iter().map(|point| point.x).collect();
    assert_eq!(places, [1.0, 2.0, 8.0, 64.0]);
    let dots: usize = of(figure, Shape::Dots).iter().map(|one| one.points.len()).sum();
    assert_eq!(dots, arrivals().len());
    let steady = of(figure, Shape::Dots).into_iter().find(|one| one.name == "steady, seen").expect("steady");
    // None seen is no dot on a logarithmic axis, but its bound is there.
    assert_eq!((steady.points[0].y, steady.points[0].interval), (None, Some([0.0, 0.01])));
    plot::png(figure).expect("it can be drawn");
}

#[test]
fn a_part_says_which_one_it_is() {
    let inputs = Inputs { bits: Some(20), draws: Some(1_024), trials: Some(100), ..Inputs::default() };
    let simulation = Simulation::new(inputs).expect("a sound question");
    let share = simulation.share(Some((1, 4)));
    let answer = simulate::answer(&simulation, 7, share, None, &RESOURCES, &()).expect("it fits");
    let said = lead(&(simulation, report(answer)));
    assert_eq!(said[0], "A part: trials 25 to 49, counted from 0, of 100; merge joins it with the others.");
    assert!(said[1].contains(" of 25 trials had a clash"), "{}", said[1]);
}
