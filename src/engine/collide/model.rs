//! What a subject comes down to once it is known what is kept of it: a space, and what else keeps ids apart.

use super::question::{Setting, Subject};
use crate::error::{Error, Result};
use crate::id::layout::{Source, seconds};
use crate::id::scheme::{Scheme, Separation, Sequence, Space};
use crate::math::logspace::Wide;
use crate::math::occupancy;
use num_bigint::BigUint;

/// How many values there are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    /// Exactly; none where values are not equally likely and the number is an effective one.
    pub exact: Option<BigUint>,
    /// To 53 bits.
    pub wide: Wide,
}

impl Values {
    pub fn whole(values: BigUint) -> Values {
        Values { wide: Wide::whole(&values), exact: Some(values) }
    }

    pub fn effective(bits: f64) -> Values {
        Values { wide: Wide::exp2(bits), exact: None }
    }

    /// Expected pairs of equal values among so many that are drawn.
    pub fn pairs(&self, draws: &BigUint) -> Wide {
        match &self.exact {
            Some(values) => occupancy::expected_pairs(draws, values),
            None => occupancy::expected_pairs_in(Wide::whole(draws), self.wide),
        }
    }

    /// Expected repeats among so many that are drawn.
    pub fn repeats(&self, draws: &BigUint) -> Wide {
        match &self.exact {
            Some(values) => occupancy::expected_repeats(draws, values),
            None => occupancy::expected_repeats_in(Wide::whole(draws), self.wide),
        }
    }

    /// Binary logarithm.
    pub fn bits(&self) -> f64 {
        self.wide.log2()
    }
}

impl From<Space> for Values {
    fn from(space: Space) -> Values {
        match space.exact() {
            Some(values) => Values::whole(values),
            None => Values::effective(space.bits()),
        }
    }
}

/// What keeps ids of one generator apart within a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counter {
    /// Nothing but chance.
    None,
    /// A counter that starts at random: only ids of different generators clash.
    Apart,
    /// A counter that starts at 0 in every tick: only ids of different generators and one count clash.
    FromZero,
}

/// What keeps two ids apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Model {
    /// One space for all time.
    Flat(Values),
    /// A space within each tick of a clock.
    Bucket {
        width_s: f64,
        /// After which time the clock shows the same again, where that is within the life of a service.
        repeats_s: Option<f64>,
        values: Values,
        /// What keeps ids of one generator apart.
        counter: Counter,
    },
    /// Numbers of nodes, and a sequence within each tick.
    Nodes { tick_s: f64, node: Values, sequence_bits: u32, resets: bool },
    /// A clock and a counter, nothing else.
    Clock { tick_s: f64 },
}

impl Model {
    /// The model of a case, with the error of what cannot be answered by chance.
    pub fn of(setting: &Setting<'_>) -> Result<Option<Model>> {
        let Some(subject) = setting.subject else { return Ok(None) };
        let kept = setting.keep_hex.map(|digits| (digits, digits.saturating_mul(4)));
        Ok(Some(match (subject, kept) {
            (Subject::Scheme(scheme), None) => of_scheme(scheme)?,
            (Subject::Scheme(scheme), Some((digits, bits))) => shortened(scheme, digits, bits)?,
            (Subject::Space { values, .. }, None) => Model::Flat(Values::whole(values.value().clone())),
            (Subject::Bits(bits), None) => Model::Flat(Values::effective(*bits)),
            (Subject::Text { alphabet, length }, None) => {
                let length =
                    u32::try_from(*length).expect("a text of fewer than 4096 bits, or of one letter");
                Model::Flat(Values::whole(BigUint::from(*alphabet).pow(length)))
            }
            (Subject::Seeds(bits), None) => Model::Flat(Values::whole(BigUint::from(1u32) << *bits)),
            (_, Some(_)) => {
                let message = "--keep-hex cuts the hexadecimal form of a scheme; try --scheme v4 --keep-hex 8, or --space 16^8";
                return Err(Error::range(message));
            }
        }))
    }

