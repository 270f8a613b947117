//! The progress bar of a long run, and Ctrl-C.

use super::options::Options;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use uuidcap::question::Progress;

/// How long after the first Ctrl-C another one is meant as such.
const AGAIN: Duration = Duration::from_secs(1);
/// Runs shorter than this many steps end before a bar could be read.
const WORTH_A_BAR: u64 = 20_000;

/// A bar on stderr where that is a terminal, and whether Ctrl-C was pressed.
pub(super) struct Watch {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    polled: Arc<AtomicBool>,
    counting: Arc<AtomicBool>,
}

impl Watch {
    /// Watches so many steps.
    pub(super) fn new(steps: u64, options: &Options) -> Watch {
        Watch::of(steps, steps >= WORTH_A_BAR, options)
    }

    /// Watches so many steps, each of which takes long.
    pub(super) fn long(steps: u64, options: &Options) -> Watch {
        Watch::of(steps, true, options)
    }

    fn of(steps: u64, long: bool, options: &Options) -> Watch {
        let seen = long && !options.quiet && !options.no_progress && std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(steps),
            if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec}, {eta} left") {
            bar.set_style(style);
        }
        let stop = Arc::new(AtomicBool::new(false));
        let polled = Arc::new(AtomicBool::new(true));
        let counting = Arc::new(AtomicBool::new(true));
        if long || options.out.is_some() {
            let (stop, polled) = (Arc::clone(&stop), Arc::clone(&polled));
            let counting = Arc::clone(&counting);
            // Where a handler cannot be set, Ctrl-C ends the process as it always did.
            let mut first: Option<Instant> = None;
            let _ = ctrlc::set_handler(move || {
                stop.store(true, Ordering::Relaxed);
                // A step may take minutes, such as one large trial by a hash set: who asks twice does not want its answer.
                // timeout(1) sends its signal twice at once, and means one.
                let again = first.get_or_insert_with(Instant::now).elapsed() >= AGAIN;
                if !polled.load(Ordering::Relaxed) || (again && counting.load(Ordering::Relaxed)) {
                    std::process::exit(130);
                }
            });
        }
        Watch { bar, stop, polled, counting }
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Forgets that Ctrl-C was pressed: what it stopped has stopped, and another one stops what follows.
    pub(super) fn resume(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// From here on nobody asks whether Ctrl-C was pressed and no file is open: it ends the process.
    pub(super) fn unpolled(&self) {
        self.polled.store(false, Ordering::Relaxed);
    }

    /// From here on Ctrl-C asks to stop, however often it is pressed: there is something to be put right first.
    pub(super) fn patient(&self) {
        self.counting.store(false, Ordering::Relaxed);
    }

    /// Takes the bar away; what follows is short, and files may be open.
    pub(super) fn finish(&self) {
        self.counting.store(false, Ordering::Relaxed);
        self.bar.finish_and_clear();
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64) {
        self.bar.inc(done);
    }

    fn cancelled(&self) -> bool {
        self.interrupted()
    }
}
