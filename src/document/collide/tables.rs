//! The tables of `collide`: one line a case, or one line a quantity where there is one case.

use super::super::{Cell, Column, NEARLY, Table, Unit};
use crate::engine::collide::{Answer, Case, Evidence, Verdict};
use crate::math::logspace::Chance;

/// One line a case.
pub(super) fn cases(answer: &Answer, shown: bool) -> Table {
    let same = |of: fn(&Case) -> Cell| {
        let mut cells = answer.cases.iter().map(of);
        let first = cells.next();
        cells.all(|cell| Some(&cell) == first.as_ref())
    };
    let several = |column: Column, of: fn(&Case) -> Cell| if same(of) { column.spare() } else { column };
    let row = |case: &Case| {
        let odds = case.chance();
        vec![
            case.scheme.clone().into(),
            case.space_bits.into(),
            case.space.clone().into(),
            case.bucket_s.into(),
            case.keep_hex.map(u128::from).into(),
            case.ids.clone().into(),
            case.rate_per_s.into(),
            case.for_s.into(),
            case.window_s.into(),
            case.live_keys.clone().into(),
            odds.into(),
            odds.into(),
            odds.and_then(Chance::log10).into(),
            odds.and_then(Chance::log10_none).filter(|log10| *log10 != 0.0).into(),
            case.bounds.map(|bounds| bounds.lower).into(),
            case.bounds.map(|bounds| bounds.upper).into(),
            case.expected_pairs.into(),
            case.expected_repeats.into(),
            case.expected_triples.into(),
            case.mean_first_clash_ids.into(),
            case.collisions_per_s.into(),
            case.refused_payments_per_year.into(),
            case.years_between.into(),
            case.risk.as_ref().map(|risk| risk.text().to_owned()).into(),
            case.max_ids.clone().into(),
            case.min_ids.clone().into(),
            case.max_generators.clone().into(),
            case.min_generators.clone().into(),
            case.min_bits.into(),
            case.min_bits_integer.map(u128::from).into(),
            case.alphabet.map(u128::from).into(),
            case.min_length.map(u128::from).into(),
            case.seconds_to_risk.into(),
            case.max_rate_per_s.into(),
            case.generators.clone().into(),
            case.seeds.as_ref().map(|seeds| seeds.shared).into(),
            case.seeds.as_ref().and_then(|seeds| seeds.expected_repeated_ids).into(),
            case.nodes.as_ref().map(|nodes| nodes.shared).into(),
            case.nodes.as_ref().map(|nodes| nodes.capacity_per_s).into(),
            case.nodes.as_ref().and_then(|nodes| nodes.overflow).into(),
            case.method.clone().into(),
        ]
    };
    Table {
        name: "cases",
        title: String::new(),
        columns: vec![
            Column::both("scheme", "Scheme", Unit::None),
            several(Column::both("space_bits", "Bits", Unit::Bits), |case| case.space_bits.into()),
            Column::kept("space", Unit::None),
            several(Column::both("bucket_s", "Within", Unit::Seconds), |case| case.bucket_s.into()),
            several(Column::both("keep_hex", "Hex", Unit::None), |case| case.keep_hex.map(u128::from).into()),
            several(Column::both("ids", "Ids", Unit::Keys), |case| case.ids.clone().into()),
            several(Column::both("rate_per_s", "Ids/s", Unit::PerSecond), |case| case.rate_per_s.into()),
            several(Column::both("for_s", "For", Unit::Seconds), |case| case.for_s.into()),
            several(Column::both("window_s", "Kept", Unit::Seconds), |case| case.window_s.into()),
            Column::kept("live_keys", Unit::Keys),
            Column::both("probability", "P(clash)", Unit::Probability),
            Column::shown("In words", Unit::Odds).spare(),
            Column::kept("log10_probability", Unit::None),
            Column::kept("log10_no_clash", Unit::None),
            Column::kept("probability_at_least", Unit::Probability),
            Column::kept("probability_at_most", Unit::Probability),
            Column::both("expected_pairs", "Pairs", Unit::Probability).spare(),
            Column::kept("expected_repeats", Unit::Probability),
            Column::kept("expected_triples", Unit::Probability),
            Column::kept("mean_first_clash_ids", Unit::Keys),
            Column::kept("collisions_per_s", Unit::PerSecond),
            Column::both("refused_payments_per_year", "Refused/y", Unit::Probability).spare(),
            Column::kept("years_between", Unit::Years),
            Column::both("risk", "Risk", Unit::None),
            Column::both("max_ids", "Most ids", Unit::None),
            Column::both("min_ids", "Fewest to reach it", Unit::None).spare(),
            Column::both("max_generators", "Most generators", Unit::None),
            Column::both("min_generators", "Fewest to reach it", Unit::None).spare(),
            Column::both("min_bits", "Bits, exactly", Unit::Bits),
            Column::both("min_bits_integer", "Bits", Unit::None),
            Column::both("alphabet", "Letters", Unit::None),
            Column::both("min_length", "Length", Unit::None),
            Column::both("seconds_to_risk", "Until then", Unit::Seconds),
            Column::both("max_rate_per_s", "Most ids/s", Unit::PerSecond),
            Column::kept("generators", Unit::None),
            Column::kept("shared_seed_probability", Unit::Probability),
            Column::kept("expected_repeated_ids", Unit::None),
            Column::kept("shared_node_probability", Unit::Probability),
            Column::kept("capacity_per_s", Unit::PerSecond),
            Column::kept("overflow_probability_per_tick", Unit::Probability),
            Column::kept("method", Unit::None),
        ],
        rows: answer.cases.iter().map(row).collect(),
        shown,
    }
}

