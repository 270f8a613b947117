//! Laws of `collide` that hold for any question.

use proptest::prelude::*;
use proptest::sample::select;
use uuidcap::engine::collide::{self, Case, Collision, Inputs, Subject};
use uuidcap::id::scheme;
use uuidcap::math::birthday;
use uuidcap::math::inverse::Risk;
use uuidcap::math::logspace::{Chance, Wide};
use uuidcap::units::{Count, Exact, Probability, Rate, Span};

use num_bigint::BigUint;

/// Schemes that chance decides: flat spaces, and clocks with random bits.
const SCHEMES: [&str; 12] = [
    "v4-hex6",
    "random32",
    "v4",
    "v7",
    "v7:uuid-rs",
    "v7:postgres18",
    "v7:google",
    "ulid",
    "ksuid",
    "nanoid",
    "cuid2",
    "random64",
];

fn subject(name: &str) -> Subject {
    Subject::Scheme(scheme::find(name).expect("a scheme of the catalogue"))
}

fn rate(per_s: u128) -> Rate {
    Rate::new(Exact::whole(per_s)).expect("not zero")
}

fn span(seconds: u128) -> Span {
    Span::new(Exact::whole(seconds)).expect("not zero")
}

/// The only case of a question.
fn answer(inputs: Inputs) -> Case {
    let question = Collision::new(inputs).expect("one thing is unknown");
    collide::answer(&question, &()).expect("chance decides").cases.remove(0)
}

fn loaded(name: &str, per_s: u128, seconds: u128, window_s: Option<u128>) -> Chance {
    let inputs = Inputs {
        subjects: vec![subject(name)],
        rate_per_s: vec![rate(per_s)],
        for_s: vec![span(seconds)],
        window_s: window_s.map(span).into_iter().collect(),
        ..Inputs::default()
    };
    answer(inputs).chance().expect("odds were asked for")
}

/// Rounding: the same number by two ways of computing.
fn not_above(a: Chance, b: Chance) -> bool {
    let (a, b) = (a.hazard(), b.hazard());
    b.is_none() || a.zip(b).is_some_and(|(a, b)| a <= b.times(Wide::new(1.0 + 1e-12)))
}

fn close(a: Chance, b: Chance, tolerance: f64) -> bool {
    let ratio = |a: Wide, b: Wide| a.over(b).as_f64();
    a.hazard().zip(b.hazard()).is_some_and(|(a, b)| (ratio(a, b) - 1.0).abs() < tolerance)
}

/// A whole number with any number of digits, so that small and large ones are tried alike.
fn any_size(most_bits: u32) -> impl Strategy<Value = u128> {
    (0..most_bits, any::<u128>()).prop_map(|(bits, value)| (value & ((1u128 << bits) - 1)) | 1 << bits)
}

