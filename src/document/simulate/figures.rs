//! The figures of `simulate`: all sizes on one curve, the first clash, repeats, arrivals. Each is drawn only where the
//! answer has enough to show, and its title says what the numbers say.

use super::super::figure::{Axis, Figure, Marks, Point, Series, Shape, Unit as AxisUnit};
use super::super::{Piece, Sentence, Unit};
use super::tables::populated;
use super::{claim, probability, text, value, whole};
use crate::engine::simulate::{Answer, Arrivals, Bin, Verdict};
use crate::study::simulate::{Arrival, Report, Size, Sweep};

/// Trials from which on a histogram has a shape.
const ENOUGH: u64 = 100;
/// Points of a curve.
const STEPS: u32 = 160;

/// Those figures that the answer has the data for.
pub(super) fn figures(report: &Report) -> Vec<Figure> {
    let answer = &report.answer;
    let sweep = report.sweep.as_ref();
    let all = [sweep.and_then(collapse), first_clash(answer), repeats(answer), sweep.and_then(arrivals)];
    all.into_iter().flatten().collect()
}

/// What holds for every mark of the run.
fn subtitle(answer: &Answer) -> Sentence {
    vec![
        text(format!("{} · ", answer.drawn)),
        whole(answer.trials),
        text(" trials of "),
        whole(answer.draws_per_trial),
        text(" ids"),
    ]
}

/// Clash probability by n/√N: one curve whatever the size.
fn collapse(sweep: &Sweep) -> Option<Figure> {
    let most = sweep.sizes.iter().map(|size| size.ratio).max_by(f64::total_cmp)?;
    let at = |step: u32| most * 1.03 * f64::from(step) / f64::from(STEPS);
    let curve = (0..=STEPS).map(at).map(|x| (x, -(-x * x / 2.0).exp_m1()));
    let mut bits: Vec<u32> = sweep.sizes.iter().map(|size| size.bits).collect();
    bits.dedup();
    let dots = |bits: &u32| Series {
        name: format!("{bits} bits"),
        shape: Shape::Dots,
        points: sweep.sizes.iter().filter(|size| size.bits == *bits).map(dot).collect(),
    };
    let mut series = vec![Series::line("1 − exp(−x²/2)", curve)];
    series.extend(bits.iter().map(dots));
    let trials = || sweep.sizes.iter().map(|size| size.trials);
    let (least, most) = (trials().min()?, trials().max()?);
    let mut subtitle = vec![text("Uniform ids · "), whole(least)];
    if least != most {
        subtitle.extend([text(" to "), whole(most)]);
    }
    subtitle.push(text(" trials a point · whiskers: 95 % intervals by Clopper and Pearson"));
    Some(Figure {
        name: "collapse".to_owned(),
        title: claim(sweep),
        subtitle,
        x: Axis::linear("Ids over the square root of the space, n/√N", AxisUnit::Count),
        y: Axis::linear("Trials with a clash", AxisUnit::Percent).between(0.0, 1.0),
        marks: Marks::Series(series),
    })
}

fn dot(size: &Size) -> Point {
    Point {
        x: size.ratio,
        y: Some(size.observed_probability),
        interval: Some([size.interval_low, size.interval_high]),
    }
}

/// Bins as a histogram from edge to edge, and where the middles of what is expected lie.
fn histogram(bins: &[Bin], shift: f64) -> (Series, Series) {
    let edge = |value: u64| value as f64 - shift;
    let seen = bins.iter().map(|bin| (edge(bin.from), bin.seen as f64));
    let close = bins.last().map(|last| (edge(last.to) + 1.0, last.seen as f64));
    let middle = |bin: &Bin| Some(((edge(bin.from) + edge(bin.to) + 1.0) / 2.0, bin.expected?));
    (
        Series::line("seen", seen.chain(close)).shaped(Shape::Bins),
        Series::line("expected", bins.iter().filter_map(middle)),
    )
}

fn marks(seen: Series, expected: Series, law: &str) -> Marks {
    let expected = Series { name: format!("expected, {law}"), ..expected };
    // Colours go by order: the law in ink, what was seen in a colour.
    Marks::Series(if expected.points.is_empty() { vec![seen] } else { vec![expected, seen] })
}

/// Trials by the ids drawn when the first clash came.
fn first_clash(answer: &Answer) -> Option<Figure> {
    if answer.trials_with_collision < ENOUGH {
        return None;
    }
    // The last bin is cut off by the end of the trial: its bar would be short for no other reason.
    let cut = |bin: &&Bin| bin.to <= answer.draws_per_trial;
    let whole_bins: Vec<Bin> = answer.by_first_clash.iter().filter(cut).copied().collect();
    let (seen, expected) = histogram(populated(&whole_bins), 0.0);
    let mut title = vec![
        text("The first clash came after "),
        mean(answer.observed_first_clash?),
        text(" ids on average, of trials that had one"),
    ];
    if let Some(due) = answer.expected_first_clash {
        title.extend([text("; the exact law expects "), mean(due)]);
    }
    let mut subtitle = subtitle(answer);
    subtitle.extend([text(" · "), whole(answer.trials_with_collision), text(" had a clash")]);
    Some(Figure {
        name: "first-clash".to_owned(),
        title,
        subtitle,
        x: Axis::linear("Ids drawn when the first clash came", AxisUnit::Count),
        y: Axis::linear("Trials", AxisUnit::Whole),
        marks: marks(seen, expected, "exact law"),
    })
}

