//! Odds as curves: `collide` asked again over ids, over time, and over rates, for the schemes that reviews
//! compare.

use crate::engine::collide::{self, Case, Collision, Inputs, Subject};
use crate::error::Result;
use crate::id::scheme::{self, Separation};
use crate::units::{Count, Exact, Rate, Span};
use num_bigint::BigUint;

/// Schemes that are drawn beside what was asked.
const USUAL: [&str; 6] = ["v4", "v7", "ulid", "ksuid", "nanoid", "cuid2"];
/// Lines that one figure holds and still can be read.
const LINES: usize = 7;
/// Retention of idempotency keys where none was asked: the week of most services.
const WEEK_S: u128 = 604_800;
/// Life of a service where none was asked, in years.
const LIFE_YEARS: u128 = 30;
/// The least probability that is drawn.
const FLOOR: f64 = 1e-36;

/// A line of a figure: a name and its points.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What is drawn.
    pub name: String,
    /// Places and values.
    pub points: Vec<(f64, f64)>,
}

/// The curves of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The probability of a clash by number of ids.
    pub by_ids: Vec<Curve>,
    /// The same by time in seconds, kept for a window and for good.
    pub by_time: Vec<Curve>,
    /// Honest payments refused each year, by ids each second.
    pub by_rate: Vec<Curve>,
    /// Ids each second of the curves by ids and by time, where a rate was asked.
    pub rate: Option<Rate>,
    /// How long keys are kept in the curves by time and by rate.
    pub window: Span,
    /// How long ids are made in the curves by rate.
    pub life: Span,
}

/// The curves of a question: what it asks about first, then the usual schemes.
///
/// # Errors
/// As [`collide::answer`]; what chance does not decide is left out.
pub fn curves(question: &Collision) -> Result<Curves> {
    let inputs = question.inputs();
    let subjects = subjects(inputs);
    let rate = inputs.rate_per_s.first().copied();
    let window = inputs.window_s.first().copied().unwrap_or_else(|| seconds(WEEK_S));
    let life =
        inputs.for_s.first().copied().unwrap_or_else(|| seconds(LIFE_YEARS * crate::units::SECONDS_PER_YEAR));
    Ok(Curves {
        by_ids: by_ids(&subjects, rate)?,
        by_time: match rate {
            Some(rate) => by_time(&subjects, rate, window, life)?,
            None => Vec::new(),
        },
        by_rate: by_rate(&subjects, rate, window, life)?,
        rate,
        window,
        life,
    })
}

fn seconds(whole: u128) -> Span {
    Span::new(Exact::whole(whole)).expect("more than no time")
}

/// Subjects that chance decides, those that were asked about first.
fn subjects(inputs: &Inputs) -> Vec<Subject> {
    let usual = USUAL.iter().filter_map(|name| scheme::find(name)).map(Subject::Scheme);
    let short = Subject::space("2^64".to_owned(), BigUint::from(1u32) << 64u32);
    let mut subjects: Vec<Subject> = Vec::new();
    for subject in inputs.subjects.iter().cloned().chain(usual).chain(short) {
        if by_chance(&subject) && !subjects.contains(&subject) && subjects.len() < LINES {
            subjects.push(subject);
        }
    }
    subjects
}

fn by_chance(subject: &Subject) -> bool {
    match subject {
        Subject::Scheme(scheme) => {
            matches!(scheme.separation, Separation::Flat(_) | Separation::Bucket { .. })
        }
        Subject::Seeds(_) => false,
        _ => true,
    }
}

fn is_flat(subject: &Subject) -> bool {
    !matches!(subject, Subject::Scheme(scheme) if !matches!(scheme.separation, Separation::Flat(_)))
}

/// The cases of one subject.
fn cases(inputs: Inputs) -> Result<Vec<Case>> {
    Ok(collide::answer(&Collision::new(inputs)?, &())?.cases)
}

/// Four numbers of ids a decade, from 100 to 10^24.
fn many_ids() -> Vec<Count> {
    let steps =
        (2..24).flat_map(|decade| [100u128, 178, 316, 562].map(|step| step * 10u128.pow(decade) / 100));
    steps.map(Count::from).collect()
}

fn probability(case: &Case) -> Option<f64> {
    case.chance().map(|chance| chance.as_f64()).filter(|p| *p >= FLOOR)
}

