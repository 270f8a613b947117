//! The answer of `size` for people: the plain arithmetic first, then store by store.

use super::{Cell, Column, Document, Piece, Sentence, Table, Unit, word, words};
use crate::engine::size::{Answer, Case, Detail, Inputs, Io, PurgeLine, StoreLine, Unfit};
use crate::store::page::Arrival;
use crate::store::{self, Evidence, Part, Place};

mod figures;

/// Stems of all files that a study of `size` may have.
const FILES: [&str; 11] = [
    "stores",
    "keys_alone",
    "io",
    "parts",
    "log_parts",
    "purges",
    "bill",
    "notes",
    "growth",
    "cost-by-retention",
    "bytes-per-key",
];

/// The main table alone, for those who read nothing else.
pub fn main_table(answer: &Answer) -> Document {
    let table = stores(answer, &Axes::of(answer), answer.cases.len() == 1);
    Document { tables: vec![table], ..Document::default() }
}

/// Lays the answer out. `by_retention` is the first case at several retentions, for a figure; `explain`
/// shows every part of every store.
pub fn document(inputs: &Inputs, answer: &Answer, by_retention: Option<&Answer>, explain: bool) -> Document {
    let single = answer.cases.len() == 1;
    let mut lead = match answer.cases.as_slice() {
        [case] => plain(case, inputs),
        cases => vec![vec![
            Piece::Exact(Cell::Integer(cases.len() as u128), Unit::None),
            Piece::Words(" cases: what stores take, then the keys alone.".into()),
        ]],
    };
    lead.push(terms(answer));
    let axes = Axes::of(answer);
    let mut tables = vec![stores(answer, &axes, single)];
    if !single {
        tables.push(keys_alone(answer, &axes));
    }
    tables.push(io(answer, &axes, single));
    tables.push(parts(answer, &axes, explain));
    tables.push(log_parts(answer, &axes, explain));
    tables.push(purges(answer, &axes, explain));
    if inputs.growth.is_some() {
        tables.push(growth(answer, &axes));
    }
    tables.push(bill(answer, &axes, explain));
    tables.push(remarks(answer, &axes, explain));
    let figures = figures::figures(inputs, answer, by_retention);
    Document { lead, tables, figures, notes: notes(inputs, answer, explain), owned: &FILES }
}

/// The arithmetic that everybody can repeat, to the digit.
fn plain(case: &Case, inputs: &Inputs) -> Vec<Sentence> {
    let whole = |value: u128, unit| Piece::Exact(Cell::Integer(value), unit);
    let price = inputs.price_per_gb_month_usd.map_or(0.10, |usd| usd.as_f64());
    vec![
        vec![
            rate(case),
            Piece::Words(" keys/s kept ".into()),
            Piece::Value(case.retention_s.as_f64().into(), Unit::Seconds),
            Piece::Words(" are ".into()),
            whole(case.live_keys, Unit::None),
            Piece::Words(" live keys.".into()),
        ],
        vec![
            Piece::Words("The keys alone, ".into()),
            whole(case.key_bytes.into(), Unit::None),
            Piece::Words(" bytes each: ".into()),
            whole(case.raw_bytes, Unit::None),
            Piece::Words(" bytes (".into()),
            Piece::Value(Cell::Integer(case.raw_bytes), Unit::Bytes),
            Piece::Words("); in ".into()),
            whole(case.replicas.into(), Unit::None),
            Piece::Words(if case.replicas == 1 { " copy ".into() } else { " copies ".into() }),
            whole(case.raw_replicated_bytes, Unit::None),
            Piece::Words(" bytes (".into()),
            Piece::Value(Cell::Integer(case.raw_replicated_bytes), Unit::Bytes),
            Piece::Words("); at ".into()),
            Piece::Exact(Cell::Real(price), Unit::Usd),
            Piece::Words(" per GB-month ".into()),
            Piece::Exact(case.raw_usd_per_month.as_f64().into(), Unit::Usd),
            Piece::Words(" a month.".into()),
        ],
    ]
}

