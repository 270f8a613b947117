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
    /// Whether compaction is given no time: the last batch is not yet handed down as the run ends.
    pub flat_out: bool,
}

/// What is there in the end and what was written on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Bytes stored at the end.
    pub stored_bytes: f64,
    /// Bytes stored, averaged over the second half of the run.
    pub mean_stored_bytes: f64,
    /// Bytes that flushes wrote.
    pub flushed_bytes: f64,
    /// Bytes that compactions wrote.
    pub compacted_bytes: f64,
    /// Of these, in the second half of the run.
    pub compacted_late_bytes: f64,
}

/// What came between two insertions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    from: f64,
    to: f64,
}

/// How sorted runs are merged.
trait Merging {
    /// Takes a flushed file; returns the bytes that compaction writes.
    fn take(&mut self, file: Span, bytes: &dyn Fn(Span) -> f64) -> f64;
    /// Bytes that are still to be written if nothing more comes.
    fn settle(&mut self, bytes: &dyn Fn(Span) -> f64) -> f64;
    /// Every sorted run.
    fn runs(&self) -> Vec<Span>;
}

/// Levelled compaction.
pub fn levelled(tree: Tree, overlap: Overlap, written: &Written, run: &Run) -> Outcome {
    fill(Levels { tree, overlap, batch: Vec::new(), levels: vec![Span { from: 0.0, to: 0.0 }] }, written, run)
}

/// Universal compaction.
pub fn universal(written: &Written, run: &Run) -> Outcome {
    fill(Universal { runs: Vec::new() }, written, run)
}

fn fill(mut merging: impl Merging, written: &Written, run: &Run) -> Outcome {
    let bytes = |span: Span| span_bytes(span, written, run);
    let mut outcome = Outcome::default();
    let (mut at, mut late_flushes) = (0.0, 0.0);
    while at < run.inserts {
        let churning = at >= run.live_keys;
        let step = if churning { written.churned_per_flush } else { written.inserts_per_flush };
        let to = (at + step).min(run.inserts);
        let late = at > run.inserts / 2.0;
        outcome.flushed_bytes += (to - at)
            * (written.flushed_put_bytes + if churning { written.flushed_tombstone_bytes } else { 0.0 });
        let mut compacted = merging.take(Span { from: at, to }, &bytes);
        if !run.flat_out {
            compacted += merging.settle(&bytes);
        }
        outcome.compacted_bytes += compacted;
        if late {
            late_flushes += 1.0;
            outcome.compacted_late_bytes += compacted;
            outcome.mean_stored_bytes += merging.runs().into_iter().map(&bytes).sum::<f64>();
        }
        at = to;
    }
    outcome.stored_bytes = merging.runs().into_iter().map(&bytes).sum();
    outcome.mean_stored_bytes /= f64::max(late_flushes, 1.0);
    outcome
}

/// Puts whose tombstone came in the same span are gone; tombstones stay unless nothing lies below.
fn span_bytes(span: Span, written: &Written, run: &Run) -> f64 {
    let puts = (span.to - span.from).min(run.live_keys);
    let tombstones = if span.from > 0.0 { (span.to - span.from.max(run.live_keys)).max(0.0) } else { 0.0 };
    puts * written.put_bytes + tombstones * written.tombstone_bytes
}

/// Level 0 and, from the base level down, the levels.
struct Levels {
    tree: Tree,
    overlap: Overlap,
    batch: Vec<Span>,
    levels: Vec<Span>,
}

impl Merging for Levels {
    fn take(&mut self, file: Span, bytes: &dyn Fn(Span) -> f64) -> f64 {
        self.batch.push(file);
        if (self.batch.len() as f64) < LEVEL0_FILES {
            return 0.0;
        }
        let handed_down = self.settle(bytes);
        let batch = Span { from: self.batch[0].from, to: file.to };
        self.batch.clear();
        let base = self.levels[0];
        let merged = Span { from: base.from, to: batch.to };
        self.levels[0] = merged;
        let met = match self.overlap {
            Overlap::Seam(late) => bytes(base).min(self.tree.target_file_bytes / 2.0 + late),
            overlap => (overlap.met_per_byte(bytes(base), bytes(batch)) * bytes(batch)).min(bytes(base)),
        };
        handed_down + met + (bytes(merged) - bytes(base)).max(0.0)
    }

    fn settle(&mut self, bytes: &dyn Fn(Span) -> f64) -> f64 {
        let last = self.levels[self.levels.len() - 1];
        let shape = self.tree.shape(bytes(last));
        while self.levels.len() < shape.sizes().len() {
            let top = self.levels[0].to;
            self.levels.insert(0, Span { from: top, to: top });
        }
        (0..self.levels.len() - 1).map(|level| self.hand_down(level, shape.sizes()[level], bytes)).sum()
    }

    fn runs(&self) -> Vec<Span> {
        self.levels.iter().chain(&self.batch).copied().collect()
    }
}

impl Levels {
    /// Takes a level down to its target.
    fn hand_down(&mut self, level: usize, target: f64, bytes: &dyn Fn(Span) -> f64) -> f64 {
        let (upper, lower) = (self.levels[level], self.levels[level + 1]);
        let held = bytes(upper);
        if held <= target {
            return 0.0;
        }
        let edge = upper.from + (upper.to - upper.from) * (1.0 - target / held);
        self.levels[level].from = edge;
        self.levels[level + 1].to = edge;
        let grown = (bytes(self.levels[level + 1]) - bytes(lower)).max(0.0);
        // Before it was handed down the level held its target and what had landed on it.
        let batch = held - target;
        let density = self.tree.density(level, target, batch);
        match self.overlap {
            Overlap::Seam(_) => 0.0,
            overlap => (overlap.met_per_byte(bytes(lower), density) * batch).min(bytes(lower)) + grown,
        }
    }
}

/// Sorted runs, the oldest first. Source: `compaction_picker_universal.cc` of RocksDB 7.8.
struct Universal {
    runs: Vec<Span>,
}

impl Merging for Universal {
    fn take(&mut self, file: Span, bytes: &dyn Fn(Span) -> f64) -> f64 {
        self.runs.push(file);
        let mut written = 0.0;
        while self.runs.len() as f64 >= LEVEL0_FILES {
            let Some(first) = self.pick(bytes) else { break };
            let merged = Span { from: self.runs[first].from, to: file.to };
            self.runs.truncate(first);
            self.runs.push(merged);
            written += bytes(merged);
        }
        written
    }

    fn settle(&mut self, _bytes: &dyn Fn(Span) -> f64) -> f64 {
        0.0
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
