//! Which parts of stacked bars get a colour of their own: as many as there are colours, the rest as one.

use std::borrow::Cow;

use super::palette;
use crate::document::figure::{Bars, Part};

/// Name of what has no colour of its own.
const OTHER: &str = "other";

/// Bars of at most as many parts as there are colours, and the names that went into `other`.
///
/// Parts that no bar has are left out. Of too many, those go whose largest value is least.
pub fn coloured(bars: &Bars) -> (Cow<'_, Bars>, Vec<&str>) {
    let largest = |part: &Part| part.values.iter().flatten().copied().fold(0.0, f64::max);
    let present: Vec<&Part> = bars.parts.iter().filter(|part| largest(part) > 0.0).collect();
    if present.is_empty() || present.len() == bars.parts.len() && present.len() <= palette::AREA_COUNT {
        return (Cow::Borrowed(bars), Vec::new());
    }
    let mut order: Vec<usize> = (0..present.len()).collect();
    order.sort_by(|&a, &b| largest(present[b]).total_cmp(&largest(present[a])));
    let own = if present.len() > palette::AREA_COUNT { palette::AREA_COUNT - 1 } else { present.len() };
    let (mut shown, mut folded) = (order[..own].to_vec(), order[own..].to_vec());
    shown.sort_unstable();
    folded.sort_unstable();

    let mut parts: Vec<Part> = shown.iter().map(|&i| present[i].clone()).collect();
    if !folded.is_empty() {
        let values = (0..bars.categories.len()).map(|row| {
            let here = || folded.iter().filter_map(|&i| present[i].values[row]);
            here().next().map(|_| here().sum())
        });
        parts.push(Part { name: OTHER.into(), values: values.collect() });
    }
    let names = folded.iter().map(|&i| present[i].name.as_str()).collect();
    (Cow::Owned(Bars { categories: bars.categories.clone(), parts }), names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[f64]) -> Bars {
        let part = |(i, &value): (usize, &f64)| Part { name: i.to_string(), values: vec![Some(value)] };
        Bars { categories: vec!["raw".into()], parts: values.iter().enumerate().map(part).collect() }
    }

    #[test]
    fn parts_that_no_bar_has_take_no_colour() {
        let bars = bars(&[16.0, 0.0, 4.0]);
        let (shown, folded) = coloured(&bars);
        let names: Vec<&str> = shown.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!((names, folded), (vec!["0", "2"], vec![]));
    }

    #[test]
    fn the_least_parts_are_one_where_colours_run_out_and_the_sum_stays() {
        let values: Vec<f64> = (1..=14).map(|i| f64::from(i * 5 % 17)).collect();
        let all = bars(&values);
        let (shown, folded) = coloured(&all);
        assert_eq!(shown.parts.len(), palette::AREA_COUNT);
        assert_eq!(shown.parts.last().map(|part| part.name.as_str()), Some(OTHER));
        // The values are 5 10 15 3 8 13 1 6 11 16 4 9 14 2: 3, 1 and 2 are the least.
        assert_eq!(folded, ["3", "6", "13"]);
        let sum = |bars: &Bars| bars.parts.iter().filter_map(|part| part.values[0]).sum::<f64>();
        assert_eq!(sum(&shown), sum(&all));
    }

    #[test]
    fn twelve_parts_stay_as_they_are() {
        let bars = bars(&[1.0; 12]);
        assert!(matches!(coloured(&bars), (Cow::Borrowed(_), folded) if folded.is_empty()));
    }
}