/// The rate to its last digit where it has few.
fn rate(case: &Case) -> Piece {
    let rate = case.rate_per_s.as_f64();
    match rate.to_string().len() {
        ..=14 => Piece::Exact(rate.into(), Unit::PerSecond),
        _ => Piece::Value(rate.into(), Unit::PerSecond),
    }
}

/// What the tables below are about: whatever is the same in every case.
fn terms(answer: &Answer) -> Sentence {
    let cases = answer.cases.as_slice();
    let Some(case) = cases.first() else { return Vec::new() };
    let same = |of: fn(&Case) -> Cell| cases.iter().all(|other| of(other) == of(case));
    let mut text = vec![Piece::Words("What stores take".into())];
    let mut join = " for ";
    if same(|c| c.key.name().into()) && same(|c| word(&c.key_format).into()) {
        text.push(Piece::Words(
            format!("{join}{} keys as {}", case.key.name(), word(&case.key_format)).into(),
        ));
        join = ", ";
    }
    if same(|c| word(&c.record).into()) && same(|c| Cell::Integer(c.response_bytes.into())) {
        text.push(Piece::Words(format!("{join}record \"{}\"", word(&case.record)).into()));
        if record_of(case).has_outcome() {
            text.push(Piece::Words(format!(" with {} response bytes", case.response_bytes).into()));
        }
        join = ", ";
    }
    if same(|c| Cell::Integer(c.replicas.into())) {
        let copies = if case.replicas == 1 { "copy" } else { "copies" };
        text.push(Piece::Words(format!("{join}{} {copies}", case.replicas).into()));
        join = ", ";
    }
    if same(|c| c.headroom.0.as_f64().into()) {
        text.push(Piece::Words(join.into()));
        text.push(Piece::Value(case.headroom.0.as_f64().into(), Unit::Share));
        text.push(Piece::Words(" headroom".into()));
    }
    text.push(Piece::Words("; loaded, before expired keys pile up:".into()));
    text
}

fn record_of(case: &Case) -> store::record::Record {
    store::record::Record::new(case.record, case.key_bytes, case.key_format, case.response_bytes)
}

/// The inputs that tell one case from another: in files always, for people where they differ.
struct Axes {
    columns: Vec<Column>,
}

type Axis = (&'static str, &'static str, Unit, fn(&Case) -> Cell);

const AXES: [Axis; 13] = [
    ("rate_per_s", "Keys/s", Unit::PerSecond, |c| c.rate_per_s.as_f64().into()),
    ("peak_per_s", "Peak/s", Unit::PerSecond, |c| c.peak_per_s.as_f64().into()),
    ("retention_s", "Kept", Unit::Seconds, |c| c.retention_s.as_f64().into()),
    ("replicas", "Copies", Unit::None, |c| Cell::Integer(c.replicas.into())),
    ("key_order", "Key", Unit::None, |c| c.key.name().into()),
    ("key_bytes", "Key B", Unit::None, |c| Cell::Integer(c.key_bytes.into())),
    ("key_format", "Format", Unit::None, |c| word(&c.key_format).into()),
    ("record", "Record", Unit::None, |c| word(&c.record).into()),
    ("scope", "Scope", Unit::None, |c| word(&c.scope).into()),
    ("fingerprint", "SHA-256", Unit::None, |c| Cell::Flag(c.fingerprint)),
    ("response_bytes", "Resp. B", Unit::None, |c| Cell::Integer(c.response_bytes.into())),
    ("headroom", "Headroom", Unit::Share, |c| c.headroom.0.as_f64().into()),
    ("retries", "Attempts", Unit::None, |c| c.retries.as_f64().into()),
];

