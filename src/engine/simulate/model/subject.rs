//! What the ids of a trial are: values of a space, letters, or a scheme with what is kept of it.

use super::super::question::{Fault, Inputs};
use super::Values;
use crate::error::{Error, Result};
use crate::id::layout::Kept;
use crate::id::scheme::{self, Scheme, Separation};

/// What is drawn, before it is known how many.
pub(super) enum Subject {
    Flat {
        values: Values,
        name: String,
    },
    /// A scheme of one space for all time, with the bits of a shortened form that is drawn as it is.
    FlatScheme(&'static Scheme, Option<u32>),
    Text {
        alphabet: u64,
        length: u32,
    },
    Clocked(Clocked),
}

/// A scheme with a clock.
pub(super) struct Clocked {
    pub scheme: &'static Scheme,
    pub name: String,
    pub separation: Separation,
    pub kept: Kept,
    /// Whether it is what is left of an id that is cut short, and hence drawn as it is.
    pub cut: bool,
}

impl Subject {
    pub fn of(inputs: &Inputs) -> Result<Subject> {
        let text = inputs.alphabet.is_some() || inputs.length.is_some();
        let spaces = usize::from(text) + usize::from(inputs.space.is_some());
        let spaces = spaces + usize::from(inputs.bits.is_some() && inputs.scheme.is_none());
        if spaces + usize::from(inputs.scheme.is_some()) != 1 {
            let message = "say once what is drawn: --bits 32, --space 365, --alphabet 62 --length 8, or --scheme v7 \
                (which --bits then scales down)";
            return Err(Error::range(message));
        }
        if inputs.keep_hex.is_some() && inputs.scheme.is_none() {
            let message = "--keep-hex cuts the hexadecimal form of a scheme; try --scheme v4 --keep-hex 8, or --bits 32";
            return Err(Error::range(message));
        }
        match (&inputs.scheme, inputs.bits, inputs.space) {
            (Some(name), ..) => of_scheme(scheme::named(name).map_err(|e| e.within("--scheme"))?, inputs),
            (None, Some(bits), _) => Ok(Subject::Flat { values: Values::Bits(bits), name: plural(bits) }),
            (None, None, Some(space)) => Ok(of_space(space)),
            (None, None, None) => of_text(inputs),
        }
    }
}

fn plural(bits: u32) -> String {
    super::counted(u64::from(bits), "bit")
}

fn of_space(space: u64) -> Subject {
    let values = match space.is_power_of_two() {
        true => Values::Bits(space.trailing_zeros()),
        false => Values::Whole(space),
    };
    Subject::Flat { values, name: format!("a space of {}", super::thousands(space)) }
}

/// Strings: a space of alphabet^length values, unless letters are taken as remainders.
fn of_text(inputs: &Inputs) -> Result<Subject> {
    let (Some(alphabet), Some(length)) = (inputs.alphabet, inputs.length) else {
        let message = "--alphabet and --length go together: how many characters there are, and how many of them a \
            string has; try --alphabet 62 --length 8";
        return Err(Error::range(message));
    };
    let length = u32::try_from(length).expect("checked: at most 122");
    if inputs.fault == Some(Fault::Modulo) {
        return Ok(Subject::Text { alphabet, length });
    }
    let name = format!("{length} characters out of {}", super::thousands(alphabet));
    if alphabet.is_power_of_two() {
        let bits = alphabet.trailing_zeros().saturating_mul(length);
        if bits <= 122 {
            return Ok(Subject::Flat { values: Values::Bits(bits), name });
        }
    } else if let Some(space) = alphabet.checked_pow(length) {
        return Ok(Subject::Flat { values: Values::Whole(space), name });
    }
    Err(Error::range(format!(
        "--alphabet {alphabet} with --length {length} is a space beyond 2^64 values (2^122 for powers of two), which \
         is not drawn; the risk depends on n²/N alone: try --length {} and fewer --draws",
        (64.0 / (alphabet as f64).log2()).floor().max(1.0)
    )))
}

fn of_scheme(scheme: &'static Scheme, inputs: &Inputs) -> Result<Subject> {
    let whole = || scheme.layout.top_bits(scheme.layout.bits()).unwrap_or_default();
    let (kept, separation, name) = match inputs.keep_hex {
        None => (whole(), scheme.separation, scheme.name.to_owned()),
        Some(digits) => {
            let (kept, separation) = cut(scheme, digits)?;
            (
                kept,
                separation,
                format!("first {} of {}", super::counted(u64::from(digits), "hex digit"), scheme.name),
            )
        }
    };
    let cut = inputs.keep_hex.is_some();
    match separation {
        Separation::Flat(space) => {
            let bits = (cut || space.bits() <= 32.0).then(|| space.bits() as u32);
            Ok(Subject::FlatScheme(scheme, bits.filter(|bits| space == scheme::Space::of_bits(*bits))))
        }
        Separation::Bucket { .. } | Separation::Nodes { .. } => {
            Ok(Subject::Clocked(Clocked { scheme, name, separation, kept, cut }))
        }
        Separation::Clock { .. } => Err(Error::range(format!(
            "--scheme {}: nothing is drawn in it, a clock and a counter make it; try --scheme snowflake --fault \
             clock-back to see a clock that is set back",
            scheme.name
        ))),
        Separation::Application => Err(Error::range(format!(
            "--scheme {}: the application fills it, so nothing is known of its bits; say how many are random with \
             --bits alone, e.g. --bits 32",
            scheme.name
        ))),
    }
}

/// What is left of the hexadecimal form of a scheme.
fn cut(scheme: &Scheme, digits: u32) -> Result<(Kept, Separation)> {
    let all = scheme.layout.bits().div_ceil(4);
    if !scheme.layout.is_binary() {
        return Err(Error::range(format!(
            "--keep-hex {digits}: {} is no run of bits and has no hexadecimal form; try --space with the values that \
             are left",
            scheme.name
        )));
    }
    if digits > all {
        let allowed = format!("from 1 to {all}, the hexadecimal digits of {}", scheme.name);
        return Err(Error::value("--keep-hex", &digits.to_string(), &allowed, "8"));
    }
    scheme.keep_top(digits * 4).ok_or_else(|| {
        Error::range(format!(
            "--keep-hex {digits}: what is left of {} is cut within a counter or node number, where chance does not \
             decide; keep all {all} digits or fewer than {digits}",
            scheme.name
        ))
    })
}
