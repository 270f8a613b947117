//! Rows of the birthday problem, its bounds, its moments and its inverses.

use crate::row::{Answer, Row, YEAR_S, real, whole};
use num_bigint::BigUint;
use uuidcap::math::inverse::{self, Risk};
use uuidcap::math::logspace::{Chance, Wide};
use uuidcap::math::{birthday, occupancy, trials};

pub fn answer(row: &Row) -> Option<Answer> {
    clash(row)
        .or_else(|| bounds(row))
        .or_else(|| moments(row))
        .or_else(|| constants(row))
        .or_else(|| inverses(row))
}

/// P(some clash), or what is told of it.
fn clash(row: &Row) -> Option<Answer> {
    let chance = row_chance(row)?;
    Some(match &*row.quantity {
        "p_exact"
        | "P(two share clock_seq)"
        | "P(two share node id)"
        | "P(two share)"
        | "P(two share seed)" => chance.probability().into(),
        "p_per_day" => chance.probability().into(),
        "log10_p" => chance.log10().expect("not 0").into(),
        "log10_P_no_collision" => chance.log10_none().expect("not certain").into(),
        "one_in" => Wide::ONE.over(chance.probability()).into(),
        "P(any of 20 sets)" => trials::any_of(row.wide("workers"), chance).probability().into(),
        _ => return None,
    })
}

/// The draws and the space of a row whose answer is a chance of a clash.
fn row_chance(row: &Row) -> Option<Chance> {
    let of = |ids: &str, bits: &str| {
        birthday::chance(&row.whole(ids), &(BigUint::from(1u32) << u64::from(row.small(bits))))
    };
    Some(match &*row.case {
        "cuid2" if row.quantity == "p_exact" => {
            let text = row.text("n");
            let space = text.strip_prefix("sqrt(").and_then(|rest| rest.strip_suffix(')')).map(whole);
            let space = Wide::whole(&space.expect("a root"));
            birthday::chance_in(space.sqrt(), space)
        }
        "article.sqrt" if row.has("n") => birthday::chance_in(row.wide("N").sqrt(), row.wide("N")),
        "article.30y" | "article.p_at_years" => {
            let seconds = match row.has("seconds") {
                true => row.whole("seconds"),
                // A year is a whole number of seconds.
                false => row.whole("years_julian") * 31_557_600u32,
            };
            birthday::chance(&(row.whole("rate_per_s") * seconds), &row.whole("N"))
        }
        "v7.fixed" => birthday::chance(&row.whole("ids_per_ms"), &(BigUint::from(1u32) << 74u32)),
        "v1.clones" if row.has("generators_same_node_id") => of("generators_same_node_id", "clock_seq_bits"),
        "v1.random_node" => of("nodes", "node_bits"),
        "objectid.process" => of("processes", "random_bits"),
        "seed" if row.has("generators") => of("generators", "seed_bits"),
        "snowflake.worker" if row.has("workers_random") => {
            birthday::chance(&row.whole("workers_random"), &row.whole("ids"))
        }
        "sonyflake.machine" => birthday::chance(&row.whole("hosts_random_low16"), &row.whole("ids")),
        "field.xid81" => birthday::chance(&row.whole("hosts"), &row.whole("N")),
        "field.daily8hex" if row.has("n_per_day") => {
            birthday::chance(&row.whole("n_per_day"), &row.whole("N"))
        }
        "uniform.p" | "uniform.log10p" | "uniform.pnone" | "field.tc39" | "field.amzn" | "field.nuid"
        | "field.neuro" | "field.hoodie"
            if row.has("n") =>
        {
            birthday::chance(&row.whole("n"), &row.whole("N"))
        }
        _ => return None,
    })
}

fn bounds(row: &Row) -> Option<Answer> {
    if row.case != "bounds" {
        return None;
    }
    let bound = match row.quantity.split(' ').next()? {
        "lower" => birthday::lower_poisson,
        "lower_AMGM" => birthday::lower_amgm,
        "upper" => birthday::upper,
        "upper_union" => birthday::upper_union,
        _ => return None,
    };
    Some(bound(&row.whole("n"), &row.whole("N")).probability().into())
}

