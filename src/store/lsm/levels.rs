//! What levelled compaction writes again and again, and how much of a store lies above its last level.
//!
//! Flushed files gather in level 0 until there are four of them; that batch is merged into the base level.
//! A level over its target hands files down, each merged with what it overlaps in the next level. With
//! dynamic level sizes the last level holds nearly everything and each level above has a tenth of the
//! target of the one below, up to the highest that is not over `max_bytes_for_level_base`: the base level.
//!
//! Overlap where keys arrive anywhere. A batch of B bytes lands evenly over the key space of a base level
//! that was taken down to its target T. Ranges are handed down where the level is densest, so that a
//! range gathers until it is picked: if a share φ of the key space is picked for each batch, the densest
//! ranges hold B/φ and the level holds B·(1/φ + 1)/2 = T + B. Hence a picked range is as dense as if the
//! level held B + 2·T, and a byte of it meets S/(B + 2·T) bytes of a next level of S. Deeper levels gather
//! in small steps (B → 0): S/(2·T), 5 at a ratio of 10.
//!
//! Where keys arrive in order a batch meets only the end of the batch before it, and is handed down by
//! moving its files, without being written again.
//!
//! Source: `version_set.cc` (`CalculateBaseBytes`), `compaction_picker_level.cc` of RocksDB 7.8.

/// `level0_file_num_compaction_trigger`.
pub const LEVEL0_FILES: f64 = 4.0;
/// `max_bytes_for_level_multiplier`.
const MULTIPLIER: f64 = 10.0;
/// Levels below level 0 (`num_levels` less one).
const LEVELS: usize = 6;

/// Sizes that the options fix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tree {
    /// `max_bytes_for_level_base`.
    pub level_base_bytes: f64,
    /// `target_file_size_base`.
    pub target_file_bytes: f64,
}

/// What a batch meets in the level that it is merged into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Overlap {
    /// Its share of the key space, wherever that is: keys that arrive anywhere.
    Everywhere,
    /// The end of the level, and so many bytes before it: keys in order of time.
    Seam(f64),
    /// As a seam while a level holds less than this, else what lies in the same range: keys that start
    /// again from the bottom each time so many bytes have come.
    Wrap(f64),
}

impl Overlap {
    /// Bytes of a level of `size` that a byte meets which comes from a range of that density.
    pub fn met_per_byte(self, size: f64, density: f64) -> f64 {
        match self {
            Overlap::Everywhere => size / density,
            Overlap::Seam(_) => 0.0,
            Overlap::Wrap(round) if size < round => 0.0,
            Overlap::Wrap(round) => size / density.max(round),
        }
    }
}

/// Target sizes from the base level down; the last is the size of the last level itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    sizes: [f64; LEVELS],
    used: usize,
}

impl Shape {
    /// From the base level down.
    pub fn sizes(&self) -> &[f64] {
        &self.sizes[..self.used]
    }

    /// Target of the base level where it is not the last.
    pub fn base(&self) -> f64 {
        if self.used > 1 { self.sizes[0] } else { 0.0 }
    }

    /// Bytes between level 0 and the last level.
    pub fn above_last(&self) -> f64 {
        self.sizes[..self.used - 1].iter().sum()
    }
}

impl Tree {
    /// The levels of a store whose last level holds so many bytes.
    pub fn shape(&self, last_bytes: f64) -> Shape {
        let mut used = 1;
        let mut base = last_bytes;
        while used < LEVELS && base > self.level_base_bytes {
            base /= MULTIPLIER;
            used += 1;
        }
        if used > 1 {
            base = base.min(self.level_base_bytes);
        }
        let mut sizes = [0.0; LEVELS];
        for size in &mut sizes[..used] {
            *size = base;
            base *= MULTIPLIER;
        }
        sizes[used - 1] = last_bytes;
        Shape { sizes, used }
    }

    /// Bytes rewritten where a batch in order meets the one before it, the two sharing the keys of one
    /// moment. The last file of a merge is half full on average. With a single level it is rewritten; with
    /// more it may have been handed down, and then a whole file of the batch is rewritten with it, one
    /// level below: half a file or one and a half.
    pub fn seam(&self, levels: usize) -> f64 {
        if levels == 1 { self.target_file_bytes / 2.0 } else { self.target_file_bytes }
    }

    /// The range density from which a level of target T hands down, `batch` bytes landing at once.
    pub fn density(&self, level: usize, target: f64, batch: f64) -> f64 {
        2.0 * target + if level == 0 { batch } else { 0.0 }
    }

    /// Bytes that compaction writes for each byte flushed, the last level staying as it is: what comes
    /// in takes the place of what has expired. `puts` is the share of a batch that is not tombstones.
    pub fn rewrites_per_byte(&self, last_bytes: f64, batch_bytes: f64, puts: f64, overlap: Overlap) -> f64 {
        let shape = self.shape(last_bytes);
        let sizes = shape.sizes();
        if let Overlap::Seam(late) = overlap {
            let seam = (self.seam(sizes.len()) + late).min(last_bytes);
            let landing = if sizes.len() == 1 { puts } else { 1.0 };
            return landing + (shape.base() + seam) / batch_bytes;
        }
        // What arrives in the last level takes the place of what dies there, and is written at least.
        let arriving = |met: f64, last: bool| if last { met.max(puts) } else { 1.0 + met };
        let landing = arriving(overlap.met_per_byte(sizes[0], batch_bytes), sizes.len() == 1);
        let handed_down = sizes.windows(2).enumerate().map(|(level, pair)| {
            let met = overlap.met_per_byte(pair[1], self.density(level, pair[0], batch_bytes));
            arriving(met, level + 2 == sizes.len())
        });
        landing + handed_down.sum::<f64>()
    }
}
