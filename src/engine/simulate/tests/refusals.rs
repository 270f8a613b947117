//! What cannot be drawn is refused by its name, whatever came.

use super::super::model::{Model, Values};
use super::super::question::{Arrivals, Fault, Inputs};
use super::super::source::Words;
use super::{ids, model};
use crate::id::generator::{Cipher, Seed};
use crate::id::scheme;

fn refused(inputs: &Inputs, flag: &str) {
    let error = Model::of(inputs).expect_err("a refusal");
    assert!(error.is_usage() && error.to_string().contains(flag), "{error}");
}

fn base() -> Inputs {
    Inputs { bits: Some(16), ..Inputs::default() }
}

fn scheme(name: &str) -> Inputs {
    Inputs { scheme: Some(name.into()), ..Inputs::default() }
}

#[test]
fn numbers_outside_their_range_are_refused_by_name() {
    refused(&Inputs::default(), "--bits");
    for bits in [0, 123, u32::MAX] {
        refused(&Inputs { bits: Some(bits), ..Inputs::default() }, "--bits");
    }
    refused(&Inputs { space: Some(0), ..Inputs::default() }, "--space");
    refused(&Inputs { space: Some(9), ..base() }, "--space");
    refused(&Inputs { alphabet: Some(62), ..Inputs::default() }, "--length");
    refused(&Inputs { alphabet: Some(62), length: Some(100), ..Inputs::default() }, "--length");
    refused(&Inputs { alphabet: Some(u64::MAX), length: Some(2), ..Inputs::default() }, "--length");
    for draws in [0, (1 << 40) + 1, u64::MAX] {
        refused(&Inputs { draws: Some(draws), ..base() }, "--draws");
    }
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e101] {
        refused(&Inputs { rate_per_s: Some(value), for_s: Some(1.0), ..base() }, "--rate");
        refused(&Inputs { rate_per_s: Some(1.0), for_s: Some(value), ..base() }, "--for");
        refused(&Inputs { rate_per_s: Some(1.0), window_s: Some(value), ..base() }, "--window");
        let bursty = Inputs { arrivals: Arrivals::Bursty, duty: Some(value), ..scheme("v7") };
        refused(&bursty, "--duty");
    }
    refused(&Inputs { rate_per_s: Some(1e100), for_s: Some(1e100), ..base() }, "--rate");
    refused(&Inputs { rate_per_s: Some(1e100), ..scheme("v7") }, "--rate");
    refused(&Inputs { for_s: Some(1e100), ..scheme("v7") }, "--for");
    refused(&Inputs { draws: Some(9), rate_per_s: Some(1.0), for_s: Some(1.0), ..base() }, "--draws");
    refused(&Inputs { draws: Some(1 << 27), ..scheme("v7") }, "--draws");
}

#[test]
fn what_would_change_nothing_is_refused() {
    refused(&Inputs { generators: Some(8), ..base() }, "--generators");
    refused(&Inputs { arrivals: Arrivals::Steady, ..base() }, "--arrivals");
    refused(&Inputs { fault: Some(Fault::Clone), ..base() }, "--generators");
    refused(&Inputs { fault: Some(Fault::ClockBack), ..base() }, "--fault clock-back");
    refused(&Inputs { fault: Some(Fault::Modulo), ..base() }, "--fault modulo");
    refused(&Inputs { seed_bits: Some(15), ..base() }, "--generators");
    refused(&Inputs { back_s: Some(1.0), ..scheme("v7") }, "--back");
    refused(&Inputs { batch: Some(7), ..scheme("v7") }, "--batch");
    refused(&Inputs { reseed_after: Some(7), ..base() }, "--reseed-after");
    refused(&Inputs { window_s: Some(7.0), ..base() }, "--rate");
    refused(&Inputs { window_s: Some(1e-9), rate_per_s: Some(1.0), ..base() }, "--window");
    refused(&Inputs { generators: Some(7), ..scheme("v7") }, "--generators");
    refused(&Inputs { window_s: Some(7.0), rate_per_s: Some(7.0), ..scheme("v7") }, "--window");
    refused(&Inputs { keep_hex: Some(8), ..base() }, "--keep-hex");
}

#[test]
fn schemes_that_cannot_be_drawn_say_why() {
    refused(&scheme("nothing-of-the-kind"), "--scheme");
    refused(&scheme("v8"), "--bits");
    refused(&scheme("date-name"), "--scheme");
    refused(&Inputs { keep_hex: Some(8), ..scheme("nanoid") }, "--keep-hex");
    refused(&Inputs { keep_hex: Some(33), ..scheme("v4") }, "--keep-hex");
    refused(&Inputs { keep_hex: Some(15), ..scheme("snowflake") }, "--keep-hex");
    refused(&Inputs { keep_hex: Some(8), bits: Some(8), ..scheme("v7") }, "--bits");
    refused(&Inputs { bits: Some(75), ..scheme("v7") }, "--bits");
    refused(&Inputs { bits: Some(1), ..scheme("v7:liosk") }, "--bits");
    refused(&Inputs { bits: Some(60), for_s: Some(1.0), draws: Some(9), ..scheme("v7") }, "--bits");
    refused(&Inputs { bits: Some(11), ..scheme("snowflake") }, "--bits");
    // The first eight digits of a v1 start again after seven minutes.
    refused(&Inputs { keep_hex: Some(8), for_s: Some(430.0), draws: Some(9), ..scheme("v1") }, "--for");
    refused(&Inputs { rate_per_s: Some(1e7), for_s: Some(0.1), ..scheme("snowflake") }, "--rate");
    let back = Inputs { fault: Some(Fault::ClockBack), back_s: Some(1.0), for_s: Some(1.5), ..scheme("v7") };
    refused(&back, "--back");
    let letters = Inputs { alphabet: Some(257), length: Some(2), ..Inputs::default() };
    refused(&Inputs { fault: Some(Fault::Modulo), ..letters.clone() }, "--alphabet");
    refused(
        &Inputs { fault: Some(Fault::Modulo), alphabet: Some(62), length: Some(20), ..letters },
        "--length",
    );
}

