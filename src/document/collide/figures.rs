//! The figures of `collide`: risk by ids, risk by time, payments refused by rate.
//!
//! A title speaks of those asked cases alone that lie on a line of its figure, with the numbers of the
//! answer; each of them is a dot. Where there is none it says what is drawn and claims nothing.

use super::super::figure::{Axis, Figure, Marks, Series, Shape, Unit as AxisUnit};
use super::super::{Piece, Sentence, Unit};
use super::{kind, quoted, text, value, whole};
use crate::engine::collide::{Answer, Case, Inputs, Unknown};
use crate::math::logspace::{Chance, Wide};
use crate::study::collide::{Curve, Curves, Kept, Panel, Source};
use std::cmp::Ordering;

/// Characters of a name that a legend has room for.
const NAME: usize = 36;
/// Cases that are singled out as dots and in titles; of more none is.
const MOST_DOTS: usize = 100;
/// Subjects that a subtitle names.
const MOST_NAMED: usize = 4;

/// The figures that the curves have points for.
pub(super) fn figures(answer: &Answer, curves: &Curves) -> Vec<Figure> {
    [by_ids(answer, curves), by_time(answer, curves), by_rate(answer, curves)].into_iter().flatten().collect()
}

/// An asked case that lies on a line.
struct Shown<'a> {
    case: &'a Case,
    at: (f64, f64),
    /// What the least and the most go by.
    rank: f64,
    /// What a title says of it.
    said: Sentence,
}

/// Cases with a place and a value that a line passes through, other than one to compare with.
fn shown<'a>(
    answer: &'a Answer,
    panel: &Panel,
    point: impl Fn(&Case) -> Option<(f64, f64)>,
    said: impl Fn(&Case) -> Sentence,
) -> Vec<Shown<'a>> {
    if answer.cases.len() > MOST_DOTS {
        return Vec::new();
    }
    let lines: Vec<&Curve> = panel.curves.iter().filter(|curve| curve.kept != Kept::ForGood).collect();
    let on = |case: &Case, at: (f64, f64)| {
        let source = source(case);
        lines.iter().any(|curve| {
            curve.sources.contains(&source)
                && curve.points.iter().any(|&(x, y)| near(x, at.0, 1e-12) && near(y, at.1, 1e-9))
        })
    };
    let placed = answer.cases.iter().filter_map(|case| Some((case, point(case)?)));
    placed
        .filter(|(case, at)| on(case, *at))
        .map(|(case, at)| Shown { case, at, rank: at.1, said: said(case) })
        .collect()
}

/// Solved cases whose place a line has a point at: there it meets the risk.
fn met<'a>(
    answer: &'a Answer,
    panel: &Panel,
    place: impl Fn(&Case) -> Option<(f64, Sentence)>,
) -> Vec<Shown<'a>> {
    if answer.cases.len() > MOST_DOTS {
        return Vec::new();
    }
    let on = |case: &'a Case| {
        let (x, said) = place(case)?;
        let source = source(case);
        let lines = panel.curves.iter().filter(|curve| curve.kept != Kept::ForGood);
        let mut points =
            lines.filter(|curve| curve.sources.contains(&source)).flat_map(|curve| &curve.points);
        let at = *points.find(|(place, _)| near(*place, x, 1e-9))?;
        Some(Shown { case, at, rank: x, said })
    };
    answer.cases.iter().filter_map(on).collect()
}

/// `Time to a risk of 1e-9: from 4.1 d (v7) to 16.34 y (v4)`, for one case the sentence of the answer.
fn title_met(
    answer: &Answer,
    met: &[Shown<'_>],
    what: &str,
    alone: fn(&Case) -> Sentence,
) -> Option<Sentence> {
    let first = met.first()?;
    if answer.cases.len() == 1 {
        return Some(without_stop(alone(first.case)));
    }
    let mut title = vec![text(&format!("{what} a risk of ")), super::solved::risk(first.case), text(": ")];
    title.extend(spread(met, &nothing));
    Some(title)
}

fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * a.abs().min(b.abs())
}

