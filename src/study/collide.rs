//! Odds as curves: `collide` asked again over ids, over time, and over rates, for what was asked and, where
//! that is little, for the schemes that reviews compare.
//!
//! A curve holds everything that was asked beside its axis: digits that are kept, generators, dispersion,
//! duty, the window. What was not asked is not made up: without a rate nothing is drawn over time or over
//! rates, without a window nothing is forgotten.

use crate::engine::collide::{self, Case, Collision, Inputs, Subject, Unknown};
use crate::error::Result;
use crate::id::scheme::{self, Separation};
use crate::units::{Count, Exact, Rate, Span};
use num_bigint::BigUint;

/// Schemes that are drawn beside what was asked.
const USUAL: [&str; 6] = ["v4", "v7", "ulid", "ksuid", "nanoid", "cuid2"];
/// Lines of what was asked that one figure holds and still can be read.
const MOST_LINES: usize = 8;
/// Lines with those that were not asked.
const FILLED_LINES: usize = 7;
/// From so many asked lines on they are enough to compare.
const ENOUGH_LINES: usize = 3;
/// Asked subjects that are looked at; equal ones share a line.
const MOST_SOURCES: usize = 40;
/// Asked values of one axis that become points of their own.
const MOST_PLACES: usize = 100;
/// The least value that is drawn where no less was asked.
const FLOOR: f64 = 1e-36;
/// The least value that an axis of reals holds with room around it.
const LEAST: f64 = 1e-290;
/// The longest time in seconds that the engine takes for ids at a rate.
const LONGEST: f64 = 1e100;
/// Steps of a decade, in hundredths.
const QUARTERS: [u128; 4] = [100, 178, 316, 562];
/// Decades that exact seconds and rates are made for: products of two stay in 128 bits apart.
const DECADES: std::ops::RangeInclusive<i32> = -30..=34;

/// What a line is about: what ids are drawn from, and how much is kept of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its name in an answer.
    pub scheme: String,
    /// Hexadecimal digits that are kept.
    pub keep_hex: Option<u32>,
}

/// How long the ids of a line are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// For good, as no window was asked.
    All,
    /// For good, beside a line for the window.
    ForGood,
    /// For the window.
    ForWindow,
    /// For the window or for good: it comes to the same.
    Either,
}

/// A line of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is about; several where they have the same odds.
    pub sources: Vec<Source>,
    /// How long ids are kept.
    pub kept: Kept,
    /// Whether a clock tells ids apart.
    pub clocked: bool,
    /// Places and values.
    pub points: Vec<(f64, f64)>,
}

/// The lines of one figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel {
    /// What was asked first, then the usual schemes.
    pub curves: Vec<Curve>,
    /// Asked subjects that chance decides and that have no line.
    pub left_out: usize,
    /// Whether a line ends where its clock starts again.
    pub ended: bool,
}

/// The curves of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The probability of a clash by number of ids, all kept.
    pub by_ids: Panel,
    /// The same by time in seconds; empty without a rate.
    pub by_time: Panel,
    /// Honest payments refused each year, by ids each second; empty without a rate and an end.
    pub by_rate: Panel,
    /// Ids each second of clocks by ids and by time: the first that was asked, or ids over time.
    pub rate: Option<Rate>,
    /// Asked subjects that chance does not decide.
    pub not_by_chance: Vec<Source>,
    /// What was asked.
    pub question: Collision,
}

/// The curves of a question: what it asks about first, then the usual schemes.
///
/// # Errors
/// As [`collide::answer`]; what chance does not decide is left out.
pub fn curves(question: &Collision) -> Result<Curves> {
    let study = Study::of(question);
    let asked: Vec<Place<'_>> = study.asked.iter().filter(|place| place.by_chance()).cloned().collect();
    let solved: Vec<Case> = asked.iter().take(MOST_SOURCES).filter_map(|place| study.solved(place)).collect();
    Ok(Curves {
        by_ids: study.by_ids(&asked, &solved)?,
        by_time: study.by_time(&asked, &solved)?,
        by_rate: study.by_rate(&asked)?,
        rate: study.rate,
        not_by_chance: study
            .asked
            .iter()
            .filter(|place| !place.by_chance())
            .take(MOST_SOURCES)
            .map(Place::source)
            .collect(),
        question: question.clone(),
    })
}

/// A subject and the digits that are kept of it.
#[derive(Debug, Clone, PartialEq)]
struct Place<'a> {
    subject: std::borrow::Cow<'a, Subject>,
    keep_hex: Option<u32>,
}