/// One line a quantity, for people.
pub(super) fn quantities(case: &Case) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut line = |name: String, unit: Unit, cell: Cell| {
        let nothing = match &cell {
            Cell::Empty => true,
            Cell::Chance(chance) => *chance == Chance::NEVER,
            Cell::Wide(value) => value.is_zero(),
            _ => false,
        };
        if !nothing {
            rows.push(vec![name.into(), Cell::Of(unit, Box::new(cell))]);
        }
    };
    let numbered = case.nodes.is_some();
    let bits = if numbered { "bits of a node number" } else { "random bits of the space" };
    line(bits.to_owned(), Unit::Bits, case.space_bits.into());
    let within = if numbered || case.max_generators.is_some() {
        "one tick of the clock"
    } else {
        "ids clash only within"
    };
    line(within.to_owned(), Unit::Seconds, case.bucket_s.into());
    line("P(clash)".to_owned(), Unit::Probability, case.chance().into());
    // Near certainty it is 0 to every digit, and the distance to 1 stands above.
    let far = case.chance().filter(|chance| chance.as_f64() < NEARLY);
    line("its decimal logarithm".to_owned(), Unit::None, far.and_then(Chance::log10).into());
    if let Some(bounds) = case.bounds {
        line(format!("at least, {}", bounds.lower_name), Unit::Probability, bounds.lower.into());
        line(format!("at most, {}", bounds.upper_name), Unit::Probability, bounds.upper.into());
    }
    if numbered && case.ids.is_none() {
        line("expected pairs of equal numbers".to_owned(), Unit::Probability, case.expected_pairs.into());
    } else {
        line("expected colliding pairs".to_owned(), Unit::Probability, case.expected_pairs.into());
        line(
            "expected repeats, ids less distinct".to_owned(),
            Unit::Probability,
            case.expected_repeats.into(),
        );
    }
    line("expected triples".to_owned(), Unit::Probability, case.expected_triples.into());
    // What is rarer than this is noise beside the line above it.
    for tail in case.at_least.iter().filter(|tail| tail.odds.0.is_some_and(|chance| chance.as_f64() > 1e-30))
    {
        line(format!("P({} repeats or more)", tail.repeats), Unit::Probability, tail.odds.0.into());
    }
    line(
        "ids until the first clash, on average".to_owned(),
        Unit::Probability,
        case.mean_first_clash_ids.into(),
    );
    line("live keys".to_owned(), Unit::None, case.live_keys.clone().into());
    line("colliding pairs each second".to_owned(), Unit::Probability, case.collisions_per_s.into());
    if !numbered {
        let refused = case.refused_payments_per_year;
        line("honest payments refused each year".to_owned(), Unit::Probability, refused.into());
        line("time between two of them".to_owned(), Unit::Years, case.years_between.into());
    }
    line("kept for good instead".to_owned(), Unit::Probability, case.keep_everything.into());
    if let Some(seeds) = &case.seeds {
        line(
            format!("P(two share a seed of {} bits)", seeds.seed_bits),
            Unit::Probability,
            seeds.shared.into(),
        );
        line(
            "ids repeated by shared seeds".to_owned(),
            Unit::Probability,
            seeds.expected_repeated_ids.into(),
        );
    }
    if let Some(nodes) = &case.nodes {
        line("P(two generators share a node number)".to_owned(), Unit::Probability, nodes.shared.into());
        line(
            "ids a second that one node tells apart".to_owned(),
            Unit::PerSecond,
            nodes.capacity_per_s.into(),
        );
        let overflow = nodes.overflow;
        line("P(a tick overflows the sequence)".to_owned(), Unit::Probability, overflow.into());
        let clashes = nodes.clashes_per_s_of_a_shared_pair;
        line("clashes each second of a pair that shares one".to_owned(), Unit::Probability, clashes.into());
    }
    line("most ids".to_owned(), Unit::None, case.max_ids.clone().into());
    line("fewest ids that reach the risk".to_owned(), Unit::None, case.min_ids.clone().into());
    line("most generators".to_owned(), Unit::None, case.max_generators.clone().into());
    line("fewest generators that reach the risk".to_owned(), Unit::None, case.min_generators.clone().into());
    line("bits, exactly".to_owned(), Unit::Bits, case.min_bits.into());
    line("time until the risk is reached".to_owned(), Unit::Seconds, case.seconds_to_risk.into());
    line("in seconds".to_owned(), Unit::None, case.seconds_to_risk.into());
    line("ids a second that reach the risk".to_owned(), Unit::None, case.max_rate_per_s.into());
    line("the clock starts again after".to_owned(), Unit::Seconds, case.life_s.into());
    Table {
        name: "quantities",
        title: String::new(),
        columns: vec![Column::shown("Quantity", Unit::None), Column::shown("Value", Unit::None)],
        shown: !rows.is_empty(),
        rows,
    }
}