fn source(case: &Case) -> Source {
    Source { scheme: case.scheme.clone(), keep_hex: case.keep_hex }
}

fn named(source: &Source) -> String {
    match source.keep_hex {
        Some(digits) => format!("{}-hex{digits}", source.scheme),
        None => source.scheme.clone(),
    }
}

/// Names of subjects, as many as there is room for.
fn joint(sources: &[Source], room: usize) -> String {
    let all: Vec<String> = sources.iter().map(named).collect();
    let full = all.join(", ");
    match all.as_slice() {
        [first, rest @ ..] if full.len() > room && !rest.is_empty() => {
            format!("{first} and {} alike", rest.len())
        }
        _ => full,
    }
}

/// The name of a line; `clock` says what holds of a scheme with a clock alone.
fn line_name(curve: &Curve, clock: &str) -> String {
    let kept = match curve.kept {
        Kept::All => "",
        Kept::ForGood => " kept for good",
        Kept::ForWindow => " kept for the window",
        Kept::Either => ", kept or not",
    };
    let clock = if curve.clocked { clock } else { "" };
    let more = kept.len() + clock.len();
    format!("{}{kept}{clock}", joint(&curve.sources, NAME.saturating_sub(more)))
}

/// Lines, the risk that was asked, and a dot for each asked case.
fn marks(panel: &Panel, clock: &str, risk: Option<(String, f64)>, shown: &[Shown<'_>]) -> Option<Marks> {
    let line = |curve: &Curve| Series::line(line_name(curve, clock), curve.points.iter().copied());
    let mut series: Vec<Series> = panel.curves.iter().map(line).collect();
    let longest = panel.curves.iter().max_by_key(|curve| curve.points.len())?;
    // As many points as a line has: of few each would be marked as if it were an observation.
    let mut places: Vec<f64> = longest.points.iter().map(|(x, _)| *x).collect();
    places.extend(
        panel
            .curves
            .iter()
            .flat_map(|curve| [curve.points.first(), curve.points.last()])
            .flatten()
            .map(|(x, _)| *x),
    );
    places.sort_by(f64::total_cmp);
    series.extend(risk.map(|(name, risk)| Series::line(name, places.into_iter().map(|x| (x, risk)))));
    if !shown.is_empty() {
        series.push(Series::line("asked", shown.iter().map(|shown| shown.at)).shaped(Shape::Dots));
    }
    Some(Marks::Series(series))
}

/// The first risk that was asked, with its name.
fn risk(inputs: &Inputs) -> Option<(String, f64)> {
    let risk = inputs.risk.first()?;
    Some((format!("risk {}", risk.text()), risk.as_f64()))
}

/// What is the same of all cases, said behind the odds: ` over 15 y`, ` among 1,000 ids`.
fn common(shown: &[Shown<'_>]) -> Option<Sentence> {
    let first = shown.first()?.case;
    let all = |same: &dyn Fn(&Case) -> bool| shown.iter().all(|shown| same(shown.case));
    match (first.for_s, &first.ids) {
        (Some(span), _) if all(&|case| case.for_s == first.for_s && case.rate_per_s == first.rate_per_s) => {
            Some(vec![text(" over "), value(span, Unit::Seconds)])
        }
        (_, Some(ids)) if all(&|case| case.ids == first.ids) => {
            Some(vec![text(" among "), whole(ids.clone()), text(" ids")])
        }
        _ => None,
    }
}

/// `1 in 277 trillion (nanoid)`, with what tells the case from others of its subject.
fn one(shown: &Shown<'_>, apart: &dyn Fn(&Case) -> Sentence) -> Sentence {
    let mut sentence = shown.said.clone();
    sentence.push(text(&format!(" ({}", named(&source(shown.case)))));
    sentence.extend(apart(shown.case));
    sentence.push(text(")"));
    sentence
}

fn nothing(_: &Case) -> Sentence {
    Vec::new()
}

/// The least and the most; what is 1 in `f64` is told apart by its odds.
fn ends<'s, 'a>(shown: &'s [Shown<'a>]) -> [Option<&'s Shown<'a>>; 2] {
    let by = |a: &&Shown<'_>, b: &&Shown<'_>| {
        let odds = a.case.chance().partial_cmp(&b.case.chance()).unwrap_or(Ordering::Equal);
        a.rank.total_cmp(&b.rank).then(odds)
    };
    [shown.iter().min_by(by), shown.iter().max_by(by)]
}

/// From the least to the most.
fn spread(shown: &[Shown<'_>], apart: &dyn Fn(&Case) -> Sentence) -> Sentence {
    let [Some(least), Some(most)] = ends(shown) else { return Vec::new() };
    if shown.iter().all(|shown| shown.said == least.said) {
        let sources: Vec<Source> = shown.iter().map(|shown| source(shown.case)).collect();
        let mut sentence = least.said.clone();
        sentence.push(text(&format!(" ({})", joint(&sources, 2 * NAME))));
        return sentence;
    }
    let mut sentence = vec![text("from ")];
    sentence.extend(one(least, apart));
    sentence.push(text(" to "));
    sentence.extend(one(most, apart));
    sentence
}

/// What a figure leaves out, for its subtitle.
fn left_out(panel: &Panel, curves: &Curves) -> Sentence {
    let mut sentence = Vec::new();
    if panel.curves.iter().any(|curve| line_name(curve, "").contains(" alike")) {
        let groups = panel.curves.iter().filter(|curve| curve.sources.len() > 1);
        for group in groups {
            sentence.push(text(&format!(" · one line: {}", joint(&group.sources, 4 * NAME))));
        }
    }
    if panel.left_out > 0 {
        sentence.push(text(&format!(" · {} more not drawn", panel.left_out)));
    }
    if !curves.not_by_chance.is_empty() {
        let named: Vec<String> = curves.not_by_chance.iter().take(MOST_NAMED).map(named).collect();
        let more = if curves.not_by_chance.len() > MOST_NAMED { " and more" } else { "" };
        sentence.push(text(&format!(" · not by chance alone, not drawn: {}{more}", named.join(", "))));
    }
    if panel.ended {
        sentence.push(text(" · lines end where a clock starts again"));
    }
    sentence
}

/// Which of a list is drawn.
fn first_of(list: usize, what: &str) -> Option<Piece> {
    (list > 1).then(|| text(&format!(" · the first of {list} {what}")))
}

/// What clocks are told beside the rate.
fn terms(panel: &Panel, inputs: &Inputs) -> Sentence {
    let mut sentence = Vec::new();
    if !panel.curves.iter().any(|curve| curve.clocked) {
        return sentence;
    }
    if let (Some(generators), None) = (&inputs.generators, inputs.seed_bits) {
        sentence.extend([text(" · "), whole(generators.clone()), text(" generators")]);
    }
    if let Some(dispersion) = inputs.dispersion {
        sentence.extend([text(" · dispersion "), value(dispersion, Unit::Probability)]);
    }
    if let Some(duty) = inputs.duty {
        sentence.extend([text(" · made in "), value(duty.0.as_f64(), Unit::Share), text(" of the time")]);
    }
    sentence
}

fn ids_drawn(panel: &Panel, curves: &Curves) -> Sentence {
    let inputs = curves.question.inputs();
    let clocked = panel.curves.iter().any(|curve| curve.clocked);
    let mut sentence = vec![text("All ids kept")];
    match curves.rate {
        _ if !clocked => {}
        Some(rate) => {
            sentence.extend([
                text(" · schemes with a clock at "),
                value(rate.as_f64(), Unit::PerSecond),
                text(" ids/s"),
            ]);
            sentence.extend(first_of(inputs.rate_per_s.len(), "rates"));
        }
        None => sentence.push(text(" · of schemes with a clock, all ids in one tick: the worst case")),
    }
    sentence.extend(first_of(inputs.risk.len(), "risks"));
    if inputs.seed_bits.is_some() {
        sentence.push(text(" · shared seeds left aside"));
    }
    sentence.extend(terms(panel, inputs));
    sentence.extend(left_out(panel, curves));
    sentence
}

/// Asked cases by ids; of what was solved for, the point where the risk is met.
fn shown_by_ids<'a>(answer: &'a Answer, curves: &Curves) -> Vec<Shown<'a>> {
    let inputs = curves.question.inputs();
    if inputs.seed_bits.is_some() || curves.question.solves_for() != Unknown::Probability {
        return Vec::new();
    }
    // The lines keep every id: so does the point that was asked for.
    let kept = |case: &Case| case.keep_everything.or(case.chance());
    shown(
        answer,
        &curves.by_ids,
        |case| Some((case.ids.as_ref()?.as_f64(), kept(case)?.as_f64())),
        |case| kept(case).map(quoted).unwrap_or_default(),
    )
}

