//! What the figures of `collide` claim: that they agree with the answer, and make nothing up.

mod figures;

use figures::{figure, series};
use uuidcap::document::figure::{Figure, Series, Shape};
use uuidcap::document::{self, Document, Piece, Sentence};
use uuidcap::engine::collide::{self, Answer, Collision, Inputs, Subject};
use uuidcap::id::scheme;
use uuidcap::render::number;
use uuidcap::study;
use uuidcap::units::Count;

fn scheme(name: &str) -> Subject {
    Subject::Scheme(scheme::find(name).expect("a scheme of the catalogue"))
}

fn schemes(names: &str) -> Vec<Subject> {
    names.split(',').map(scheme).collect()
}

/// Values read as the command line reads them.
fn read<T: std::str::FromStr>(texts: &str) -> Vec<T> {
    let one = |text: &str| text.parse().ok().expect("a value of the test is well formed");
    texts.split(',').map(one).collect()
}

fn figures(inputs: Inputs) -> (Answer, Vec<Figure>) {
    let question = Collision::new(inputs).expect("one thing is unknown");
    let answer = collide::answer(&question, &()).expect("the question has an answer");
    let curves = study::collide::curves(&question).expect("the question has curves");
    let Document { figures, .. } = document::collide::document(&question, &answer, Some(&curves));
    (answer, figures)
}

fn load(names: &str, rate: &str, span: &str) -> Inputs {
    Inputs { subjects: schemes(names), rate_per_s: read(rate), for_s: read(span), ..Inputs::default() }
}

fn line<'a>(figure: &'a Figure, name: &str) -> &'a Series {
    let found = series(figure).iter().find(|series| series.name == name);
    found.unwrap_or_else(|| panic!("{name} is not among {:?}", names(figure)))
}

fn names(figure: &Figure) -> Vec<&str> {
    series(figure).iter().map(|series| series.name.as_str()).collect()
}

/// A sentence as it is drawn.
fn sentence(sentence: &Sentence) -> String {
    let said = |piece: &Piece| match piece {
        Piece::Words(words) => words.to_string(),
        Piece::Value(cell, unit) => number::rounded(cell, *unit),
        Piece::Exact(cell, unit) => number::exact(cell, *unit),
    };
    sentence.iter().map(said).collect()
}

fn title(figures: &[Figure], name: &str) -> String {
    sentence(&figure(figures, name).title)
}

fn subtitle(figures: &[Figure], name: &str) -> String {
    sentence(&figure(figures, name).subtitle)
}

fn dots(figure: &Figure) -> Vec<(f64, f64)> {
    let dots = series(figure).iter().filter(|series| series.shape == Shape::Dots);
    dots.flat_map(|series| &series.points)
        .map(|point| (point.x, point.y.expect("a dot has a value")))
        .collect()
}

fn last_place(series: &Series) -> f64 {
    series.points.iter().map(|point| point.x).fold(0.0, f64::max)
}

/// The value of a line where it has a point.
fn at(series: &Series, x: f64) -> f64 {
    let point = series.points.iter().find(|point| (point.x / x - 1.0).abs() < 1e-9);
    point.and_then(|point| point.y).unwrap_or_else(|| panic!("{} has no point at {x}", series.name))
}

#[test]
fn without_a_rate_nothing_is_drawn_over_time_or_rates() {
    let inputs = Inputs { subjects: schemes("v4"), ids: read("1e9"), ..Inputs::default() };
    let (_, figures) = figures(inputs);
    assert_eq!(figures.len(), 1);
    assert_eq!(
        title(&figures, "risk-by-ids"),
        "Among 1,000,000,000 v4 ids the odds of a clash are 1 in 1.063e19"
    );
    assert_eq!(
        names(&figures[0]),
        ["v4", "v7 in one tick", "ulid in one tick", "ksuid in one tick", "nanoid", "cuid2", "2^64", "asked"]
    );
}

