//! The colours and dashes of figures.
//!
//! Neighbours in an order differ by at least 10 units of CIE lightness, so that they stay apart in
//! greyscale and for a colour-blind reader; the hues were taken at those lightnesses from CIE LCh,
//! at the highest chroma that sRGB holds up to 75.

use plotters::style::RGBColor;

/// Text and axis lines.
pub const INK: RGBColor = RGBColor(0x22, 0x26, 0x2B);
/// Text of second rank: axis labels, ticks, notes.
pub const MUTED: RGBColor = RGBColor(0x5A, 0x61, 0x6A);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xE6, 0xE8, 0xEB);
/// The axis that values start from, and tick marks.
pub const AXIS: RGBColor = RGBColor(0x9A, 0xA1, 0xA9);
/// Background.
pub const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);

/// Lines on white: lightness 12 to 63, hence a contrast of at least 3 to 1.
const LINES: [RGBColor; 10] = [
    RGBColor(0x1C, 0x20, 0x26),
    RGBColor(0x0E, 0x70, 0xAB),
    RGBColor(0xCE, 0x7E, 0x03),
    RGBColor(0x08, 0x62, 0x5D),
    RGBColor(0xD3, 0x39, 0x83),
    RGBColor(0x53, 0x29, 0x90),
    RGBColor(0x05, 0xA4, 0xD8),
    RGBColor(0xBE, 0x28, 0x14),
    RGBColor(0x73, 0x8E, 0x16),
    RGBColor(0x5E, 0x5E, 0x5E),
];

/// How many areas colour tells apart.
pub const AREA_COUNT: usize = 12;

/// Areas side by side: lightness 22 to 88, dark and light in turn.
const AREAS: [RGBColor; AREA_COUNT] = [
    RGBColor(0x02, 0x36, 0x61),
    RGBColor(0x14, 0xAC, 0xE8),
    RGBColor(0x05, 0x86, 0x7B),
    RGBColor(0xF1, 0xD0, 0x44),
    RGBColor(0x6B, 0x33, 0x92),
    RGBColor(0xFE, 0x9A, 0x9F),
    RGBColor(0xB2, 0x2B, 0x24),
    RGBColor(0xC0, 0xE9, 0xA1),
    RGBColor(0x04, 0x4A, 0x30),
    RGBColor(0xDD, 0x7A, 0x1D),
    RGBColor(0x00, 0x6D, 0xCA),
    RGBColor(0xBD, 0xC1, 0xC8),
];

/// Lengths in pixels of drawn and blank stretches in turn; empty is a solid line.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.5], &[2.0, 2.5], &[9.0, 3.0, 2.0, 3.0]];

/// Which of `DASHES` each of `LINES` takes first.
const FIRST_DASH: [usize; 10] = [0, 0, 1, 0, 2, 0, 1, 2, 3, 3];

/// Colour of the `i`th line.
pub fn line(i: usize) -> RGBColor {
    LINES[i % LINES.len()]
}

/// Dash of the `i`th line: colour and dash together repeat only after 40 lines.
pub fn dash(i: usize) -> &'static [f64] {
    DASHES[(FIRST_DASH[i % LINES.len()] + i / LINES.len()) % DASHES.len()]
}

/// Colour of the `i`th part of a bar.
pub fn area(i: usize) -> RGBColor {
    AREAS[i % AREAS.len()]
}

/// Ink that can be read on `ground`.
pub fn on(ground: RGBColor) -> RGBColor {
    if lightness(ground) < 62.0 { PAPER } else { INK }
}

/// The same hue, darker: names beside lines need more contrast than the lines do.
pub fn text(colour: RGBColor) -> RGBColor {
    let darker = |channel: u8| (f64::from(channel) * 0.8).round() as u8;
    RGBColor(darker(colour.0), darker(colour.1), darker(colour.2))
}

/// CIE L* of an sRGB colour, 0 to 100 (IEC 61966-2-1 and CIE 15).
fn lightness(RGBColor(r, g, b): RGBColor) -> f64 {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    let y = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    if y <= 216.0 / 24_389.0 { y * 24_389.0 / 27.0 } else { 116.0 * y.cbrt() - 16.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_lightness() {
        for (name, colours) in [("line", &LINES[..]), ("area", &AREAS[..])] {
            for i in 0..colours.len() {
                let next = colours[(i + 1) % colours.len()];
                let difference = (lightness(colours[i]) - lightness(next)).abs();
                assert!(difference >= 10.0, "{name} {i}: {difference:.1}");
            }
        }
    }

    #[test]
    fn lines_and_names_contrast_with_paper() {
        let luminance = |colour| ((lightness(colour) + 16.0) / 116.0).powi(3);
        let contrast = |colour| 1.05 / (luminance(colour) + 0.05);
        for (i, &colour) in LINES.iter().enumerate() {
            assert!(contrast(colour) >= 2.8, "line {i}: {:.2}", contrast(colour));
            assert!(contrast(text(colour)) >= 4.0, "name {i}: {:.2}", contrast(text(colour)));
        }
    }

    #[test]
    fn forty_lines_are_all_different() {
        let mut seen: Vec<_> =
            (0..40).map(|i| (line(i).0, line(i).1, line(i).2, format!("{:?}", dash(i)))).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 40);
    }
}