impl Axes {
    fn of(answer: &Answer) -> Axes {
        let column = |(name, heading, unit, cell): &Axis| {
            let first = answer.cases.first().map(cell);
            let differs = answer.cases.iter().any(|case| Some(cell(case)) != first);
            // A peak that is everywhere the average says nothing.
            let plain =
                *name == "peak_per_s" && answer.cases.iter().all(|case| case.peak_per_s == case.rate_per_s);
            Column { heading: (differs && !plain).then_some(*heading), ..Column::kept(name, *unit) }
        };
        Axes { columns: AXES.iter().map(column).collect() }
    }

    fn cells(case: &Case) -> Vec<Cell> {
        AXES.iter().map(|(.., cell)| cell(case)).collect()
    }

    /// A table with a row for each of the lines that a case and a store have.
    fn table<F>(
        &self,
        name: &'static str,
        title: &str,
        shown: bool,
        columns: &[Column],
        answer: &Answer,
        lines: F,
    ) -> Table
    where
        F: Fn(&Case, &StoreLine) -> Vec<Vec<Cell>>,
    {
        let mut rows = Vec::new();
        for case in &answer.cases {
            for store in &case.stores {
                for line in lines(case, store) {
                    let mut row = Axes::cells(case);
                    row.extend(line);
                    rows.push(row);
                }
            }
        }
        let columns = self.columns.iter().chain(columns).copied().collect();
        Table { name, title: title.to_owned(), columns, rows, shown }
    }
}

/// The store's name for people.
fn title(name: &str) -> &'static str {
    store::find(name).map_or("", |model| model.title())
}

/// What a method rests on, in a word or two.
fn basis(method: Evidence) -> &'static str {
    match method {
        Evidence::Arithmetic => "arithmetic",
        Evidence::Measured(version) => version,
        Evidence::Documentation => "documentation",
    }
}

fn stores(answer: &Answer, axes: &Axes, single: bool) -> Table {
    let narrow = |heading: &'static str| single.then_some(heading);
    let fill = axes.columns.iter().any(|column| column.name == Some("key_order") && column.heading.is_some());
    let columns = [
        Column::kept("live_keys", Unit::None),
        Column::kept("raw_bytes", Unit::None),
        Column::kept("raw_replicated_bytes", Unit::None),
        Column::kept("raw_usd_per_month", Unit::None),
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("bytes_per_key", "B/key", Unit::BytesEach),
        Column {
            heading: narrow("table"),
            ..Column::both("table_bytes_per_key", "", Unit::BytesEach).spare()
        },
        Column {
            heading: narrow("index"),
            ..Column::both("index_bytes_per_key", "", Unit::BytesEach).spare()
        },
        Column {
            heading: (single || fill).then_some("fill"),
            ..Column::both("leaf_fill", "", Unit::Share).spare()
        },
        Column::both("log_bytes_per_insert", "log/insert", Unit::BytesEach).spare(),
        Column::kept("stored_bytes", Unit::Bytes),
        Column::kept("replicated_bytes", Unit::Bytes),
        Column::both("provisioned_bytes", "to buy", Unit::Bytes),
        Column::both("usd_per_month", "USD/month", Unit::Usd),
        Column::both("buys", "buys", Unit::None),
        Column::kept("false_positive_rate", Unit::None),
        Column::kept("refused_payments_per_day", Unit::None),
        Column::kept("method", Unit::None),
        Column { heading: narrow("checked against"), ..Column::shown("", Unit::None) },
    ];
    let heading = if single { "" } else { "By case and store" };
    axes.table("stores", heading, true, &columns, answer, |case, line| {
        vec![vec![
            case.live_keys.into(),
            case.raw_bytes.into(),
            case.raw_replicated_bytes.into(),
            case.raw_usd_per_month.as_f64().into(),
            line.store.into(),
            title(line.store).into(),
            line.bytes_per_key.into(),
            line.table_bytes_per_key.into(),
            line.index_bytes_per_key.into(),
            line.leaf_fill.into(),
            line.log_bytes_per_insert.into(),
            line.stored_bytes.into(),
            line.replicated_bytes.into(),
            line.provisioned_bytes.into(),
            line.usd_per_month.map(|usd| usd.as_f64()).into(),
            line.buys.into(),
            line.false_positive_rate.into(),
            line.refused_payments_per_day.into(),
            line.method.to_string().into(),
            basis(line.method).into(),
        ]]
    })
}

