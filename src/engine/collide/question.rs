//! The question of `collide`: spaces, loads and targets, checked so that exactly one thing is unknown.

use crate::error::{Error, Result};
use crate::id::scheme::{Scheme, Separation};
use crate::question::Question;
use crate::units::{Count, LARGEST_BITS, Probability, Rate, Share, Span};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};

use super::claim::Claim;
use super::evidence::Observation;

/// Cases that one question may have; each is a line of an answer.
pub const MOST_CASES: usize = 1_000_000;

/// What ids are drawn from.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A scheme of the catalogue.
    Scheme(&'static Scheme),
    /// A flat space of so many values, with its name as it was asked for.
    Space {
        /// As asked for: `62^22`.
        name: String,
        /// Values.
        values: Count,
    },
    /// A flat space of a real number of bits: an effective space.
    Bits(f64),
    /// Random strings.
    Text {
        /// Characters to choose from.
        alphabet: u64,
        /// Characters in a string.
        length: u64,
    },
    /// Seeds of so many bits, one a generator: the ids themselves do not matter.
    Seeds(u32),
}

impl Subject {
    /// A flat space of 2^bits values.
    ///
    /// # Errors
    /// Where the bits are no number from 0 to 4096.
    pub fn bits(bits: f64) -> Result<Subject> {
        if !(0.0..=LARGEST_BITS as f64).contains(&bits) {
            return Err(Error::value("random bits", &bits.to_string(), "from 0 to 4096", "122"));
        }
        // Whole bits are a space of whole numbers, which is exact.
        if bits.fract() == 0.0 && bits < LARGEST_BITS as f64 {
            // −0 is 0.
            let bits = bits + 0.0;
            return Subject::space(format!("2^{bits}"), BigUint::from(1u32) << bits as u64);
        }
        Ok(Subject::Bits(bits))
    }

    /// A flat space of so many values.
    ///
    /// # Errors
    /// Where there is none or there are 2^4096 or more.
    pub fn space(name: String, values: BigUint) -> Result<Subject> {
        let values = Count::new(values).filter(|values| !values.is_zero());
        let values = values.ok_or_else(|| {
            Error::value("a space", &name, "at least 1 and below 2^4096", "2^122, 62^22 or 365")
        })?;
        Ok(Subject::Space { name, values })
    }

    /// Random strings over an alphabet.
    ///
    /// # Errors
    /// Where the alphabet or the string is empty, or there would be 2^4096 strings or more.
    pub fn text(alphabet: u64, length: u64) -> Result<Subject> {
        if alphabet == 0 {
            return Err(Error::value("--alphabet", "0", "at least 1 character", "62"));
        }
        if length == 0 {
            return Err(Error::value("--length", "0", "at least 1 character", "21"));
        }
        let bits = (alphabet as f64).log2() * length as f64;
        if bits >= LARGEST_BITS as f64 {
            let message = format!(
                "--length: {length} characters of {alphabet} are {bits:.0} bits and 4096 are allowed; try 21"
            );
            return Err(Error::range(message));
        }
        Ok(Subject::Text { alphabet, length })
    }

    /// Its name in an answer.
    pub fn name(&self) -> String {
        match self {
            Subject::Scheme(scheme) => scheme.name.to_owned(),
            Subject::Space { name, .. } => name.clone(),
            Subject::Bits(bits) => format!("{bits} bits"),
            Subject::Text { alphabet, length } => format!("{alphabet}^{length}"),
            Subject::Seeds(bits) => format!("{bits}-bit seeds"),
        }
    }
}