fn by_ids(answer: &Answer, curves: &Curves) -> Option<Figure> {
    let inputs = curves.question.inputs();
    let shown = shown_by_ids(answer, curves);
    let clock = if curves.rate.is_some() { " at this rate" } else { " in one tick" };
    let met = met(answer, &curves.by_ids, |case| {
        let most = case.max_ids.as_ref()?;
        Some((most.as_f64(), vec![whole(most.clone())]))
    });
    let title = title_met(answer, &met, "Ids within", super::solved::ids)
        .unwrap_or_else(|| title_by_ids(curves, &shown));
    let mut subtitle = ids_drawn(&curves.by_ids, curves);
    // Lines that were left out are counted already.
    if curves.by_ids.left_out == 0 {
        subtitle.extend(on_no_line(answer, &shown));
    }
    let dots: Vec<Shown<'_>> = shown.into_iter().chain(met).collect();
    Some(Figure {
        name: "risk-by-ids".to_owned(),
        title,
        subtitle,
        x: Axis::log10("Ids made", AxisUnit::Count),
        y: Axis::log10("Probability of a clash", AxisUnit::Probability),
        marks: marks(&curves.by_ids, clock, risk(inputs), &dots)?,
    })
}

/// Asked cases that the title cannot speak for, since no line holds them.
fn on_no_line(answer: &Answer, shown: &[Shown<'_>]) -> Sentence {
    let likely =
        answer.cases.iter().filter(|case| case.chance().is_some_and(|chance| chance != Chance::NEVER));
    match likely.count().saturating_sub(shown.len()) {
        0 => Vec::new(),
        _ if shown.is_empty() => Vec::new(),
        1 => vec![text(" · one more asked case lies on no line")],
        more => vec![text(&format!(" · {more} more asked cases lie on no line"))],
    }
}

fn title_by_ids(curves: &Curves, shown: &[Shown<'_>]) -> Sentence {
    let good = if curves.question.inputs().window_s.is_empty() { "" } else { ", kept for good" };
    let common = common(shown);
    let mut title = match shown {
        [] => return vec![text("How many ids each scheme takes before two are equal")],
        [one] => among(one),
        several => {
            let apart: &dyn Fn(&Case) -> Sentence = if common.is_some() { &nothing } else { &load };
            let mut title = spread(several, apart);
            title.extend(common.unwrap_or_default());
            title
        }
    };
    capital(&mut title);
    title.push(text(good));
    title
}

/// `Among 1,000 v4 ids the odds of a clash are 1 in 9.8 million`.
fn among(shown: &Shown<'_>) -> Sentence {
    let mut title = vec![text("Among ")];
    title.extend(shown.case.ids.clone().map(whole));
    title.push(text(" "));
    title.extend(kind(shown.case));
    let sure = shown.at.1 >= super::NEARLY;
    title.push(text(if sure { " a clash is " } else { " the odds of a clash are " }));
    title.extend(shown.said.clone());
    title
}

/// What tells one load from another: `, 200,000/s for 30 y` or `, 1,000 ids`.
fn load(case: &Case) -> Sentence {
    match (case.rate_per_s, case.for_s, &case.ids) {
        (Some(rate), Some(span), _) => {
            let rate = value(rate, Unit::PerSecond);
            vec![text(", "), rate, text("/s for "), value(span, Unit::Seconds)]
        }
        (_, _, Some(ids)) => vec![text(", "), whole(ids.clone()), text(" ids")],
        _ => Vec::new(),
    }
}

fn time(case: &Case) -> Sentence {
    case.for_s.map_or_else(Vec::new, |span| vec![text(", "), value(span, Unit::Seconds)])
}

fn rate(case: &Case) -> Sentence {
    case.rate_per_s.map_or_else(Vec::new, |rate| vec![text(", "), value(rate, Unit::PerSecond), text("/s")])
}

/// The first clause of a sentence of the answer as a title: without its full stop.
fn without_stop(mut sentence: Sentence) -> Sentence {
    let clause = sentence.iter().position(|piece| *piece == text("; "));
    sentence.truncate(clause.unwrap_or(sentence.len()));
    if let Some(Piece::Words(last)) = sentence.last_mut() {
        *last = last.trim_end_matches('.').to_owned().into();
    }
    sentence
}

/// A title begins with a capital, where it begins with a word.
fn capital(title: &mut Sentence) {
    if let Some(Piece::Words(first)) = title.first_mut()
        && let Some(rest) = first.strip_prefix("from ")
    {
        *first = format!("From {rest}").into();
    }
}

fn by_time(answer: &Answer, curves: &Curves) -> Option<Figure> {
    let rate = curves.rate?;
    let inputs = curves.question.inputs();
    let asked = |case: &Case| Some((case.for_s?, case.chance()?.as_f64()));
    let said = |case: &Case| case.chance().map(quoted).unwrap_or_default();
    let shown = shown(answer, &curves.by_time, asked, said);
    let met = met(answer, &curves.by_time, |case| {
        let seconds = case.seconds_to_risk?;
        Some((seconds.in_f64()?, vec![value(seconds, Unit::Seconds)]))
    });
    let title = title_met(answer, &met, "Time to", super::solved::time)
        .unwrap_or_else(|| title_by_time(curves, &shown));
    let dots: Vec<Shown<'_>> = shown.into_iter().chain(met).collect();
    let mut subtitle = vec![value(rate.as_f64(), Unit::PerSecond), text(" ids/s")];
    subtitle.extend(first_of(inputs.rate_per_s.len(), "rates"));
    subtitle.extend(window(curves));
    subtitle.extend(first_of(inputs.risk.len(), "risks"));
    subtitle.extend(terms(&curves.by_time, inputs));
    subtitle.extend(left_out(&curves.by_time, curves));
    Some(Figure {
        name: "risk-by-time".to_owned(),
        title,
        subtitle,
        x: Axis::log10("Time since the first id", AxisUnit::Seconds),
        y: Axis::log10("Probability of a clash so far", AxisUnit::Probability),
        marks: marks(&curves.by_time, "", risk(inputs), &dots)?,
    })
}

/// The window that is drawn.
fn window(curves: &Curves) -> Sentence {
    let windows = &curves.question.inputs().window_s;
    let Some(window) = windows.first() else { return Vec::new() };
    let mut sentence = vec![text(" · the window is "), value(window.as_f64(), Unit::Seconds)];
    sentence.extend(first_of(windows.len(), "windows"));
    sentence
}

fn title_by_time(curves: &Curves, shown: &[Shown<'_>]) -> Sentence {
    let common = common(shown);
    let window = curves.question.inputs().window_s.first();
    let each_kept = || {
        let kept = window.map(|window| [text(", each id kept "), value(window.as_f64(), Unit::Seconds)]);
        kept.into_iter().flatten()
    };
    match shown {
        [] => vec![text("How the odds of a clash grow with time")],
        [one] => after(one),
        several => {
            let apart: &dyn Fn(&Case) -> Sentence = if common.is_some() { &nothing } else { &time };
            let mut title = spread(several, apart);
            title.extend(common.unwrap_or_default());
            title.extend(each_kept());
            capital(&mut title);
            title
        }
    }
}

/// `After 30 y: 1 in 12.4 (v4)`, for the window and for good where these differ.
fn after(shown: &Shown<'_>) -> Sentence {
    let mut title = vec![text("After ")];
    title.extend(shown.case.for_s.map(|span| value(span, Unit::Seconds)));
    title.push(text(": "));
    title.extend(one(shown, &nothing));
    if let (Some(window), Some(everything)) = (shown.case.window_s, shown.case.keep_everything) {
        title.extend([text(", each id kept "), value(window, Unit::Seconds), text("; ")]);
        title.extend(quoted(everything));
        title.push(text(" kept for good"));
    }
    title
}

fn by_rate(answer: &Answer, curves: &Curves) -> Option<Figure> {
    let inputs = curves.question.inputs();
    let asked = |case: &Case| Some((case.rate_per_s?, case.refused_payments_per_year?.in_f64()?));
    let shown = shown(answer, &curves.by_rate, asked, refused);
    let marks = marks(&curves.by_rate, "", None, &shown)?;
    let mut subtitle = Vec::new();
    match (inputs.for_s.first(), inputs.ids.first()) {
        (Some(span), _) => {
            subtitle.extend([text("Ids made for "), value(span.as_f64(), Unit::Seconds)]);
            subtitle.extend(first_of(inputs.for_s.len(), "spans"));
        }
        (None, Some(ids)) => {
            subtitle.extend([whole(ids.clone()), text(" ids made")]);
            subtitle.extend(first_of(inputs.ids.len(), "numbers"));
        }
        (None, None) => {}
    }
    subtitle.extend(window(curves));
    if curves.by_rate.curves.iter().any(|curve| !curve.clocked && curve.kept != Kept::ForWindow) {
        subtitle.push(text(" · kept for good: average over the run"));
    }
    if curves.by_rate.curves.iter().any(|curve| !curve.clocked && curve.kept == Kept::Either) {
        subtitle.push(text(" · the window holds most of the run: as kept for good"));
    }
    subtitle.extend(terms(&curves.by_rate, inputs));
    subtitle.extend(left_out(&Panel { ended: false, ..curves.by_rate.clone() }, curves));
    Some(Figure {
        name: "clashes-by-rate".to_owned(),
        title: title_by_rate(curves, &shown),
        subtitle,
        x: Axis::log10("Ids each second", AxisUnit::PerSecond),
        y: Axis::log10("Payments taken for a retry each year", AxisUnit::Count),
        marks,
    })
}

/// Payments refused a year where there is one or more, else how many years lie between two.
fn refused(case: &Case) -> Sentence {
    match (case.refused_payments_per_year, case.years_between) {
        (Some(a_year), _) if a_year >= Wide::ONE => vec![value(a_year, Unit::Probability), text(" a year")],
        (_, Some(years)) => vec![text("one in "), value(years, Unit::Years)],
        _ => Vec::new(),
    }
}

fn title_by_rate(curves: &Curves, shown: &[Shown<'_>]) -> Sentence {
    let Some(first) = shown.first() else {
        return vec![text("How many honest payments are refused each year, by the rate of ids")];
    };
    let mut title = Vec::new();
    let same_rate = shown.iter().all(|shown| shown.case.rate_per_s == first.case.rate_per_s);
    match same_rate.then_some(first.at.0) {
        Some(rate) => title.extend([
            text("At "),
            value(rate, Unit::PerSecond),
            text(" ids/s, honest payments refused: "),
        ]),
        None => title.push(text("Honest payments refused: ")),
    }
    match shown {
        [only] => title.extend(one(only, &nothing)),
        several if same_rate => title.extend(spread(several, &nothing)),
        several => title.extend(spread(several, &rate)),
    }
    if let Some(window) = curves.question.inputs().window_s.first() {
        title.extend([text(", each id kept "), value(window.as_f64(), Unit::Seconds)]);
    }
    title
}
