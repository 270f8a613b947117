//! How many ids are made, how fast, for how long, and how long they are kept: any two of the first three
//! give the third.

use super::question::{Inputs, Setting, Subject};
use crate::error::{Error, Result};
use crate::units::{Count, Share};
use num_bigint::BigUint;

/// The load of one case.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Load {
    /// All ids.
    pub ids: Option<Count>,
    /// Whether so many ids were asked for, rather than as many as a rate brings.
    pub counted: bool,
    /// Ids each second.
    pub rate_per_s: Option<f64>,
    /// How long they are made.
    pub for_s: Option<f64>,
    /// How long they are kept.
    pub window_s: Option<f64>,
    /// Variance over mean of the ids in a tick.
    pub dispersion: f64,
    /// Share of the time in which ids are made.
    pub duty: f64,
    /// Generators that make them between them.
    pub generators: Option<Count>,
}

impl Load {
    pub fn of(inputs: &Inputs, setting: &Setting<'_>) -> Result<Load> {
        let rate = setting.rate.map(|rate| rate.as_f64());
        let span = setting.span.map(|span| span.as_f64());
        let given = setting.ids.cloned();
        let whole = given.as_ref().map(Count::as_f64);
        let (ids, rate, span) = match (given, rate, span) {
            (None, Some(rate), Some(span)) => {
                let ids = setting.rate.zip(setting.span).map(|(rate, span)| rate.count(span));
                (ids, Some(rate), Some(span))
            }
            (Some(ids), Some(rate), None) => (Some(ids), Some(rate), whole.map(|whole| whole / rate)),
            (Some(ids), None, Some(span)) => (Some(ids), whole.map(|whole| whole / span), Some(span)),
            (ids, rate, span) => (ids, rate, span),
        };
        let ids = match setting.subject {
            // Seeds are drawn once a generator.
            Some(Subject::Seeds(_)) => inputs.generators.clone(),
            _ => ids,
        };
        for (value, what) in [(rate, "ids a second"), (span, "seconds")] {
            if value.is_some_and(|value| !(value > 0.0 && value <= LARGEST)) && !given_nothing(&ids) {
                let message =
                    format!("--ids with --rate or --for: {what} come out beyond 1e100; give fewer ids");
                return Err(Error::range(message));
            }
        }
        let seeds = matches!(setting.subject, Some(Subject::Seeds(_)));
        Ok(Load {
            ids,
            counted: setting.ids.is_some(),
            // No ids at all come at no rate.
            rate_per_s: rate.filter(|rate| *rate > 0.0),
            for_s: span,
            // Seeds are drawn once and for all.
            window_s: setting.window.filter(|_| !seeds).map(|window| window.as_f64()),
            dispersion: inputs.dispersion.unwrap_or(1.0),
            duty: inputs.duty.map_or(1.0, |Share(duty)| duty.as_f64()),
            generators: inputs.generators.clone(),
        })
    }

    /// The generators, as far as 64 bits count them.
    pub fn nodes(&self) -> Option<u64> {
        self.generators.as_ref().map(|generators| generators.as_u64().unwrap_or(u64::MAX))
    }

    /// The window where it ends before the load does.
    pub fn shorter_window_s(&self) -> Option<f64> {
        let window = self.window_s?;
        self.for_s.is_none_or(|span| window < span).then_some(window)
    }
}

/// The largest rate or span that is computed with: products of four of them stay finite in `f64`… in `Wide`.
const LARGEST: f64 = 1e100;

/// No ids or none at all: then a rate of 0 follows, which is no mistake of the load.
fn given_nothing(ids: &Option<Count>) -> bool {
    ids.as_ref().is_some_and(|ids| ids.value() == &BigUint::ZERO)
}