impl Serialize for Subject {
    /// Its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// Everything that can be asked of `collide`, not yet checked. A list makes a grid with every other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Inputs {
    /// What ids are drawn from; none where the space is what is asked for.
    pub subjects: Vec<Subject>,
    /// Ids made.
    pub ids: Vec<Count>,
    /// Ids made each second.
    pub rate_per_s: Vec<Rate>,
    /// For how long ids are made.
    pub for_s: Vec<Span>,
    /// For how long a key is kept: only live keys clash.
    pub window_s: Vec<Span>,
    /// The probability that is not to be exceeded: solves for what is missing.
    pub risk: Vec<Probability>,
    /// Characters to choose from, where the length of a string is asked for.
    pub alphabet: Option<u64>,
    /// Generators that make the ids between them.
    pub generators: Option<Count>,
    /// Variance over mean of the ids in one tick; 1 for Poisson arrivals.
    pub dispersion: Option<f64>,
    /// Share of the time in which ids are made.
    pub duty: Option<Share>,
    /// Bits of the seed of each generator.
    pub seed_bits: Option<u32>,
    /// Hexadecimal digits that are kept of each id.
    pub keep_hex: Vec<u32>,
    /// Repeats that were seen.
    pub observed: Option<Observation>,
    /// A claim to be checked.
    pub claim: Option<Claim>,
}

/// What a question leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// The probability of a clash.
    Probability,
    /// How many ids.
    Ids,
    /// How long ids can be made.
    Time,
    /// How fast ids can be made.
    Rate,
    /// How large a space.
    Space,
}

/// A checked question: exactly one thing is unknown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collision {
    #[serde(flatten)]
    inputs: Inputs,
    solves_for: Unknown,
}

impl Question for Collision {
    const VERB: &'static str = "collide";
}

/// The elements of every list that make one case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting<'a> {
    pub subject: Option<&'a Subject>,
    pub ids: Option<&'a Count>,
    pub rate: Option<Rate>,
    pub span: Option<Span>,
    pub window: Option<Span>,
    pub risk: Option<&'a Probability>,
    pub keep_hex: Option<u32>,
}

const LOAD: &str = "give a load: --ids 1e9, or --rate 200k --for 30y";

impl Collision {
    /// Checks the inputs and finds out what is unknown.
    ///
    /// # Errors
    /// Where nothing or more than one thing is unknown, or a value is out of its range.
    pub fn new(mut inputs: Inputs) -> Result<Collision> {
        if let (true, Some(bits)) = (inputs.subjects.is_empty(), inputs.seed_bits) {
            inputs.subjects.push(Subject::Seeds(bits));
            seeds_alone(&inputs)?;
        }
        if inputs.observed.is_some() && inputs.claim.is_some() {
            return Err(Error::range("--observed and --claim are two questions; ask one of them"));
        }
        if inputs.observed.is_some() && !inputs.risk.is_empty() {
            return Err(Error::range("--observed and --risk are two questions; ask one of them"));
        }
        let asks = inputs.claim.is_some() || inputs.observed.is_some() || !inputs.risk.is_empty();
        if inputs.seed_bits.is_some() && asks && !matches!(inputs.subjects[..], [Subject::Seeds(_)]) {
            return Err(Error::range(
                "--seed-bits weighs shared seeds into odds alone: leave out --risk, --claim or --observed, or the scheme (--seed-bits 32 --risk 1e-9 solves for generators)",
            ));
        }
        if inputs.claim.is_some() && !inputs.risk.is_empty() {
            return Err(Error::range("--claim holds its own probability; leave --risk out"));
        }
        check_terms(&inputs)?;
        let timed = !inputs.for_s.is_empty() || !inputs.ids.is_empty() || !inputs.risk.is_empty();
        if !inputs.window_s.is_empty() && !inputs.rate_per_s.is_empty() && !timed {
            // Keys kept for a window are looked at for a year unless something else is said.
            inputs.for_s.push("1y".parse()?);
        }
        let solves_for = unknown(&inputs)?;
        let collision = Collision { inputs, solves_for };
        if collision.cases().is_none_or(|cases| cases > MOST_CASES) {
            return Err(Error::range(format!("more than {MOST_CASES} cases; shorten a list")));
        }
        Ok(collision)
    }