fn keys_alone(answer: &Answer, axes: &Axes) -> Table {
    let own = [
        Column::both("live_keys", "Live keys", Unit::None),
        Column::both("raw_bytes", "Bytes", Unit::None),
        Column::both("raw_replicated_bytes", "Bytes in all copies", Unit::None),
        Column::both("raw_usd_per_month", "USD/month", Unit::Usd),
    ];
    let row = |case: &Case| {
        let mut row = Axes::cells(case);
        row.extend([
            case.live_keys.into(),
            case.raw_bytes.into(),
            case.raw_replicated_bytes.into(),
            case.raw_usd_per_month.as_f64().into(),
        ]);
        row
    };
    Table {
        name: "keys_alone",
        title: "The keys alone".to_owned(),
        columns: axes.columns.iter().chain(&own).copied().collect(),
        rows: answer.cases.iter().map(row).collect(),
        shown: true,
    }
}

fn io(answer: &Answer, axes: &Axes, single: bool) -> Table {
    let columns = [
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("writes_per_s", "writes/s", Unit::PerSecond),
        Column::both("lookups_per_s", "look-ups/s", Unit::PerSecond).spare(),
        Column::both("log_bytes_per_s", "log", Unit::BytesPerSecond),
        Column::both("pages_dirtied_per_s", "pages/s", Unit::PerSecond).spare(),
        Column::both("background_bytes_per_s", "background", Unit::BytesPerSecond).spare(),
        Column::both("replication_bytes_per_s", "to replicas", Unit::BytesPerSecond),
        Column::both("replication_usd_per_month", "USD/month", Unit::Usd),
    ];
    axes.table(
        "io",
        "Load on one copy at peak; last, what traffic to replicas in other zones costs",
        single,
        &columns,
        answer,
        |_, line| {
            let Io {
                writes_per_s,
                lookups_per_s,
                log_bytes_per_s,
                pages_dirtied_per_s,
                background_bytes_per_s,
                replication_bytes_per_s,
                replication_usd_per_month,
            } = line.io;
            if line.method == Evidence::Arithmetic {
                return Vec::new();
            }
            vec![vec![
                line.store.into(),
                title(line.store).into(),
                writes_per_s.into(),
                lookups_per_s.into(),
                log_bytes_per_s.into(),
                pages_dirtied_per_s.into(),
                background_bytes_per_s.into(),
                replication_bytes_per_s.into(),
                replication_usd_per_month.into(),
            ]]
        },
    )
}

fn detail(line: &StoreLine) -> impl Iterator<Item = &Detail> {
    line.detail.as_deref().into_iter()
}

fn part_rows(line: &StoreLine, parts: &[Part], total: f64) -> Vec<Vec<Cell>> {
    let place = |place| match place {
        Place::Table => "table",
        Place::Index => "index",
        Place::Other => "other",
    };
    let row = |part: &Part| {
        vec![
            line.store.into(),
            title(line.store).into(),
            place(part.place).into(),
            part.name.into(),
            part.bytes.into(),
            part.why.into(),
        ]
    };
    let mut rows: Vec<_> = parts.iter().map(row).collect();
    if rows.len() > 1 {
        rows.push(vec![
            line.store.into(),
            title(line.store).into(),
            "all".into(),
            "total".into(),
            total.into(),
            "".into(),
        ]);
    }
    rows
}

const PART_COLUMNS: [Column; 6] = [
    Column::kept("store", Unit::None),
    Column::shown("Store", Unit::None),
    Column::both("place", "Place", Unit::None),
    Column::both("part", "Part", Unit::None),
    Column::both("bytes", "Bytes", Unit::BytesEach),
    Column::both("why", "Why", Unit::None),
];

