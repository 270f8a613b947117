//! What an answer says to people, before it is drawn: sentences, tables and figures whose cells stay
//! numbers with a unit. Rounding is the renderer's.

pub mod bench;
pub mod collide;
pub mod dictionary;
pub mod figure;
pub mod index;
pub mod prices;
pub mod probe;
pub mod schemes;
pub mod simulate;
pub mod size;

use crate::math::logspace::{Chance, Wide};
use crate::units::Count;
use figure::Figure;
use std::borrow::Cow;

/// A value of a cell or a sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(Cow<'static, str>),
    /// A whole number.
    Integer(u128),
    /// A whole number, however large.
    Count(Count),
    /// A real number.
    Real(f64),
    /// A real number, however large or small.
    Wide(Wide),
    /// A probability.
    Chance(Chance),
    /// A value with a unit of its own, in a column of many.
    Of(Unit, Box<Cell>),
    /// Yes or no.
    Flag(bool),
    /// No value: the question does not arise.
    Empty,
}

impl From<&'static str> for Cell {
    fn from(text: &'static str) -> Cell {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(Cow::Owned(text))
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Real(value)
    }
}

impl From<u128> for Cell {
    fn from(value: u128) -> Cell {
        Cell::Integer(value)
    }
}

impl From<Count> for Cell {
    fn from(value: Count) -> Cell {
        Cell::Count(value)
    }
}

impl From<Wide> for Cell {
    fn from(value: Wide) -> Cell {
        Cell::Wide(value)
    }
}

impl From<Chance> for Cell {
    fn from(value: Chance) -> Cell {
        Cell::Chance(value)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nothing in particular, or words.
    None,
    /// Bytes.
    Bytes,
    /// Bytes for each key or insert: small, with a fraction.
    BytesEach,
    /// Bytes each second.
    BytesPerSecond,
    /// Keys.
    Keys,
    /// Events each second.
    PerSecond,
    /// Seconds.
    Seconds,
    /// Years of 365.25 days.
    Years,
    /// US dollars.
    Usd,
    /// US dollars, where cents would distract.
    UsdShort,
    /// A share of a whole.
    Share,
    /// Bits.
    Bits,
    /// A probability as a number: `9.404e-20`.
    Probability,
    /// A probability as a percentage, with the decimals that tell it from none and from all: `99.963 %`.
    Percent,
    /// A probability in words: `1 in 9.8 million`.
    Odds,
}

/// A column: its name in files, its heading for people, its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name in CSV, the same as in JSON; `None` keeps the column out of files.
    pub name: Option<&'static str>,
    /// Heading for people; `None` keeps the column out of what people read.
    pub heading: Option<&'static str>,
    /// What its numbers count.
    pub unit: Unit,
    /// Whether it goes first where there is no room for all.
    pub spare: bool,
}

impl Column {
    /// A column in files and for people.
    pub const fn both(name: &'static str, heading: &'static str, unit: Unit) -> Column {
        Column { name: Some(name), heading: Some(heading), unit, spare: false }
    }

    /// A column for files alone.
    pub const fn kept(name: &'static str, unit: Unit) -> Column {
        Column { name: Some(name), heading: None, unit, spare: false }
    }

    /// The same column, to be left out where there is no room for all.
    #[must_use]
    pub const fn spare(mut self) -> Column {
        self.spare = true;
        self
    }

    /// A column for people alone.
    pub const fn shown(heading: &'static str, unit: Unit) -> Column {
        Column { name: None, heading: Some(heading), unit, spare: false }
    }
}

/// Rows of cells under columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Stem of its file.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each with a cell a column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether people see it unasked; files always have it.
    pub shown: bool,
}

impl Table {
    /// Whether it goes into files: it has rows, and a column that has a name there.
    pub fn is_kept(&self) -> bool {
        !self.rows.is_empty() && self.columns.iter().any(|column| column.name.is_some())
    }
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Words.
    Words(Cow<'static, str>),
    /// A number rounded as people read it.
    Value(Cell, Unit),
    /// A number to its last digit.
    Exact(Cell, Unit),
}

/// Pieces that are read one after another.
pub type Sentence = Vec<Piece>;

/// A sentence of words alone.
pub fn words(text: impl Into<Cow<'static, str>>) -> Sentence {
    vec![Piece::Words(text.into())]
}

/// Everything an answer has to say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The answer itself, first.
    pub lead: Vec<Sentence>,
    /// Drawings made of characters, whose lines are kept as they are; they follow the answer.
    pub drawings: Vec<Vec<String>>,
    /// Tables; the first is the main one.
    pub tables: Vec<Table>,
    /// Figures, drawn only into files.
    pub figures: Vec<Figure>,
    /// What a reader must know beside the figures.
    pub notes: Vec<Sentence>,
    /// Stems of all files that such a study may have, so that those of an older one do not stay beside it.
    pub owned: &'static [&'static str],
}

/// From here on the distance to certainty says more than a probability, in words and in digits.
pub const NEARLY: f64 = 0.9995;

/// The word that a value has in a record.
pub(crate) fn word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}