#[test]
fn every_scheme_is_drawn_or_refused_and_each_trial_is_its_own() {
    for scheme in scheme::catalogue() {
        for (keep_hex, fault) in
            [(None, None), (Some(8), None), (None, Some(Fault::ClockBack)), (None, Some(Fault::Clone))]
        {
            let draws = Some(300);
            let generators = (fault == Some(Fault::Clone)).then_some(3);
            let scheme = Some(scheme.name.to_owned());
            let inputs = Inputs { scheme, draws, keep_hex, fault, generators, ..Inputs::default() };
            let Ok(model) = Model::of(&inputs) else { continue };
            let expected = model.expected();
            let bounds = 0.0..=1.0;
            assert!(bounds.contains(&expected.probability) && bounds.contains(&expected.probability_error));
            assert!(expected.pairs >= 0.0 && expected.pairs.is_finite(), "{}", model.in_words());
            assert!(!model.in_words().is_empty() && model.space_bits() >= 0.0);
            if model.uniform().is_some_and(|values| values.bits() > 64.0) {
                continue;
            }
            let (mut once, mut again, mut other) = (Vec::new(), Vec::new(), Vec::new());
            let mut words = Words::new(Cipher::ChaCha8, &Seed::from(5), 1);
            ids(&model, &mut words, &mut once);
            ids(&model, &mut words, &mut other);
            words.set_trial(1);
            ids(&model, &mut words, &mut again);
            assert_eq!(once, again, "{}", model.in_words());
            if model.source().is_some() && model.space_bits() > 4.0 {
                assert_ne!(once, other, "{}", model.in_words());
            }
            let shown = model.source().map(|source| source.shown(once[0]));
            assert!(shown.is_none_or(|shown| !shown.is_empty()));
        }
    }
}

#[test]
fn defaults_are_filled_in() {
    assert_eq!((model(&base()).draws(), model(&base()).uniform()), (256, Some(Values::Bits(16))));
    // Half of 2^32/2^31: about one pair.
    let v4 = model(&scheme("v4"));
    assert_eq!((v4.draws(), v4.uniform()), (65_536, Some(Values::Bits(31))));
    assert_eq!(v4.in_words(), "v4 scaled to 31 random bits, 65,536 ids");
    assert!(v4.is_scaled_unasked() && !model(&Inputs { bits: Some(31), ..scheme("v4") }).is_scaled_unasked());
    // What copies repeat does not depend on bits: all stay.
    let clones = Inputs { fault: Some(Fault::Clone), generators: Some(2), ..scheme("v4") };
    assert_eq!(model(&clones).parameters().random_bits, Some(64));
    let inputs = Inputs { bits: Some(16), rate_per_s: Some(200_000.0), for_s: Some(1.0), ..scheme("v7") };
    let v7 = model(&inputs);
    assert_eq!(v7.draws(), 200_000);
    let words = "v7 scaled to 16 random bits, 200 ids a tick of 1 ms, 1,000 ticks, Poisson arrivals";
    assert_eq!(v7.in_words(), words);
    let left = model(&Inputs { bits: None, ..inputs }).expected();
    assert!(left.pairs > 0.7 && left.pairs < 1.5, "{}", left.pairs);
    assert_eq!(model(&Inputs { bits: Some(122), ..Inputs::default() }).draws(), 1 << 24);
}

#[test]
fn ids_are_shown_by_their_parts() {
    let shown = |inputs: &Inputs, id| model(inputs).source().expect("held").shown(id);
    let v7 = Inputs { bits: Some(8), ..scheme("v7") };
    assert_eq!(shown(&v7, 5 << 8 | 0xab), "tick 5, random 0xab");
    let counted = Inputs { bits: Some(8), ..scheme("v7:uuid-rs") };
    // 41 of 73 bits count, and one guards: 8 become 4 and 4, and five of counter.
    assert_eq!(shown(&counted, 7 << 9 | 3 << 4 | 1), "tick 7, counter 3, random 0x1");
    let node = Inputs { generators: Some(3), ..scheme("snowflake") };
    assert_eq!(shown(&node, (9 << 2 | 1) << 12 | 4), "tick 9, node number of generator 1, sequence 4");
    let letters =
        Inputs { alphabet: Some(62), length: Some(2), fault: Some(Fault::Modulo), ..Inputs::default() };
    assert_eq!(shown(&letters, 61 * 62 + 3), "letters 61 3");
    let window = Inputs { window_s: Some(2.0), rate_per_s: Some(9.0), ..base() };
    assert_eq!(shown(&window, 0x1f), "001f");
}
