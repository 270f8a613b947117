//! The figures that a design review pastes: cost by retention, bytes per key in parts, growth.

use super::title;
use crate::document::figure::{Axis, Bars, Figure, Marks, Part, Series, Unit as AxisUnit};
use crate::document::{Cell, Piece, Sentence, Unit, word};
use crate::engine::size::{Answer, Case, Inputs, StoreLine};

/// Parts that are told apart by colour; what is left is one part more.
const PARTS: usize = 11;

/// Those figures that the answer has the data for; of a grid there is none, since each is about one case.
pub(super) fn figures(asked: &Inputs, answer: &Answer, by_retention: Option<&Answer>) -> Vec<Figure> {
    let [case] = answer.cases.as_slice() else { return Vec::new() };
    let cost = by_retention.and_then(|curve| cost_by_retention(asked, case, curve));
    [cost, bytes_per_key(case), growth(asked, case)].into_iter().flatten().collect()
}

/// What holds for every point of a figure.
fn inputs(case: &Case, kept: bool) -> Sentence {
    let mut text =
        vec![Piece::Value(case.rate_per_s.as_f64().into(), Unit::PerSecond), Piece::Words(" keys/s".into())];
    if kept {
        text.extend([
            Piece::Words(" kept ".into()),
            Piece::Value(case.retention_s.as_f64().into(), Unit::Seconds),
        ]);
    }
    let record = match case.record.has_outcome() {
        true => format!(" with {} response bytes", case.response_bytes),
        false => String::new(),
    };
    text.push(Piece::Words(
        format!(
            " · {} keys as {}, record \"{}\"{record}",
            case.key.name(),
            word(&case.key_format),
            word(&case.record)
        )
        .into(),
    ));
    text.push(Piece::Words(format!(" · {} replicas · ", case.replicas).into()));
    text.extend([
        Piece::Value(case.headroom.0.as_f64().into(), Unit::Share),
        Piece::Words(" headroom".into()),
    ]);
    text
}

/// The same with whose prices they are, and what they leave out.
fn priced(asked: &Inputs, case: &Case, kept: bool) -> Sentence {
    let mut text = inputs(case, kept);
    let prices = match (&asked.price_per_gb_month_usd, &asked.region) {
        (Some(usd), _) => format!("${} per GB-month of disk", usd.0),
        (None, Some(region)) => format!("{} prices, {region}", asked.provider.name().to_uppercase()),
        (None, None) => format!("{} prices", asked.provider.name().to_uppercase()),
    };
    text.push(Piece::Words(format!(" · {prices}, capacity alone: no servers for disks, no traffic").into()));
    text
}

/// The same with how the load grows.
fn growing(asked: &Inputs, case: &Case) -> Sentence {
    let mut text = Vec::new();
    if let Some(growth) = &asked.growth {
        text.push(Piece::Words("Growing ".into()));
        text.push(Piece::Value(growth.growth_per_year.0.as_f64().into(), Unit::Share));
        text.push(Piece::Words(" a year from ".into()));
    }
    text.extend(priced(asked, case, true));
    text
}

/// Whether a line is a store that holds records: neither bare arithmetic nor a filter in front of one.
fn holds_records(line: &StoreLine) -> bool {
    line.store != "raw" && line.refused_payments_per_day.is_none()
}

/// The lines with the least and the most of something, of stores that hold records where there are any.
fn extremes(lines: &[StoreLine], of: impl Fn(&StoreLine) -> Option<f64>) -> Option<[(&StoreLine, f64); 2]> {
    let any = lines.iter().any(holds_records);
    let compared = lines.iter().filter(|line| !any || holds_records(line));
    let mut valued: Vec<(&StoreLine, f64)> = compared.filter_map(|line| Some((line, of(line)?))).collect();
    valued.sort_by(|a, b| a.1.total_cmp(&b.1));
    Some([*valued.first()?, *valued.last()?])
}

fn usd(line: &StoreLine) -> Option<f64> {
    line.usd_per_month.map(|usd| usd.as_f64())
}

fn cost_by_retention(asked: &Inputs, case: &Case, curve: &Answer) -> Option<Figure> {
    let [(least, low), (most, high)] = extremes(&case.stores, usd)?;
    let mut headline = vec![
        Piece::Words("Kept ".into()),
        Piece::Value(case.retention_s.as_f64().into(), Unit::Seconds),
        Piece::Words(", the keys cost ".into()),
        Piece::Value(low.into(), Unit::UsdShort),
        Piece::Words(format!(" ({})", title(least.store)).into()),
    ];
    if least.store != most.store {
        headline.push(Piece::Words(" to ".into()));
        headline.push(Piece::Value(high.into(), Unit::UsdShort));
        headline.push(Piece::Words(format!(" ({})", title(most.store)).into()));
    }
    headline.push(Piece::Words(" a month".into()));
    // A filter is no alternative to a store: its line among theirs would mislead.
    let compared = case.stores.iter().filter(|line| line.refused_payments_per_day.is_none());
    let series = compared.filter_map(|line| {
        let of = |case: &Case| case.stores.iter().find(|other| other.store == line.store).and_then(usd);
        let point = |case: &Case| Some((case.retention_s.as_f64(), of(case)?));
        let points: Vec<(f64, f64)> = curve.cases.iter().filter_map(point).collect();
        (!points.is_empty()).then(|| Series::line(title(line.store), points))
    });
    let series: Vec<Series> = series.collect();
    (!series.is_empty()).then(|| Figure {
        name: "cost-by-retention".to_owned(),
        title: headline,
        subtitle: priced(asked, case, false),
        x: Axis::log10("How long a key is kept", AxisUnit::Seconds),
        y: Axis::log10("Cost per month", AxisUnit::Usd),
        marks: Marks::Series(series),
    })
}