fn parts(answer: &Answer, axes: &Axes, shown: bool) -> Table {
    axes.table("parts", "Bytes per key, part by part", shown, &PART_COLUMNS, answer, |_, line| {
        let rows = |detail: &Detail| {
            let mut rows = part_rows(line, &detail.parts, line.bytes_per_key);
            let more = [
                ("replication", detail.replication_bytes_per_key, "the same bytes in every further copy"),
                (
                    "headroom",
                    detail.headroom_bytes_per_key,
                    "the share bought beyond what is used, over all copies",
                ),
                (
                    "provisioned",
                    detail.provisioned_bytes_per_key,
                    "total, replication and headroom: what is paid for",
                ),
            ];
            rows.extend(more.map(|(name, bytes, why)| {
                vec![
                    line.store.into(),
                    title(line.store).into(),
                    "all".into(),
                    name.into(),
                    bytes.into(),
                    why.into(),
                ]
            }));
            rows
        };
        detail(line).flat_map(rows).collect()
    })
}

fn log_parts(answer: &Answer, axes: &Axes, shown: bool) -> Table {
    axes.table("log_parts", "Log bytes per insert, part by part", shown, &PART_COLUMNS, answer, |_, line| {
        let rows = |detail: &Detail| {
            let mut rows = part_rows(line, &detail.log_parts, line.log_bytes_per_insert);
            if let Some(bytes) = detail.completion_log_bytes {
                let why = "the second write, which records the outcome; beside the insert";
                rows.push(vec![
                    line.store.into(),
                    title(line.store).into(),
                    "all".into(),
                    "completion".into(),
                    bytes.into(),
                    why.into(),
                ]);
            }
            rows
        };
        detail(line).flat_map(rows).collect()
    })
}

fn purges(answer: &Answer, axes: &Axes, shown: bool) -> Table {
    let columns = [
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("strategy", "Strategy", Unit::None),
        Column::both("bytes_per_live_key", "B/live key", Unit::BytesEach),
        Column::both("stored_bytes", "one copy", Unit::Bytes),
        Column::both("fits_headroom", "headroom holds", Unit::None),
        Column::both("log_bytes_per_s", "log", Unit::BytesPerSecond),
        Column::both("pages_dirtied_per_s", "pages/s", Unit::PerSecond).spare(),
        Column::both("how", "How", Unit::None),
    ];
    axes.table(
        "purges",
        "Removing what has expired, at the average rate",
        shown,
        &columns,
        answer,
        |_, line| {
            let row = |purge: &PurgeLine| {
                vec![
                    line.store.into(),
                    title(line.store).into(),
                    purge.purge.strategy.into(),
                    purge.purge.bytes_per_live_key.into(),
                    purge.stored_bytes.into(),
                    Cell::Flag(purge.fits_headroom),
                    purge.log_bytes_per_s.into(),
                    purge.pages_dirtied_per_s.into(),
                    purge.purge.how.into(),
                ]
            };
            detail(line).flat_map(|detail| detail.purges.iter().map(row)).collect()
        },
    )
}

fn growth(answer: &Answer, axes: &Axes) -> Table {
    let columns = [
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("years", "Year", Unit::None),
        Column::both("grown_rate_per_s", "Keys/s then", Unit::PerSecond),
        Column::both("grown_live_keys", "Live keys then", Unit::Keys),
        Column::both("provisioned_bytes", "Provision", Unit::Bytes),
        Column::both("usd_per_month", "USD/month", Unit::Usd),
    ];
    axes.table("growth", "As the load grows", true, &columns, answer, |_, line| {
        let mut rows = Vec::new();
        for detail in detail(line) {
            for point in &detail.growth {
                rows.push(vec![
                    line.store.into(),
                    title(line.store).into(),
                    point.years.into(),
                    point.rate_per_s.into(),
                    point.live_keys.into(),
                    point.provisioned_bytes.into(),
                    point.usd_per_month.map(|usd| usd.as_f64()).into(),
                ]);
            }
        }
        rows
    })
}