    /// The space that ids which can clash are drawn from.
    pub fn values(&self) -> Option<&Values> {
        match self {
            Model::Flat(values) | Model::Bucket { values, .. } | Model::Nodes { node: values, .. } => {
                Some(values)
            }
            Model::Clock { .. } => None,
        }
    }

    /// Whether numbers of nodes keep ids apart.
    pub fn is_numbered(&self) -> bool {
        matches!(self, Model::Nodes { .. })
    }

    /// The time within which ids can clash; none for all time.
    pub fn tick_s(&self) -> Option<f64> {
        match self {
            Model::Flat(_) => None,
            Model::Bucket { width_s: tick, .. }
            | Model::Nodes { tick_s: tick, .. }
            | Model::Clock { tick_s: tick } => Some(*tick),
        }
    }
}

fn of_scheme(scheme: &Scheme) -> Result<Model> {
    let model = of_separation(&scheme.separation).ok_or_else(|| {
        Error::range(format!(
            "--scheme {}: the application fills it, so nothing is known of its bits; say how many are random with --bits, e.g. --bits 62",
            scheme.name
        ))
    })?;
    let counted = scheme.layout.bits_from(Source::Counter) > 0.0;
    Ok(clocked(model, scheme.life_s(), counted && scheme.layout.drawn_from(Source::Counter) == 0.0))
}

/// A model with what its clock and counter do: when the clock shows the same again, and whether the counter
/// starts at 0.
fn clocked(model: Model, repeats_s: Option<f64>, from_zero: bool) -> Model {
    match model {
        Model::Bucket { width_s, values, counter, .. } => {
            let counter = if from_zero && counter == Counter::Apart { Counter::FromZero } else { counter };
            Model::Bucket { width_s, repeats_s, values, counter }
        }
        model => model,
    }
}

fn of_separation(separation: &Separation) -> Option<Model> {
    Some(match *separation {
        Separation::Flat(space) => Model::Flat(space.into()),
        Separation::Bucket { width_s, space, counter } => {
            let counter = if counter { Counter::Apart } else { Counter::None };
            Model::Bucket { width_s: seconds(width_s), repeats_s: None, values: space.into(), counter }
        }
        Separation::Nodes { tick_s, node, sequence_bits, sequence } => Model::Nodes {
            tick_s: seconds(tick_s),
            node: node.into(),
            sequence_bits,
            resets: sequence == Sequence::Resets,
        },
        Separation::Clock { tick_s } => Model::Clock { tick_s: seconds(tick_s) },
        Separation::Application => return None,
    })
}

/// What is left of a scheme's hexadecimal form.
fn shortened(scheme: &Scheme, digits: u32, bits: u32) -> Result<Model> {
    let all = scheme.layout.bits().div_ceil(4);
    if digits == 0 || !scheme.layout.is_binary() || digits > all {
        if !scheme.layout.is_binary() {
            return Err(Error::range(format!(
                "--keep-hex {digits}: {} is no run of bits and has no hexadecimal form; try --space with the values that are left",
                scheme.name
            )));
        }
        let allowed = format!("from 1 to {all}, the hexadecimal digits of {}", scheme.name);
        return Err(Error::value("--keep-hex", &digits.to_string(), &allowed, "8"));
    }
    let Some((kept, separation)) = scheme.keep_top(bits) else {
        return Err(Error::range(format!(
            "--keep-hex {digits}: what is left of {} is cut within a counter or node number, where chance does not decide; keep all {all} digits or fewer",
            scheme.name
        )));
    };
    let model = of_separation(&separation).map_or_else(|| of_scheme(scheme), Ok)?;
    let repeats_s = kept.clock.map(|clock| clock.repeats_s);
    Ok(clocked(model, repeats_s, kept.counter > 0 && kept.counter_drawn == 0))
}

/// Whether a scheme draws anything at random for every id.
pub(super) fn draws(scheme: &Scheme) -> bool {
    scheme.layout.bits_from(Source::Random) > 0.0
}
