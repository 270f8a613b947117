//! Laws that hold for any question.

use proptest::prelude::*;
use proptest::sample::select;
use uuidcap::engine::size::{self, Case, Growth, Inputs, Sizing, StoreLine, Workload};
use uuidcap::id::key::Key;
use uuidcap::store::page::Memo;
use uuidcap::store::price::{Book, Provider};
use uuidcap::store::record::{KeyFormat, RecordKind, Scope};
use uuidcap::store::{self, Load};
use uuidcap::units::{Bytes, Exact, Rate, Share, Span};

fn keys() -> impl Strategy<Value = Key> {
    let named = [Key::V1, Key::V4, Key::V6, Key::V7, Key::V7Monotonic, Key::Ulid, Key::Snowflake];
    prop_oneof![select(named.to_vec()), (8u32..=1024).prop_map(Key::Random)]
}

fn kinds() -> impl Strategy<Value = RecordKind> {
    select(vec![RecordKind::Key, RecordKind::Claim, RecordKind::Outcome, RecordKind::Full])
}

/// A whole number with any number of digits, so that small and large ones are tried alike.
fn any_size(most_bits: u32) -> impl Strategy<Value = u128> {
    (0..most_bits, any::<u128>()).prop_map(|(bits, value)| (value & ((1u128 << bits) - 1)) | 1 << bits)
}

prop_compose! {
    fn inputs()(
        rate in any_size(80), per in any_size(20), peak in 1u128..100, retention in any_size(30), replicas in 1u32..=1000,
        key in keys(), text in any::<bool>(), record in kinds(), response in (0u32..50, any::<u64>()),
        scope in select(vec![None, Some(Scope::None), Some(Scope::Account), Some(Scope::EndpointAccount)]),
        fingerprint in any::<Option<bool>>(), headroom in 0u128..1000, growth in any::<Option<u8>>(),
        provider in select(vec![Provider::Aws, Provider::Gcp, Provider::Azure]),
    ) -> Inputs {
        let rate = Rate::new(Exact::new(rate, per).expect("not zero")).expect("not zero");
        let mut inputs = Inputs::new(rate, Span::new(Exact::whole(retention)).expect("not zero"));
        if let Some(peak) = rate.per_s().checked_mul(Exact::whole(peak)).and_then(Rate::new) {
            inputs.workloads = vec![Workload { rate_per_s: rate, peak_per_s: peak }];
        }
        inputs.replicas = vec![replicas];
        inputs.key = vec![key];
        inputs.key_format = vec![if text { KeyFormat::Text } else { KeyFormat::Binary }];
        inputs.record = vec![record];
        inputs.response_bytes = vec![Bytes(response.1 & ((1u64 << response.0) - 1))];
        inputs.scope = scope;
        inputs.fingerprint = fingerprint;
        inputs.headroom = vec![Share(Exact::new(headroom, 100).expect("not zero"))];
        inputs.growth = growth.map(|percent| Growth {
            growth_per_year: Share(Exact::new(percent.into(), 100).expect("not zero")),
            horizon_s: "3y".parse().expect("a span"),
        });
        inputs.provider = provider;
        inputs
    }
}

fn answer(mut inputs: Inputs, store: &str) -> Result<Case, uuidcap::error::Error> {
    inputs.stores = vec![store.to_owned()];
    let book = Book::default_book().expect("the book that ships");
    size::answer(&Sizing::new(inputs)?, &book, &()).map(|mut answer| answer.cases.remove(0))
}

