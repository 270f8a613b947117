//! Random strings whose letters are the remainder of a byte: the first 256 mod A letters of A are likelier.

use super::{Source, Words};

/// Strings of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Letters {
    /// Letters there are, 2 to 256.
    pub alphabet: u64,
    /// Letters of a string; all strings together are at most 2^64.
    pub length: u32,
    /// Ids of a trial.
    pub draws: u64,
}

impl Letters {
    fn id(&self, words: &mut Words) -> u64 {
        let (mut id, mut word) = (0u64, 0);
        for letter in 0..self.length {
            word = if letter % 8 == 0 { words.word() } else { word >> 8 };
            // All strings fit into 2^64, so that the last sum does.
            id = id * self.alphabet + (word & 255) % self.alphabet;
        }
        id
    }
}

impl Source for Letters {
    fn draw(&self, words: &mut Words, ids: &mut Vec<u64>) {
        ids.clear();
        ids.extend((0..self.draws).map(|_| self.id(words)));
    }

    /// The numbers of its letters, from 0.
    fn shown(&self, id: u64) -> String {
        let mut left = id;
        let mut letters: Vec<String> = (0..self.length)
            .map(|_| {
                let letter = left % self.alphabet;
                left /= self.alphabet;
                letter.to_string()
            })
            .collect();
        letters.reverse();
        format!("letters {}", letters.join(" "))
    }
}