fn bytes_per_key(case: &Case) -> Option<Figure> {
    let lines: Vec<&StoreLine> = case.stores.iter().filter(|line| line.detail.is_some()).collect();
    let [(least, low), (most, high)] = extremes(&case.stores, |line| Some(line.bytes_per_key))?;
    let mut headline = vec![
        Piece::Words("A ".into()),
        Piece::Exact(Cell::Integer(case.key_bytes.into()), Unit::None),
        Piece::Words("-byte key takes ".into()),
        Piece::Value(low.round().into(), Unit::PerSecond),
    ];
    if least.store == most.store {
        headline.push(Piece::Words(format!(" bytes in {}", title(least.store)).into()));
    } else {
        headline.push(Piece::Words(format!(" ({}) to ", title(least.store)).into()));
        headline.push(Piece::Value(high.round().into(), Unit::PerSecond));
        headline.push(Piece::Words(format!(" bytes ({}) with its record", title(most.store)).into()));
    }
    Some(Figure {
        name: "bytes-per-key".to_owned(),
        title: headline,
        subtitle: inputs(case, true),
        x: Axis::linear("Bytes per key, one copy, at rest", AxisUnit::Bytes),
        y: Axis::linear("Store", AxisUnit::Count),
        marks: Marks::StackedBars(Bars {
            categories: lines.iter().map(|line| title(line.store).to_owned()).collect(),
            parts: parts(&lines),
        }),
    })
}

/// The same name is the same part in every store and place; small ones beyond the first few are joined.
fn parts(lines: &[&StoreLine]) -> Vec<Part> {
    let mut names: Vec<&'static str> = Vec::new();
    let of = |line: &StoreLine, names: &[&str]| {
        let parts =
            line.detail.iter().flat_map(|detail| &detail.parts).filter(|part| names.contains(&part.name));
        parts.fold(0.0, |sum, part| sum + part.bytes)
    };
    for part in lines.iter().flat_map(|line| &line.detail).flat_map(|detail| &detail.parts) {
        if part.bytes > 0.0 && !names.contains(&part.name) {
            names.push(part.name);
        }
    }
    let weight = |name: &str| lines.iter().fold(0.0, |sum, line| sum + of(line, &[name]));
    let mut heaviest = names.clone();
    heaviest.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let (kept, rest) = heaviest.split_at(PARTS.min(heaviest.len()));
    let part = |name: &str, of_names: &[&str]| Part {
        name: name.to_owned(),
        values: lines.iter().map(|line| Some(of(line, of_names)).filter(|bytes| *bytes > 0.0)).collect(),
    };
    let mut parts: Vec<Part> =
        names.iter().filter(|name| kept.contains(name)).map(|name| part(name, &[name])).collect();
    if !rest.is_empty() {
        parts.push(part("other parts", rest));
    }
    parts
}

fn growth(asked: &Inputs, case: &Case) -> Option<Figure> {
    let compared = case.stores.iter().filter(|line| line.refused_payments_per_day.is_none());
    let series = compared.filter_map(|line| {
        let points = line.detail.as_ref()?.growth.iter();
        let points: Vec<(f64, f64)> =
            points.filter_map(|point| Some((point.years, point.usd_per_month?.as_f64()))).collect();
        (points.len() > 1).then(|| Series::line(title(line.store), points))
    });
    let series: Vec<Series> = series.collect();
    if series.is_empty() {
        return None;
    }
    Some(Figure {
        name: "growth".to_owned(),
        title: growth_headline(case)?,
        subtitle: growing(asked, case),
        x: Axis::linear("Years from now", AxisUnit::Count),
        y: Axis::log10("Cost per month", AxisUnit::Usd),
        marks: Marks::Series(series),
    })
}

/// Where the cheapest and the dearest store end.
fn growth_headline(case: &Case) -> Option<Sentence> {
    let ends = |line: &StoreLine| {
        let points = &line.detail.as_ref()?.growth;
        Some((
            points.first()?.usd_per_month?.as_f64(),
            points.last()?.usd_per_month?.as_f64(),
            points.last()?.years,
        ))
    };
    let [(least, _), (most, _)] = extremes(&case.stores, usd)?;
    let mut headline = Vec::new();
    for line in if least.store == most.store { vec![least] } else { vec![least, most] } {
        let (from, to, years) = ends(line)?;
        if headline.is_empty() {
            headline.extend([Piece::Words("By year ".into()), Piece::Value(years.into(), Unit::PerSecond)]);
            headline.push(Piece::Words(" the monthly cost goes from ".into()));
        } else {
            headline.push(Piece::Words(" and from ".into()));
        }
        headline.push(Piece::Value(from.into(), Unit::UsdShort));
        headline.push(Piece::Words(" to ".into()));
        headline.push(Piece::Value(to.into(), Unit::UsdShort));
        headline.push(Piece::Words(format!(" ({})", title(line.store)).into()));
    }
    Some(headline)
}
