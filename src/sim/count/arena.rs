//! Room for some ids of a trial with their numbers, kept between trials and shared by ids of any type.

use crate::sim::draw::Id;

/// Ids in order, each with its number in the trial.
#[derive(Debug, Default)]
pub struct List {
    /// In the widest type, whose alignment suits all.
    ids: Vec<u128>,
    places: Vec<u32>,
}

impl List {
    /// Room for so many; what lay there is left as it is.
    pub fn parts_mut<I: Id>(&mut self, ids: usize) -> (&mut [I], &mut [u32]) {
        let wide = (ids * size_of::<I>()).div_ceil(size_of::<u128>());
        if self.ids.len() < wide {
            self.ids.resize(wide, 0);
        }
        if self.places.len() < ids {
            self.places.resize(ids, 0);
        }
        (&mut bytemuck::cast_slice_mut(&mut self.ids)[..ids], &mut self.places[..ids])
    }

    /// The first so many of those laid there.
    pub fn parts<I: Id>(&self, ids: usize) -> (&[I], &[u32]) {
        (&bytemuck::cast_slice(&self.ids)[..ids], &self.places[..ids])
    }
}