impl Place<'_> {
    fn source(&self) -> Source {
        Source { scheme: self.subject.name(), keep_hex: self.keep_hex }
    }

    /// What keeps ids apart, of a scheme of which anything is known.
    fn separation(&self) -> Option<Separation> {
        let Subject::Scheme(scheme) = &*self.subject else { return None };
        match self.keep_hex {
            Some(digits) => Some(scheme.keep_top(digits.saturating_mul(4))?.1),
            None => Some(scheme.separation),
        }
    }

    fn by_chance(&self) -> bool {
        match &*self.subject {
            Subject::Scheme(_) => {
                matches!(self.separation(), Some(Separation::Flat(_) | Separation::Bucket { .. }))
            }
            Subject::Seeds(_) => false,
            _ => true,
        }
    }

    fn is_clocked(&self) -> bool {
        matches!(self.separation(), Some(Separation::Bucket { .. }))
    }

    /// Whole seconds until its clock starts again; a clock that is cut short returns by the engine's account.
    fn life(&self) -> Option<Span> {
        let Subject::Scheme(scheme) = &*self.subject else { return None };
        let life = scheme.life_s().filter(|_| self.keep_hex.is_none() && self.is_clocked())?;
        Span::new(Exact::whole(life.floor() as u128))
    }
}

/// What all curves of a question share.
struct Study<'a> {
    inputs: &'a Inputs,
    solves_for: Unknown,
    asked: Vec<Place<'a>>,
    rate: Option<Rate>,
    window: Option<Span>,
}

