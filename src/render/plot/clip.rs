//! Broken lines cut to a rectangle.

use super::canvas::Place;

/// The parts of a line that lie between the corners `low` and `high`.
pub fn inside(path: &[Place], low: Place, high: Place) -> Vec<Vec<Place>> {
    let mut parts: Vec<Vec<Place>> = Vec::new();
    for pair in path.windows(2) {
        let Some((start, end)) = segment(pair[0], pair[1], low, high) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&start) => part.push(end),
            _ => parts.push(vec![start, end]),
        }
    }
    parts
}

/// The part of a segment inside a rectangle (Liang and Barsky 1984).
fn segment(start: Place, end: Place, low: Place, high: Place) -> Option<(Place, Place)> {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let edges =
        [(-dx, start.0 - low.0), (dx, high.0 - start.0), (-dy, start.1 - low.1), (dy, high.1 - start.1)];
    for (step, room) in edges {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    let at = |share: f64| match share {
        0.0 => start,
        1.0 => end,
        _ => (start.0 + dx * share, start.1 + dy * share),
    };
    (enter <= leave).then(|| (at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: Place = (0.0, 0.0);
    const HIGH: Place = (10.0, 10.0);

    #[test]
    fn a_line_inside_is_kept_whole() {
        let path = [(1.0, 1.0), (5.0, 9.0), (9.0, 1.0)];
        assert_eq!(inside(&path, LOW, HIGH), [path.to_vec()]);
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_cut_in_two() {
        let path = [(1.0, 5.0), (3.0, 15.0), (7.0, 15.0), (9.0, 5.0)];
        let parts = inside(&path, LOW, HIGH);
        assert_eq!(parts, [[(1.0, 5.0), (2.0, 10.0)], [(8.0, 10.0), (9.0, 5.0)]]);
    }

    #[test]
    fn a_line_outside_leaves_nothing() {
        assert!(inside(&[(11.0, 0.0), (20.0, 5.0)], LOW, HIGH).is_empty());
        assert!(inside(&[(5.0, 5.0)], LOW, HIGH).is_empty());
    }
}
