//! A layout drawn digit by digit, as RFC 9562 draws its figures.

use crate::id::layout::Layout;

/// Digits in a row of the drawing.
const ROW: u32 = 32;

/// A part of a field that stands in one row.
struct Part {
    name: &'static str,
    digits: u32,
}

/// The drawing, line by line: a ruler, then a box a field, 32 digits a row.
pub(super) fn drawing(layout: Layout) -> Vec<String> {
    let rows = rows(layout);
    let lengths: Vec<u32> = rows.iter().map(|row| row.iter().map(|part| part.digits).sum()).collect();
    let mut lines = ruler(lengths.first().copied().unwrap_or(0));
    for (at, row) in rows.iter().enumerate() {
        let above = if at == 0 { 0 } else { lengths[at - 1] };
        lines.push(line(above.max(lengths[at])));
        lines.push(boxes(row));
    }
    lines.push(line(lengths.last().copied().unwrap_or(0)));
    lines
}

/// The fields, broken where a row is full.
fn rows(layout: Layout) -> Vec<Vec<Part>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut room = ROW;
    for field in layout.0 {
        let mut left = field.digits;
        while left > 0 {
            let digits = left.min(room);
            row.push(Part { name: field.name, digits });
            left -= digits;
            room -= digits;
            if room == 0 {
                rows.push(std::mem::take(&mut row));
                room = ROW;
            }
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    rows
}

/// Tens above units, each over the middle of its digit.
fn ruler(digits: u32) -> Vec<String> {
    let tens = |at: u32| if at.is_multiple_of(10) { (at / 10).to_string() } else { " ".to_owned() };
    let written = |digit: &dyn Fn(u32) -> String| {
        let line: String = (0..digits).map(|at| format!(" {}", digit(at))).collect();
        line.trim_end().to_owned()
    };
    vec![written(&tens), written(&|at| (at % 10).to_string())]
}

fn line(digits: u32) -> String {
    format!("{}+", "+-".repeat(digits as usize))
}

/// Names in the middle of their boxes; what is longer than its box is cut.
fn boxes(row: &[Part]) -> String {
    let mut out = String::from("|");
    for part in row {
        let width = part.digits as usize * 2 - 1;
        let name: String = part.name.chars().take(width).collect();
        out.push_str(&format!("{name:^width$}|"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::scheme::{catalogue, find};

    fn drawn(name: &str) -> String {
        drawing(find(name).expect("a scheme").layout).join("\n")
    }

    #[test]
    fn v7_is_drawn_as_the_standard_draws_it() {
        // RFC 9562 §5.7, but for where an odd space goes.
        let figure = "\x200                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                          unix_ts_ms                           |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|          unix_ts_ms           |  ver  |        rand_a         |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|var|                          rand_b                           |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                            rand_b                             |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+";
        assert_eq!(drawn("v7"), figure);
    }

    #[test]
    fn an_id_that_ends_within_a_row_is_drawn_to_its_end() {
        let lines = drawing(find("v4-hex6").expect("a scheme").layout);
        assert!(lines.iter().skip(2).all(|line| line.len() == 49), "{lines:?}");
    }

    #[test]
    fn every_digit_of_every_scheme_is_drawn_once() {
        for scheme in catalogue() {
            let lines = drawing(scheme.layout);
            let boxes = lines.iter().filter(|line| line.starts_with('|'));
            let digits: usize = boxes.map(|line| line.len() / 2).sum();
            let expected: u32 = scheme.layout.0.iter().map(|field| field.digits).sum();
            assert_eq!(digits as u32, expected, "{}", scheme.name);
            assert!(lines.iter().all(|line| line.is_ascii() && line.len() <= 65), "{}", scheme.name);
        }
    }
}