impl<'a> Study<'a> {
    fn of(question: &'a Collision) -> Study<'a> {
        let inputs = question.inputs();
        let digits: Vec<Option<u32>> = match inputs.keep_hex.as_slice() {
            [] => vec![None],
            list => list.iter().copied().map(Some).collect(),
        };
        let subjects = inputs.subjects.iter().map(std::borrow::Cow::Borrowed);
        let places = subjects.flat_map(|subject| {
            digits.iter().map(move |&keep_hex| Place { subject: subject.clone(), keep_hex })
        });
        let mut asked: Vec<Place<'a>> = Vec::new();
        for place in places {
            // A list may be long: it is searched only while a line can come of it.
            if asked.len() >= MOST_SOURCES || !asked.contains(&place) {
                asked.push(place);
            }
        }
        Study {
            inputs,
            solves_for: question.solves_for(),
            asked,
            rate: inputs.rate_per_s.first().copied().or_else(|| implied_rate(inputs)),
            window: inputs.window_s.first().copied(),
        }
    }

    /// The inputs that hold along a curve, whatever is on its axis.
    fn base(&self, place: &Place<'_>) -> Inputs {
        Inputs {
            subjects: vec![place.subject.clone().into_owned()],
            keep_hex: place.keep_hex.into_iter().collect(),
            generators: self.inputs.generators.clone(),
            dispersion: self.inputs.dispersion.filter(|_| place.is_clocked()),
            duty: self.inputs.duty.filter(|_| place.is_clocked()),
            ..Inputs::default()
        }
    }

    /// What is missing for the first risk; none where nothing was to be solved for.
    fn solved(&self, place: &Place<'_>) -> Option<Case> {
        if !matches!(self.solves_for, Unknown::Ids | Unknown::Time) {
            return None;
        }
        let inputs = Inputs {
            rate_per_s: self.inputs.rate_per_s.first().copied().into_iter().collect(),
            window_s: self.window.into_iter().collect(),
            risk: self.inputs.risk.first().cloned().into_iter().collect(),
            ..self.base(place)
        };
        // What has no solution has no point: the answer has said so already.
        cases(inputs).ok()?.pop()
    }

    /// The first risk that was asked.
    fn risk(&self) -> Option<f64> {
        let risk = self.inputs.risk.first()?;
        Some(risk.as_f64())
    }

    /// The least value that is drawn: room below everything that was asked.
    fn floor(&self, curves: &[Curve], places: &[f64]) -> f64 {
        let values = curves.iter().flat_map(|curve| &curve.points);
        let asked = values.filter(|(x, _)| places.iter().any(|place| near(*place, *x))).map(|(_, y)| *y);
        let risk = self.risk();
        asked.chain(risk).fold(FLOOR, |floor, value| floor.min(value / 10.0)).max(LEAST)
    }

    /// Lines of what was asked, then of the usual schemes where those are few: where there are none, only if
    /// the panel `fills` itself without them.
    fn panel<'p>(
        &self,
        asked: &[Place<'p>],
        places: &[f64],
        fills: bool,
        trace: impl Fn(&Place<'_>) -> Result<Vec<Curve>>,
    ) -> Result<Panel> {
        let mut traced: Vec<Curve> = Vec::new();
        for place in asked.iter().take(MOST_SOURCES) {
            traced.extend(trace(place)?);
        }
        let floor = self.floor(&traced, places);
        let visible = |mut curve: Curve| {
            curve.points.retain(|(_, y)| (floor..=1e290).contains(y));
            (curve.points.len() > 1).then_some(curve)
        };
        let mut curves = merged(traced.into_iter().filter_map(visible));
        if curves.len() > MOST_LINES {
            // The window is what was asked; for good is there to compare with.
            curves.retain(|curve| curve.kept != Kept::ForGood);
        }
        let mut curves = readable(curves, places.first().copied());
        let drawn = |place: &&Place<'_>| {
            let source = place.source();
            curves.iter().any(|curve| curve.sources.contains(&source))
        };
        let looked_at = asked.iter().take(MOST_SOURCES);
        let left_out = asked.len() - looked_at.filter(drawn).count();
        if curves.is_empty() && !fills {
            return Ok(Panel { left_out, ..Panel::default() });
        }
        if curves.len() < ENOUGH_LINES {
            for place in usual().into_iter().filter(|place| !asked.contains(place)) {
                let more =
                    merged(curves.iter().cloned().chain(trace(&place)?.into_iter().filter_map(visible)));
                if more.len() > FILLED_LINES {
                    break;
                }
                curves = more;
            }
        }
        let ended = ends_early(&curves);
        Ok(Panel { curves, left_out, ended })
    }

    /// Lines of one place for the window and for good, one where that is the same.
    fn kept(
        &self,
        place: &Place<'_>,
        points: impl Fn(Option<Span>) -> Result<Vec<(f64, f64)>>,
    ) -> Result<Vec<Curve>> {
        let curve =
            |kept, points| Curve { sources: vec![place.source()], kept, clocked: place.is_clocked(), points };
        let all = points(None)?;
        let Some(window) = self.window else { return Ok(vec![curve(Kept::All, all)]) };
        let within = points(Some(window))?;
        Ok(match same(&all, &within) {
            true => vec![curve(Kept::Either, within)],
            false => vec![curve(Kept::ForGood, all), curve(Kept::ForWindow, within)],
        })
    }

    fn by_ids(&self, asked: &[Place<'_>], solved: &[Case]) -> Result<Panel> {
        let lasting = solved.iter().filter_map(|case| Some(self.rate?.count(span_of(case)?)));
        let places: Vec<Count> = self
            .asked_ids()
            .into_iter()
            .chain(solved.iter().filter_map(|case| case.max_ids.clone()))
            .chain(lasting)
            .collect();
        let grid = many_ids(&places);
        let most = grid.iter().max().cloned().expect("a grid of many decades");
        let trace = |place: &Place<'_>| {
            let rate = self.rate.filter(|_| place.is_clocked());
            let last =
                rate.zip(place.life()).map(|(rate, life)| rate.count(life)).filter(|last| *last <= most);
            let longest = rate.map_or(f64::INFINITY, |rate| rate.as_f64() * 1e40);
            let mut ids: Vec<Count> = grid.iter().filter(|ids| ids.as_f64() <= longest).cloned().collect();
            ids.extend(last);
            let inputs = Inputs { ids, rate_per_s: rate.into_iter().collect(), ..self.base(place) };
            let point = |case: &Case| Some((case.ids.as_ref()?.as_f64(), chance(case)?));
            let points = points(&cases(inputs)?, place.life(), point);
            Ok(vec![Curve {
                sources: vec![place.source()],
                kept: Kept::All,
                clocked: place.is_clocked(),
                points,
            }])
        };
        self.panel(asked, &places.iter().map(Count::as_f64).collect::<Vec<_>>(), true, trace)
    }

    /// Ids that were asked for, said as such or as a rate and a time.
    fn asked_ids(&self) -> Vec<Count> {
        let rates = self.inputs.rate_per_s.iter().take(MOST_PLACES);
        let made = rates.flat_map(|rate| self.inputs.for_s.iter().map(|span| rate.count(*span)));
        self.inputs.ids.iter().cloned().chain(made).take(MOST_PLACES).collect()
    }

    fn by_time(&self, asked: &[Place<'_>], solved: &[Case]) -> Result<Panel> {
        let Some(rate) = self.rate.filter(|_| self.decides(asked)) else { return Ok(Panel::default()) };
        let soon = |ids: &&Count| (f64::MIN_POSITIVE..=LONGEST).contains(&(ids.as_f64() / rate.as_f64()));
        let ids: Vec<Count> = self.inputs.ids.iter().filter(soon).take(MOST_PLACES).cloned().collect();
        let lasting = ids.iter().map(|ids| ids.as_f64() / rate.as_f64());
        let spans: Vec<Span> = self.inputs.for_s.iter().take(MOST_PLACES).copied().collect();
        let spans: Vec<Span> = spans.into_iter().chain(solved.iter().filter_map(span_of)).collect();
        let places: Vec<f64> = spans.iter().map(|span| span.as_f64()).chain(lasting).collect();
        let grid: Vec<Span> = ladder(&places, 3, 10)
            .into_iter()
            .filter_map(Span::new)
            .chain(spans)
            .chain(self.window)
            .collect();
        let longest = grid.iter().map(|span| span.as_f64()).fold(0.0, f64::max);
        let trace = |place: &Place<'_>| {
            self.kept(place, |window| {
                let held = || Inputs {
                    rate_per_s: vec![rate],
                    window_s: window.into_iter().collect(),
                    ..self.base(place)
                };
                let life = place.life().filter(|life| life.as_f64() <= longest);
                let for_s = grid.iter().copied().chain(life).collect();
                let mut found = cases(Inputs { for_s, ..held() })?;
                if !ids.is_empty() {
                    found.extend(cases(Inputs { ids: ids.clone(), ..held() })?);
                }
                Ok(points(&found, place.life(), |case| Some((case.for_s?, chance(case)?))))
            })
        };
        self.panel(asked, &places, false, trace)
    }

    fn by_rate(&self, asked: &[Place<'_>]) -> Result<Panel> {
        let timed = !self.inputs.for_s.is_empty() || !self.inputs.ids.is_empty();
        if self.inputs.rate_per_s.is_empty() || !timed || !self.decides(asked) {
            return Ok(Panel::default());
        }
        let rates: Vec<Rate> = self.inputs.rate_per_s.iter().take(MOST_PLACES).copied().collect();
        let places: Vec<f64> = rates.iter().map(|rate| rate.as_f64()).collect();
        let made = self.inputs.ids.first().map_or(0.0, Count::as_f64);
        let soon = |rate: &Rate| made / rate.as_f64() <= LONGEST;
        let grid: Vec<Rate> =
            ladder(&places, 2, 9).into_iter().filter_map(Rate::new).filter(soon).chain(rates).collect();
        let trace = |place: &Place<'_>| {
            let refused = |window: Option<Span>| -> Result<Vec<(f64, f64)>> {
                let inputs = Inputs {
                    rate_per_s: grid.clone(),
                    ids: self.inputs.ids.first().cloned().into_iter().collect(),
                    for_s: self.inputs.for_s.first().copied().into_iter().collect(),
                    window_s: window.into_iter().collect(),
                    ..self.base(place)
                };
                let value = |case: &Case| case.refused_payments_per_year?.in_f64();
                // A rate of clashes is steady: it holds until a clock ends, however long is asked.
                Ok(points(&cases(inputs)?, None, |case| Some((case.rate_per_s?, value(case)?))))
            };
            let all = refused(None)?;
            self.kept(place, |window| match window {
                None => Ok(all.clone()),
                Some(window) => Ok(at_most(refused(Some(window))?, &all)),
            })
        };
        self.panel(asked, &places, false, trace)
    }

    /// Whether chance alone decides something of what was asked: shared seeds are another matter.
    fn decides(&self, asked: &[Place<'_>]) -> bool {
        !asked.is_empty() && self.inputs.seed_bits.is_none()
    }
}

/// Ids over time, where these are given instead of a rate.
fn implied_rate(inputs: &Inputs) -> Option<Rate> {
    let rate = inputs.ids.first()?.as_f64() / inputs.for_s.first()?.as_f64();
    Rate::new(Exact::read(&format!("{rate:e}"))?)
}

/// The time that was solved for.
fn span_of(case: &Case) -> Option<Span> {
    let seconds = case.seconds_to_risk?.in_f64().filter(|seconds| (1e-20..1e33).contains(seconds))?;
    Span::new(Exact::read(&format!("{seconds:e}"))?)
}

/// Subjects that are drawn where few were asked.
fn usual() -> Vec<Place<'static>> {
    let schemes = USUAL.iter().filter_map(|name| scheme::find(name)).map(Subject::Scheme);
    let short = Subject::space("2^64".to_owned(), BigUint::from(1u32) << 64u32);
    let subjects = schemes.chain(short);
    subjects.map(|subject| Place { subject: std::borrow::Cow::Owned(subject), keep_hex: None }).collect()
}

/// The cases of one place.
fn cases(inputs: Inputs) -> Result<Vec<Case>> {
    Ok(collide::answer(&Collision::new(inputs)?, &())?.cases)
}

fn chance(case: &Case) -> Option<f64> {
    case.chance().map(|chance| chance.as_f64())
}

/// Equal but for the last digits.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().min(b.abs())
}