    /// The inputs, with defaults filled in.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// What it solves for.
    pub fn solves_for(&self) -> Unknown {
        self.solves_for
    }

    /// How many cases the lists make; none beyond what a machine counts.
    fn cases(&self) -> Option<usize> {
        self.lengths().iter().try_fold(1usize, |product, length| product.checked_mul((*length).max(1)))
    }

    fn lengths(&self) -> [usize; 7] {
        let inputs = &self.inputs;
        [
            inputs.subjects.len(),
            inputs.keep_hex.len(),
            inputs.ids.len(),
            inputs.rate_per_s.len(),
            inputs.for_s.len(),
            inputs.window_s.len(),
            inputs.risk.len(),
        ]
    }

    /// Cases of the grid, at least 1.
    pub fn len(&self) -> usize {
        self.cases().unwrap_or(0)
    }

    /// Whether there is no case; there always is one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The case of that place in the grid; the last list runs fastest.
    pub(super) fn setting(&self, index: usize) -> Setting<'_> {
        let mut rest = index;
        let mut places = [0; 7];
        for (place, length) in places.iter_mut().zip(self.lengths()).rev() {
            *place = rest % length.max(1);
            rest /= length.max(1);
        }
        let inputs = &self.inputs;
        Setting {
            subject: inputs.subjects.get(places[0]),
            keep_hex: inputs.keep_hex.get(places[1]).copied(),
            ids: inputs.ids.get(places[2]),
            rate: inputs.rate_per_s.get(places[3]).copied(),
            span: inputs.for_s.get(places[4]).copied(),
            window: inputs.window_s.get(places[5]).copied(),
            risk: inputs.risk.get(places[6]),
        }
    }
}

/// Seeds clash among generators, whatever ids they make.
fn seeds_alone(inputs: &Inputs) -> Result<()> {
    match (&inputs.generators, inputs.risk.is_empty()) {
        (Some(_), false) => Err(Error::range(
            "--seed-bits with --generators and --risk leaves nothing to solve for; leave one out",
        )),
        (None, true) => Err(Error::range(
            "--seed-bits needs --generators to tell how likely two share a seed; try --seed-bits 32 --generators 100000",
        )),
        _ => Ok(()),
    }
}

fn check_terms(inputs: &Inputs) -> Result<()> {
    if let Some(dispersion) = inputs.dispersion
        && !(0.0..=1e12).contains(&dispersion)
    {
        let allowed = "variance over mean, from 0 to 1e12 (1 is Poisson)";
        return Err(Error::value("--dispersion", &dispersion.to_string(), allowed, "50"));
    }
    if let Some(duty) = inputs.duty
        && !(duty.0.as_f64() > 0.0 && duty.0.as_f64() <= 1.0)
    {
        return Err(Error::value(
            "--duty",
            &duty.0.as_f64().to_string(),
            "above 0 and at most 1",
            "0.01 or 1%",
        ));
    }
    if let Some(bits) = inputs.seed_bits
        && bits > 512
    {
        return Err(Error::value(
            "--seed-bits",
            &bits.to_string(),
            "from 0 to 512 (0: all share one state)",
            "32",
        ));
    }
    if inputs.generators.as_ref().is_some_and(Count::is_zero) {
        return Err(Error::value("--generators", "0", "at least 1", "100"));
    }
    if inputs.seed_bits.is_some()
        && inputs.generators.is_none()
        && !matches!(inputs.subjects[..], [Subject::Seeds(_)])
    {
        return Err(Error::range(
            "--seed-bits needs --generators: how many seeds are drawn; try --generators 100",
        ));
    }
    let bucketed = |subject: &Subject| matches!(subject, Subject::Scheme(scheme) if matches!(scheme.separation, Separation::Bucket { .. }));
    if (inputs.dispersion.is_some() || inputs.duty.is_some())
        && !inputs.subjects.iter().any(bucketed)
        && inputs.keep_hex.is_empty()
    {
        return Err(Error::range(
            "--dispersion and --duty matter only where a clock tells ids apart; try --scheme v7, or leave them out",
        ));
    }
    if (inputs.dispersion.is_some() || inputs.duty.is_some())
        && inputs.rate_per_s.is_empty()
        && inputs.for_s.is_empty()
    {
        return Err(Error::range(
            "--dispersion and --duty say how ids arrive in time; add --rate, e.g. --rate 200k --for 30y",
        ));
    }
    Ok(())
}

