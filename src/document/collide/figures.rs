//! The figures of `collide`: risk by ids, risk by time, payments refused by rate.

use super::super::figure::{Axis, Figure, Marks, Series, Shape, Unit as AxisUnit};
use super::super::{Piece, Sentence, Unit};
use super::{text, value, whole};
use crate::engine::collide::{Answer, Case};
use crate::math::logspace::Chance;
use crate::study::collide::{Curve, Curves};

/// The figures that the curves have points for.
pub(super) fn figures(answer: &Answer, curves: &Curves) -> Vec<Figure> {
    let first = answer.cases.first();
    [by_ids(first, curves), by_time(curves), by_rate(curves)].into_iter().flatten().collect()
}

fn lines(curves: &[Curve]) -> Option<Marks> {
    let drawn = curves.iter().filter(|curve| curve.points.len() > 1);
    let series: Vec<Series> =
        drawn.map(|curve| Series::line(curve.name.clone(), curve.points.iter().copied())).collect();
    (!series.is_empty()).then_some(Marks::Series(series))
}

fn ids_of(curves: &Curves) -> Sentence {
    match curves.rate {
        Some(rate) => vec![
            text("All ids kept · schemes with a clock at "),
            value(rate.as_f64(), Unit::PerSecond),
            text(" ids/s"),
        ],
        None => vec![text("All ids kept · of schemes with a clock, all ids in one tick: the worst case")],
    }
}

/// The value of a curve at the place nearest to a wish.
fn near(curve: &Curve, wish: f64) -> Option<(f64, f64)> {
    let away = |x: f64| (x.ln() - wish.ln()).abs();
    curve.points.iter().copied().min_by(|a, b| away(a.0).total_cmp(&away(b.0)))
}

fn by_ids(case: Option<&Case>, curves: &Curves) -> Option<Figure> {
    let mut marks = lines(&curves.by_ids)?;
    // The lines keep every id: so does the point that was asked for.
    let kept = |case: &Case| case.keep_everything.or(case.chance()).filter(|chance| *chance != Chance::NEVER);
    let asked = case.and_then(|case| Some((case, case.ids.clone()?, kept(case)?)));
    if let (Some((_, ids, chance)), Marks::Series(series)) = (&asked, &mut marks) {
        let place = ids.to_string().parse::<f64>().ok().filter(|ids| (100.0..1e24).contains(ids));
        let dot = place.map(|ids| Series::line("asked", [(ids, chance.as_f64())]).shaped(Shape::Dots));
        series.extend(dot.filter(|dot| dot.points[0].y.is_some_and(|p| p >= 1e-36)));
    }
    let title = match asked {
        Some((case, ids, chance)) => vec![
            text("Among "),
            whole(ids),
            text(&format!(" {} ids the odds of a clash are ", case.scheme)),
            value(chance, Unit::Odds),
        ],
        None => vec![text("How many ids each scheme takes before two are equal")],
    };
    Some(Figure {
        name: "risk-by-ids".to_owned(),
        title,
        subtitle: ids_of(curves),
        x: Axis::log10("Ids made", AxisUnit::Count),
        y: Axis::log10("Probability of a clash", AxisUnit::Probability),
        marks,
    })
}

fn by_time(curves: &Curves) -> Option<Figure> {
    let marks = lines(&curves.by_time)?;
    let rate = curves.rate?;
    let life = curves.life.as_f64();
    let mut title: Sentence = Vec::new();
    for curve in curves.by_time.iter().take(2) {
        let (at, p) = near(curve, life)?;
        if title.is_empty() {
            title.extend([text("After "), value(at, Unit::Seconds), text(": ")]);
        } else {
            title.push(text("; "));
        }
        title.push(value(Chance::from_probability(p), Unit::Odds));
        title.push(text(&format!(" ({})", curve.name)));
    }
    Some(Figure {
        name: "risk-by-time".to_owned(),
        title,
        subtitle: vec![
            value(rate.as_f64(), Unit::PerSecond),
            text(" ids/s · the window is "),
            window(curves),
        ],
        x: Axis::log10("Time since the first id", AxisUnit::Seconds),
        y: Axis::log10("Probability of a clash so far", AxisUnit::Probability),
        marks,
    })
}

fn window(curves: &Curves) -> Piece {
    value(curves.window.as_f64(), Unit::Seconds)
}

fn by_rate(curves: &Curves) -> Option<Figure> {
    let marks = lines(&curves.by_rate)?;
    let wish = curves.rate.map_or(1e6, |rate| rate.as_f64());
    let mut title: Sentence = Vec::new();
    for curve in curves.by_rate.iter().skip(1).take(2) {
        let (at, refused) = near(curve, wish)?;
        if title.is_empty() {
            title.extend([
                text("At "),
                value(at, Unit::PerSecond),
                text(" ids/s, honest payments refused a year: "),
            ]);
        } else {
            title.push(text(", "));
        }
        title.push(value(refused, Unit::Probability));
        title.push(text(&format!(" ({})", curve.name)));
    }
    Some(Figure {
        name: "clashes-by-rate".to_owned(),
        title,
        subtitle: vec![
            text("Ids made for "),
            value(curves.life.as_f64(), Unit::Seconds),
            text(" · the window is "),
            window(curves),
            text(" · kept for good: average over the run"),
        ],
        x: Axis::log10("Ids each second", AxisUnit::PerSecond),
        y: Axis::log10("Payments taken for a retry each year", AxisUnit::Count),
        marks,
    })
}