#[test]
fn without_a_window_no_figure_has_a_word_of_one() {
    let (_, figures) = figures(load("v4,v7", "200k", "30y"));
    assert_eq!(figures.len(), 3);
    for figure in &figures {
        let said = format!("{} {} {:?}", sentence(&figure.title), sentence(&figure.subtitle), names(figure));
        assert!(!said.contains("window") && !said.contains("each id kept"), "{said}");
    }
    assert_eq!(title(&figures, "risk-by-time"), "From 1 in 297 million (v4) to 1 in 998,000 (v7) over 30 y");
}

#[test]
fn without_a_time_no_title_names_one_that_was_not_solved_for() {
    let inputs =
        Inputs { subjects: schemes("v4"), rate_per_s: read("200k"), risk: read("1e-9"), ..Inputs::default() };
    let (answer, figures) = figures(inputs);
    assert_eq!(title(&figures, "risk-by-time"), "16.34 y at 200,000/s until v4 ids reach a risk of 1e-9");
    assert!(figures.iter().all(|figure| figure.name != "clashes-by-rate"), "no time, no average over it");
    let seconds = answer.cases[0].seconds_to_risk.expect("the time was asked").as_f64();
    let [(x, y)] = dots(figure(&figures, "risk-by-time"))[..] else { panic!("one dot") };
    assert!((x / seconds - 1.0).abs() < 1e-9 && (y / 1e-9 - 1.0).abs() < 1e-6, "{x} {y}");
}

#[test]
fn times_to_a_risk_are_said_from_the_least_to_the_most() {
    let inputs = Inputs {
        subjects: schemes("v4,v7"),
        rate_per_s: read("200k"),
        window_s: read("7d"),
        risk: read("1e-9"),
        ..Inputs::default()
    };
    let (_, figures) = figures(inputs);
    assert_eq!(title(&figures, "risk-by-time"), "Time to a risk of 1e-9: from 10.93 d (v7) to 6,964 y (v4)");
    assert_eq!(dots(figure(&figures, "risk-by-time")).len(), 2);
}

#[test]
fn ids_within_a_risk_are_where_the_line_meets_it() {
    let inputs = Inputs { subjects: schemes("v4"), risk: read("1e-9"), ..Inputs::default() };
    let (_, figures) = figures(inputs);
    assert_eq!(
        title(&figures, "risk-by-ids"),
        "At most 103,120,434,306,670 v4 ids keep the risk of a clash at or below 1e-9"
    );
    let by_ids = figure(&figures, "risk-by-ids");
    assert!((at(line(by_ids, "v4"), 103_120_434_306_670.0) / 1e-9 - 1.0).abs() < 1e-6);
}

#[test]
fn a_risk_is_a_horizontal_line_across_the_figure() {
    let inputs =
        Inputs { subjects: schemes("v4,v7"), for_s: read("30y"), risk: read("1e-9"), ..Inputs::default() };
    let (_, figures) = figures(inputs);
    assert_eq!(figures.len(), 1, "the rate is what is asked: nothing is drawn at one");
    let risk = line(&figures[0], "risk 1e-9");
    assert!(risk.points.iter().all(|point| point.y == Some(1e-9)));
    assert_eq!(last_place(risk), last_place(line(&figures[0], "v4")));
}

#[test]
fn the_window_line_never_passes_the_one_for_good() {
    for (span, window) in [("30y", "7d"), ("1d", "7d"), ("10d", "7d"), ("15d", "7d"), ("7d", "7d")] {
        let (_, figures) = figures(Inputs { window_s: read(window), ..load("v4,nanoid", "200k", span) });
        for figure in figures.iter().filter(|figure| figure.name != "risk-by-ids") {
            let Some(within) = series(figure).iter().find(|series| series.name == "v4 kept for the window")
            else {
                line(figure, "v4, kept or not");
                continue;
            };
            let good = line(figure, "v4 kept for good");
            for (within, good) in within.points.iter().zip(&good.points) {
                assert_eq!(within.x, good.x);
                let limit = good.y.expect("a point has a value") * (1.0 + 1e-12);
                assert!(
                    within.y.expect("a point has a value") <= limit,
                    "{span} {window} {within:?} {good:?}"
                );
            }
        }
    }
}

