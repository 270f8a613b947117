//! Rows of windows, buckets, sequences and fields of time.

use crate::row::{Answer, Row, YEAR_S};
use num_bigint::BigUint;
use uuidcap::math::bucket::Buckets;
use uuidcap::math::logspace::{Chance, Wide};
use uuidcap::math::retention::Retention;
use uuidcap::math::{fault, sequence, trials, unequal};

/// A v7 with all 74 bits random within a millisecond.
const V7_BITS: f64 = 74.0;

pub fn answer(row: &Row) -> Option<Answer> {
    window(row).or_else(|| buckets(row)).or_else(|| sequences(row)).or_else(|| fields(row))
}

fn window(row: &Row) -> Option<Answer> {
    if row.case != "window" {
        return None;
    }
    let store = Retention::new(row.real("rate_per_s"), row.real("W_s"), row.wide("N"));
    let life_s = row.real("years") * YEAR_S;
    let forgets = "a window of a length";
    Some(match &*row.quantity {
        "live_keys" => store.live_keys().expect(forgets).into(),
        "hazard_per_s r^2W/N" => store.hazard_per_s().expect(forgets).into(),
        "mean_years_between" => store.seconds_between().expect(forgets).over(Wide::new(YEAR_S)).into(),
        "E_collisions" | "E_collisions_keep_all" => store.expected_clashes(life_s).into(),
        "P_any" => store.chance(life_s).as_f64().into(),
        _ => return None,
    })
}

fn buckets(row: &Row) -> Option<Answer> {
    let buckets = row_buckets(row)?;
    let life_s = |row: &Row| row.real("years") * YEAR_S;
    Some(match (&*row.case, &*row.quantity) {
        ("v7.multinode_counter", "E_collisions") => {
            buckets.expected_clashes(row.real("total_rate_per_s"), life_s(row)).into()
        }
        ("v7.batch", "E_collisions") => {
            buckets.expected_in_batches(row.real("batch"), row.real("batches")).into()
        }
        ("v7.fixed", "ids_per_collision 2^75/n") => {
            let rate_per_s = row.real("ids_per_ms") / (row.real("ms") * 1e-3);
            buckets.ids_per_clash(rate_per_s).expect("clashes").into()
        }
        ("field.symfony", "E_if_74_random_bits") => {
            let rate_per_s = row.real("rate_per_s");
            buckets.expected_clashes(rate_per_s, row.real("ids") / rate_per_s).into()
        }
        ("v7_vs_v4", _) => v7_over_v4(row, &buckets),
        (_, "E_collisions") => buckets.expected_clashes(row.real("rate_per_s"), life_s(row)).into(),
        (_, "P_any") => buckets.chance(row.real("rate_per_s"), life_s(row)).as_f64().into(),
        _ => return None,
    })
}

/// The scheme that a row names, with the bits and the width that it gives.
fn row_buckets(row: &Row) -> Option<Buckets> {
    let v7 = Buckets::new(1e-3, Wide::exp2(V7_BITS));
    Some(match &*row.case {
        "v7.random74" | "v7.batch" | "v7.fixed" | "field.symfony" | "v7_vs_v4" => v7,
        "v7.clumped" => Buckets { dispersion: row.real("dispersion_var_over_mean"), ..v7 },
        "v7.duty" => Buckets { duty: row.real("duty_cycle"), ..v7 },
        "v7.multinode_counter" => Buckets {
            space: Wide::exp2(counter_bits(&row.text("impl"))),
            nodes: Some(u64::from(row.small("nodes"))),
            ..v7
        },
        "v7.google" | "v7.pg18" if row.has("bucket_ns") => {
            Buckets::new(row.real("bucket_ns") * 1e-9, Wide::exp2(row.real("random_bits")))
        }
        "ksuid" => Buckets::new(row.real("bucket_s"), Wide::exp2(row.real("bits"))),
        "ulid" => Buckets::new(1e-3, Wide::exp2(row.real("bits"))),
        "v6.gofrs" => Buckets::new(row.real("tick_ns") * 1e-9, Wide::exp2(row.real("bits"))),
        _ => return None,
    })
}

/// Bits that tell apart two ids of two nodes in a millisecond: uuid-rs seeds 41 of 42 bits of counter, and 32 are random.
fn counter_bits(implementation: &str) -> f64 {
    match implementation {
        "uuid-rs/CPython" => 41.0 + 32.0,
        "uuidjs" => uuidjs_seed_bits() + 42.0,
        other => panic!("{other}"),
    }
}