fn bill(answer: &Answer, axes: &Axes, shown: bool) -> Table {
    let columns = [
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("what", "What", Unit::None),
        Column::both("amount", "Bytes or requests", Unit::Keys),
        Column::both("usd_per_month", "USD/month", Unit::Usd),
        Column::both("price", "Price", Unit::None),
    ];
    axes.table("bill", "What the cost is made of", shown, &columns, answer, |_, line| {
        let mut rows = Vec::new();
        for detail in detail(line) {
            for item in &detail.bill {
                rows.push(vec![
                    line.store.into(),
                    title(line.store).into(),
                    item.what.into(),
                    item.amount.into(),
                    item.usd_per_month.as_f64().into(),
                    detail.price.clone().into(),
                ]);
            }
        }
        rows
    })
}

fn remarks(answer: &Answer, axes: &Axes, shown: bool) -> Table {
    let columns = [
        Column::kept("store", Unit::None),
        Column::shown("Store", Unit::None),
        Column::both("note", "What to know", Unit::None),
    ];
    axes.table("notes", "What to know", shown, &columns, answer, |_, line| {
        let row = |note: &&'static str| vec![line.store.into(), title(line.store).into(), (*note).into()];
        detail(line).flat_map(|detail| detail.notes.iter().map(row)).collect()
    })
}

/// What must not be overlooked, whether or not it was asked for.
fn notes(inputs: &Inputs, answer: &Answer, explain: bool) -> Vec<Sentence> {
    let mut notes = Vec::new();
    let lines = || answer.cases.iter().flat_map(|case| &case.stores);
    if answer.cases.iter().any(|case| record_of(case).has_outcome()) {
        notes.push(words("Each key is written twice: the claim, then its outcome."));
    }
    let mut unfit: Vec<&Unfit> = answer.cases.iter().flat_map(|case| &case.unfit).collect();
    unfit.dedup_by_key(|unfit| unfit.store);
    notes.extend(
        unfit.iter().map(|unfit| words(format!("{} is left out: {}.", title(unfit.store), unfit.reason))),
    );
    for store in &inputs.stores {
        let own: Vec<&StoreLine> = lines().filter(|line| line.store == store).collect();
        notes.extend(spread(&own));
        notes.extend(refused(&own));
    }
    notes.extend(overflow(answer));
    notes.extend(totals(answer));
    let mut without: Vec<&str> =
        lines().filter(|line| line.usd_per_month.is_none()).map(|line| title(line.store)).collect();
    without.sort_unstable();
    without.dedup();
    if !without.is_empty() {
        notes.push(words(format!(
            "No price in the book for this provider and region: {}.",
            without.join(", ")
        )));
    }
    let shared = |case: &Case| match case.key.arrival(case.rate_per_s.as_f64()) {
        Arrival::Bucketed { keys_per_bucket } => (20.0..2_000.0).contains(&keys_per_bucket),
        _ => false,
    };
    if answer.cases.iter().any(shared) && lines().any(|line| line.leaf_fill.is_some()) {
        notes.push(words(
            "Every millisecond is taken to bring the same number of keys. Where that is near what a leaf holds, the fill \
             swings with the rate; uneven arrival flattens the swing. Try neighbouring rates: --rate 140k,150k,200k.",
        ));
    }
    notes.push(words(
        "USD/month buys capacity alone: disks without servers, memory with the nodes that hold it, requests with storage. \
         Traffic to replicas in other zones comes on top, see the load; reserved IOPS too. Prices and dates: --list-prices.",
    ));
    if !explain {
        notes.push(words("--explain shows every part of these figures, and what each way of purging costs."));
    }
    notes
}

/// The least and the most of something over several lines.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

