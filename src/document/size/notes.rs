//! What the answer of `size` has to say beside its tables.

use super::title;
use crate::document::{Piece, Sentence, Unit, words};
use crate::engine::size::{Answer, Case, Inputs, StoreLine, Unfit};
use crate::store::page::Arrival;

/// What must not be overlooked, whether or not it was asked for.
pub(super) fn notes(inputs: &Inputs, answer: &Answer, explain: bool) -> Vec<Sentence> {
    let mut notes = Vec::new();
    let lines = || answer.cases.iter().flat_map(|case| &case.stores);
    if answer.cases.iter().any(|case| case.record.has_outcome()) {
        notes.push(words("Each key is written twice: the claim, then its outcome."));
    }
    let mut unfit: Vec<&Unfit> = answer.cases.iter().flat_map(|case| &case.unfit).collect();
    unfit.dedup_by_key(|unfit| unfit.store);
    notes.extend(
        unfit.iter().map(|unfit| words(format!("{} is left out: {}.", title(unfit.store), unfit.reason))),
    );
    for store in &inputs.stores {
        let own: Vec<&StoreLine> = lines().filter(|line| line.store == store).collect();
        notes.extend(spread(&own));
        notes.extend(refused(&own));
    }
    notes.extend(overflow(answer));
    notes.extend(totals(answer));
    let mut without: Vec<&str> =
        lines().filter(|line| line.usd_per_month.is_none()).map(|line| title(line.store)).collect();
    without.sort_unstable();
    without.dedup();
    if !without.is_empty() {
        notes.push(words(format!(
            "No price in the book for this provider and region: {}.",
            without.join(", ")
        )));
    }
    let shared = |case: &Case| match case.key.arrival(case.rate_per_s.as_f64()) {
        Arrival::Bucketed { keys_per_bucket } => (20.0..2_000.0).contains(&keys_per_bucket),
        _ => false,
    };
    if answer.cases.iter().any(shared) && lines().any(|line| line.leaf_fill.is_some()) {
        notes.push(words(
            "Every millisecond is taken to bring the same number of keys. Where that is near what a leaf holds, the fill \
             swings with the rate; uneven arrival flattens the swing. Try neighbouring rates: --rate 140k,150k,200k.",
        ));
    }
    notes.push(words(
        "USD/month buys capacity alone: disks without servers, memory with the nodes that hold it, requests with storage. \
         Traffic to replicas in other zones comes on top, see the load; reserved IOPS too. Prices and dates: --list-prices.",
    ));
    if !explain {
        notes.push(words("--explain shows every part of these figures, and what each way of purging costs."));
    }
    notes
}

/// The least and the most of something over several lines.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

fn spread(lines: &[&StoreLine]) -> Option<Sentence> {
    let details = || lines.iter().filter_map(|line| line.detail.as_ref());
    let spreads = || details().filter_map(|detail| detail.spread);
    let low = range(spreads().map(|spread| spread.low))?.0;
    let high = range(spreads().map(|spread| spread.high))?.1;
    let mut sentence = vec![
        Piece::Words(format!("{} holds ", title(lines.first()?.store)).into()),
        Piece::Value(low.into(), Unit::BytesEach),
        Piece::Words(" to ".into()),
        Piece::Value(high.into(), Unit::BytesEach),
        Piece::Words(" times these bytes".into()),
    ];
    if let [line] = lines
        && let Some(detail) = &line.detail
        && let (Some(low), Some(high)) = (detail.spread_low_usd_per_month, detail.spread_high_usd_per_month)
    {
        sentence.push(Piece::Words(", at ".into()));
        sentence.push(Piece::Value(low.into(), Unit::UsdShort));
        sentence.push(Piece::Words(" to ".into()));
        sentence.push(Piece::Value(high.into(), Unit::UsdShort));
        sentence.push(Piece::Words(" a month with the headroom".into()));
    }
    let why = spreads().next()?.why.trim_end_matches('.');
    sentence.push(Piece::Words(format!(": {why}.").into()));
    Some(sentence)
}

/// Stores whose usual way of purging needs more than the headroom, in any case.
fn overflow(answer: &Answer) -> Option<Sentence> {
    let mut named: Vec<&str> = Vec::new();
    let mut sentence =
        vec![Piece::Words("Expired keys that are not yet reclaimed need more than the headroom in ".into())];
    for line in answer.cases.iter().flat_map(|case| &case.stores) {
        let Some(purge) = line.detail.as_ref().and_then(|detail| detail.purges.first()) else { continue };
        if purge.fits_headroom || named.contains(&line.store) {
            continue;
        }
        let comma = if named.is_empty() { "" } else { "; " };
        sentence.push(Piece::Words(format!("{comma}{} (", title(line.store)).into()));
        sentence.push(Piece::Value(purge.purge.bytes_per_live_key.into(), Unit::BytesEach));
        sentence.push(Piece::Words(format!(" B a live key, {})", purge.purge.strategy).into()));
        named.push(line.store);
    }
    sentence.push(Piece::Words(".".into()));
    (!named.is_empty()).then_some(sentence)
}

/// Costs up to the horizon, of one case; a grid has them in its table.
fn totals(answer: &Answer) -> Option<Sentence> {
    let [case] = answer.cases.as_slice() else { return None };
    let mut sentence = vec![Piece::Words("From now to the horizon, growing steadily: ".into())];
    let before = sentence.len();
    for line in &case.stores {
        if let Some(usd) = line.detail.as_ref().and_then(|detail| detail.horizon_usd) {
            let comma = if sentence.len() > before { ", " } else { "" };
            sentence.push(Piece::Words(format!("{comma}{} ", title(line.store)).into()));
            sentence.push(Piece::Value(usd.into(), Unit::UsdShort));
        }
    }
    let any = sentence.len() > before;
    sentence.push(Piece::Words(".".into()));
    any.then_some(sentence)
}

fn refused(lines: &[&StoreLine]) -> Option<Sentence> {
    let (low, high) = range(lines.iter().filter_map(|line| line.refused_payments_per_day))?;
    let line = lines.first()?;
    let mut sentence = vec![
        Piece::Words(format!("{} (false positives: ", title(line.store)).into()),
        Piece::Value(line.false_positive_rate.into(), Unit::PerSecond),
        Piece::Words(") stands in front of a store and is paid beside it. Alone it refuses ".into()),
        Piece::Value(low.into(), Unit::PerSecond),
    ];
    if high > low {
        sentence.push(Piece::Words(" to ".into()));
        sentence.push(Piece::Value(high.into(), Unit::PerSecond));
    }
    sentence.push(Piece::Words(
        " honest payments a day; in front, those are looked up, and no other new key is.".into(),
    ));
    Some(sentence)
}
