//! The price book for people.

use super::{Column, Document, Table, Unit, word, words};
use crate::store::price::{Book, Price};

/// Lays the book out: what the models use first.
pub fn document(book: &Book) -> Document {
    let row = |line: &Price| {
        vec![
            line.provider.name().into(),
            line.region.clone().into(),
            line.item.clone().into(),
            line.usd.to_string().into(),
            line.unit.name().into(),
            word(&line.kind).into(),
            line.gib.map(|gib| gib.to_string()).into(),
            line.copies.map(u128::from).into(),
            line.billing.clone().into(),
            if line.default { "used" } else { "" }.into(),
            line.seen.clone().into(),
            line.confidence.clone().into(),
            line.origin.clone().into(),
        ]
    };
    let (used, spare): (Vec<&Price>, Vec<&Price>) = book.lines().iter().partition(|line| line.default);
    Document {
        lead: vec![words(format!(
            "Price book of {}: list prices in US dollars, before discounts and taxes. Models use the lines marked \"used\".",
            book.dated()
        ))],
        tables: vec![Table {
            name: "prices",
            title: String::new(),
            columns: vec![
                Column::both("provider", "Provider", Unit::None),
                Column::both("region", "Region", Unit::None).spare(),
                Column::both("item", "Item", Unit::None),
                Column::both("usd", "USD", Unit::None),
                Column::both("unit", "per", Unit::None),
                Column::kept("kind", Unit::None),
                Column::kept("gib", Unit::None),
                Column::kept("copies", Unit::None),
                Column::kept("billing", Unit::None),
                Column::both("use", "Use", Unit::None),
                Column::both("seen", "Seen", Unit::None),
                Column::kept("confidence", Unit::None),
                Column::kept("origin", Unit::None),
            ],
            rows: used.into_iter().chain(spare).map(row).collect(),
            shown: true,
        }],
        ..Document::default()
    }
}