/// The verdict on a claim, for files.
pub(super) fn claim(verdict: &Verdict) -> Table {
    Table {
        name: "claim",
        title: String::new(),
        columns: vec![
            Column::kept("claim", Unit::None),
            Column::kept("right", Unit::None),
            Column::kept("claimed_probability", Unit::Probability),
            Column::kept("probability", Unit::Probability),
            Column::kept("log10_probability", Unit::None),
            Column::kept("factor", Unit::None),
            Column::kept("ids", Unit::Keys),
            Column::kept("ids_for_claimed", Unit::Keys),
            Column::kept("ids_factor", Unit::None),
            Column::kept("seconds_for_claimed", Unit::Seconds),
            Column::kept("slip", Unit::None),
            Column::kept("explanation", Unit::None),
        ],
        rows: vec![vec![
            verdict.claim.clone().into(),
            Cell::Flag(verdict.right),
            verdict.claimed_probability.into(),
            verdict.probability.into(),
            verdict.log10_probability.into(),
            verdict.factor.into(),
            verdict.ids.as_ref().map(super::verdict::counted).into(),
            verdict.ids_for_claimed.clone().into(),
            verdict.ids_factor.into(),
            verdict.seconds_for_claimed.into(),
            verdict.slip.map(|slip| super::super::word(&slip)).into(),
            verdict.explanation.clone().into(),
        ]],
        shown: false,
    }
}

/// What repeats say, for files.
pub(super) fn evidence(evidence: &Evidence) -> Table {
    Table {
        name: "evidence",
        title: String::new(),
        columns: vec![
            Column::kept("observed", Unit::None),
            Column::kept("pairs", Unit::None),
            Column::kept("effective_bits", Unit::Bits),
            Column::kept("effective_bits_low", Unit::Bits),
            Column::kept("effective_bits_high", Unit::Bits),
            Column::kept("confidence", Unit::Share),
            Column::kept("expected", Unit::None),
            Column::kept("p_value_or_more", Unit::Probability),
            Column::kept("p_value_or_fewer", Unit::Probability),
        ],
        rows: vec![vec![
            Cell::Integer(evidence.observed.into()),
            evidence.pairs.into(),
            evidence.effective_bits.into(),
            evidence.effective_bits_low.into(),
            evidence.effective_bits_high.into(),
            evidence.confidence.into(),
            evidence.expected.into(),
            evidence.p_value_or_more.into(),
            evidence.p_value_or_fewer.into(),
        ]],
        shown: false,
    }
}