#[test]
fn a_window_that_forgets_is_a_line_of_its_own_with_the_odds_of_the_answer() {
    let (answer, figures) = figures(Inputs { window_s: read("7d"), ..load("v4", "200k", "30y") });
    let case = &answer.cases[0];
    let (kept, good) =
        (case.chance().expect("asked").as_f64(), case.keep_everything.expect("a window").as_f64());
    let (by_time, by_ids) = (figure(&figures, "risk-by-time"), figure(&figures, "risk-by-ids"));
    let span = case.for_s.expect("asked");
    assert!((at(line(by_time, "v4 kept for the window"), span) / kept - 1.0).abs() < 1e-9);
    assert!((at(line(by_time, "v4 kept for good"), span) / good - 1.0).abs() < 1e-9);
    let [(_, dot)] = dots(by_ids)[..] else { panic!("one dot") };
    assert!((dot / good - 1.0).abs() < 1e-9, "ids are all kept there");
    assert!(title(&figures, "risk-by-ids").ends_with("are 1 in 297 million, kept for good"));
    assert_eq!(
        title(&figures, "risk-by-time"),
        "After 30 y: 1 in 232 billion (v4), each id kept 7 d; 1 in 297 million kept for good"
    );
    assert_eq!(
        title(&figures, "clashes-by-rate"),
        "At 200,000 ids/s, honest payments refused: one in 6.96 trillion y (v4), each id kept 7 d"
    );
}

#[test]
fn digits_that_are_kept_are_in_every_line_of_what_was_asked() {
    let (answer, figures) = figures(Inputs { keep_hex: read("12"), ..load("v4", "1k", "1d") });
    let case = &answer.cases[0];
    assert_eq!(figures.len(), 3);
    let p = case.chance().expect("asked").as_f64();
    let name = "v4-hex12";
    let ids: f64 = case.ids.as_ref().expect("asked").to_string().parse().expect("digits");
    assert!((at(line(figure(&figures, "risk-by-ids"), name), ids) / p - 1.0).abs() < 1e-9);
    assert!((at(line(figure(&figures, "risk-by-time"), name), 86_400.0) / p - 1.0).abs() < 1e-9);
    let refused = case.refused_payments_per_year.expect("a rate").as_f64();
    assert!((at(line(figure(&figures, "clashes-by-rate"), name), 1e3) / refused - 1.0).abs() < 1e-9);
    assert!(figures.iter().all(|figure| dots(figure).len() == 1));
}

#[test]
fn a_clock_that_is_cut_short_is_drawn_as_it_is_left() {
    let (answer, figures) = figures(Inputs { keep_hex: read("8"), ..load("v7", "0.001", "1y") });
    let by_time = figure(&figures, "risk-by-time");
    let p = answer.cases[0].chance().expect("asked").as_f64();
    assert!((at(line(by_time, "v7-hex8"), 31_557_600.0) / p - 1.0).abs() < 1e-9);
    let last = |name| line(by_time, name).points.last().and_then(|point| point.y);
    assert!(last("v7") < last("v7-hex8"), "all of a v7 is less likely to clash");
}

#[test]
fn node_numbers_have_no_line_and_no_odds_in_a_title() {
    let inputs = Inputs { generators: Some("40".parse().expect("a count")), ..load("snowflake", "1k", "1y") };
    let (_, figures) = figures(inputs);
    assert_eq!(figures.len(), 1, "nothing that was asked can be drawn");
    assert_eq!(title(&figures, "risk-by-ids"), "How many ids each scheme takes before two are equal");
    assert!(subtitle(&figures, "risk-by-ids").contains("not drawn: snowflake"));
    assert!(dots(&figures[0]).is_empty() && !names(&figures[0]).contains(&"snowflake"));
}

