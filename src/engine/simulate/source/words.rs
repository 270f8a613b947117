//! The random words of one trial, in order: 64 bits each from the stream whose number is the trial.

use crate::id::generator::{Cipher, Seed, Stream};
use crate::sim::draw;

/// Words that are made at once.
const AHEAD: usize = 64;

/// Reads the words of a trial one by one.
#[derive(Debug, Clone)]
pub(in super::super) struct Words {
    stream: Stream,
    next: u64,
    ahead: [u64; AHEAD],
    at: usize,
}

impl Words {
    /// The words of a trial.
    pub fn new(cipher: Cipher, seed: &Seed, trial: u64) -> Words {
        Words { stream: Stream::new(cipher, seed, trial), next: 0, ahead: [0; AHEAD], at: AHEAD }
    }

    /// Goes on with the first word of another trial.
    pub fn set_trial(&mut self, trial: u64) {
        self.stream.set_number(trial);
        self.next = 0;
        self.at = AHEAD;
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u64 {
        if self.at == AHEAD {
            draw::words(&self.stream, self.next, &mut self.ahead);
            self.next += AHEAD as u64;
            self.at = 0;
        }
        self.at += 1;
        self.ahead[self.at - 1]
    }

    /// The first bits of the next word, 0 to 64: exactly uniform.
    #[inline]
    pub fn bits(&mut self, bits: u32) -> u64 {
        if bits == 0 { 0 } else { self.word() >> (64 - bits) }
    }

    /// A number below `values`, floor(w · values / 2^64): its odds differ from 1/values by less than values/2^64 of
    /// themselves.
    #[inline]
    pub fn below(&mut self, values: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(values)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_stream_of_the_trial() {
        let seed = Seed::from(3);
        let mut wanted = [0u64; 200];
        draw::words(&Stream::new(Cipher::Aes, &seed, 9), 0, &mut wanted);
        let mut words = Words::new(Cipher::Aes, &seed, 4);
        words.word();
        words.set_trial(9);
        assert!(wanted.iter().all(|word| *word == words.word()));
        words.set_trial(9);
        let first = [words.bits(0), words.bits(64), words.bits(8), words.below(10)];
        let tenth = ((u128::from(wanted[2]) * 10) >> 64) as u64;
        assert_eq!(first, [0, wanted[0], wanted[1] >> 56, tenth]);
    }
}