/// The one thing that is open.
fn unknown(inputs: &Inputs) -> Result<Unknown> {
    let (ids, rate, span) = (!inputs.ids.is_empty(), !inputs.rate_per_s.is_empty(), !inputs.for_s.is_empty());
    if ids && rate && span {
        return Err(Error::range("--ids, --rate and --for: any two of them give the third; leave one out"));
    }
    let paced = rate || ids && span || !inputs.risk.is_empty();
    if !inputs.window_s.is_empty() && !paced {
        return Err(Error::range(
            "--window needs --rate: how many keys live at once; try --rate 200k --window 7d",
        ));
    }
    let seeds = matches!(inputs.subjects[..], [Subject::Seeds(_)]);
    let numbered = |subject: &Subject| matches!(subject, Subject::Scheme(scheme) if matches!(scheme.separation, Separation::Nodes { .. }));
    // Node numbers clash by themselves, whatever ids are made.
    let whole = inputs.keep_hex.is_empty() && !inputs.subjects.is_empty();
    let numbers = whole && inputs.subjects.iter().all(numbered) && inputs.generators.is_some();
    let load = ids
        || rate && span
        || (seeds || numbers && !rate && !span && inputs.risk.is_empty()) && inputs.generators.is_some();
    let partial = (rate || span) && !load;
    match (!inputs.subjects.is_empty(), load, partial, !inputs.risk.is_empty()) {
        _ if inputs.observed.is_some() => Ok(Unknown::Probability),
        (true, _, _, false) if inputs.claim.is_some() => Ok(Unknown::Probability),
        (false, ..) if inputs.claim.is_some() => {
            Err(Error::range("--claim needs the space it is about; try --scheme v4 or --space 2^122"))
        }
        (true, true, _, false) => Ok(Unknown::Probability),
        (true, true, _, true) => Err(Error::range(
            "--risk solves for what is missing, and nothing is: leave out --ids, --rate or --for (or the space), or hold a limit with --fail-above",
        )),
        (true, false, false, true) if !inputs.window_s.is_empty() => Err(Error::range(
            "--window with --risk needs --rate (solves for the time) or --for (solves for the rate)",
        )),
        (true, false, false, true) => Ok(Unknown::Ids),
        (true, false, true, true) => Ok(if rate { Unknown::Time } else { Unknown::Rate }),
        (false, true, _, true) => Ok(Unknown::Space),
        (true, false, true, false) if rate => Err(Error::range(
            "--rate alone leaves two things open: add --for 30y, or --risk 1e-9 to solve for the time",
        )),
        (true, false, true, false) => Err(Error::range(
            "--for alone leaves two things open: add --rate 200k, or --risk 1e-9 to solve for the rate",
        )),
        (true, false, false, false) => {
            Err(Error::range(format!("no load and no --risk: two things are open; {LOAD}, or --risk 1e-9")))
        }
        (false, true, _, false) => Err(Error::range(
            "no space and no --risk: two things are open; add --scheme v4 or --space 2^122, or --risk 1e-9 to solve for the bits",
        )),
        (false, false, _, true) => Err(Error::range(format!(
            "--risk solves for the space here, and no load is given: {LOAD}; or name the space"
        ))),
        (false, false, ..) => Err(Error::range(format!(
            "no space and no load: add --scheme v4 (or --space, --bits), and {LOAD}"
        ))),
    }
}
