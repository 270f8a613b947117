//! A store filled flush by flush: what is in it after so many inserts, and what compaction has written.
//!
//! Sorted runs are told apart by when their keys came: a run holds what was written between two
//! insertions, less what has cancelled itself out. With one key deleted for each that is inserted, the key
//! of insertion i is deleted at i + L. A put and its tombstone cancel as they meet in one run; a tombstone
//! with nothing below it is dropped.
//!
//! The closed forms of [`super::levels`] are checked against it, and it is held to the measured rows,
//! which end in the middle of a cycle.

use super::levels::{LEVEL0_FILES, Overlap, Tree};

/// Bytes of the things that are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    /// A put in a sorted run, filter and index included.
    pub put_bytes: f64,
    /// A tombstone in a sorted run; 0 where one mark deletes a range.
    pub tombstone_bytes: f64,
    /// A put as a flush writes it.
    pub flushed_put_bytes: f64,
    /// A tombstone as a flush writes it.
    pub flushed_tombstone_bytes: f64,
    /// Inserts that fill a write buffer before any key is deleted.
    pub inserts_per_flush: f64,
    /// Inserts that fill it, each with the deletion of another key.
    pub churned_per_flush: f64,
}

/// A run of inserts, with keys deleted after so many more inserts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Keys inserted.
    pub inserts: f64,
    /// Keys live at once; as many as inserted where none is deleted.
    pub live_keys: f64,
}

/// What is there in the end and what was written on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Bytes stored at the end.
    pub stored_bytes: f64,
    /// Mean, least and most bytes stored after a flush in the second half of the run.
    pub mean_stored_bytes: f64,
    /// Least of these.
    pub least_stored_bytes: f64,
    /// Most of these.
    pub most_stored_bytes: f64,
    /// Bytes that flushes wrote.
    pub flushed_bytes: f64,
    /// Bytes that compactions wrote.
    pub compacted_bytes: f64,
    /// Bytes that compactions wrote in the second half of the run, per insert.
    pub compacted_bytes_per_late_insert: f64,
}

/// What a sorted run holds: puts of one span of insertions, tombstones of another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    from: f64,
    to: f64,
    marks_from: f64,
    marks_to: f64,
}

impl Span {
    /// What a flush writes.
    fn flushed(from: f64, to: f64) -> Self {
        Span { from, to, marks_from: from, marks_to: to }
    }

    /// Two runs in one, this one the older.
    fn merged(self, younger: Self) -> Self {
        Span { to: younger.to, marks_to: younger.marks_to, ..self }
    }

    /// Puts whose tombstone is in the same run are gone; tombstones stay unless nothing lies below.
    fn bytes(self, written: &Written, run: &Run) -> f64 {
        let puts = (self.to - self.from.max(self.marks_to - run.live_keys)).max(0.0);
        puts * written.put_bytes + self.marks(run) * written.tombstone_bytes
    }

    /// Without its tombstones: the least that writing it into a last level takes, whatever dies there.
    fn puts(self) -> Self {
        Span { marks_from: self.marks_to, ..self }
    }

    fn marks(self, run: &Run) -> f64 {
        if self.from == 0.0 { 0.0 } else { (self.marks_to - self.marks_from.max(run.live_keys)).max(0.0) }
    }
}

/// How sorted runs are merged.
trait Merging {
    /// Takes a flushed file, `share` of a full one; returns the bytes that compaction writes.
    fn take(&mut self, file: Span, share: f64, bytes: &dyn Fn(Span) -> f64) -> f64;
    /// Every sorted run.
    fn runs(&self) -> Vec<Span>;
}

/// Levelled compaction.
pub fn levelled(tree: Tree, overlap: Overlap, written: &Written, run: &Run) -> Outcome {
    let deleted = match (run.live_keys < run.inserts, written.tombstone_bytes > 0.0) {
        (false, _) => Deleted::No,
        (true, false) => Deleted::ByRange,
        (true, true) => Deleted::ByKey,
    };
    let levels = vec![Span::flushed(0.0, 0.0)];
    fill(
        Levels { tree, overlap, deleted, batch: Vec::new(), gathered: 0.0, landed: 0.0, levels },
        written,
        run,
    )
}

/// Universal compaction.
pub fn universal(written: &Written, run: &Run) -> Outcome {
    fill(Universal { runs: Vec::new() }, written, run)
}