/// seq = r6<<23 | r7<<16 | r8<<8 | r9
pub fn uuidjs_seed_bits() -> f64 {
    unequal::or_bits(&[23, 16, 8, 0].map(|shift| unequal::Shifted { bits: 8, shift }))
}

/// How many times more v7 clash than v4 at one rate: the rate cancels.
fn v7_over_v4(row: &Row, v7: &Buckets) -> Answer {
    let (rate_per_s, v4_space) = (1e6, Wide::exp2(122.0));
    if row.has("W_s") {
        let v4 = Retention::new(rate_per_s, row.real("W_s"), v4_space);
        return v7.hazard_per_s(rate_per_s).over(v4.hazard_per_s().expect("a window of a length")).into();
    }
    let life_s = row.real("years") * YEAR_S;
    let v4 = Retention::new(rate_per_s, f64::INFINITY, v4_space);
    v7.expected_clashes(rate_per_s, life_s).over(v4.expected_clashes(life_s)).into()
}

fn sequences(row: &Row) -> Option<Answer> {
    Some(match (&*row.case, &*row.quantity) {
        ("v1.exhaust" | "field.gofrs216", _) => {
            let ids = u128::from(row.small("ids"));
            BigUint::from(sequence::repeats_in_tick(ids, 1 << row.small("clock_seq_bits"))).into()
        }
        ("v1.capacity", _) => {
            sequence::capacity_per_s(row.wide("clock_seq"), 1.0 / row.real("ticks_per_s")).into()
        }
        ("v7.google", "max_ids_per_s_before_clock_runs_ahead") => {
            sequence::capacity_per_s(Wide::ONE, row.real("unit_ns") * 1e-9).into()
        }
        ("v7.pg18", "max_ids_per_s_per_backend_before_clock_runs_ahead") => {
            sequence::capacity_per_s(Wide::ONE, row.real("min_step_ns") * 1e-9).into()
        }
        ("v7.overflow", _) => {
            let ids = u64::from(row.small("ids_in_ms"));
            sequence::rollover(ids, row.small("counter_bits"), row.small("seed_bits")).into()
        }
        ("snowflake.overflow", _) => {
            sequence::overflow(row.real("lambda_per_ms"), row.small("seq_bits")).as_f64().into()
        }
        ("snowflake.shared", "P(collision per ms)") => {
            sequence::shared_tick_probability(row.real("lambda_per_ms_each")).into()
        }
        ("snowflake.shared", "E[min] duplicates per ms") => {
            sequence::shared_tick_duplicates(row.real("lambda_per_ms_each")).into()
        }
        ("v1.clone_pair", _) => {
            let bits = if row.has("same_clock_seq") { 0 } else { 14 };
            let [a, b, tick] = ["rate_a", "rate_b", "tick_s"].map(|input| row.real(input));
            sequence::clone_pairs_per_s(a, b, tick, bits).into()
        }
        ("ulid.monotonic", _) => {
            sequence::run_overlap(u64::from(row.small("ids_each_same_ms")), Wide::exp2(80.0)).into()
        }
        ("ulid.random", _) => trials::pairs_across(row.real("nodes"), row.real("ids_each_same_ms"))
            .over(Wide::exp2(80.0))
            .into(),
        ("v7.race", _) => {
            let race: Chance = sequence::race(row.wide("same_ts_counter_pairs"), row.small("tail_bits"));
            race.as_f64().into()
        }
        _ => return None,
    })
}

fn fields(row: &Row) -> Option<Answer> {
    Some(match &*row.case {
        "snowflake.life" | "sonyflake.life" | "tsid.life" | "ulid.life" => {
            sequence::life_s(row.small("bits"), row.real("unit_ms") * 1e-3).over(Wide::new(YEAR_S)).into()
        }
        "v1.rollover" => {
            sequence::life_s(row.small("bits"), row.real("unit_ns") * 1e-9).over(Wide::new(YEAR_S)).into()
        }
        // Four bits a hex digit of the 48 of time.
        "field.agor" => fault::prefix_bucket_s(48, 4 * row.small("hex_prefix"), 1e-3).into(),
        _ => return None,
    })
}
