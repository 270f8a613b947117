//! The tables of `size`: one row a case and store, or more where a store has several of something.

use super::title;
use crate::document::{Cell, Column, Table, Unit, word};
use crate::engine::size::{Answer, Case, Detail, Io, PurgeLine, StoreLine};
use crate::store::{Evidence, Part, Place};

/// The inputs that tell one case from another: in files always, for people where they differ.
pub(super) struct Axes {
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
    pub(super) fn of(answer: &Answer) -> Axes {
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

/// What a method rests on, in a word or two.
fn basis(method: Evidence) -> &'static str {
    match method {
        Evidence::Arithmetic => "arithmetic",
        Evidence::Measured(version) => version,
        Evidence::Documentation => "documentation",
    }
}

pub(super) fn stores(answer: &Answer, axes: &Axes, single: bool) -> Table {
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

pub(super) fn keys_alone(answer: &Answer, axes: &Axes) -> Table {
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

pub(super) fn io(answer: &Answer, axes: &Axes, single: bool) -> Table {
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

pub(super) fn parts(answer: &Answer, axes: &Axes, shown: bool) -> Table {
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

pub(super) fn log_parts(answer: &Answer, axes: &Axes, shown: bool) -> Table {
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

pub(super) fn purges(answer: &Answer, axes: &Axes, shown: bool) -> Table {
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

pub(super) fn growth(answer: &Answer, axes: &Axes) -> Table {
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

pub(super) fn bill(answer: &Answer, axes: &Axes, shown: bool) -> Table {
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

pub(super) fn remarks(answer: &Answer, axes: &Axes, shown: bool) -> Table {
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