fn mean(value: f64) -> Piece {
    super::value(value, Unit::Probability)
}

/// Trials by their repeats.
fn repeats(answer: &Answer) -> Option<Figure> {
    let bins = populated(&answer.by_repeats);
    // Without a law beside them, repeats that come in heaps show no shape.
    let lawful = bins.iter().any(|bin| bin.expected.is_some());
    if answer.trials < ENOUGH || bins.len() < 2 || !lawful {
        return None;
    }
    // Where a bar is one number, it stands over it.
    let single = bins.iter().all(|bin| bin.from == bin.to);
    let (seen, expected) = histogram(bins, if single { 0.5 } else { 0.0 });
    // Between whole numbers there is nothing to draw a line through.
    let expected = expected.shaped(if single { Shape::Dots } else { Shape::Line });
    let mut title = vec![text("A trial has "), mean(answer.observed_repeats?), text(" repeats on average")];
    if let Some(due) = answer.expected_repeats {
        title.extend([text(", "), mean(due), text(" expected")]);
    }
    title.extend([
        text("; "),
        probability(answer, answer.observed_probability?),
        text(" have a clash, "),
        super::expected(answer),
        text(" expected"),
    ]);
    Some(Figure {
        name: "repeats".to_owned(),
        title,
        subtitle: subtitle(answer),
        x: Axis::linear("Repeats in a trial: ids less distinct ids", AxisUnit::Whole),
        y: Axis::linear("Trials", AxisUnit::Whole),
        marks: marks(seen, expected, "exact law"),
    })
}

/// Pairs a trial by how many ids come at one moment.
fn arrivals(sweep: &Sweep) -> Option<Figure> {
    let of = |how: Arrivals| sweep.arrivals.iter().filter(move |one| one.arrivals == how);
    let single = |how: Arrivals| of(how).next().map(|one| one.expected_pairs);
    let poisson = single(Arrivals::Poisson)?;
    let expected = |name: &str, how: Arrivals| {
        let points = of(how).map(|one| (one.burstiness, one.expected_pairs)).filter(|(x, _)| *x > 1.0);
        // Bursts and batches of one are ids that come singly.
        let points: Vec<(f64, f64)> = points.collect();
        let start = (!points.is_empty()).then_some((1.0, poisson));
        Series::line(name, start.into_iter().chain(points))
    };
    let dots = |name: &str, how: Arrivals| Series {
        name: name.to_owned(),
        shape: Shape::Dots,
        points: of(how).map(pairs).collect(),
    };
    let series = [
        expected("bursty, expected", Arrivals::Bursty),
        expected("batched, expected", Arrivals::Batched),
        dots("bursty, seen", Arrivals::Bursty),
        dots("batched, seen", Arrivals::Batched),
        dots("Poisson, seen", Arrivals::Poisson),
        dots("steady, seen", Arrivals::Steady),
    ];
    let series: Vec<Series> = series.into_iter().filter(|one| !one.points.is_empty()).collect();
    let first = sweep.arrivals.first()?;
    let most = sweep.arrivals.iter().map(|one| one.burstiness).max_by(f64::total_cmp)?;
    Some(Figure {
        name: "arrivals".to_owned(),
        title: title_of_arrivals(sweep, poisson),
        subtitle: vec![
            whole(first.trials),
            text(" trials of "),
            whole(first.draws_per_trial),
            text(" ids a point · whiskers: 95 % intervals by Poisson's law or the spread seen, the wider"),
        ],
        // Room on both sides, so that no dot lies on the axis.
        x: Axis::log10("Times as dense: one over the duty, or ids in a batch", AxisUnit::Times)
            .between(0.85, most * 1.15),
        y: Axis::log10("Pairs of equal ids in a trial", AxisUnit::Count),
        marks: Marks::Series(series),
    })
}

/// A dot where any pair was seen, else its interval alone.
fn pairs(one: &Arrival) -> Point {
    Point {
        x: one.burstiness,
        y: Some(one.observed_pairs).filter(|pairs| *pairs > 0.0),
        interval: Some([one.pairs_low, one.pairs_high]),
    }
}

/// `Bursts in 1/64 of the time bring 63.7 pairs a trial, ids that come singly 1.01; expected 64 and 1`
fn title_of_arrivals(sweep: &Sweep, poisson: f64) -> Sentence {
    let singly = sweep.arrivals.iter().find(|one| one.arrivals == Arrivals::Poisson);
    let densest =
        sweep.arrivals.iter().max_by(|one, other| one.expected_pairs.total_cmp(&other.expected_pairs));
    match densest.zip(singly).filter(|_| sweep.verdict != Verdict::Inconsistent) {
        Some((dense, singly)) if singly.observed_pairs > 0.0 && poisson > 0.0 => vec![
            text(match dense.arrivals {
                Arrivals::Batched => "Batches of ",
                _ => "Bursts in 1/",
            }),
            value(dense.burstiness, Unit::Probability),
            text(match dense.arrivals {
                Arrivals::Batched => " ids bring ",
                _ => " of the time bring ",
            }),
            value(dense.observed_pairs, Unit::Probability),
            text(" pairs a trial, ids that come singly "),
            value(singly.observed_pairs, Unit::Probability),
            text("; expected "),
            value(dense.expected_pairs, Unit::Probability),
            text(" and "),
            value(poisson, Unit::Probability),
        ],
        _ => claim(sweep),
    }
}
