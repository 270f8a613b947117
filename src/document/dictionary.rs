//! What each column of a table means: one entry a name, since a name means one thing everywhere.

/// Names and meanings, in the order of the alphabet.
const MEANINGS: &[(&str, &str)] = &[
    ("amount", "bytes kept or requests made in a month"),
    (
        "background_bytes_per_s",
        "bytes that flush, compaction and checkpoints write each second at peak, one copy",
    ),
    ("billing", "how the provider counts or rounds"),
    ("bits", "bits of the field"),
    ("bucket_s", "span within which random bits alone tell ids apart; empty: all time"),
    ("buys", "what the money buys: disk, memory or requests"),
    ("bytes", "bytes of the part, per key or per insert"),
    ("bytes_per_key", "all bytes per key at rest, one copy"),
    ("bytes_per_live_key", "bytes stored per live key in steady state under this purge, one copy"),
    ("confidence", "how far to trust the price"),
    ("copies", "copies that the price includes"),
    ("default", "whether models use the line"),
    ("failure", "how the scheme fails"),
    ("false_positive_rate", "share of honest new keys that a filter takes for seen ones"),
    ("field", "name of the field in the standard"),
    ("fingerprint", "whether the SHA-256 of the request is kept"),
    ("first_bit", "first bit of the field, 0 is the most significant"),
    ("fits_headroom", "whether the headroom holds what is dead and not yet reclaimed"),
    ("gib", "GiB in one unit, where the unit does not say"),
    ("grown_live_keys", "keys held at that time"),
    ("grown_rate_per_s", "average keys per second at that time"),
    ("headroom", "share of capacity bought beyond what is used"),
    ("how", "what the purge does and needs"),
    ("index_bytes_per_key", "bytes per key in indexes beside the row"),
    ("item", "what the provider calls it"),
    ("key_bytes", "bytes of the stored key"),
    ("key_format", "binary or text"),
    ("key_order", "which key, hence in which order keys arrive"),
    ("kind", "what the line is the price of"),
    ("last_bit", "last bit of the field"),
    ("leaf_fill", "share of a leaf page of the key's index in use"),
    ("life", "when the time field ends"),
    ("live_keys", "keys held at once: rate × retention"),
    ("log_bytes_per_insert", "log bytes that one insert writes"),
    ("log_bytes_per_s", "log bytes each second, one copy"),
    ("lookups_per_s", "look-ups each second at peak: every attempt looks its key up"),
    ("method", "how the figures came about"),
    ("note", "what a reader must know beside the figures"),
    ("origin", "where the price was seen"),
    ("pages_dirtied_per_s", "pages dirtied each second, one copy"),
    ("part", "name of the part"),
    ("peak_per_s", "highest keys per second"),
    ("place", "table, index or other"),
    ("price", "the price used"),
    ("provider", "who sells"),
    ("provisioned_bytes", "replicated bytes × (1 + headroom)"),
    ("random_bits", "bits drawn at random"),
    ("rate_per_s", "average keys per second"),
    ("raw_bytes", "the keys alone: live keys × key bytes"),
    ("raw_replicated_bytes", "the keys alone, in every copy"),
    ("raw_usd_per_month", "the keys alone in every copy, at the plain price"),
    ("record", "what is kept beside the key: key, claim, outcome or full"),
    ("refused_payments_per_day", "honest payments refused each day by false positives of a filter"),
    ("region", "where the price holds"),
    ("replicas", "copies of the store, the first included"),
    ("replicated_bytes", "bytes of all copies at rest"),
    ("replication_bytes_per_s", "log sent from the first copy to the others each second at peak"),
    (
        "replication_usd_per_month",
        "traffic to replicas in other zones, at the average rate; not in usd_per_month",
    ),
    ("response_bytes", "bytes of the stored response"),
    ("retention_s", "how long a key is kept"),
    ("retries", "mean attempts per key"),
    ("scheme", "name of the identifier scheme"),
    ("scope", "owner columns: none, account or endpoint+account"),
    ("seen", "when the price was seen"),
    ("source", "where the scheme is defined, or where the bits come from"),
    ("store", "name of the store model"),
    ("stored_bytes", "bytes of one copy"),
    ("strategy", "way to remove expired keys"),
    ("table_bytes_per_key", "bytes per key with the row"),
    ("text_chars", "characters of the usual text form"),
    ("time_bits", "bits of the clock"),
    ("total_bits", "all bits"),
    ("unit", "what the dollars buy"),
    ("usd", "US dollars for one unit"),
    ("usd_per_month", "US dollars a month for what is provisioned; empty: no price known"),
    ("use", "whether models use the line"),
    ("what", "capacity, writes or reads"),
    ("why", "why it is that many: rule of the format"),
    ("writes_per_s", "writes each second at peak: the insert, and the outcome where there is one"),
    ("years", "years from now"),
];

/// The meaning of a column; empty for a name that no table of this crate has.
pub fn describe(name: &str) -> &'static str {
    MEANINGS.iter().find(|(known, _)| *known == name).map_or("", |(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_none_stands_twice() {
        assert!(MEANINGS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