fn same(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a.0, b.0) && near(a.1, b.1))
}

/// The points of cases in the order of their places, up to the end of the clock.
fn points(
    cases: &[Case],
    life: Option<Span>,
    point: impl Fn(&Case) -> Option<(f64, f64)>,
) -> Vec<(f64, f64)> {
    let life = life.map_or(f64::INFINITY, |life| life.as_f64());
    let living = cases.iter().filter(|case| case.for_s.is_none_or(|span| span <= life));
    let mut points: Vec<(f64, f64)> =
        living.filter_map(point).filter(|(x, y)| x.is_finite() && *y > 0.0).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by(|a, b| near(a.0, b.0));
    points
}

/// Values of the window, never above those for good: a window that holds most of a run has not filled for
/// most of it, and what it will bring then is not what the run brings on average.
fn at_most(within: Vec<(f64, f64)>, all: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let limit = |x: f64| all.iter().find(|(at, _)| near(*at, x)).map_or(f64::INFINITY, |(_, y)| *y);
    within.into_iter().map(|(x, y)| (x, y.min(limit(x)))).collect()
}

/// As many lines as can be read: the first ones, with the least and the most of what was asked among them.
fn readable(mut curves: Vec<Curve>, asked: Option<f64>) -> Vec<Curve> {
    let value = |curve: &Curve| {
        let point = curve.points.iter().find(|(x, _)| asked.is_none_or(|asked| near(asked, *x)));
        point.map_or(f64::NAN, |(_, y)| *y)
    };
    while curves.len() > MOST_LINES {
        let values: Vec<f64> = curves.iter().map(value).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        let between = values.iter().rposition(|value| *value != least && *value != most);
        curves.remove(between.unwrap_or(MOST_LINES));
    }
    curves
}

