//! The figures of `bench`: what more threads bring, and everyone side by side.

use super::{headline, place, text, threads_of, value, whose};
use crate::document::figure::{Axis, Bars, Figure, Marks, Part, Point, Series, Shape, Unit as AxisUnit};
use crate::document::{Sentence, Unit};
use crate::engine::bench::{Answer, Call, Into, Role, Row};

/// Lines of one figure of each role that still can be told apart.
const LINES: usize = 3;

/// Those figures that the answer has the data for.
pub(super) fn figures(answer: &Answer) -> Vec<Figure> {
    let mut places: Vec<Into> = answer.rows.iter().map(|row| row.into).collect();
    places.dedup();
    let threads = places.iter().filter_map(|into| threads(answer, *into));
    threads.chain(generators(answer, &places)).collect()
}

/// What holds for every mark.
fn subtitle(answer: &Answer, rest: &str) -> Sentence {
    let cpu = answer.conditions.machine.cpu.as_deref().unwrap_or("processor not known");
    let rounds = match answer.rounds {
        1 => "one round".to_owned(),
        several => format!("median of {several} rounds"),
    };
    let doubt = if answer.conditions.warnings.is_empty() { "" } else { " · doubtful, see notes" };
    vec![text(format!("{cpu} · {rounds}{rest}{doubt}"))]
}

/// Rows of a generator into a place, by threads.
fn lane<'a>(answer: &'a Answer, generator: &str, into: Into) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> = answer
        .rows
        .iter()
        .filter(|row| row.asked && row.generator == generator && row.into == into)
        .collect();
    rows.sort_by_key(|row| row.threads);
    rows
}

/// Times as many ids on the most threads as on the fewest.
fn gain(lane: &[&Row]) -> f64 {
    match (lane.first(), lane.last()) {
        (Some(alone), Some(most)) => most.ids_per_s / alone.ids_per_s,
        _ => 0.0,
    }
}

/// Those of a role that were measured on several numbers of threads and gain least by them, one who is named always
/// first.
fn least_gaining<'a>(answer: &'a Answer, into: Into, role: Role, named: &str) -> Vec<Vec<&'a Row>> {
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
        first(a).cmp(&first(b)).then(gain(a).total_cmp(&gain(b)))
    });
    lanes.truncate(LINES);
    lanes
}

/// What threads bring, against the fewest that were measured: where makers share nothing, in proportion; where they
/// share a counter or a lock, less, or nothing.
fn threads(answer: &Answer, into: Into) -> Option<Figure> {
    let mut lanes = least_gaining(answer, into, Role::Own, headline(answer)?.generator);
    lanes.extend(least_gaining(answer, into, Role::Peer, &answer.baseline));
    let first = lanes.first()?.clone();
    let least = lanes.iter().min_by(|a, b| gain(a).total_cmp(&gain(b)))?.clone();
    let (alone, most) = (*first.first()?, *first.last()?);
    let mut title = vec![
        text(format!("{} bring {} ", threads_of(most), alone.generator)),
        value(gain(&first), Unit::PerSecond),
        text(format!(" × the ids of {}", threads_of(alone))),
    ];
    if least[0].generator != alone.generator {
        title.extend([
            text(format!(", {} ", least[0].generator)),
            value(gain(&least), Unit::PerSecond),
            text(" ×"),
        ]);
    }
    let times = |row: &Row| row.threads as f64 / alone.threads as f64;
    let ideal = first.iter().map(|row| (row.threads as f64, times(row)));
    let mut series = vec![Series::line("in proportion", ideal)];
    series.extend(
        lanes.iter().map(|lane| Series {
            name: lane[0].generator.to_owned(),
            shape: Shape::Line,
            points: lane
                .iter()
                .map(|row| Point::new(row.threads as f64, row.ids_per_s / lane[0].ids_per_s))
                .collect(),
        }),
    );
    let rest = format!(
        " · {}; {}, the baseline, and those of this crate and of others that gain least",
        place(into),
        alone.generator
    );
    Some(Figure {
        name: format!("threads-{}", into.name()),
        title,
        subtitle: subtitle(answer, &rest),
        x: Axis::linear("Threads", AxisUnit::Whole),
        y: Axis::linear(format!("Times as many ids as on {}", threads_of(alone)), AxisUnit::Count),
        marks: Marks::Series(series),
    })
}

