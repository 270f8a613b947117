//! The figures of `bench`: how ids a second grow with threads, and everyone side by side.

use super::{headline, place, text, value, whose};
use crate::document::figure::{Axis, Bars, Figure, Marks, Part, Point, Series, Shape, Unit as AxisUnit};
use crate::document::{Sentence, Unit};
use crate::engine::bench::{Answer, Call, Into, Role, Row};

/// Lines of one figure of each role that still can be told apart.
const LINES: usize = 4;

/// Those figures that the answer has the data for.
pub(super) fn figures(answer: &Answer) -> Vec<Figure> {
    let mut places: Vec<Into> = answer.rows.iter().map(|row| row.into).collect();
    places.dedup();
    places
        .first()
        .and_then(|into| threads(answer, *into))
        .into_iter()
        .chain(generators(answer, &places))
        .collect()
}

/// What holds for every mark.
fn subtitle(answer: &Answer, rest: &str) -> Sentence {
    let cpu = answer.conditions.machine.cpu.as_deref().unwrap_or("processor not known");
    vec![text(format!("{cpu} · median of {} rounds{rest}", answer.rounds))]
}

/// Rows of a generator into a place, by threads.
fn lane<'a>(answer: &'a Answer, generator: &str, into: Into) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> =
        answer.rows.iter().filter(|row| row.generator == generator && row.into == into).collect();
    rows.sort_by_key(|row| row.threads);
    rows
}

/// The fastest of a role that were measured on several numbers of threads, one who is named always among them.
fn fastest<'a>(answer: &'a Answer, into: Into, role: Role, named: &str) -> Vec<Vec<&'a Row>> {
    let mut names: Vec<&str> = Vec::new();
    for row in &answer.rows {
        // Own ids in bulk; others' as they come, unless they are bytes and no ids.
        let whole = match role {
            Role::Own => row.call == Call::Bulk,
            _ => row.scheme.is_some(),
        };
        if row.role == role && whole && !names.contains(&row.generator) {
            names.push(row.generator);
        }
    }
    let mut lanes: Vec<Vec<&Row>> = names.into_iter().map(|name| lane(answer, name, into)).collect();
    lanes.retain(|lane| lane.len() > 1);
    lanes.sort_by(|a, b| {
        let first = |lane: &[&Row]| lane[0].generator != named;
        first(a).cmp(&first(b)).then(a[0].ns_per_id.total_cmp(&b[0].ns_per_id))
    });
    lanes.truncate(LINES);
    lanes
}

fn threads(answer: &Answer, into: Into) -> Option<Figure> {
    let mut lanes = fastest(answer, into, Role::Own, headline(answer)?.generator);
    lanes.extend(fastest(answer, into, Role::Peer, &answer.baseline));
    let first = lanes.first()?.clone();
    let (alone, most) = (*first.first()?, *first.last()?);
    let title = vec![
        text(format!("{}: ", alone.generator)),
        value(alone.ids_per_s, Unit::Keys),
        text(format!(" ids/s on {}, ", threads_of(alone))),
        value(most.ids_per_s, Unit::Keys),
        text(format!(" on {}", threads_of(most))),
    ];
    let ideal = first.iter().map(|row| {
        let times = row.threads as f64 / alone.threads as f64;
        (row.threads as f64, alone.ids_per_s * times)
    });
    let mut series = vec![Series::line(format!("{}, in proportion", alone.generator), ideal)];
    series.extend(lanes.iter().map(|lane| Series {
        name: lane[0].generator.to_owned(),
        shape: Shape::Line,
        points: lane.iter().map(|row| Point::new(row.threads as f64, row.ids_per_s)).collect(),
    }));
    Some(Figure {
        name: "threads".to_owned(),
        title,
        subtitle: subtitle(answer, &format!(" · {}, the fastest of this crate and of others", place(into))),
        x: Axis::linear("Threads", AxisUnit::Whole),
        y: Axis::log10("Ids each second", AxisUnit::PerSecond),
        marks: Marks::Series(series),
    })
}

fn threads_of(row: &Row) -> String {
    if row.threads == 1 { "one thread".to_owned() } else { format!("{} threads", row.threads) }
}

fn generators(answer: &Answer, places: &[Into]) -> Option<Figure> {
    let headline = headline(answer)?;
    let mut rows: Vec<&Row> = answer
        .rows
        .iter()
        .filter(|row| row.into == headline.into && row.threads == headline.threads)
        .collect();
    rows.sort_by(|a, b| a.ns_per_id.total_cmp(&b.ns_per_id));
    let category = |row: &&Row| match row.role {
        Role::Own => row.generator.to_owned(),
        kind => format!("{} ({})", row.generator, whose(kind)),
    };
    let rate = |row: &Row, into: Into| {
        let same = |other: &&Row| {
            other.generator == row.generator && other.threads == row.threads && other.into == into
        };
        answer.rows.iter().find(same).map(|row| row.ids_per_s)
    };
    let part = |into: &Into| Part {
        name: place(*into).to_owned(),
        values: rows.iter().map(|row| rate(row, *into)).collect(),
    };
    let mut title =
        vec![text(format!("{} makes ", headline.generator)), value(headline.ids_per_s, Unit::Keys)];
    title.push(text(" ids/s"));
    if headline.generator != answer.baseline {
        title.extend([
            text(", "),
            value(headline.ratio_to_baseline, Unit::PerSecond),
            text(format!(" × {}", answer.baseline)),
        ]);
    }
    Some(Figure {
        name: "generators".to_owned(),
        title,
        subtitle: subtitle(answer, &format!(" · {}", threads_of(headline))),
        x: Axis::log10("Ids each second", AxisUnit::PerSecond),
        y: Axis::linear("Generator", AxisUnit::Count),
        marks: Marks::GroupedBars(Bars {
            categories: rows.iter().map(category).collect(),
            parts: places.iter().map(part).collect(),
        }),
    })
}
