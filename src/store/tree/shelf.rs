//! Keys of leaves, each leaf's in a place of the same length, so that a key is found without a look at the
//! leaf's other particulars.

/// Leaves whose keys are allocated together.
const LEAVES: usize = 64;

/// A place for the keys of every page.
#[derive(Debug, Clone)]
pub(super) struct Shelf {
    /// Keys that a place holds.
    stride: usize,
    places: Vec<Vec<u64>>,
}

impl Shelf {
    /// Places for so many keys at most.
    pub(super) fn new(most: u32) -> Shelf {
        Shelf { stride: most as usize, places: Vec::new() }
    }

    /// Bytes that a page's place takes.
    pub(super) fn place_bytes(most: u32) -> u64 {
        u64::from(most) * size_of::<u64>() as u64
    }

    /// Makes sure that a page has a place.
    pub(super) fn provide(&mut self, page: u32) {
        if page as usize / LEAVES == self.places.len() {
            self.places.push(vec![0; self.stride * LEAVES]);
        }
    }

    /// The keys of a page that holds so many.
    pub(super) fn keys(&self, page: u32, count: u32) -> &[u64] {
        let start = page as usize % LEAVES * self.stride;
        &self.places[page as usize / LEAVES][start..start + count as usize]
    }

    fn place(&mut self, page: u32) -> &mut [u64] {
        let start = page as usize % LEAVES * self.stride;
        &mut self.places[page as usize / LEAVES][start..start + self.stride]
    }

    /// Puts a key among the first so many of a page.
    pub(super) fn insert(&mut self, page: u32, count: u32, position: u32, key: u64) {
        let (count, position) = (count as usize, position as usize);
        let place = self.place(page);
        place.copy_within(position..count, position + 1);
        place[position] = key;
    }

    /// Takes a key out of the first so many of a page.
    pub(super) fn remove(&mut self, page: u32, count: u32, position: u32) {
        self.place(page).copy_within(position as usize + 1..count as usize, position as usize);
    }

    /// Replaces the keys of a page.
    pub(super) fn set(&mut self, page: u32, keys: &[u64]) {
        self.place(page)[..keys.len()].copy_from_slice(keys);
    }
}

/// Where a key goes among sorted ones: behind those that are not greater. `guess` is where it may be; the
/// search goes out from there in ever wider steps, so that a good guess touches little memory.
pub(super) fn place_of(keys: &[u64], key: u64, guess: usize) -> usize {
    let guess = guess.min(keys.len());
    let mut step = 4;
    let (low, high) = if guess < keys.len() && keys[guess] <= key {
        let mut low = guess + 1;
        while low + step < keys.len() && keys[low + step] <= key {
            low += step + 1;
            step *= 2;
        }
        (low, keys.len().min(low + step))
    } else {
        let mut high = guess;
        while high > step && keys[high - step] > key {
            high -= step;
            step *= 2;
        }
        (high.saturating_sub(step), high)
    };
    low + keys[low..high].partition_point(|&other| other <= key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_placed_alike_from_any_guess() {
        for count in [0, 1, 2, 7, 100, 291] {
            let keys: Vec<u64> = (0..count).map(|i| i * 10 / 7 * 3).collect();
            for key in 0..count * 5 + 3 {
                let right = keys.partition_point(|&other| other <= key);
                for guess in [0, 1, 3, count as usize / 2, count as usize, 1000] {
                    assert_eq!(place_of(&keys, key, guess), right, "{count} {key} {guess}");
                }
            }
        }
    }

    #[test]
    fn keys_of_two_pages_do_not_meet() {
        let mut shelf = Shelf::new(4);
        (0..200).for_each(|page| shelf.provide(page));
        shelf.set(63, &[1, 2, 4]);
        shelf.set(64, &[9]);
        shelf.insert(63, 3, 2, 3);
        assert_eq!((shelf.keys(63, 4), shelf.keys(64, 1)), (&[1, 2, 3, 4][..], &[9][..]));
        shelf.remove(63, 4, 0);
        assert_eq!(shelf.keys(63, 3), [2, 3, 4]);
    }
}
