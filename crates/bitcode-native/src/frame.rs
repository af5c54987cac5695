//! Places in memory for what does not stay in registers.

use crate::inst::Place;

/// The memory behind the caller's planes: first values of segment 0 that are kept for others, then
/// values that a segment puts aside for a while.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Words from one of the caller's planes to the next.
    stride: u32,
    /// Words from one value that is put aside to the next.
    step: u32,
    /// Where values put aside begin.
    aside: Place,
    /// How many places for them there are.
    slots: u32,
    /// Those that are not in use; the one that was used last comes first, because it is likely to
    /// be in the nearest cache.
    free: Vec<Place>,
}

impl Frame {
    /// A frame behind `planes` planes, of which each has `stride` words and is used as a whole, or
    /// else word by word.
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

    /// A place that is never given back. All of these are asked for before any other.
    ///
    /// They are whole planes, so that they outlive the caller's copying of planes.
    pub(crate) fn keep(&mut self) -> Place {
        assert_eq!(self.slots, 0, "what is kept comes first");
        let place = self.aside;
        self.aside += self.stride;
        place
    }

    /// A place for a while.
    pub(crate) fn take(&mut self) -> Place {
        self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.aside + (self.slots - 1) * self.step
        })
    }

    /// Takes a place back; nothing happens if it is not one of [`Frame::take`].
    pub(crate) fn give_back(&mut self, place: Place) {
        if place >= self.aside {
            self.free.push(place);
        }
    }

    /// All places for a while are free again.
    pub(crate) fn clear(&mut self) {
        self.free.clear();
        let places = (0..self.slots).rev();
        self.free
            .extend(places.map(|slot| self.aside + slot * self.step));
    }

    /// How many planes the memory must have.
    pub(crate) fn planes(&self) -> usize {
        (self.aside + self.slots * self.step).div_ceil(self.stride) as usize
    }
}
