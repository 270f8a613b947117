//! How long ids can be made at the rate that was measured until a clash is as likely as a risk: `collide` asked
//! for every row of a generator of this crate.

use crate::engine::bench::{Answer, Into, Role, Row};
use crate::engine::collide::{self, Collision, Inputs, Subject};
use crate::id::scheme::{self, Separation};
use crate::math::logspace::Wide;
use crate::units::{Exact, Probability, Rate, SECONDS_PER_YEAR};
use serde::Serialize;

/// One row looked at over years.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// The generator.
    pub generator: &'static str,
    /// The scheme of the catalogue that it makes.
    pub scheme: &'static str,
    /// Where ids were put.
    pub into: Into,
    /// Threads that made ids at once.
    pub threads: usize,
    /// Ids each second, to the whole id.
    pub ids_per_s: f64,
    /// The probability that is not to be exceeded.
    pub risk: Probability,
    /// Whether one generator never repeats its own ids, since it counts within a tick of its clock: the time is for
    /// ids that many generators make at this rate between them.
    pub counted: bool,
    /// Seconds at this rate until it is reached; none where chance does not decide, or not at this rate.
    pub seconds_to_risk: Option<Wide>,
    /// The same in years of 365.25 days.
    pub years_to_risk: Option<Wide>,
    /// Why there is no such time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// What was measured, and the outlook of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What was measured.
    #[serde(flatten)]
    pub answer: Answer,
    /// Its outlook.
    pub outlook: Vec<Outlook>,
}

/// The outlook of every row of a generator of this crate whose scheme is in the catalogue.
pub fn report(answer: Answer, risk: &Probability) -> Report {
    let outlook = answer.rows.iter().filter_map(|row| outlook(row, risk)).collect();
    Report { answer, outlook }
}

fn outlook(row: &Row, risk: &Probability) -> Option<Outlook> {
    let scheme = row.scheme.filter(|_| row.role == Role::Own).and_then(scheme::find)?;
    // A rate of whole ids: `as` saturates, and no machine makes 2^128 a second.
    let rate = Rate::new(Exact::whole(row.ids_per_s.round() as u128))?;
    let inputs = Inputs {
        subjects: vec![Subject::Scheme(scheme)],
        rate_per_s: vec![rate],
        risk: vec![risk.clone()],
        ..Inputs::default()
    };
    let solved = Collision::new(inputs).and_then(|question| collide::answer(&question, &()));
    let (seconds, why_not) = match solved {
        Ok(answer) => (answer.cases.first().and_then(|case| case.seconds_to_risk), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Some(Outlook {
        generator: row.generator,
        scheme: scheme.name,
        into: row.into,
        threads: row.threads,
        ids_per_s: rate.as_f64(),
        risk: risk.clone(),
        counted: matches!(scheme.separation, Separation::Bucket { counter: true, .. }),
        seconds_to_risk: seconds,
        years_to_risk: seconds.map(|seconds| seconds.over(Wide::new(SECONDS_PER_YEAR as f64))),
        why_not,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bench::{Call, Conditions};

    fn row(generator: &'static str, role: Role, scheme: Option<&'static str>, ids_per_s: f64) -> Row {
        Row {
            generator,
            role,
            call: Call::Bulk,
            scheme,
            stream: None,
            into: Into::L1,
            threads: 1,
            asked: true,
            id_bytes: 16,
            ids_per_s,
            ns_per_id: 1e9 / ids_per_s,
            bytes_per_s: ids_per_s * 16.0,
            spread: Some(0.0),
            ratio_to_baseline: 1.0,
            ratio_low: 1.0,
            ratio_high: 1.0,
            ids: 1,
            ids_checked: 1,
        }
    }

    fn outlooks(rows: Vec<Row>) -> Vec<Outlook> {
        let answer = Answer {
            rows,
            baseline: String::new(),
            rounds: 1,
            stopped_early: false,
            skipped: Vec::new(),
            memory_bytes: None,
            distinct: Vec::new(),
            conditions: Conditions::default(),
        };
        report(answer, &"1e-6".parse().expect("a probability")).outlook
    }

    #[test]
    fn a_billion_v4_a_second_reach_one_in_a_million_after_38_days() {
        // mpmath: n = sqrt(2·2^122·-ln(1 - 1e-6)) + 1/2 = 3.260955…e15 ids at 1e9/s.
        let found = outlooks(vec![row("v4", Role::Own, Some("v4"), 1e9)]);
        let seconds = found[0].seconds_to_risk.and_then(Wide::in_f64).expect("a time");
        assert!((seconds / 3.260_955_e6 - 1.0).abs() < 1e-5, "{seconds}");
        let years = found[0].years_to_risk.and_then(Wide::in_f64).expect("a time");
        assert!((years * 31_557_600.0 / seconds - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_generator_that_counts_is_marked_as_one_that_never_repeats_itself() {
        let own = |name, scheme| row(name, Role::Own, Some(scheme), 1e9);
        let found =
            outlooks(vec![own("v7", "v7"), own("v7-monotonic", "v7:uuidcap"), own("ulid", "ulid:monotonic")]);
        let counted: Vec<bool> = found.iter().map(|outlook| outlook.counted).collect();
        assert_eq!(counted, [false, true, true]);
        // Its time is that of many.
        assert!(found.iter().all(|outlook| outlook.seconds_to_risk.is_some()));
    }

    #[test]
    fn only_own_generators_with_a_scheme_have_an_outlook_and_who_has_no_time_says_why() {
        let found = outlooks(vec![
            row("v4:uuid-rs", Role::Peer, Some("v4"), 1e8),
            row("v7-submillisecond", Role::Own, None, 1e8),
            row("snowflake", Role::Own, Some("snowflake"), 4e6),
            row("nanoid", Role::Own, Some("nanoid"), 0.2),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].generator, found[0].seconds_to_risk), ("snowflake", None));
        assert!(found[0].why_not.as_ref().is_some_and(|why| !why.is_empty()));
    }
}