fn moments(row: &Row) -> Option<Answer> {
    Some(match (&*row.case, &*row.quantity) {
        ("expect", "E_pairs") => occupancy::expected_pairs(&row.whole("n"), &row.whole("N")).into(),
        ("expect", "E_duplicates") => occupancy::expected_repeats(&row.whole("n"), &row.whole("N")).into(),
        ("triple", "E_triples C(n,3)/N^2") => {
            occupancy::expected_triples(&row.whole("n"), &row.whole("N")).into()
        }
        ("triple", _) => occupancy::triple_probability(row.small("n"), row.small("N")).into(),
        ("dup.tail.exact", _) => {
            occupancy::repeats_at_least(row.small("n"), row.small("N"), row.small("k")).into()
        }
        ("first.mean", _) => occupancy::mean_first_clash(&row.whole("N")).into(),
        _ => return None,
    })
}

/// Ratios to √N, which settle as N grows: taken at N = 2^400, where what is left is below 2^-199.
fn constants(row: &Row) -> Option<Answer> {
    let root = Wide::exp2(200.0);
    let draws = match (&*row.case, &*row.quantity) {
        ("const.meanfirst", _) => occupancy::mean_first_clash(&(BigUint::from(1u32) << 400u32)),
        ("const.median" | "const.p10" | "const.p01", quantity) => {
            // n50/sqrt(N)
            let percent = quantity.strip_prefix('n').and_then(|rest| rest.split('/').next()).map(whole);
            let risk = Risk::new(percent.expect("a percentage"), BigUint::from(100u32)).expect("between");
            inverse::ids_for(root.times(root), risk.as_chance())
        }
        ("article.sqrt", "years_to_n=sqrt(N)") => {
            return Some(row.wide("N").sqrt().over(Wide::new(row.real("rate_per_s") * YEAR_S)).into());
        }
        _ => return None,
    };
    Some(draws.over(root).into())
}

fn inverses(row: &Row) -> Option<Answer> {
    Some(match (&*row.case, &*row.quantity) {
        (_, "n_min") => inverse::min_ids(&row_space(row), &risk(row)).into(),
        ("inverse.bits", _) => inverse::min_bits(&row.whole("n"), &risk(row)).into(),
        ("inverse.len", _) => {
            let alphabet = u64::from(row.small("alphabet"));
            BigUint::from(inverse::min_length(alphabet, &row.whole("n"), &risk(row))).into()
        }
        ("field.vrs", "bits_correct log2(m^2/P)-1") => {
            inverse::min_bits(&row.whole("m"), &fraction(&row.text("P"))).into()
        }
        ("article.years_for_p" | "inverse.years", _) => years(row, row.real("rate_per_s"), 365.25),
        ("nanoidcc.default", "years(365.26 d)") => years(row, row.real("ids_per_hour") / 3_600.0, 365.26),
        // 100 years of 365 days.
        ("field.so128", _) => draws(row).over(Wide::new(100.0 * 365.0 * 86_400.0)).into(),
        ("field.daily8hex", "days") => {
            // The day of its neighbour row: 1000 ids on 8 hex digits.
            let day = birthday::chance(&BigUint::from(1_000u32), &whole("16^8"));
            trials::trials_for(risk(row).as_chance(), day).expect("reached").into()
        }
        _ => return None,
    })
}

/// Ids, as a real number, at which the row's risk is reached.
fn draws(row: &Row) -> Wide {
    inverse::ids_for(Wide::whole(&row_space(row)), risk(row).as_chance())
}

fn years(row: &Row, rate_per_s: f64, days: f64) -> Answer {
    draws(row).over(Wide::new(rate_per_s)).over(Wide::new(days * 86_400.0)).into()
}

fn row_space(row: &Row) -> BigUint {
    let bits = ["clock_seq_bits", "seed_bits"].into_iter().find(|input| row.has(input));
    match bits {
        Some(bits) => BigUint::from(1u32) << u64::from(row.small(bits)),
        None if row.has("N") => row.whole("N"),
        None if row.has("ids") => row.whole("ids"),
        None => row.whole("alphabet").pow(row.small("len")),
    }
}

fn risk(row: &Row) -> Risk {
    fraction(&row.text("p"))
}

/// The exact fraction that a decimal such as `0.01` or `6e-11` writes.
fn fraction(text: &str) -> Risk {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole(&format!("{before}{after}"));
    let power =
        exponent.parse::<i32>().expect("an exponent") - i32::try_from(after.len()).expect("few digits");
    assert!(power <= 0 && real(text) < 1.0, "{text} is no risk");
    Risk::new(digits, BigUint::from(10u32).pow(power.unsigned_abs())).expect("between 0 and 1")
}