fn fill(mut merging: impl Merging, written: &Written, run: &Run) -> Outcome {
    let bytes = |span: Span| span.bytes(written, run);
    let mut outcome = Outcome { least_stored_bytes: f64::INFINITY, ..Outcome::default() };
    let (mut at, mut late, mut late_flushes) = (0.0, 0.0, 0.0);
    while at < run.inserts {
        let churning = at >= run.live_keys;
        let step = if churning { written.churned_per_flush } else { written.inserts_per_flush };
        let to = (at + step).min(run.inserts);
        let marks = if churning { written.flushed_tombstone_bytes } else { 0.0 };
        outcome.flushed_bytes += (to - at) * (written.flushed_put_bytes + marks);
        let compacted = merging.take(Span::flushed(at, to), (to - at) / step, &bytes);
        outcome.compacted_bytes += compacted;
        outcome.stored_bytes = merging.runs().into_iter().map(bytes).sum();
        if at >= run.inserts / 2.0 {
            late += to - at;
            late_flushes += 1.0;
            outcome.compacted_bytes_per_late_insert += compacted;
            outcome.mean_stored_bytes += outcome.stored_bytes;
            outcome.least_stored_bytes = outcome.least_stored_bytes.min(outcome.stored_bytes);
            outcome.most_stored_bytes = outcome.most_stored_bytes.max(outcome.stored_bytes);
        }
        at = to;
    }
    outcome.mean_stored_bytes /= f64::max(late_flushes, 1.0);
    outcome.compacted_bytes_per_late_insert /= f64::max(late, 1.0);
    outcome
}

/// How keys are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deleted {
    No,
    ByRange,
    ByKey,
}

/// Level 0 and, from the base level down, the levels.
struct Levels {
    tree: Tree,
    overlap: Overlap,
    deleted: Deleted,
    batch: Vec<Span>,
    /// Files gathered, the last one perhaps in part.
    gathered: f64,
    /// Bytes that the last batch brought to the base level.
    landed: f64,
    levels: Vec<Span>,
}

impl Merging for Levels {
    fn take(&mut self, file: Span, share: f64, bytes: &dyn Fn(Span) -> f64) -> f64 {
        self.batch.push(file);
        self.gathered += share;
        let written = self.hand_down_all(bytes);
        if (self.batch.len() as f64) < LEVEL0_FILES {
            return written;
        }
        written + self.merge_batch(bytes)
    }

    fn runs(&self) -> Vec<Span> {
        self.levels.iter().chain(&self.batch).copied().collect()
    }
}

impl Levels {
    fn merge_batch(&mut self, bytes: &dyn Fn(Span) -> f64) -> f64 {
        let batch =
            self.batch.drain(..).reduce(Span::merged).expect("a batch has the files that start its merge");
        self.gathered = 0.0;
        let base = self.levels[0];
        let older: f64 = self.levels.iter().map(|&level| bytes(level)).sum();
        self.levels[0] = base.merged(batch);
        self.landed = (bytes(self.levels[0]) - bytes(base)).max(0.0);
        let met = match self.overlap {
            Overlap::Seam(late) => {
                // What deletes lies where the oldest keys are, puts after the youngest: such a batch
                // covers all of a base level. A last level is met only where keys die, and shrinks.
                let covers = self.deleted != Deleted::No && self.levels.len() > 1;
                let all = if covers { bytes(base) } else { 0.0 };
                let seam = (late + self.tree.seam(self.levels.len())).min(older);
                // In a last level there is nothing for tombstones to wait for: only puts are written.
                return seam + if self.levels.len() > 1 { all + self.landed } else { bytes(batch.puts()) };
            }
            overlap => (overlap.met_per_byte(bytes(base), bytes(batch)) * bytes(batch)).min(bytes(base)),
        };
        (met + self.landed).max(bytes(batch.puts()))
    }

    /// Takes the levels down to their targets: at once where files can be moved as they are, which those
    /// with tombstones cannot; else evenly while the next batch gathers, so that it finds the base level at its target.
    fn hand_down_all(&mut self, bytes: &dyn Fn(Span) -> f64) -> f64 {
        let last = self.levels[self.levels.len() - 1];
        let shape = self.tree.shape(bytes(last));
        while self.levels.len() < shape.sizes().len() {
            let top = self.levels[0];
            self.levels.insert(0, Span { from: top.to, marks_from: top.marks_to, ..top });
        }
        let moved_as_it_is = matches!(self.overlap, Overlap::Seam(_)) && self.deleted != Deleted::ByKey;
        let pending =
            if moved_as_it_is { 0.0 } else { self.landed * (1.0 - self.gathered / LEVEL0_FILES).max(0.0) };
        (0..self.levels.len() - 1)
            .map(|level| {
                let kept = if level == 0 { pending } else { 0.0 };
                self.hand_down(level, shape.sizes()[level], kept, bytes)
            })
            .sum()
    }

