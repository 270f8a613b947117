//! What several rounds say together.

/// The middle value; of an even number the mean of the two in the middle.
///
/// # Panics
/// Where there is none.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + sorted[middle]) / 2.0 } else { sorted[middle] }
}

/// The least and the most.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// The most less the least, over the median: a share. 0 where there is no value, or all are 0.
pub(super) fn spread(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let ((low, high), middle) = (range(values), median(values));
    if middle > 0.0 { (high - low) / middle } else { 0.0 }
}

/// In which order so many rows take their turns in a round: each round begins elsewhere, every other one goes
/// backwards, so that no row always follows the same.
pub(super) fn order(rows: usize, round: usize, rounds: usize) -> Vec<usize> {
    let from = rows * round / rounds.max(1);
    let forwards = (0..rows).map(|place| (place + from) % rows);
    if round.is_multiple_of(2) { forwards.collect() } else { forwards.rev().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_and_the_spread_a_share_of_it() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(spread(&[1.0, 2.0, 4.0]), 1.5);
        assert_eq!(spread(&[7.0]), 0.0);
        assert_eq!(spread(&[]), 0.0);
        assert_eq!(spread(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn every_row_has_one_turn_a_round_and_none_always_follows_the_same() {
        for rows in 1..8 {
            for round in 0..5 {
                let mut turns = order(rows, round, 5);
                turns.sort_unstable();
                assert_eq!(turns, (0..rows).collect::<Vec<_>>());
            }
        }
        assert_eq!(order(5, 0, 5), [0, 1, 2, 3, 4]);
        assert_eq!(order(5, 1, 5), [0, 4, 3, 2, 1]);
        assert_eq!(order(5, 2, 5), [2, 3, 4, 0, 1]);
    }
}