fn by_ids(subjects: &[Subject], rate: Option<Rate>) -> Result<Vec<Curve>> {
    let curve = |subject: &Subject| {
        let inputs = Inputs {
            subjects: vec![subject.clone()],
            ids: many_ids(),
            rate_per_s: rate.filter(|_| !is_flat(subject)).into_iter().collect(),
            ..Inputs::default()
        };
        let point = |case: &Case| Some((case.ids.as_ref()?.to_string().parse().ok()?, probability(case)?));
        let points = cases(inputs)?.iter().filter_map(point).collect();
        let name = match is_flat(subject) {
            true => subject.name(),
            false if rate.is_some() => format!("{} at this rate", subject.name()),
            false => format!("{} in one tick", subject.name()),
        };
        Ok(Curve { name, points })
    };
    subjects.iter().map(curve).collect()
}

/// From an hour to a thousand years, and the one that was asked.
fn many_spans(asked: Span) -> Vec<Span> {
    let hours = [
        1u128, 3, 8, 24, 72, 168, 336, 720, 2_160, 4_383, 8_766, 17_532, 43_830, 87_660, 175_320, 262_980,
        438_300, 876_600, 2_629_800, 8_766_000,
    ];
    let mut spans: Vec<Span> = hours.iter().map(|hours| seconds(hours * 3_600)).chain([asked]).collect();
    spans.sort_by(|a, b| a.as_f64().total_cmp(&b.as_f64()));
    spans.dedup();
    spans
}

/// The first flat subject kept for the window and for good; the first with a clock, for which it is the same.
fn by_time(subjects: &[Subject], rate: Rate, window: Span, life: Span) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    let mut draw = |subject: &Subject, kept: Option<Span>, name: String| -> Result<()> {
        let inputs = Inputs {
            subjects: vec![subject.clone()],
            rate_per_s: vec![rate],
            for_s: many_spans(life),
            window_s: kept.into_iter().collect(),
            ..Inputs::default()
        };
        let point = |case: &Case| Some((case.for_s?, probability(case)?));
        curves.push(Curve { name, points: cases(inputs)?.iter().filter_map(point).collect() });
        Ok(())
    };
    if let Some(flat) = subjects.iter().find(|subject| is_flat(subject)) {
        draw(flat, None, format!("{} kept for good", flat.name()))?;
        draw(flat, Some(window), format!("{} kept for the window", flat.name()))?;
    }
    if let Some(clocked) = subjects.iter().find(|subject| !is_flat(subject)) {
        draw(clocked, None, format!("{}, kept or not", clocked.name()))?;
    }
    Ok(curves)
}

/// Two rates a decade, from 100 to 10^10 a second, and the one that was asked.
fn many_rates(asked: Option<Rate>) -> Vec<Rate> {
    let steps = (2..=10).flat_map(|decade| [10u128.pow(decade), 3 * 10u128.pow(decade)]);
    let usual = steps.take(17).filter_map(|rate| Rate::new(Exact::whole(rate)));
    let mut rates: Vec<Rate> = usual.chain(asked).collect();
    rates.sort_by(|a, b| a.as_f64().total_cmp(&b.as_f64()));
    rates.dedup();
    rates
}

fn by_rate(subjects: &[Subject], rate: Option<Rate>, window: Span, life: Span) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    let mut draw = |subject: &Subject, kept: Option<Span>, name: String| -> Result<()> {
        let inputs = Inputs {
            subjects: vec![subject.clone()],
            rate_per_s: many_rates(rate),
            for_s: vec![life],
            window_s: kept.into_iter().collect(),
            ..Inputs::default()
        };
        let refused =
            |case: &Case| case.refused_payments_per_year?.in_f64().filter(|refused| *refused >= FLOOR);
        let point = |case: &Case| Some((case.rate_per_s?, refused(case)?));
        curves.push(Curve { name, points: cases(inputs)?.iter().filter_map(point).collect() });
        Ok(())
    };
    let shown = subjects.len().min(4);
    for subject in &subjects[..shown] {
        if is_flat(subject) {
            draw(subject, None, format!("{} kept for good", subject.name()))?;
            draw(subject, Some(window), format!("{} kept for the window", subject.name()))?;
        } else {
            draw(subject, None, subject.name())?;
        }
    }
    Ok(curves)
}