    /// Takes a level down to its target and what is still pending.
    fn hand_down(&mut self, level: usize, target: f64, pending: f64, bytes: &dyn Fn(Span) -> f64) -> f64 {
        let (upper, lower) = (self.levels[level], self.levels[level + 1]);
        let held = bytes(upper);
        if held <= target + pending {
            return 0.0;
        }
        let kept = (target + pending) / held;
        let newest = |from: f64, to: f64| to - (to - from) * kept;
        let from = newest(upper.from, upper.to);
        let marks_from = newest(upper.marks_from, upper.marks_to);
        self.levels[level] = Span { from, marks_from, ..upper };
        self.levels[level + 1] = Span { to: from, marks_to: marks_from, ..lower };
        if matches!(self.overlap, Overlap::Seam(_)) {
            return 0.0;
        }
        let density = self.tree.density(level, target, self.landed);
        let met = self.overlap.met_per_byte(bytes(lower), density) * (held - target - pending);
        let grown = (bytes(self.levels[level + 1]) - bytes(lower)).max(0.0);
        let moved = Span { to: from, marks_to: marks_from, ..upper };
        (met.min(bytes(lower)) + grown).max(bytes(moved.puts()))
    }
}

/// Sorted runs, the oldest first. Source: `compaction_picker_universal.cc` of RocksDB 7.8.
struct Universal {
    runs: Vec<Span>,
}

impl Merging for Universal {
    fn take(&mut self, file: Span, _share: f64, bytes: &dyn Fn(Span) -> f64) -> f64 {
        self.runs.push(file);
        let mut written = 0.0;
        while self.runs.len() as f64 >= LEVEL0_FILES {
            let Some(first) = self.pick(bytes) else { break };
            let merged = self.runs[first].merged(file);
            self.runs.truncate(first);
            self.runs.push(merged);
            written += bytes(merged);
        }
        written
    }

    fn runs(&self) -> Vec<Span> {
        self.runs.clone()
    }
}

impl Universal {
    /// From which run on to merge: all of them where the others hold twice the oldest
    /// (`max_size_amplification_percent`); else the newest as long as together they are as large as the
    /// next (`size_ratio` 1 %); else the newest, so that there are fewer runs than the trigger.
    fn pick(&self, bytes: &dyn Fn(Span) -> f64) -> Option<usize> {
        let sizes: Vec<f64> = self.runs.iter().map(|&run| bytes(run)).collect();
        if sizes[1..].iter().sum::<f64>() >= 2.0 * sizes[0] {
            return Some(0);
        }
        let newest = sizes.len() - 1;
        let (mut first, mut gathered) = (newest, sizes[newest]);
        while first > 0 && gathered * 1.01 >= sizes[first - 1] {
            first -= 1;
            gathered += sizes[first];
        }
        if first < newest {
            return Some(first);
        }
        let over = sizes.len() as f64 - LEVEL0_FILES;
        (over > 0.0).then(|| newest - over as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: Written = Written {
        put_bytes: 98.0,
        tombstone_bytes: 27.0,
        flushed_put_bytes: 98.6,
        flushed_tombstone_bytes: 27.0,
        inserts_per_flush: 146_000.0,
        churned_per_flush: 110_000.0,
    };
    const TREE: Tree = Tree { level_base_bytes: (64 << 20) as f64, target_file_bytes: (16 << 20) as f64 };

    /// Ten generations of keys, so that the second half of the run is steady.
    fn churn(live_keys: f64) -> Run {
        Run { inserts: 10.0 * live_keys, live_keys }
    }

    #[test]
    fn the_closed_form_writes_what_the_levels_write_flush_by_flush() {
        for overlap in [Overlap::Everywhere, Overlap::Seam(1e5), Overlap::Wrap(3e8), Overlap::Wrap(1e10)] {
            for live_keys in [5e5, 1e6, 3e6, 1e7, 3e7, 1e8] {
                let outcome = levelled(TREE, overlap, &WRITTEN, &churn(live_keys));
                let flushed = WRITTEN.flushed_put_bytes + WRITTEN.flushed_tombstone_bytes;
                let batch = LEVEL0_FILES * WRITTEN.churned_per_flush * flushed;
                let puts = WRITTEN.flushed_put_bytes / flushed;
                let closed =
                    flushed * TREE.rewrites_per_byte(live_keys * WRITTEN.put_bytes, batch, puts, overlap);
                let ratio = closed / outcome.compacted_bytes_per_late_insert;
                assert!((0.9..1.1).contains(&ratio), "{overlap:?}, {live_keys} keys: {ratio}");
            }
        }
    }

    #[test]
    fn nothing_is_lost_where_nothing_is_deleted() {
        let run = Run { inserts: 7e6, live_keys: 7e6 };
        for overlap in [Overlap::Everywhere, Overlap::Seam(0.0), Overlap::Wrap(1e8)] {
            let outcome = levelled(TREE, overlap, &WRITTEN, &run);
            assert!((outcome.stored_bytes / (7e6 * 98.0) - 1.0).abs() < 1e-9, "{overlap:?}");
        }
        assert!((universal(&WRITTEN, &run).stored_bytes / (7e6 * 98.0) - 1.0).abs() < 1e-9);
    }
}
