//! When the clock of an identifier ends.

use serde::Serialize;

/// The moment from which a clock counts, in seconds of Unix time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Epoch(pub i64);

impl Epoch {
    /// 1970-01-01.
    pub const UNIX: Epoch = Epoch(0);
    /// 1582-10-15, the first day of the Gregorian calendar (RFC 9562 §5.1).
    pub const GREGORIAN: Epoch = Epoch(-12_219_292_800);

    /// The year in which a clock ends that runs for so many seconds.
    ///
    /// By the Gregorian calendar continued; exact for spans that do not end within a day of a year's turn.
    pub fn year_after(self, span_s: f64) -> i64 {
        // Day 0 is 1970-01-01; 719,468 days before it, on 1 March of year 0, an era of 400 years begins.
        let day = ((self.0 as f64 + span_s) / 86_400.0).floor() as i64 + 719_468;
        let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        // Years of an era begin in March: January and February belong to the next.
        era * 400 + year + i64::from(of_year >= 306)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_those_that_the_calendar_gives() {
        // 2^48 ms end on 10889-08-02, 2^31 s on 2038-01-19, 2^32 s on 2106-02-07.
        assert_eq!(Epoch::UNIX.year_after(2f64.powi(48) / 1e3), 10_889);
        assert_eq!(Epoch::UNIX.year_after(2f64.powi(31)), 2038);
        assert_eq!(Epoch::UNIX.year_after(2f64.powi(32)), 2106);
        assert_eq!(Epoch::UNIX.year_after(-1.0), 1969);
        assert_eq!(Epoch::UNIX.year_after(951_782_400.0), 2000);
        assert_eq!(Epoch::GREGORIAN.year_after(0.0), 1582);
        // 2^60 × 100 ns from 1582: 5236-03-31.
        assert_eq!(Epoch::GREGORIAN.year_after(2f64.powi(60) * 1e-7), 5236);
    }
}
