//! Rows of faults, unequal odds, evidence and Poisson's law.

use crate::row::{Answer, Row, real, whole};
use crate::time::uuidjs_seed_bits;
use uuidcap::math::logspace::{Chance, Wide};
use uuidcap::math::{evidence, fault, poisson, trials, unequal};

pub fn answer(row: &Row) -> Option<Answer> {
    counts(row).or_else(|| faults(row)).or_else(|| entropy(row)).or_else(|| evidence(row))
}

fn counts(row: &Row) -> Option<Answer> {
    if row.case != "poisson.tail" {
        return None;
    }
    let mean = if row.has("lambda") {
        row.real("lambda")
    } else {
        trials::pairs(row.real("n")).over(row.wide("N")).as_f64()
    };
    Some(poisson::at_least(mean, u64::from(row.small("k"))).into())
}

fn faults(row: &Row) -> Option<Answer> {
    Some(match &*row.case {
        "mixture.bot" => {
            let [ids, share] = ["n", "fraction_from_pool"].map(|input| row.real(input));
            fault::mixture_pairs(ids, share, row.wide("pool_size"), row.wide("rest")).into()
        }
        "seed.dups" => {
            let [generators, ids_each, bits] = ["generators", "ids_each", "seed_bits"].map(|i| row.real(i));
            fault::expected_repeated_ids(generators, ids_each, bits).into()
        }
        "clone" => {
            let [clones, ids] = ["vm_clones", "ids_each_before_reseed"].map(|i| u64::from(row.small(i)));
            fault::clone_pairs(clones, ids).into()
        }
        "seed.overlap" => {
            let outputs_each = u64::from(row.small("outputs_each"));
            fault::expected_overlaps(row.real("streams"), outputs_each, row.wide("period")).into()
        }
        "field.flakeidgen" => {
            let text = row.text("id");
            let (days, shift) = text.split_once(" days in ms << ").expect("days and a shift");
            let ms: u128 = days.parse::<u128>().expect("days") * 86_400_000;
            fault::double_spacing(ms << shift.parse::<u32>().expect("a shift")).into()
        }
        "field.sp80090b" => {
            let text = row.text("pairs");
            let risk = text.split(['-', ')']).nth(1).map(real).expect("ln(1-risk)/…");
            let each = Chance::from_probability(row.real("p_pair"));
            trials::trials_for(Chance::from_probability(risk), each).expect("reached").into()
        }
        _ => return None,
    })
}

fn entropy(row: &Row) -> Option<Answer> {
    Some(match (&*row.case, &*row.quantity) {
        ("bits", _) if row.has("scheme") => {
            let scheme = row.text("scheme");
            let space = scheme.rsplit(' ').next().map(whole).expect("ends in its space");
            Wide::whole(&space).log2().into()
        }
        ("bits", _) => Wide::whole(&row.whole("alphabet").pow(row.small("len"))).log2().into(),
        ("cuid2", "n") => {
            let text = row.text("n");
            let space = text.strip_prefix("sqrt(").and_then(|rest| rest.strip_suffix(')')).map(whole);
            Wide::whole(&space.expect("a root")).sqrt().into()
        }
        ("v7.effbits", "seed_renyi2_bits") => uuidjs_seed_bits().into(),
        ("v7.effbits", "per_pair_bits (seed+42 random)") => (uuidjs_seed_bits() + 42.0).into(),
        ("v7.effbits", "per_pair_bits") => {
            let fields = [(42, 32), (32, 0)].map(|(bits, shift)| unequal::Shifted { bits, shift });
            unequal::or_bits(&fields).into()
        }
        ("renyi2.modulo", quantity) => {
            let byte = unequal::Modulo::of_byte(u64::from(row.small("byte_mod")));
            match quantity {
                "effective_alphabet" => byte.effective_alphabet().into(),
                "renyi2_bits" => byte.bits(u64::from(row.small("len"))).into(),
                "bits_lost" => byte.bits_lost(u64::from(row.small("len"))).into(),
                _ => return None,
            }
        }
        ("renyi2.zipf", quantity) => {
            let values = unequal::zipf(row.small("N"), row.real("s"));
            match quantity {
                "N_eff" => unequal::effective_size(&values).expect("some value").into(),
                "p_exact 1-n!e_n" => unequal::clash(&values, row.small("n") as usize).as_f64().into(),
                _ => return None,
            }
        }
        // The slip itself, m for m²: no function of the library makes it.
        ("field.vrs", "bits_buggy log2(m/P)-1") => {
            (Wide::new(row.real("m")).over(Wide::new(row.real("P"))).log2() - 1.0).into()
        }
        _ => return None,
    })
}

fn evidence(row: &Row) -> Option<Answer> {
    Some(match (&*row.case, &*row.quantity) {
        ("infer.poissonCI", quantity) => {
            let (low, high) = poisson::mean_interval(u64::from(row.small("k")), row.real("ci"));
            match quantity {
                "lambda_lo" => low.into(),
                "lambda_hi" => high.into(),
                _ => return None,
            }
        }
        ("infer.bits", quantity) => {
            // 1e5 ms * C(1000,2)
            let text = row.text("pairs");
            let (ms, ids) = text.split_once(" ms * C(").expect("ticks and pairs");
            let ids = ids.strip_suffix(",2)").map(real).expect("pairs");
            let pairs = trials::pairs(ids).times(Wide::new(real(ms)));
            let confidence = if row.has("ci") { row.real("ci") } else { 0.95 };
            let found = evidence::effective_bits(pairs, u64::from(row.small("observed")), confidence);
            match quantity {
                "bits_hat log2(M/k)" => found.bits.expect("some seen").into(),
                "bits_hi" => found.high.expect("some seen").into(),
                _ => return None,
            }
        }
        ("infer.zero", _) => {
            let pairs = trials::pairs(row.real("n"));
            let seen = u64::from(row.small("observed"));
            evidence::effective_bits(pairs, seen, row.real("conf")).low.into()
        }
        _ => return None,
    })
}