fn risks() -> impl Strategy<Value = Probability> {
    (1u32..40, 1u32..9).prop_map(|(power, digit)| format!("{digit}e-{power}").parse().expect("a probability"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_global_rejects: 65_536, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_window_never_makes_a_clash_likelier_than_keeping_everything(
        name in select(&SCHEMES[..]), per_s in any_size(30), seconds in any_size(30), window in any_size(30),
        less in any_size(5), nearly in any::<bool>(),
    ) {
        // A window that is hardly shorter than the run is where an approximation would pass the exact odds.
        let window = if nearly { seconds.saturating_sub(less).max(1) } else { window };
        prop_assert!(not_above(loaded(name, per_s, seconds, Some(window)), loaded(name, per_s, seconds, None)));
    }

    #[test]
    fn a_longer_window_never_makes_a_clash_less_likely(
        name in select(&SCHEMES[..]), per_s in any_size(30), seconds in any_size(30),
        window in any_size(30), more in any_size(20),
    ) {
        let [shorter, longer] = [window, window + more].map(|window| loaded(name, per_s, seconds, Some(window)));
        prop_assert!(not_above(shorter, longer), "{shorter:?} {longer:?}");
    }

    #[test]
    fn more_ids_a_second_or_more_time_make_a_clash_likelier(
        name in select(&SCHEMES[..]), per_s in any_size(30), seconds in any_size(30), factor in 2u128..100,
    ) {
        let plain = loaded(name, per_s, seconds, None);
        for more in [loaded(name, per_s * factor, seconds, None), loaded(name, per_s, seconds * factor, None)] {
            prop_assert!(not_above(plain, more), "{plain:?} {more:?}");
            prop_assert!(more > plain || more.as_f64() == 1.0, "{plain:?} {more:?}");
        }
    }

    #[test]
    fn the_most_ids_keep_a_risk_and_one_more_breaks_it(bits in 1u32..200, off in 0u32..1_000, risk in risks()) {
        let values = (BigUint::from(1u32) << bits) + off;
        let inputs = Inputs {
            subjects: vec![Subject::space("a space".to_owned(), values.clone()).expect("some values")],
            risk: vec![risk.clone()],
            ..Inputs::default()
        };
        let case = answer(inputs);
        let most = case.max_ids.expect("ids were asked for").value().clone();
        let limit = Risk::new(risk.numerator().clone(), risk.denominator().clone()).expect("a risk").as_chance();
        let (kept, broken) = (birthday::chance(&most, &values), birthday::chance(&(most + 1u32), &values));
        prop_assert!(not_above(kept, limit), "{kept:?} {limit:?}");
        prop_assert!(not_above(limit, broken), "{broken:?} {limit:?}");
    }

    #[test]
    fn the_bits_for_ids_and_a_risk_keep_it_and_one_bit_less_does_not(bits in 2u32..120, off in 0u32..1_000, risk in risks()) {
        let ids = (BigUint::from(1u32) << bits) + off;
        let inputs = Inputs { ids: vec![Count::new(ids.clone()).expect("a count")], risk: vec![risk.clone()], ..Inputs::default() };
        let least = answer(inputs).min_bits_integer.expect("bits were asked for");
        let limit = Risk::new(risk.numerator().clone(), risk.denominator().clone()).expect("a risk").as_chance();
        let at = |bits: u64| birthday::chance(&ids, &(BigUint::from(1u32) << bits));
        prop_assert!(not_above(at(least), limit) && not_above(limit, at(least - 1)));
    }

    #[test]
    fn the_time_to_a_risk_put_back_gives_the_risk(
        name in select(&SCHEMES[2..]), per_s in 1_000u128..1_000_000_000, window in select(vec![None, Some(3_600u128), Some(604_800)]), risk in risks(),
    ) {
        let windows: Vec<Span> = window.map(span).into_iter().collect();
        let question = Inputs {
            subjects: vec![subject(name)], rate_per_s: vec![rate(per_s)], window_s: windows.clone(),
            risk: vec![risk.clone()], ..Inputs::default()
        };
        let seconds = answer(question).seconds_to_risk.expect("the time was asked for").as_f64();
        // Spans are exact to the microsecond, ids whole: both must be far finer than 1e-9.
        prop_assume!(seconds > 1e4 && seconds < 1e25);
        let micros = Exact::new((seconds * 1e6) as u128, 1_000_000).and_then(Span::new).expect("a span");
        let put_back = Inputs {
            subjects: vec![subject(name)], rate_per_s: vec![rate(per_s)], window_s: windows,
            for_s: vec![micros], ..Inputs::default()
        };
        let limit = Risk::new(risk.numerator().clone(), risk.denominator().clone()).expect("a risk").as_chance();
        let chance = answer(put_back).chance().expect("odds");
        // The number of ids is rounded to a whole one: p moves by 2/ids of itself at most.
        let rounding = 2.0 / (per_s as f64 * seconds);
        prop_assert!(close(chance, limit, 1e-9 + rounding), "{chance:?} {limit:?} after {seconds} s");
    }
}