/// Whether a line with a clock ends before others do.
fn ends_early(curves: &[Curve]) -> bool {
    let end = |curve: &Curve| curve.points.last().map_or(0.0, |(x, _)| *x);
    let last = curves.iter().map(end).fold(0.0, f64::max);
    curves.iter().any(|curve| curve.clocked && end(curve) < last)
}

/// One line for all that have the same points.
fn merged(curves: impl IntoIterator<Item = Curve>) -> Vec<Curve> {
    let mut merged: Vec<Curve> = Vec::new();
    for curve in curves {
        match merged.iter_mut().find(|one| one.kept == curve.kept && same(&one.points, &curve.points)) {
            Some(one) => one.sources.extend(curve.sources),
            None => merged.push(curve),
        }
    }
    merged
}

/// Four numbers of ids a decade, from 100 to 10^24 and around what was asked.
fn many_ids(asked: &[Count]) -> Vec<Count> {
    let decades = |ids: &Count| ids.to_string().len().min(288) as u32;
    let low = if asked.iter().any(|ids| decades(ids) < 3) { 0 } else { 2 };
    let high = asked.iter().map(|ids| decades(ids) + 1).max().unwrap_or(0).max(24);
    let step = |decade: u32| {
        QUARTERS.map(|step| BigUint::from(step) * BigUint::from(10u32).pow(decade) / BigUint::from(100u32))
    };
    (low..high).flat_map(step).filter_map(Count::new).chain(asked.iter().cloned()).collect()
}

/// Four numbers a decade, from 10^`low` to 10^(`high` + 1) and a decade around what was asked.
fn ladder(asked: &[f64], low: i32, high: i32) -> Vec<Exact> {
    let asked: Vec<f64> = asked.iter().copied().filter(|value| value.is_normal()).collect();
    let decade = |value: &f64| value.log10().floor() as i32;
    let low = asked.iter().map(|value| decade(value) - 1).min().unwrap_or(low).min(low);
    let high = asked.iter().map(|value| decade(value) + 1).max().unwrap_or(high).max(high);
    let step = |decade: i32| {
        let power = 10u128.pow(decade.unsigned_abs());
        QUARTERS.map(|step| match decade {
            0.. => Exact::new(step * power, 100),
            _ => Exact::new(step, 100 * power),
        })
    };
    (low.max(*DECADES.start())..=high.min(*DECADES.end())).flat_map(step).flatten().collect()
}
