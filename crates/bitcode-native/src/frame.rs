//! Memory for values that do not stay in registers.

use crate::inst::Place;

/// The memory behind the caller's planes: first the results of segment 0 that are kept for
/// other segments, then the temporary values of a segment.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Number of words from one of the caller's planes to the next.
    stride: u32,
    /// Number of words from one temporary value to the next.
    step: u32,
    /// The first place for temporary values.
    aside: Place,
    /// The number of places for temporary values.
    slots: u32,
    /// The free places. The most recently used one comes first, because it is likely to be in
    /// the nearest cache.
    free: Vec<Place>,
}

impl Frame {
    /// Creates a frame behind `planes` planes of `stride` words each. `whole` is set if code
    /// uses planes as a whole rather than word by word.
    pub(crate) fn new(planes: u32, stride: u32, whole: bool) -> Frame {
        Frame {
            stride,
            step: if whole { stride } else { 1 },
            aside: planes * stride,
            slots: 0,
            free: Vec::new(),
        }
    }

    /// The place of a plane of the caller.
    pub(crate) fn plane(&self, plane: u32) -> Place {
        plane * self.stride
    }

    /// Reserves a place forever. All of these must be reserved before any temporary place.
    ///
    /// They are whole planes, so that they survive when the caller copies planes.
    pub(crate) fn keep(&mut self) -> Place {
        assert_eq!(self.slots, 0, "what is kept comes first");
        let place = self.aside;
        self.aside += self.stride;
        place
    }

    /// Takes a temporary place.
    pub(crate) fn take(&mut self) -> Place {
        self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.aside + (self.slots - 1) * self.step
        })
    }

    /// Frees a place. Does nothing if it is not from [`Frame::take`].
    pub(crate) fn give_back(&mut self, place: Place) {
        if place >= self.aside {
            self.free.push(place);
        }
    }

    /// Frees all temporary places.
    pub(crate) fn clear(&mut self) {
        self.free.clear();
        let places = (0..self.slots).rev();
        self.free
            .extend(places.map(|slot| self.aside + slot * self.step));
    }

    /// The number of planes that the memory must have.
    pub(crate) fn planes(&self) -> usize {
        (self.aside + self.slots * self.step).div_ceil(self.stride) as usize
    }
}
