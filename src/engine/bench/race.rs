//! One slice of time: threads that start together and make ids until it is over.

use super::Host;
use super::check;
use super::contender::{Call, Contender, Maker, Shape};
use super::question::Into;
use super::room::{Room, bulk_piece, first_piece};
use crate::error::{Error, Result};
use crate::question::Progress;
use rayon::ThreadPool;
use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError};

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
    seats: Vec<Mutex<Seat>>,
    pace: Pace,
    /// Nanoseconds an id, a round each.
    pub ns: Vec<f64>,
    /// Ids made, a round each, and ids looked at.
    pub ids: Vec<u64>,
    pub checked: Vec<u64>,
}

/// What a thread did in its slice.
#[derive(Debug, Clone, Copy)]
struct Turn {
    ids: u64,
    calls: u64,
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
    pub fn new(contender: &'a Contender, into: Into, threads: usize) -> Result<Lane<'a>> {
        let makers = (contender.team)(threads).map_err(|error| error.within(contender.name))?;
        let seat = |maker| Mutex::new(Seat { maker, at: 0, last: 0, digest: None });
        Ok(Lane {
            contender,
            into,
            threads,
            seats: makers.into_iter().map(seat).collect(),
            pace: Pace::new(0, 1, 1),
            ns: Vec::new(),
            ids: Vec::new(),
            checked: Vec::new(),
        })
    }

    /// A slice that does not count; from it follows how much a call fills and how often the stopwatch is looked at.
    pub fn warm_up(&mut self, pool: &ThreadPool, room: &mut Room, slice: &Slice<'_>) -> Result<()> {
        let (part, id_bytes) = (room.part_bytes(self.into, self.threads), self.contender.shape.id_bytes());
        let first = Pace::new(first_piece(part), 1, id_bytes);
        self.pace = first;
        let turns = self.run(pool, room, slice)?.0;
        let slowest = turns.iter().map(|turn| turn.ns as f64 / turn.calls as f64).fold(0.0, f64::max);
        let ns_per_byte = slowest / first.filled as f64;
        let piece = match self.contender.call {
            Call::Bulk => bulk_piece(part, ns_per_byte, slice.ns),
            Call::One => first.piece,
        };
        let call_ns = (ns_per_byte * piece as f64).max(1.0);
        // A tenth of a slice is the longest that a thread runs beyond it, if a call is no longer.
        let most = (slice.ns as f64 / 10.0 / call_ns).max(1.0);
        let calls = ((slice.look_ns * LOOKS_APART) as f64 / call_ns).ceil().clamp(1.0, most) as u64;
        self.pace = Pace::new(piece, calls, id_bytes);
        for seat in &self.seats {
            let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
            (seat.at, seat.digest) = (0, None);
        }
        Ok(())
    }

    /// A slice that counts.
    pub fn round(&mut self, pool: &ThreadPool, room: &mut Room, slice: &Slice<'_>) -> Result<()> {
        let (turns, checked) = self.run(pool, room, slice)?;
        self.ns.push(ns_per_id(&turns));
        self.ids.push(turns.iter().map(|turn| turn.ids).sum());
        self.checked.push(checked);
        Ok(())
    }

    /// Makes ids on all threads, then looks at what they left.
    fn run(&mut self, pool: &ThreadPool, room: &mut Room, slice: &Slice<'_>) -> Result<(Vec<Turn>, u64)> {
        let parts = room.parts(self.into, self.threads);
        let works: Vec<_> =
            self.seats.iter().zip(parts).map(|(seat, part)| Mutex::new((seat, part))).collect();
        let start = Barrier::new(self.threads);
        let turns = pool.broadcast(|context| {
            let mut work = works[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
            let (seat, part) = &mut *work;
            let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
            start.wait();
            turn(self.contender.shape.id_bytes(), &mut seat, part, self.pace, slice)
        });
        let looks = pool.broadcast(|context| {
            let mut work = works[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
            let (seat, part) = &mut *work;
            let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
            look(self.contender, &mut seat, &part[..], self.pace)
        });
        let seen = looks.into_iter().sum::<Result<u64, String>>().map_err(|seen| {
            let threads = self.threads;
            Error::data(format!("{} on {threads} threads made what it must not: {seen}", self.contender.name))
        })?;
        Ok((turns, seen))
    }
}

/// Nanoseconds in which all threads together bring one id more.
fn ns_per_id(turns: &[Turn]) -> f64 {
    let each = |turn: &Turn| turn.ns as f64 / turn.ids as f64;
    match turns {
        [turn] => each(turn),
        turns => 1.0 / turns.iter().map(|turn| 1.0 / each(turn)).sum::<f64>(),
    }
}

/// Makes ids until the slice is over.
fn turn(id_bytes: usize, seat: &mut Seat, part: &mut [u8], pace: Pace, slice: &Slice<'_>) -> Turn {
    let mut made = 0;
    let start = slice.host.ns();
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
        made += pace.calls;
        let ns = slice.host.ns().saturating_sub(start);
        if ns >= slice.ns || slice.progress.cancelled() {
            return Turn { ids: made * (pace.filled / id_bytes) as u64, calls: made, ns: ns.max(1) };
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