#[test]
fn what_chance_decides_is_drawn_beside_what_it_does_not() {
    let (_, figures) = figures(load("v4,snowflake", "200k", "30y"));
    assert_eq!(title(&figures, "risk-by-time"), "After 30 y: 1 in 297 million (v4)");
    for figure in &figures {
        assert!(sentence(&figure.subtitle).contains("not drawn: snowflake"), "{}", figure.name);
    }
}

#[test]
fn shared_seeds_leave_no_dot_and_no_odds_in_a_title() {
    let inputs = Inputs {
        subjects: schemes("v4"),
        ids: read("1e9"),
        seed_bits: Some(32),
        generators: Some(Count::from(1_000)),
        ..Inputs::default()
    };
    let alone = Inputs { subjects: Vec::new(), ids: Vec::new(), ..inputs.clone() };
    let timed = Inputs { ids: Vec::new(), rate_per_s: read("1k"), for_s: read("1y"), ..inputs.clone() };
    for inputs in [inputs, timed, alone] {
        let (_, figures) = figures(inputs);
        assert_eq!(figures.len(), 1);
        assert_eq!(title(&figures, "risk-by-ids"), "How many ids each scheme takes before two are equal");
        assert!(dots(&figures[0]).is_empty());
    }
}

#[test]
fn lines_end_where_their_clock_starts_again() {
    let names = "v7,ulid,ksuid";
    let (_, figures) = figures(load(&format!("v4,{names}"), "1000", "20000y"));
    for name in names.split(',') {
        let life = scheme::find(name).and_then(|scheme| scheme.life_s()).expect("it has a clock");
        // Whole seconds and whole ids below the end.
        let by_time = last_place(line(figure(&figures, "risk-by-time"), name));
        assert!(by_time <= life && by_time > life - 1.0, "{name}: {by_time} of {life}");
        let by_ids = last_place(line(figure(&figures, "risk-by-ids"), &format!("{name} at this rate")));
        assert!(by_ids <= life * 1e3 && by_ids > (life - 1.0) * 1e3, "{name}: {by_ids}");
    }
    assert!(last_place(line(figure(&figures, "risk-by-time"), "v4")) > 20_000.0 * 31_557_600.0);
    assert!(subtitle(&figures, "risk-by-time").ends_with("lines end where a clock starts again"));
    assert_eq!(dots(figure(&figures, "risk-by-time")).len(), 1, "only v4 lasts that long");
}

#[test]
fn all_that_was_asked_is_compared_and_nothing_else() {
    let asked = "v4,v7,ulid,ksuid,nanoid,cuid2";
    let (_, figures) = figures(Inputs { window_s: read("7d"), ..load(asked, "200k", "15y") });
    let in_time = [
        "v4 kept for the window",
        "v7, kept or not",
        "ulid, kept or not",
        "ksuid, kept or not",
        "nanoid kept for the window",
        "cuid2 kept for the window",
        "asked",
    ];
    assert_eq!(names(figure(&figures, "risk-by-time")), in_time);
    assert_eq!(names(figure(&figures, "clashes-by-rate")), in_time);
    for figure in &figures {
        assert_eq!(dots(figure).len(), 6, "{}", figure.name);
    }
    assert_eq!(
        title(&figures, "risk-by-ids"),
        "From 1 in 3.594e19 (ksuid) to 1 in 2 million (v7) over 15 y, kept for good"
    );
}

#[test]
fn equal_lines_are_one_under_all_their_names() {
    let (_, figures) = figures(load("v4,v7,v7:java,v7:dotnet,v7:uuid-rs", "200k", "15y"));
    assert_eq!(
        names(figure(&figures, "risk-by-time")),
        ["v4", "v7, v7:java, v7:dotnet", "v7:uuid-rs", "asked"]
    );
}

