//! One slice of time: threads that start together and make ids until it is over.

use super::Host;
use super::check;
use super::contender::{Call, Contender, Maker, Shape};
use super::crew::together;
use super::question::{Into, L1_BYTES};
use super::room::{Room, bulk_piece, first_piece, loop_piece};
use crate::error::{Error, Result};
use crate::question::Progress;
use std::hint::black_box;
use std::sync::OnceLock;

/// Calls between two looks at the stopwatch take so many times as long as a look: it costs less than 1 %.
const LOOKS_APART: u64 = 128;

/// A thread's place in a row: its maker and where it goes on.
struct Seat {
    maker: Box<dyn Maker>,
    /// Where the next piece begins, where the last one did.
    at: usize,
    last: usize,
    /// Digest of what it left behind.
    digest: Option<u64>,
}

/// How a thread goes through its part.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Bytes from the beginning of one call to that of the next, and of these the ones that hold whole ids.
    piece: usize,
    filled: usize,
    /// Calls between two looks at the stopwatch.
    calls: u64,
}

impl Pace {
    fn new(piece: usize, calls: u64, id_bytes: usize) -> Pace {
        Pace { piece, filled: piece / id_bytes * id_bytes, calls }
    }
}

/// One contender on so many threads into one place.
pub(super) struct Lane<'a> {
    pub contender: &'a Contender,
    pub into: Into,
    pub threads: usize,
    /// Whether it was asked for, and does not only run as the baseline.
    pub asked: bool,
    seats: Vec<Seat>,
    pace: Pace,
    /// Nanoseconds an id, a round each.
    pub ns: Vec<f64>,
    /// Ids made, a round each, and ids looked at.
    pub ids: Vec<u64>,
    pub checked: Vec<u64>,
}

/// What a thread did in its slice.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    ids: u64,
    calls: u64,
    /// From the common start to the end of its last call; 0 where it made none.
    ns: u64,
}

/// What a slice is measured with.
pub(super) struct Slice<'a> {
    pub host: &'a dyn Host,
    pub progress: &'a dyn Progress,
    pub ns: u64,
    /// Nanoseconds that one look at the stopwatch takes.
    pub look_ns: u64,
}

