//! The text of a price book: TOML in, checked lines out, and for what is wrong one sentence with its line.

use super::price::{Kind, Price, Provider, Unit};
use crate::error::{Error, Result};
use rust_decimal::Decimal;
use serde::Deserialize;
use toml::Spanned;

/// The longest text of a line, in characters: a table of the book has to stay one.
const TEXT_LIMIT: usize = 200;

/// The most lines of a book; every provider, region and kind takes a few hundred.
const LINES_LIMIT: usize = 1_000;

/// No list price of a unit comes near it; more is a slip of the decimal point.
const AMOUNT_LIMIT: u64 = 1_000_000_000;

/// The date of the book, and each price with the line on which it begins.
pub(super) fn read(text: &str) -> Result<(String, Vec<(usize, Price)>)> {
    let file: File = toml::from_str(text).map_err(|e| unreadable(text, &e))?;
    check_text("dated", &file.dated)?;
    if file.price.len() > LINES_LIMIT {
        return Err(Error::data(format!(
            "a price book has at most {LINES_LIMIT} lines, got {}",
            file.price.len()
        )));
    }
    let prices = file.price.into_iter().map(|line| {
        let number = line_of(text, line.span().start);
        let price = line.into_inner().check().map_err(|e| e.within(&format!("line {number}")))?;
        Ok((number, price))
    });
    Ok((file.dated, prices.collect::<Result<_>>()?))
}

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    dated: String,
    price: Vec<Spanned<Line>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    provider: Provider,
    region: String,
    item: String,
    kind: Kind,
    #[serde(default)]
    default: bool,
    usd: String,
    unit: Unit,
    gib: Option<String>,
    copies: Option<u32>,
    billing: Option<String>,
    origin: String,
    seen: String,
    confidence: String,
}

impl Line {
    fn check(self) -> Result<Price> {
        self.check_texts()?;
        let price = Price {
            usd: amount("usd", &self.usd, Decimal::ZERO, "\"0.08\"")?,
            gib: self
                .gib
                .as_deref()
                .map(|gib| amount("gib", gib, Decimal::new(1, 3), "\"105.81\""))
                .transpose()?,
            copies: match self.copies {
                Some(copies @ (0 | 10..)) => {
                    let came = copies.to_string();
                    return Err(refused("copies", &came, "a number from 1 to 9", "2"));
                }
                copies => copies,
            },
            provider: self.provider,
            region: self.region,
            item: self.item,
            kind: self.kind,
            default: self.default,
            unit: self.unit,
            billing: self.billing,
            origin: self.origin,
            seen: self.seen,
            confidence: self.confidence,
        };
        if price.default && !price.serves_its_kind() {
            return Err(Error::data(format!(
                "a default must be sold in a unit of its kind, got {:?} for {:?}; try unit = \"GB-month\" for kind = \
                 \"block_storage\", and gib = \"105.81\" beside unit = \"hour\"",
                price.unit, price.kind
            )));
        }
        Ok(price)
    }

    fn check_texts(&self) -> Result<()> {
        let texts = [
            ("region", Some(&self.region)),
            ("item", Some(&self.item)),
            ("billing", self.billing.as_ref()),
            ("origin", Some(&self.origin)),
            ("seen", Some(&self.seen)),
            ("confidence", Some(&self.confidence)),
        ];
        texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)))
            .try_for_each(|(n, t)| check_text(n, t))
    }
}

fn check_text(name: &str, text: &str) -> Result<()> {
    let length = text.chars().count();
    if (1..=TEXT_LIMIT).contains(&length) && !text.chars().any(unfit) {
        return Ok(());
    }
    Err(refused(name, text, "1 to 200 characters on one line", "\"EBS gp3 capacity\""))
}

/// Whether a character would break the line it is shown on, or turn its direction.
fn unfit(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// A decimal from `least` to a billion, kept exactly as written.
fn amount(name: &str, text: &str, least: Decimal, example: &str) -> Result<Decimal> {
    Decimal::from_str_exact(text)
        .ok()
        .filter(|usd| !text.starts_with('-') && (least..=Decimal::from(AMOUNT_LIMIT)).contains(usd))
        .ok_or_else(|| {
            refused(
                name,
                text,
                &format!("a decimal number from {least} to {AMOUNT_LIMIT} in quotes"),
                example,
            )
        })
}

fn refused(name: &str, came: &str, allowed: &str, example: &str) -> Error {
    let came: String = came.chars().take(60).collect();
    Error::data(format!("{name} must be {allowed}, got {came:?}; try {name} = {example}"))
}

/// What the TOML reader says, on one line and with the line of the file.
fn unreadable(text: &str, error: &toml::de::Error) -> Error {
    let said: String = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    let said: String = said.chars().filter(|c| !c.is_control()).take(300).collect();
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    Error::data(format!(
        "line {line}: {said}; a price book is TOML with dated = \"2026-09-20\" and [[price]] tables, each of \
         which has provider, region, item, kind, usd = \"0.08\", unit = \"GB-month\", origin, seen, confidence, and may have default = true, gib = \"105.81\", copies = 2, billing"
    ))
}

/// The line, counted from 1, in which a byte stands.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|&b| b == b'\n').count()
}
