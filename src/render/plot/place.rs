//! Labels in a column: each as near to its own height as the others leave it.

/// Centres for labels that want the heights `wanted`, at least `gap` apart and within `low..=high`.
///
/// Least squares under the order of the wanted heights: pool adjacent violators on the heights less
/// the room that the labels above take (Barlow et al. 1972, isotonic regression). Where the column is
/// too short for all of them they are spread evenly over it, closer than `gap`.
pub fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let gap = gap.min((high - low) / (wanted.len().max(2) - 1) as f64);
    // Blocks of labels that touch: the sum of their targets and their number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (rank, &label) in order.iter().enumerate() {
        let mut block = (wanted[label] - gap * rank as f64, 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum / count as f64 <= block.0 / block.1 as f64 {
                break;
            }
            block = (block.0 + sum, block.1 + count);
            blocks.pop();
        }
        blocks.push(block);
    }
    let top = high - gap * (wanted.len().max(1) - 1) as f64;
    let starts = blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    let mut placed = vec![0.0; wanted.len()];
    for ((rank, &label), start) in order.iter().enumerate().zip(starts) {
        placed[label] = start.clamp(low, top.max(low)) + gap * rank as f64;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_far_apart_stay_where_they_belong() {
        assert_eq!(spread(&[50.0, 10.0, 90.0], 12.0, 0.0, 100.0), [50.0, 10.0, 90.0]);
    }

    #[test]
    fn labels_in_one_place_spread_around_it() {
        assert_eq!(spread(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0), [40.0, 50.0, 60.0]);
    }

    #[test]
    fn labels_never_overlap_or_leave_the_column() {
        let wanted: Vec<f64> = (0..25).map(|i| f64::from(i * i * 37 % 100)).collect();
        for count in 0..=wanted.len() {
            let mut placed = spread(&wanted[..count], 4.0, 0.0, 100.0);
            placed.sort_by(f64::total_cmp);
            assert!(placed.iter().all(|p| (-1e-9..=100.0 + 1e-9).contains(p)), "{placed:?}");
            assert!(placed.windows(2).all(|p| p[1] - p[0] > 4.0 - 1e-9), "{placed:?}");
        }
    }

    #[test]
    fn a_short_column_is_shared_evenly() {
        assert_eq!(spread(&[0.0, 0.0, 0.0], 40.0, 0.0, 50.0), [0.0, 25.0, 50.0]);
    }
}