impl<'a> Lane<'a> {
    pub fn new(contender: &'a Contender, into: Into, threads: usize, asked: bool) -> Result<Lane<'a>> {
        let makers = (contender.team)(threads).map_err(|error| error.within(contender.name))?;
        let seat = |maker| Seat { maker, at: 0, last: 0, digest: None };
        Ok(Lane {
            contender,
            into,
            threads,
            asked,
            seats: makers.into_iter().map(seat).collect(),
            pace: Pace::new(0, 1, 1),
            ns: Vec::new(),
            ids: Vec::new(),
            checked: Vec::new(),
        })
    }

    /// A slice that does not count; from it follows how much a call fills and how often the stopwatch is looked at.
    pub fn warm_up(&mut self, room: &mut Room, slice: &Slice<'_>) -> Result<()> {
        let (part, id_bytes) = (room.part_bytes(self.into, self.threads), self.contender.shape.id_bytes());
        let first = Pace::new(first_piece(part), 1, id_bytes);
        self.pace = first;
        let turns = self.run(room, slice)?.0;
        // Of threads that share a processor the first to get it did not wait.
        let made = turns.iter().filter(|turn| turn.calls > 0);
        let call_ns = made.map(|turn| turn.ns as f64 / turn.calls as f64).fold(f64::INFINITY, f64::min);
        let ns_per_byte = call_ns / first.filled as f64;
        let piece = match self.contender.call {
            Call::Bulk => bulk_piece(part, ns_per_byte, slice.ns),
            Call::One => loop_piece(part, ns_per_byte, slice.ns),
        };
        let call_ns = (ns_per_byte * piece as f64).max(1.0);
        // A tenth of a slice is the longest that a thread runs beyond it, if a call is no longer.
        let most = (slice.ns as f64 / 10.0 / call_ns).max(1.0);
        let calls = ((slice.look_ns * LOOKS_APART) as f64 / call_ns).ceil().clamp(1.0, most) as u64;
        self.pace = Pace::new(piece, calls, id_bytes);
        for seat in &mut self.seats {
            (seat.at, seat.digest) = (0, None);
        }
        Ok(())
    }

    /// A slice that counts.
    pub fn round(&mut self, room: &mut Room, slice: &Slice<'_>) -> Result<()> {
        let (turns, checked) = self.run(room, slice)?;
        self.ns.push(ns_per_id(&turns));
        self.ids.push(turns.iter().map(|turn| turn.ids).sum());
        self.checked.push(checked);
        Ok(())
    }

    /// Makes ids on all threads, then looks at what they left.
    fn run(&mut self, room: &mut Room, slice: &Slice<'_>) -> Result<(Vec<Turn>, u64)> {
        let (contender, pace, start) = (self.contender, self.pace, OnceLock::new());
        let works = self.seats.iter_mut().zip(room.parts(self.into, self.threads)).collect();
        let done = together(works, |(seat, part): (&mut Seat, &mut [u8]), [begin, end]| {
            settle(contender, seat, part, pace);
            if !begin.pass() {
                return (Turn::default(), Ok(0));
            }
            let made = turn(contender.shape.id_bytes(), seat, part, pace, slice, &start);
            // Looking takes the memory and the caches of those who still make ids.
            let all = end.pass();
            (made, if all && made.calls > 0 { look(contender, seat, part, pace) } else { Ok(0) })
        })?;
        let (turns, looks): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        let seen = looks.into_iter().sum::<Result<u64, String>>().map_err(|seen| {
            let threads = self.threads;
            Error::data(format!("{} on {threads} threads made what it must not: {seen}", contender.name))
        })?;
        Ok((turns, seen))
    }
}

/// Nanoseconds in which all threads together bring one id more: from the common start until the last of them is
/// done, over all that they made. No machine makes more in that time, however its threads take turns.
fn ns_per_id(turns: &[Turn]) -> f64 {
    let (ns, ids) = turns.iter().fold((0, 0), |(ns, ids), turn| (ns.max(turn.ns), ids + turn.ids));
    ns as f64 / ids as f64
}

/// Makes ids that do not count, before the start: what a maker does only at its first call on a thread is done, its
/// buffer is in the cache, and one that waits for the clock has used up what a pause left it and is in step with
/// the clock.
fn settle(contender: &Contender, seat: &mut Seat, part: &mut [u8], pace: Pace) {
    let id_bytes = contender.shape.id_bytes();
    let most = pace.filled.min(L1_BYTES) / id_bytes;
    // The first burst may be there at once, the second is waited for.
    let mut left = (2 * contender.burst).max(most);
    while left > 0 {
        let ids = left.min(most);
        let bytes = &mut part[..ids * id_bytes];
        seat.maker.make(bytes);
        black_box(bytes);
        left -= ids;
    }
}

/// Makes ids until the slice is over, which began for all threads when the first of them did. A thread that gets
/// a processor only after that makes none, unless it is the first.
fn turn(
    id_bytes: usize,
    seat: &mut Seat,
    part: &mut [u8],
    pace: Pace,
    slice: &Slice<'_>,
    start: &OnceLock<u64>,
) -> Turn {
    let mut first = false;
    let start = *start.get_or_init(|| {
        first = true;
        slice.host.ns()
    });
    let mut turn = Turn::default();
    if !first && slice.host.ns().saturating_sub(start) >= slice.ns {
        return turn;
    }
    loop {
        for _ in 0..pace.calls {
            if seat.at + pace.piece > part.len() {
                seat.at = 0;
            }
            let bytes = &mut part[seat.at..seat.at + pace.filled];
            seat.maker.make(bytes);
            // Whoever reads it is unknown to the compiler: every byte has to be there.
            black_box(bytes);
            seat.last = seat.at;
            seat.at += pace.piece;
        }
        turn.calls += pace.calls;
        let ns = slice.host.ns().saturating_sub(start);
        if ns >= slice.ns || slice.progress.cancelled() {
            return Turn { ids: turn.calls * (pace.filled / id_bytes) as u64, ns: ns.max(1), ..turn };
        }
    }
}

/// Looks at the last piece: how many ids it has, or what is wrong with them.
fn look(contender: &Contender, seat: &mut Seat, part: &[u8], pace: Pace) -> Result<u64, String> {
    let (seen, digest) = check::buffer(contender, &part[seat.last..seat.last + pace.filled])?;
    // One byte everywhere may be the same byte twice; ids are never the same again.
    let again = contender.shape != Shape::Filled && seat.digest == Some(digest);
    seat.digest = Some(digest);
    if again { Err("the same buffer in two rounds".to_owned()) } else { Ok(seen) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_share_a_processor_make_no_more_than_it_does() {
        // Each made a thousand ids in its own millisecond of three, one after the other; the fourth came too late.
        let turn = |ns| Turn { ids: 1_000, calls: 1, ns };
        let turns = [turn(1_000_000), turn(2_000_000), turn(3_000_000), Turn::default()];
        assert_eq!(ns_per_id(&turns), 1_000.0);
        // Each with a processor of its own.
        assert_eq!(ns_per_id(&[turn(1_000_000); 4]), 250.0);
    }

    #[test]
    fn a_thread_that_comes_after_the_slice_makes_nothing() {
        struct At(u64);
        impl Host for At {
            fn ns(&self) -> u64 {
                self.0
            }
        }
        struct Idle;
        impl Maker for Idle {
            fn make(&mut self, _: &mut [u8]) {}
        }
        let made = |now_ns, start: OnceLock<u64>| {
            let slice = Slice { host: &At(now_ns), progress: &(), ns: 1_000, look_ns: 1 };
            let mut seat = Seat { maker: Box::new(Idle), at: 0, last: 0, digest: None };
            turn(16, &mut seat, &mut [0; 64], Pace::new(64, 1, 16), &slice, &start).ids
        };
        assert_eq!(made(6_000, OnceLock::from(5_000)), 0);
    }
}
