//! What a question is when it comes back from a record.

use super::super::{Arrivals, Fault, Inputs, Simulation};

/// A question reads back from its record as it was asked, whatever was left to defaults.
#[test]
fn a_question_reads_back_from_its_record() {
    let scheme = |name: &str| Inputs { scheme: Some(name.to_owned()), ..Inputs::default() };
    let timed = |inputs: Inputs| Inputs { rate_per_s: Some(1e5), for_s: Some(0.05), ..inputs };
    let all = [
        Inputs::default(),
        Inputs { space: Some(1), ..Inputs::default() },
        Inputs { space: Some(365), draws: Some(23), ..Inputs::default() },
        Inputs {
            bits: Some(24),
            rate_per_s: Some(1e3),
            for_s: Some(3.0),
            window_s: Some(0.5),
            ..Inputs::default()
        },
        scheme("v4"),
        scheme("v7"),
        timed(scheme("v7")),
        Inputs { rate_per_s: Some(2e5), ..scheme("v7") },
        Inputs { draws: Some(5_000), ..scheme("v7") },
        Inputs { generators: Some(3), bits: Some(20), ..timed(scheme("v7-monotonic")) },
        Inputs { generators: Some(5), ..timed(scheme("snowflake")) },
        Inputs { fault: Some(Fault::Clone), generators: Some(4), ..scheme("v4") },
        Inputs { keep_hex: Some(8), ..scheme("v4") },
        Inputs { seed_bits: Some(10), generators: Some(20), ..scheme("v4") },
        Inputs { arrivals: Arrivals::Batched, batch: Some(10), ..timed(scheme("v7")) },
        Inputs { fault: Some(Fault::ClockBack), ..timed(scheme("v7")) },
    ];
    for inputs in all {
        let asked = Simulation::new(inputs.clone()).unwrap_or_else(|error| panic!("{inputs:?}: {error}"));
        let written = serde_json::to_string(&asked).expect("JSON");
        let read: Inputs = serde_json::from_str(&written).expect("inputs");
        let again = Simulation::new(read).unwrap_or_else(|error| panic!("{inputs:?}: {error}"));
        assert_eq!(again.inputs(), asked.inputs(), "{inputs:?}");
        assert_eq!((again.plan(), again.scheme()), (asked.plan(), asked.scheme()), "{inputs:?}");
    }
}
