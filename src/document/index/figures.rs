//! The figures of `index`: fill and misses by how far the index outgrows the cache, and the log after a checkpoint.

use super::super::figure::{Axis, Figure, Marks, Series, Unit as AxisUnit};
use super::super::{Sentence, Unit};
use super::{text, value, whole};
use crate::engine::index::{Answer, Row};

/// Least log that a logarithmic axis shows, in bytes.
const LEAST_BYTES: f64 = 1.0;

/// Those figures that the answer has points for.
pub(super) fn figures(answer: &Answer) -> Vec<Figure> {
    [fill(answer), misses(answer), log(answer)].into_iter().flatten().collect()
}

fn subtitle(answer: &Answer) -> Sentence {
    let Some(row) = answer.rows.first() else { return Vec::new() };
    vec![
        text(format!("{}, entries of {} bytes · a cache of ", answer.engine.title(), row.entry_bytes)),
        whole(row.cache_pages),
        text(" pages · a checkpoint every "),
        whole(row.checkpoint_inserts),
        text(" inserts"),
    ]
}

/// Who ends lowest and who highest, and where.
type Ends = [(&'static str, f64); 2];

/// A line an order, and the first and last of them by their ends.
fn lines(answer: &Answer, points: impl Fn(&Row) -> Vec<(f64, f64)>) -> Option<(Vec<Series>, Ends)> {
    let mut series = Vec::new();
    let mut ends: Vec<(&'static str, f64)> = Vec::new();
    for row in &answer.rows {
        let points = points(row);
        let Some(&(_, end)) = points.last() else { continue };
        ends.push((row.key_order.name(), end));
        series.push(Series::line(row.key_order.name(), points));
    }
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    Some((series, [*ends.first()?, *ends.last()?]))
}

/// `v4 fills leaves to 71 %, v7-monotonic to 90 %`
fn between([least, most]: Ends, what: &str, unit: Unit, rest: &str) -> Sentence {
    let mut title = vec![text(format!("{} {what} ", least.0)), value(least.1, unit)];
    if least.0 != most.0 {
        title.extend([text(format!(", {} ", most.0)), value(most.1, unit)]);
    }
    title.push(text(rest));
    title
}

fn fill(answer: &Answer) -> Option<Figure> {
    let points =
        |row: &Row| row.growth.iter().map(|grown| (grown.index_over_cache, grown.leaf_fill)).collect();
    let (series, ends) = lines(answer, points)?;
    Some(Figure {
        name: "fill-by-cache".to_owned(),
        title: between(ends, "fills leaves to", Unit::Share, " in the end"),
        subtitle: subtitle(answer),
        x: Axis::log10("index over cache", AxisUnit::Count),
        y: Axis::linear("leaf fill", AxisUnit::Percent).between(0.0, 1.0),
        marks: Marks::Series(series),
    })
}

fn misses(answer: &Answer) -> Option<Figure> {
    let points = |row: &Row| {
        row.growth.iter().map(|grown| (grown.index_over_cache, grown.cache_misses_per_insert)).collect()
    };
    let (series, ends) = lines(answer, points)?;
    Some(Figure {
        name: "misses-by-cache".to_owned(),
        title: between(ends, "misses the cache", Unit::PerSecond, " times an insert in the end"),
        subtitle: subtitle(answer),
        x: Axis::log10("index over cache", AxisUnit::Count),
        y: Axis::linear("misses an insert", AxisUnit::Count),
        marks: Marks::Series(series),
    })
}

fn log(answer: &Answer) -> Option<Figure> {
    let points = |row: &Row| {
        let shown = row.after_checkpoint.iter().filter(|logged| logged.log_bytes_per_insert >= LEAST_BYTES);
        shown.map(|logged| (logged.inserts_since_checkpoint, logged.log_bytes_per_insert)).collect()
    };
    let (series, _) = lines(answer, points)?;
    let first = |row: &Row| Some((row.key_order.name(), row.log_bytes_per_insert_after_checkpoint?));
    let mut firsts: Vec<(&'static str, f64)> = answer.rows.iter().filter_map(first).collect();
    firsts.sort_by(|a, b| a.1.total_cmp(&b.1));
    let inserts = answer.rows.first()?.inserts_after_checkpoint;
    let mut title =
        between([*firsts.first()?, *firsts.last()?], "logs", Unit::BytesEach, " B an insert over the first ");
    title.extend([whole(inserts), text(" after a checkpoint")]);
    Some(Figure {
        name: "log-after-checkpoint".to_owned(),
        title,
        subtitle: subtitle(answer),
        x: Axis::log10("inserts since the checkpoint", AxisUnit::Count),
        y: Axis::log10("log an insert", AxisUnit::Bytes),
        marks: Marks::Series(series),
    })
}