fn spread(lines: &[&StoreLine]) -> Option<Sentence> {
    let details = || lines.iter().filter_map(|line| line.detail.as_ref());
    let spreads = || details().filter_map(|detail| detail.spread);
    let low = range(spreads().map(|spread| spread.low))?.0;
    let high = range(spreads().map(|spread| spread.high))?.1;
    let mut sentence = vec![
        Piece::Words(format!("{} holds ", title(lines.first()?.store)).into()),
        Piece::Value(low.into(), Unit::BytesEach),
        Piece::Words(" to ".into()),
        Piece::Value(high.into(), Unit::BytesEach),
        Piece::Words(" times these bytes".into()),
    ];
    if let [line] = lines
        && let Some(detail) = &line.detail
        && let (Some(low), Some(high)) = (detail.spread_low_usd_per_month, detail.spread_high_usd_per_month)
    {
        sentence.push(Piece::Words(", at ".into()));
        sentence.push(Piece::Value(low.into(), Unit::UsdShort));
        sentence.push(Piece::Words(" to ".into()));
        sentence.push(Piece::Value(high.into(), Unit::UsdShort));
        sentence.push(Piece::Words(" a month with the headroom".into()));
    }
    let why = spreads().next()?.why.trim_end_matches('.');
    sentence.push(Piece::Words(format!(": {why}.").into()));
    Some(sentence)
}

/// Stores whose usual way of purging needs more than the headroom, in any case.
fn overflow(answer: &Answer) -> Option<Sentence> {
    let mut named: Vec<&str> = Vec::new();
    let mut sentence =
        vec![Piece::Words("Expired keys that are not yet reclaimed need more than the headroom in ".into())];
    for line in answer.cases.iter().flat_map(|case| &case.stores) {
        let Some(purge) = line.detail.as_ref().and_then(|detail| detail.purges.first()) else { continue };
        if purge.fits_headroom || named.contains(&line.store) {
            continue;
        }
        let comma = if named.is_empty() { "" } else { "; " };
        sentence.push(Piece::Words(format!("{comma}{} (", title(line.store)).into()));
        sentence.push(Piece::Value(purge.purge.bytes_per_live_key.into(), Unit::BytesEach));
        sentence.push(Piece::Words(format!(" B a live key, {})", purge.purge.strategy).into()));
        named.push(line.store);
    }
    sentence.push(Piece::Words(".".into()));
    (!named.is_empty()).then_some(sentence)
}

/// Costs up to the horizon, of one case; a grid has them in its table.
fn totals(answer: &Answer) -> Option<Sentence> {
    let [case] = answer.cases.as_slice() else { return None };
    let mut sentence = vec![Piece::Words("From now to the horizon, growing steadily: ".into())];
    let before = sentence.len();
    for line in &case.stores {
        if let Some(usd) = line.detail.as_ref().and_then(|detail| detail.horizon_usd) {
            let comma = if sentence.len() > before { ", " } else { "" };
            sentence.push(Piece::Words(format!("{comma}{} ", title(line.store)).into()));
            sentence.push(Piece::Value(usd.into(), Unit::UsdShort));
        }
    }
    let any = sentence.len() > before;
    sentence.push(Piece::Words(".".into()));
    any.then_some(sentence)
}

fn refused(lines: &[&StoreLine]) -> Option<Sentence> {
    let (low, high) = range(lines.iter().filter_map(|line| line.refused_payments_per_day))?;
    let line = lines.first()?;
    let mut sentence = vec![
        Piece::Words(format!("{} (false positives: ", title(line.store)).into()),
        Piece::Value(line.false_positive_rate.into(), Unit::PerSecond),
        Piece::Words(") stands in front of a store and is paid beside it. Alone it refuses ".into()),
        Piece::Value(low.into(), Unit::PerSecond),
    ];
    if high > low {
        sentence.push(Piece::Words(" to ".into()));
        sentence.push(Piece::Value(high.into(), Unit::PerSecond));
    }
    sentence.push(Piece::Words(
        " honest payments a day; in front, those are looked up, and no other new key is.".into(),
    ));
    Some(sentence)
}
