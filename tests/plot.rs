//! Figures as a reader of the study gets them.
#![cfg(feature = "plot")]

use uuidcap::document::figure::{Axis, Bars, Figure, Marks, Part, Point, Series, Shape, Unit};
use uuidcap::document::words;
use uuidcap::render::plot;

const DAY: f64 = 86_400.0;
const YEAR: f64 = 365.25 * DAY;

/// Stores with bytes a key in parts and dollars per GB-month, of realistic size; not measurements.
const STORES: [(&str, [f64; 12], f64); 10] = [
    ("raw", [16.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.10),
    ("PostgreSQL", [16.0, 18.0, 0.0, 24.0, 6.0, 4.0, 0.5, 24.0, 12.0, 0.6, 0.0, 9.0], 0.115),
    ("MySQL/InnoDB", [16.0, 18.0, 0.0, 18.0, 0.0, 1.0, 1.2, 0.0, 31.0, 1.1, 0.0, 14.0], 0.115),
    ("SQLite", [16.0, 14.0, 0.0, 4.0, 0.0, 2.0, 0.3, 24.0, 22.0, 0.6, 0.0, 0.0], 0.08),
    ("RocksDB", [16.0, 10.0, 0.0, 9.0, 0.0, 0.0, 0.8, 0.6, 0.0, 0.0, 1.3, 4.0], 0.08),
    ("Cassandra", [16.0, 21.0, 0.0, 23.0, 0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 1.9, 30.0], 0.08),
    ("Redis", [40.0, 48.0, 256.0, 72.0, 31.0, 0.0, 0.0, 48.0, 0.0, 0.0, 0.0, 0.0], 4.9),
    ("DynamoDB", [16.0, 32.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.25),
    ("Bloom filter", [1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.0], 4.9),
    ("Binary fuse", [1.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0], 4.9),
];
const PARTS: [&str; 12] = [
    "key",
    "columns",
    "response",
    "row header",
    "alignment",
    "line pointer",
    "page header",
    "index entry",
    "leaf fill",
    "inner pages",
    "filter",
    "tombstones",
];

fn figure(name: &str, title: &str, x: Axis, y: Axis, marks: Marks) -> Figure {
    let subtitle = "200 k keys/s · 3 replicas · 30 % headroom · v4 keys, full record with 256-byte responses";
    Figure { name: name.into(), title: words(title.to_owned()), subtitle: words(subtitle), x, y, marks }
}

fn cost() -> Figure {
    let days = [1.0, 3.0, 7.0, 14.0, 30.0, 90.0, 365.25];
    let line = |&(name, parts, price): &(&str, [f64; 12], f64)| {
        let bytes: f64 = parts.iter().sum();
        Series::line(name, days.map(|d| (d * DAY, 2e5 * d * DAY * bytes * 3.0 * 1.3 / 1e9 * price)))
    };
    figure(
        "cost-by-retention",
        "At 7 days Redis costs $1.1M a month, 180 times PostgreSQL: memory is priced 40 times disk",
        Axis::log10("how long a key is kept", Unit::Seconds),
        Axis::log10("cost per month", Unit::Usd),
        Marks::Series(STORES.iter().map(line).collect()),
    )
}

fn parts() -> Figure {
    let categories = STORES.iter().map(|(name, ..)| name.to_string()).collect();
    let part = |(i, name): (usize, &&str)| Part {
        name: name.to_string(),
        values: STORES.iter().map(|(_, parts, _)| (parts[i] > 0.0).then_some(parts[i])).collect(),
    };
    figure(
        "bytes-per-key",
        "A key of 16 bytes takes 48 to 495 bytes once a store keeps it",
        Axis::linear("bytes per key, one replica", Unit::Bytes),
        Axis::linear("store", Unit::Count),
        Marks::StackedBars(Bars { categories, parts: PARTS.iter().enumerate().map(part).collect() }),
    )
}

fn growth() -> Figure {
    let line = |&(name, parts, _): &(&str, [f64; 12], f64)| {
        let bytes: f64 = parts.iter().sum();
        let grown = |year: u8| 1.2e11 * bytes * 3.0 * 1.3 * 1.4f64.powi(i32::from(year));
        Series::line(name, (0..=5).map(|year| (f64::from(year) * YEAR, grown(year))))
    };
    figure(
        "growth",
        "At 40 % growth a year every store needs 5.4 times its space after five years",
        Axis::linear("time from today", Unit::Seconds),
        Axis::linear("bytes provisioned", Unit::Bytes),
        Marks::Series(STORES[..8].iter().map(line).collect()),
    )
}

fn odds() -> Figure {
    let ids = (0..=40).map(|i| 10f64.powf(f64::from(i) * 0.5));
    let line = |bits: f64| {
        let odds = move |n: f64| (n, -(-(n * n / 2.0 / 2f64.powf(bits))).exp_m1());
        Series::line(format!("{bits} random bits"), ids.clone().map(odds))
    };
    figure(
        "collision",
        "122 random bits stay below one clash in a million up to 3.3 × 10¹⁵ ids",
        Axis::log10("ids made", Unit::Count),
        Axis::log10("probability of at least one clash", Unit::Probability).between(1e-30, 1.0),
        Marks::Series([122.0, 80.0, 74.0, 62.0].map(line).to_vec()),
    )
}

fn histogram() -> Figure {
    let law = |k: f64| (-(k - 14.0f64).powi(2) / 26.0).exp() * 0.111;
    let bins =
        (0..=30).map(|k| (f64::from(k) - 0.5, law(f64::from(k)) * (1.0 + 0.13 * f64::from(k * 7 % 5 - 2))));
    let curve = (0..=300).map(|k| (f64::from(k) / 10.0, law(f64::from(k) / 10.0)));
    let mut band = Series::line("95 % interval", []);
    band.points = (0..=30)
        .map(|k| {
            let y = law(f64::from(k));
            Point { x: f64::from(k), y: None, interval: Some([y * 0.8, y * 1.2]) }
        })
        .collect();
    figure(
        "repeats",
        "Repeats seen in 10,000 trials follow the Poisson law",
        Axis::linear("repeats in a trial", Unit::Count),
        Axis::linear("share of trials", Unit::Percent),
        Marks::Series(vec![
            Series::line("seen", bins).shaped(Shape::Bins),
            Series::line("expected", curve),
            band,
        ]),
    )
}

fn storm() -> Figure {
    let step = |name: &str, width: f64| {
        let load = move |i: i32| (f64::from(i) * 2.0, 4e4 / width * (-f64::from(i) / (6.0 * width)).exp());
        Series::line(name, (0..=45).map(load)).shaped(Shape::Step)
    };
    let names = ["none", "fixed", "exponential", "full jitter", "equal jitter", "decorrelated jitter"];
    let list = (1..).map(f64::from).zip(names).map(|(width, name)| step(name, width)).collect();
    figure(
        "storm",
        "Full jitter cuts the peak after an outage to a quarter",
        Axis::linear("time after the outage", Unit::Seconds),
        Axis::linear("calls", Unit::PerSecond),
        Marks::Series(list),
    )
}

fn orders() -> Figure {
    let part = |name: &str, values: [f64; 3]| Part { name: name.into(), values: values.map(Some).to_vec() };
    figure(
        "key-order",
        "Only strictly ordered keys spare the log: v7 with random low bits writes as much as v4",
        Axis::linear("log bytes per insert", Unit::Bytes),
        Axis::linear("store", Unit::Count),
        Marks::GroupedBars(Bars {
            categories: ["PostgreSQL", "MySQL/InnoDB", "SQLite"].map(String::from).to_vec(),
            parts: vec![
                part("v4", [612.0, 840.0, 5_020.0]),
                part("v7, random low bits", [275.0, 402.0, 1_340.0]),
                part("v7, monotonic", [148.0, 210.0, 390.0]),
            ],
        }),
    )
}

/// Every kind of figure, as a study would hold it.
fn samples() -> Vec<Figure> {
    vec![cost(), parts(), growth(), odds(), histogram(), storm(), orders()]
}

/// Where `UUIDCAP_FIGURES` names a folder the samples are left there, to be looked at.
fn keep(figure: &Figure, drawing: &plot::Drawing) {
    if let Some(folder) = std::env::var_os("UUIDCAP_FIGURES") {
        let stem = std::path::Path::new(&folder).join(&figure.name);
        std::fs::write(stem.with_extension("svg"), drawing.svg()).expect("the folder can be written");
        std::fs::write(stem.with_extension("png"), drawing.png().expect("it was drawn")).expect("as above");
    }
}

/// A figure of lines without ornament.
fn lines(name: &str, x: Axis, y: Axis, list: Vec<Series>) -> Figure {
    figure(name, "A finding", x, y, Marks::Series(list))
}

fn number(label: &str) -> Axis {
    Axis::linear(label, Unit::Count)
}

/// Figures at the limits of what can be drawn.
fn edges() -> Vec<Figure> {
    let log = |label: &str| Axis::log10(label, Unit::Count);
    let gap = |x: f64| Point { x, y: None, interval: None };
    let mut gaps = Series::line("gaps", [(1.0, 0.0), (2.0, 5.0)]);
    gaps.points.extend([
        gap(3.0),
        Point::new(4.0, 7.0),
        gap(5.0),
        Point::new(6.0, f64::NAN),
        Point::new(7.0, 3.0),
    ]);
    let interval = |x: f64, y: f64| Point { x, y: Some(y), interval: Some([y / 2.0, y * 2.0]) };
    let mut estimate = Series::line("estimate", []).shaped(Shape::Dots);
    estimate.points = (1..9).map(|i| interval(f64::from(i), 0.1 / f64::from(i * i))).collect();
    let long = |i: i32| {
        format!("store number {i} with a name that goes on for much longer than any column could hold it")
    };
    let many =
        |i: i32| Series::line(long(i), (0..20).map(|x| (f64::from(x), f64::from((x * (i + 3)) % 17 + i))));
    let hostile = "<b>&amp;\u{0}\u{1b}[31m \u{ffff} ]]> \"q\" 'q'";
    let part = |name: &str, values: Vec<Option<f64>>| Part { name: name.into(), values };
    let bars = |categories: &[&str], parts: Vec<Part>| Bars {
        categories: categories.iter().map(|c| c.to_string()).collect(),
        parts,
    };
    let parted =
        |i: i32| part(&format!("part number {i}"), vec![Some(f64::from(i)), Some(f64::from(20 - i))]);
    let mut figures = vec![
        lines("one-point", number("x"), number("y"), vec![Series::line("only", [(3.0, 42.0)])]),
        lines("one-point-log", log("x"), log("y"), vec![Series::line("only", [(3.0, 42.0)])]),
        lines(
            "equal",
            number("x"),
            number("y"),
            vec![Series::line("flat", [(1.0, 5.0), (2.0, 5.0), (9.0, 5.0)])],
        ),
        lines("zero", number("x"), number("y"), vec![Series::line("none", [(0.0, 0.0), (1.0, 0.0)])]),
        lines(
            "zero-log",
            number("x"),
            log("y"),
            vec![Series::line("some", [(0.0, 0.0), (1.0, 10.0), (2.0, 300.0)])],
        ),
        lines(
            "gaps",
            number("x"),
            number("y"),
            vec![gaps, Series { points: vec![gap(1.0)], ..Series::line("absent", []) }],
        ),
        lines(
            "huge",
            log("x"),
            log("y"),
            vec![Series::line("huge", [(1e-300, 1e300), (1.0, 1.0), (1e300, 1e-300)])],
        ),
        lines(
            "huge-linear",
            number("x"),
            number("y"),
            vec![Series::line("huge", [(-1e300, -1e300), (1e300, 1e300)])],
        ),
        lines(
            "tiny-linear",
            number("x"),
            number("y"),
            vec![Series::line("tiny", [(0.0, 1e-300), (1e-300, 2e-300)])],
        ),
        lines("many", number("x"), number("y"), (0..20).map(many).collect()),
        lines("most", number("x"), number("y"), (0..40).map(many).collect()),
        lines(
            "negative",
            number("x"),
            Axis::linear("balance", Unit::Usd),
            vec![Series::line("a", [(0.0, -3e4), (5.0, 2e4)])],
        ),
        lines("estimates", number("x"), Axis::log10("odds", Unit::Probability), vec![estimate]),
        lines(
            "narrow",
            log("x"),
            Axis::log10("rate", Unit::PerSecond),
            vec![Series::line("a", [(3.0, 2e5), (7.0, 2.4e5)])],
        ),
        figure(
            "foreign",
            "Größe in Ägypten: Ελλάδα, Москва, 日本, 🎉 – ½ €",
            number("Länge →"),
            number("Œuvre"),
            Marks::Series(vec![Series::line("żółć №1", [(0.0, 1.0), (1.0, 2.0)])]),
        ),
        figure(
            hostile,
            hostile,
            number(hostile),
            number(hostile),
            Marks::Series(vec![Series::line(hostile, [(0.0, 1.0), (1.0, 2.0)])]),
        ),
        figure(
            "one-bar",
            "One bar",
            Axis::linear("size", Unit::Bytes),
            number("store"),
            Marks::StackedBars(bars(&["raw"], vec![part("key", vec![Some(16.0)])])),
        ),
        figure(
            "many-parts",
            "Sixteen parts in twelve colours",
            Axis::linear("size", Unit::Bytes),
            number("store"),
            Marks::StackedBars(bars(&["a", "b"], (0..16).map(parted).collect())),
        ),
        figure(
            "zero-bars",
            "Nothing in the bars",
            Axis::linear("size", Unit::Bytes),
            number("store"),
            Marks::StackedBars(bars(&["a", "b"], vec![part("key", vec![Some(0.0), None])])),
        ),
        figure(
            "log-bars",
            "Rates differ by five orders of magnitude",
            Axis::log10("ids per second", Unit::PerSecond),
            number("generator"),
            Marks::GroupedBars(bars(
                &["uuid-rs", &long(1)],
                vec![
                    part("1 thread", vec![Some(4.1e6), Some(0.0)]),
                    part("2 threads", vec![Some(7.9e6), None]),
                    part("64 threads", vec![Some(2.2e8), Some(9.1e3)]),
                ],
            )),
        ),
        figure(
            "huge-bars",
            "Bars of 10³⁰⁰ bytes",
            Axis::linear("size", Unit::Bytes),
            number("store"),
            Marks::GroupedBars(bars(&["a", "b"], vec![part("key", vec![Some(1e300), Some(-1e300)])])),
        ),
        lines("no-words", number(""), number(""), vec![Series::line("", [(0.0, 1.0), (1.0, 2.0)])]),
    ];
    let last = figures.last_mut().expect("it was just filled");
    (last.title, last.subtitle) = (Vec::new(), Vec::new());
    let many = figures.iter().position(|figure| figure.name == "many").expect("it is in the list");
    figures[many].title = words("A finding that needs many words to be told ".repeat(6));
    figures[many].subtitle = words("an input; ".repeat(60));
    figures
}

#[test]
fn every_kind_of_figure_is_drawn() {
    for figure in samples() {
        let drawing = plot::draw(&figure).unwrap_or_else(|error| panic!("{}: {error}", figure.name));
        keep(&figure, &drawing);
    }
}

#[test]
fn figures_at_the_limits_are_drawn_within_their_sheet() {
    for figure in edges() {
        let drawing = plot::draw(&figure).unwrap_or_else(|error| panic!("{}: {error}", figure.name));
        let svg = drawing.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", figure.name);
        if figure.name.is_ascii() && !figure.name.contains('<') {
            keep(&figure, &drawing);
        }
    }
}

#[test]
fn equal_figures_give_equal_bytes() {
    for figure in samples() {
        let (first, second) = (plot::draw(&figure), plot::draw(&figure.clone()));
        let (first, second) = (first.expect("a sample is drawn"), second.expect("a sample is drawn"));
        assert_eq!(first.svg(), second.svg(), "{}", figure.name);
        assert_eq!(first.svg(), plot::svg(&figure).expect("as above"), "{}", figure.name);
        let png = first.png().expect("a sample is drawn");
        assert!(png == second.png().expect("as above") && png == plot::png(&figure).expect("as above"));
    }
}

#[test]
fn svg_needs_no_font_and_says_what_it_shows() {
    let svg = plot::svg(&cost()).expect("a sample is drawn");
    assert!(!svg.contains("<text") && !svg.contains("font-family"), "text is left as text");
    assert!(svg.starts_with("<svg width=\"800\" height=\"500\""), "{}", &svg[..120]);
    assert!(svg.contains("<title>At 7 days Redis costs $1.1M a month"));
    assert!(svg.contains("<desc>200 k keys/s") && svg.contains("Cassandra, Redis"));
}

#[test]
fn every_letter_becomes_an_outline() {
    let outlines = |title: &str| {
        let figure = Figure { title: words(title.to_owned()), ..parts() };
        let svg = plot::svg(&figure).expect("a sample is drawn");
        svg.split(" d=\"")
            .skip(1)
            .map(|path| path.split('"').next().unwrap_or("").matches('M').count())
            .sum::<usize>()
    };
    // "l" and "T" are one outline each, "i" two: a dot over a stem.
    assert_eq!(outlines("l") + 1, outlines("lT"));
    assert_eq!(outlines("l") + 2, outlines("li"));
}

/// Pixels of a PNG or SVG at twice the figure's size.
fn pixels(png: Option<&[u8]>, svg: Option<&str>) -> resvg::tiny_skia::Pixmap {
    if let Some(png) = png {
        return resvg::tiny_skia::Pixmap::decode_png(png).expect("it is a PNG");
    }
    let tree = resvg::usvg::Tree::from_str(svg.expect("either is given"), &Default::default());
    let tree = tree.expect("it is an SVG");
    let size = tree.size();
    let mut pixels = resvg::tiny_skia::Pixmap::new(2 * size.width() as u32, 2 * size.height() as u32)
        .expect("a figure has a size");
    resvg::render(&tree, resvg::tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    pixels
}

/// The SVG is read back without any font: what it holds must be outlines, in the same places.
#[test]
fn svg_and_png_show_the_same_picture() {
    for figure in samples() {
        let drawing = plot::draw(&figure).expect("a sample is drawn");
        let png = drawing.png().expect("a sample is drawn");
        let (png, svg) = (pixels(Some(&png), None), pixels(None, Some(&drawing.svg())));
        assert_eq!((png.width(), png.height()), (svg.width(), svg.height()), "{}", figure.name);
        assert_eq!(png.width(), 1600);
        let far = |(a, b): &(&u8, &u8)| a.abs_diff(**b) > 64;
        let differing = png.data().iter().zip(svg.data()).filter(far).count();
        // Rounding to a hundredth of a pixel moves no edge by a quarter of a shade; a lost letter would.
        assert!(differing < 40, "{}: {differing} of {} bytes differ", figure.name, png.data().len());
    }
}

#[test]
fn nothing_is_drawn_outside_the_margins() {
    for figure in samples().into_iter().chain(edges()) {
        let png = plot::png(&figure).expect("a sample is drawn");
        let pixels = pixels(Some(&png), None);
        let (width, height) = (pixels.width(), pixels.height());
        let border = |x: u32, y: u32| x < 16 || y < 16 || x >= width - 16 || y >= height - 16;
        let inked = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter(|&(x, y)| border(x, y))
            .filter(|&(x, y)| {
                pixels.pixel(x, y).is_some_and(|p| (p.red(), p.green(), p.blue()) != (255, 255, 255))
            })
            .count();
        assert_eq!(inked, 0, "{} reaches into the margin", figure.name);
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_its_reason() {
    let bars = |values: Vec<Option<f64>>| Bars {
        categories: vec!["raw".into()],
        parts: vec![Part { name: "key".into(), values }],
    };
    let stacked = |x: Axis, bars: Bars| figure("f", "", x, number("store"), Marks::StackedBars(bars));
    let one = |x: f64, y: f64| vec![Series::line("a", [(x, y)])];
    let none = Bars { categories: Vec::new(), parts: Vec::new() };
    let many = (0..41).map(|i| Series::line(i.to_string(), [(0.0, 1.0)])).collect();
    let dense = vec![Series::line("a", (0..20_001).map(|i| (f64::from(i), 1.0)))];
    let cases = [
        (lines("f", number("x"), number("y"), Vec::new()), "nothing to show"),
        (lines("f", number("x"), number("y"), vec![Series::line("a", [])]), "no value"),
        (lines("f", number("x"), number("y"), one(1.0, f64::NAN)), "no value"),
        (lines("f", Axis::log10("x", Unit::Count), number("y"), one(0.0, 1.0)), "no value"),
        (lines("f", number("x").between(5.0, 9.0), number("y"), one(1.0, 1.0)), "no value"),
        (lines("f", number("x").between(9.0, 5.0), number("y"), one(7.0, 1.0)), "no value"),
        (lines("f", number("x"), number("y"), one(1.0, 1e305)), "beyond"),
        (lines("f", number("x"), number("y"), many), "at most 40"),
        (lines("f", number("x"), number("y"), dense), "at most 20000"),
        (stacked(number("size"), none), "no bars"),
        (stacked(number("size"), bars(Vec::new())), "0 values for 1 bars"),
        (stacked(number("size"), bars(vec![Some(-1.0)])), "below zero"),
        (stacked(number("size"), bars(vec![None])), "no value"),
        (stacked(Axis::log10("size", Unit::Bytes), bars(vec![Some(1.0)])), "linear"),
    ];
    for (figure, reason) in cases {
        let error = plot::draw(&figure).err().unwrap_or_else(|| panic!("{reason}: it was drawn")).to_string();
        assert!(error.starts_with("figure \"f\": ") && error.contains(reason), "{error}");
    }
}