fn generators(answer: &Answer, places: &[Into]) -> Option<Figure> {
    let headline = headline(answer)?;
    let mut rows: Vec<&Row> = answer
        .rows
        .iter()
        .filter(|row| row.into == headline.into && row.threads == headline.threads)
        .collect();
    // Like beside like: this crate's in bulk, this crate's one at a time, others', ceilings.
    let group = |row: &Row| match (row.role, row.call) {
        (Role::Own, Call::Bulk) => 0,
        (Role::Own, Call::One) => 1,
        (Role::Peer, _) => 2,
        (Role::Ceiling, _) => 3,
    };
    rows.sort_by(|a, b| group(a).cmp(&group(b)).then(a.ns_per_id.total_cmp(&b.ns_per_id)));
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
    title.push(text(format!(" ids/s {}", place(headline.into))));
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
        subtitle: subtitle(
            answer,
            &format!(
                " · {} · this crate's in bulk and one at a time, others', ceilings; each group the fastest first",
                threads_of(headline)
            ),
        ),
        x: Axis::log10("Ids each second", AxisUnit::PerSecond),
        y: Axis::linear("Generator", AxisUnit::Count),
        marks: Marks::GroupedBars(Bars {
            categories: rows.iter().map(category).collect(),
            parts: places.iter().map(part).collect(),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bench::Conditions;

    fn row(generator: &'static str, role: Role, call: Call, into: Into, threads: usize) -> Row {
        let ids_per_s = 1e6 * (threads * generator.len()) as f64;
        Row {
            generator,
            role,
            call,
            scheme: Some("v4"),
            stream: None,
            into,
            threads,
            asked: true,
            id_bytes: 16,
            ids_per_s,
            ns_per_id: 1e9 / ids_per_s,
            bytes_per_s: ids_per_s * 16.0,
            spread: None,
            ratio_to_baseline: 1.0,
            ratio_low: 1.0,
            ratio_high: 1.0,
            ids: 1,
            ids_checked: 1,
        }
    }

    #[test]
    fn threads_have_a_figure_a_place_and_generators_stand_beside_their_like() {
        let who = [
            ("memset", Role::Ceiling, Call::Bulk),
            ("v4:uuid-rs", Role::Peer, Call::One),
            ("v4:one", Role::Own, Call::One),
            ("v4", Role::Own, Call::Bulk),
            ("v4:chacha8", Role::Own, Call::Bulk),
        ];
        let rows = [Into::L1, Into::Memory].into_iter().flat_map(|into| {
            let rows = move |(name, role, call)| [1, 2].map(|threads| row(name, role, call, into, threads));
            who.into_iter().flat_map(rows)
        });
        let answer = Answer {
            rows: rows.collect(),
            baseline: "v4:uuid-rs".to_owned(),
            rounds: 1,
            stopped_early: false,
            skipped: Vec::new(),
            memory_bytes: None,
            distinct: Vec::new(),
            conditions: Conditions::default(),
        };
        let figures = figures(&answer);
        let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["threads-l1", "threads-memory", "generators"]);
        assert!(figures[..2].iter().all(|figure| figure.x.unit == AxisUnit::Whole));
        let Marks::GroupedBars(bars) = &figures[2].marks else { panic!("no bars") };
        // By the length of its name each is the faster.
        let expected = ["v4:chacha8", "v4", "v4:one", "v4:uuid-rs (peer)", "memset (ceiling)"];
        assert_eq!(bars.categories, expected);
        assert_eq!(bars.parts.len(), 2);
    }
}
