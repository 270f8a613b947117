//! The ways of counting, by name: all give the same numbers, whatever the ids are.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A way of counting how often ids meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The fastest for so many bits and draws, as measured.
    #[default]
    Auto,
    /// The witness: a `HashSet` of the standard library.
    #[serde(rename = "hashset")]
    HashSet,
    /// A copy of the ids, sorted.
    Sort,
    /// Tables of draw numbers that are written in one pass and read back in another.
    IndexTable,
    /// A byte for every value of the space.
    Stamp,
    /// A bit for every few values, then an exact count of those that share one.
    BitFilter,
    /// A counter for every value of the space.
    Histogram,
    /// Shares of the space one after another, for trials that no cache holds.
    Partition,
}

impl Method {
    /// Every method, in the order in which they are shown.
    pub const ALL: [Method; 8] = [
        Method::Auto,
        Method::HashSet,
        Method::Sort,
        Method::IndexTable,
        Method::Stamp,
        Method::BitFilter,
        Method::Histogram,
        Method::Partition,
    ];

    /// The word for it on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::HashSet => "hashset",
            Method::Sort => "sort",
            Method::IndexTable => "index-table",
            Method::Stamp => "stamp",
            Method::BitFilter => "bit-filter",
            Method::Histogram => "histogram",
            Method::Partition => "partition",
        }
    }

    /// The method of that name; an error names all of them.
    pub fn parse(word: &str) -> Result<Method> {
        Method::ALL.into_iter().find(|method| method.name() == word).ok_or_else(|| {
            let names = Method::ALL.map(Method::name).join(", ");
            Error::value("a method of counting", word, &format!("one of {names}"), "auto")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back_and_an_unknown_one_is_refused_with_all_names() {
        for method in Method::ALL {
            assert_eq!(Method::parse(method.name()), Ok(method));
        }
        let refused = Method::parse("Sort").expect_err("names are lower case").to_string();
        assert!(Method::ALL.iter().all(|method| refused.contains(method.name())), "{refused}");
    }
}
