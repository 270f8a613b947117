//! A dashed line as the stretches of it that are drawn, since plotters' SVG has no dashes.

use super::canvas::Place;

/// The drawn stretches of a broken line; `dash` holds drawn and blank lengths in turn, all above zero.
pub fn stretches(places: &[Place], dash: &[f64]) -> Vec<Vec<Place>> {
    let (mut index, mut left) = (0, dash[0]);
    let mut drawn: Vec<Vec<Place>> = Vec::new();
    let mut open: Vec<Place> = places.first().copied().into_iter().collect();
    for pair in places.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let at = (x0 + (x1 - x0) * gone / length, y0 + (y1 - y0) * gone / length);
            if index % 2 == 0 {
                open.push(at);
                drawn.push(std::mem::take(&mut open));
            } else {
                open = vec![at];
            }
            index = (index + 1) % dash.len();
            left = dash[index];
        }
        left -= length - gone;
        if index % 2 == 0 {
            open.push((x1, y1));
        }
    }
    if open.len() > 1 {
        drawn.push(open);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_keep_their_lengths_around_a_corner() {
        let drawn = stretches(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], &[4.0, 4.0]);
        let lengths: Vec<f64> = drawn
            .iter()
            .map(|part| part.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum())
            .collect();
        assert_eq!(lengths, [4.0, 4.0, 4.0]);
        assert_eq!(drawn[1], [(8.0, 0.0), (10.0, 0.0), (10.0, 2.0)]);
    }

    #[test]
    fn nothing_is_drawn_of_a_single_point() {
        assert!(stretches(&[(1.0, 1.0)], &[4.0, 4.0]).is_empty());
        assert!(stretches(&[], &[4.0, 4.0]).is_empty());
    }
}