#[test]
fn of_many_lines_the_least_and_the_most_are_drawn_and_the_rest_counted() {
    let subjects = (60..70).map(|bits| Subject::bits(f64::from(bits)).expect("in range")).collect();
    let (_, figures) = figures(Inputs { subjects, ids: read("1e6"), ..Inputs::default() });
    assert_eq!(
        title(&figures, "risk-by-ids"),
        "From 1 in 1.18 billion (2^69) to 1 in 2.31 million (2^60) among 1,000,000 ids"
    );
    let drawn = names(&figures[0]);
    assert_eq!(drawn.len(), 9, "eight lines and the dots");
    assert!(drawn.contains(&"2^60") && drawn.contains(&"2^69"));
    assert!(subtitle(&figures, "risk-by-ids").ends_with("2 more not drawn"));
}

#[test]
fn of_lists_the_first_is_drawn_and_said_to_be() {
    let (_, figures) = figures(Inputs { window_s: read("7d,1d"), ..load("v4,v7", "200k,1M,10M", "30y") });
    let said = subtitle(&figures, "risk-by-time");
    assert!(
        said.starts_with("200,000 ids/s · the first of 3 rates · the window is 7 d · the first of 2 windows"),
        "{said}"
    );
    assert_eq!(dots(figure(&figures, "risk-by-time")).len(), 3, "v4 once, v7 with either window");
    let cases = title(&figures, "risk-by-time");
    assert_eq!(cases, "From 1 in 232 billion (v4) to 1 in 998,000 (v7) over 30 y, each id kept 7 d");
}

#[test]
fn every_dot_lies_on_a_line_and_every_extreme_is_drawn_without_a_fault() {
    let flat = |subjects, ids| Inputs { subjects, ids: read(ids), ..Inputs::default() };
    let questions = [
        flat(schemes("v4"), "0"),
        flat(schemes("v4"), "2"),
        flat(schemes("v4,v7"), "1,2^4000"),
        flat(vec![Subject::bits(4_000.0).expect("in range")], "1e9"),
        flat(vec![Subject::bits(0.0).expect("in range")], "1e9"),
        Inputs { rate_per_s: read("1"), ..flat(schemes("v4,v7"), "1e100") },
        Inputs { rate_per_s: read("1e-9"), ..flat(schemes("v4,v7"), "0,5") },
        Inputs { for_s: read("30y"), ..flat(schemes("v4,v7"), "0,1e30") },
        load("v7,ksuid", "1e30", "1000000y"),
        load("v4,ulid", "1e-9", "1ms"),
        Inputs { window_s: read("500ms"), ..load("ksuid,v4", "200k", "1y") },
        Inputs { dispersion: Some(50.0), ..load("v7,v4", "200k", "1y") },
        Inputs { generators: Some(Count::from(1)), ..load("v7:bun,v4", "200k", "1y") },
        Inputs { subjects: Vec::new(), risk: read("1e-300"), ..flat(Vec::new(), "1e9") },
        Inputs { subjects: schemes("v4,v7"), risk: read("1e-300,50%"), ..Inputs::default() },
    ];
    for inputs in questions {
        let told = format!("{inputs:?}");
        let (_, figures) = figures(inputs);
        for figure in &figures {
            let lines = || series(figure).iter().filter(|series| series.shape == Shape::Line);
            for point in series(figure).iter().flat_map(|series| &series.points) {
                assert!(point.x.is_normal() && point.y.is_some_and(f64::is_normal), "{told}: {point:?}");
            }
            for (x, y) in dots(figure) {
                let on = |point: &uuidcap::document::figure::Point| {
                    (point.x / x - 1.0).abs() < 1e-9
                        && point.y.is_some_and(|value| (value / y - 1.0).abs() < 1e-9)
                };
                assert!(lines().any(|line| line.points.iter().any(on)), "{told}: {x} {y}");
            }
            uuidcap::render::plot::svg(figure).unwrap_or_else(|error| panic!("{told}: {error}"));
        }
    }
}