fn finite(line: &StoreLine) {
    let io = &line.io;
    let reals = [
        line.bytes_per_key,
        line.table_bytes_per_key,
        line.index_bytes_per_key,
        line.log_bytes_per_insert,
        io.writes_per_s,
        io.lookups_per_s,
        io.log_bytes_per_s,
        io.pages_dirtied_per_s.unwrap_or(0.0),
        io.background_bytes_per_s,
        io.replication_bytes_per_s,
        line.refused_payments_per_day.unwrap_or(0.0),
    ];
    assert!(reals.iter().all(|real| real.is_finite() && *real >= 0.0), "{line:?}");
    assert!(line.leaf_fill.is_none_or(|fill| fill > 0.0 && fill <= 1.0), "{line:?}");
    let detail = line.detail.as_ref().expect("one case has its detail");
    for part in detail.parts.iter().chain(&detail.log_parts) {
        assert!(part.bytes.is_finite() && part.bytes >= 0.0, "{part:?}");
    }
    for purge in &detail.purges {
        assert!(purge.stored_bytes.is_finite() && purge.log_bytes_per_s.is_finite(), "{purge:?}");
        assert!(purge.purge.bytes_per_live_key >= 0.0 && purge.pages_dirtied_per_s >= 0.0, "{purge:?}");
    }
    assert!(detail.spread.is_none_or(|spread| 1.0 <= spread.low && spread.low <= spread.high), "{detail:?}");
    assert!(detail.horizon_usd.is_none_or(|usd| usd.is_finite() && usd >= 0.0), "{detail:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_question_is_answered_in_finite_figures_or_refused_in_words(inputs in inputs()) {
        for model in store::catalogue() {
            match answer(inputs.clone(), model.name()) {
                Ok(case) => finite(&case.stores[0]),
                Err(error) => prop_assert!(error.to_string().len() > 20, "{}", error),
            }
        }
    }

    #[test]
    fn more_of_anything_never_costs_less(inputs in inputs(), store in select(store::catalogue().iter().map(|m| m.name()).collect::<Vec<_>>())) {
        let Ok(base) = answer(inputs.clone(), store) else { return Ok(()) };
        let mut more = inputs.clone();
        more.replicas[0] = (more.replicas[0] + 1).min(1000);
        more.headroom[0] = Share(more.headroom[0].0.checked_add(Exact::ONE).expect("small"));
        if let Ok(more) = answer(more, store) {
            prop_assert!(more.stores[0].provisioned_bytes >= base.stores[0].provisioned_bytes);
            prop_assert!(more.stores[0].usd_per_month >= base.stores[0].usd_per_month);
        }
    }

    #[test]
    fn a_product_is_rounded_as_its_exact_fraction(a in any_size(60), b in 1u128..1_000_000, c in any_size(60), d in 1u128..1_000_000) {
        let (left, right) = (Exact::new(a, b).expect("not zero"), Exact::new(c, d).expect("not zero"));
        let rounded = left.product_rounded(right).expect("120 bits and rounding fit");
        // |product − rounded| ≤ 1/2, in integers: 2·|a·c − rounded·b·d| ≤ b·d.
        let gap = (a * c).abs_diff(rounded * b * d);
        prop_assert!(2 * gap <= b * d);
    }

    #[test]
    fn whatever_is_typed_is_read_or_refused_without_a_panic(text in "\\PC{0,30}") {
        let _ = (text.parse::<Rate>(), text.parse::<Span>(), text.parse::<Bytes>(), text.parse::<Share>(), text.parse::<Key>());
        let _ = (text.parse::<uuidcap::units::Usd>(), Span::days(&text), Exact::read(&text), Book::read(&text));
    }

    #[test]
    fn numbers_read_back_as_they_were_written(value in any::<u64>(), places in 0usize..6) {
        let factor = 10u128.pow(places as u32);
        let (whole, rest) = (u128::from(value) / factor, u128::from(value) % factor);
        let text = if places == 0 { format!("{whole}") } else { format!("{whole}.{rest:0places$}") };
        prop_assert_eq!(Exact::read(&text), Exact::new(value.into(), factor));
    }

    #[test]
    fn without_detail_a_model_gives_the_same_bytes(inputs in inputs()) {
        for model in store::catalogue() {
            let Ok(case) = answer(inputs.clone(), model.name()) else { continue };
            let record = uuidcap::store::record::Record {
                key_bytes: case.key_bytes, key_format: case.key_format, kind: case.record, scope: case.scope,
                fingerprint: case.fingerprint, response_bytes: case.response_bytes,
            };
            let rate_per_s = case.rate_per_s.as_f64();
            let load = Load {
                live_keys: (case.live_keys as f64).max(1.0), rate_per_s, peak_per_s: case.peak_per_s.as_f64(),
                retention_s: case.retention_s.as_f64(), arrival: case.key.arrival(rate_per_s), record, detail: false,
            };
            let bare = model.footprint(&load, &Memo::default()).expect("it was answered before");
            prop_assert_eq!(bare.bytes_per_key(), case.stores[0].bytes_per_key);
        }
    }
}
