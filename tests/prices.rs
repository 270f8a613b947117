//! The embedded price book against the list prices that were seen, and hostile price books.

use std::collections::HashMap;
use std::path::Path;
use uuidcap::store::price::{Book, Kind, Price, Provider};

fn seen() -> Vec<HashMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/prices.csv");
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn unit_of(price: &Price) -> String {
    serde_json::to_value(price.unit).unwrap().as_str().unwrap().to_owned()
}

#[test]
fn every_price_that_was_seen_is_in_the_book_with_its_figure() {
    let book = Book::default_book().unwrap();
    let (uncertain, certain): (Vec<_>, Vec<_>) =
        seen().into_iter().partition(|r| r["confidence"] == "uncertain");
    assert_eq!((certain.len(), uncertain.len()), (32, 4));
    assert_eq!(book.lines().len(), certain.len());
    for (row, price) in certain.iter().zip(book.lines()) {
        assert_eq!(price.item, row["item"]);
        let there = (price.provider.name(), &*price.region, price.usd.to_string(), unit_of(price));
        let here = (&*row["provider"], &*row["region"], row["price_usd"].clone(), row["unit"].clone());
        assert_eq!(there, here, "{}", price.item);
        assert_eq!(
            (&price.seen, &price.confidence),
            (&row["seen_date"], &row["confidence"]),
            "{}",
            price.item
        );
        assert_eq!(price.billing.as_deref().unwrap_or(""), row["billing_unit"], "{}", price.item);
        assert!(row["seen_in"].starts_with("same") || price.origin == row["seen_in"], "{}", price.item);
    }
    for row in uncertain {
        assert!(book.lines().iter().all(|p| p.item != row["item"]), "{} was not seen", row["item"]);
    }
}

#[test]
fn models_find_one_line_of_each_kind_they_use() {
    let book = Book::default_book().unwrap();
    let item = |price: Option<&Price>| price.map(|p| p.item.clone());
    let used = [
        (book.block(Provider::Aws, None), "EBS gp3 capacity"),
        (book.memory(Provider::Aws, None), "ElastiCache cache.r5.4xlarge on-demand"),
        (book.request_write(Provider::Aws, None), "DynamoDB on-demand write (WRU)"),
        (book.request_read(Provider::Aws, None), "DynamoDB on-demand read (RRU)"),
        (book.request_storage(Provider::Aws, None), "DynamoDB storage Standard"),
        (book.transfer_zone(Provider::Aws, None), "Cross-AZ transfer"),
        (book.block(Provider::Gcp, None), "pd-balanced"),
        (book.memory(Provider::Gcp, None), "Memorystore Redis standard M5 (>100 GB)"),
        (book.block(Provider::Azure, None), "Premium SSD P30 (1 TiB)"),
    ];
    for (price, name) in used {
        assert_eq!(item(price).as_deref(), Some(name));
    }
    assert!(book.find(Provider::Azure, Kind::RequestWrite, None).is_none());
}

const GOOD: &str = r#"dated = "2026-01-01"
[[price]]
provider = "aws"
region = "eu-west-1"
item = "volume"
kind = "block_storage"
usd = "0.09"
unit = "GB-month"
origin = "an offer"
seen = "2026-01-01"
confidence = "high"
"#;

#[test]
fn a_book_of_ones_own_replaces_the_embedded_one() {
    let book = Book::read(GOOD).unwrap();
    let price = book.block(Provider::Aws, Some("eu-west-1")).unwrap();
    assert_eq!(price.usd_per_month(1_000_000_000).unwrap().to_string(), "0.09");
    assert!(book.memory(Provider::Aws, None).is_none());
    assert_eq!(book.dated(), "2026-01-01");
}

/// What to change in the good book, and what the error has to name.
#[test]
fn a_hostile_book_is_refused_in_one_line_that_says_where() {
    let long = format!("item = \"{}\"", "x".repeat(201));
    let hostile = [
        ("usd = \"0.09\"", "usd = 0.09", "line 7"),
        ("usd = \"0.09\"", "usd = \"-1\"", "usd must be a decimal number from 0"),
        ("usd = \"0.09\"", "usd = \"NaN\"", "usd must be"),
        ("usd = \"0.09\"", "usd = \"1e400\"", "usd must be"),
        ("usd = \"0.09\"", "usd = \"1000000001\"", "usd must be"),
        ("usd = \"0.09\"", "usd = \"0.00000000000000000000000000000000001\"", "usd must be"),
        ("usd = \"0.09\"", "usd = \"\"", "line 2: usd must be"),
        ("usd = \"0.09\"", "usd = \"0.09\"\ngib = \"0\"", "gib must be"),
        ("usd = \"0.09\"", "usd = \"0.09\"\nprice = 1", "unknown field `price`"),
        ("usd = \"0.09\"\n", "", "missing field `usd`"),
        ("\"GB-month\"", "\"furlong\"", "unknown variant `furlong`"),
        ("\"GB-month\"", "\"hour\"\ndefault = true", "a default must be sold"),
        ("\"aws\"", "\"ibm\"", "line 3"),
        ("item = \"volume\"", "item = \"\\u001b[2J\"", "item must be"),
        ("item = \"volume\"", &long, "item must be 1 to 200"),
        ("dated = \"2026-01-01\"", "", "missing field `dated`"),
        ("[[price]]", "[[[price", "line 2"),
        ("[[price]]", "[price]", "line 2"),
    ];
    for (old, new, said) in hostile {
        assert!(GOOD.contains(old), "{old}");
        let error = Book::read(&GOOD.replacen(old, new, 1)).expect_err(new);
        let message = error.to_string();
        assert!(message.contains(said), "{new}: {message}");
        assert!(!message.contains(|c: char| c.is_control()) && message.len() < 700, "{new}: {message}");
        assert!(!error.is_usage(), "{new}: a file's content is at fault");
    }
}

#[test]
fn two_lines_that_contradict_each_other_are_refused() {
    let again = GOOD.split_once('\n').unwrap().1;
    let twice = format!("{GOOD}{again}");
    assert!(Book::read(&twice).unwrap_err().to_string().starts_with("line 12: \"volume\""));
    let flagged = |item: &str| again.replace("volume", item).replace("unit", "default = true\nunit");
    let rivals = format!("dated = \"x\"\n{}{}", flagged("one"), flagged("two"));
    let message = Book::read(&rivals).unwrap_err().to_string();
    assert!(message.contains("\"one\" and \"two\" are both the default"), "{message}");
    let unmarked = format!("{GOOD}{}", again.replace("volume", "other"));
    assert!(Book::read(&unmarked).unwrap().block(Provider::Aws, None).is_none(), "which one is a guess");
}

#[test]
fn bytes_that_are_no_book_are_refused() {
    for text in ["", "\0", "{}", "price = []", "dated = 1", &"[".repeat(100_000), "\u{feff}x"] {
        let error = Book::read(text).unwrap_err();
        assert!(error.to_string().starts_with("line "), "{error}");
    }
}
