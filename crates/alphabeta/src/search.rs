//! The search to the end of play, depth first, over a line of states that waits between questions.

use crate::children::{Child, Expansion, Family, Leaf};
use crate::prover::Prover;
use budget::Budget;
use dfpn::{Name, Numbers};
use game::{EngineError, State};

/// The most joint moves that it looks ahead, as in `dfpn`.
const DEEPEST: usize = 300;

/// The approximate number of states generated between two checks of the budget.
const STRIDE: u64 = 16;

/// Siblings that are expanded together, and about the most children of all of them.
const SIBLINGS: usize = 16;
const TOGETHER: usize = 256;

/// A state on the current line whose children are searched.
#[derive(Debug)]
pub(crate) struct Frame {
    name: Name,
    family: Box<Family>,
    /// The child that is searched next, as a place in the order.
    next: usize,
    /// Whether a child was left open.
    open: bool,
    /// The states generated before it.
    before: u64,
}

/// Numbers of which one is 0, if the state is decided, and then the most joint moves to the end of
/// play.
type Found = (Numbers, u16);

const OPEN: Found = (Numbers::CLOSED, 0);

impl Prover {
    /// Decides a state that is not terminal, unless states or time run out. Then the same question
    /// continues where it was left.
    pub(crate) fn search(
        &mut self,
        state: &State,
        name: Name,
        budget: &Budget,
    ) -> Result<Found, EngineError> {
        if self.line.first().is_none_or(|root| root.name != name) {
            while let Some(frame) = self.line.pop() {
                self.give_back(frame.family);
            }
            let before = self.states;
            let mut root = [Leaf {
                state: state.clone(),
                family: self.families.pop().unwrap_or_default(),
            }];
            self.expand(&mut root, true)?;
            let [Leaf { family, .. }] = root;
            if let Some(found) = self.enter(name, family, before) {
                return Ok(found);
            }
        }
        while !self.is_out(budget) {
            let Some(mut found) = self.advance()? else {
                continue;
            };
            // A decided state may decide the one before it, and so on.
            while let Some(frame) = self.line.last_mut() {
                match frame.take(found) {
                    Some(decided) => found = decided,
                    None => break,
                }
                self.leave(found);
            }
            if self.line.is_empty() {
                return Ok(found);
            }
        }
        Ok(OPEN)
    }

    /// Goes to the next child of the last state on the line. Returns what is known of that child;
    /// `None` if its own children have to be searched.
    fn advance(&mut self) -> Result<Option<Found>, EngineError> {
        let depth = self.line.len();
        let Some(Frame { family, next, .. }) = self.line.last_mut() else {
            return Ok(Some(OPEN));
        };
        let at = family.order[*next];
        let name = family.children[at].name;
        // A sibling may have led there.
        let known = self.table.get(name);
        if known.is_some() || depth >= DEEPEST || self.line.iter().any(|frame| frame.name == name) {
            self.line[depth - 1].next += 1;
            return Ok(Some(known.unwrap_or(OPEN)));
        }
        let before = self.states;
        if self.line[depth - 1].family.children[at].ahead.is_none() {
            self.expand_siblings()?;
        }
        let frame = &mut self.line[depth - 1];
        frame.next += 1;
        let family = frame.family.children[at].ahead.take().unwrap_or_default();
        Ok(self.enter(name, family, before))
    }

    /// Expands the next child of the last state on the line.
    ///
    /// If the first one did not decide that state, probably none does, so that all will be
    /// searched: they are expanded together, and then the first child of each, which is searched
    /// next.
    fn expand_siblings(&mut self) -> Result<(), EngineError> {
        let Some(mut frame) = self.line.pop() else {
            return Ok(());
        };
        let Family {
            children, order, ..
        } = &mut *frame.family;
        let together = match frame.next {
            0 => 1,
            // One by one nothing is saved, and it takes too long between two checks of the budget.
            _ if self.subject.fans.is_none() => 1,
            _ => (TOGETHER / order.len()).clamp(1, SIBLINGS),
        };
        let end = order.len().min(frame.next + together);
        let chosen = &order[frame.next..end];
        let mut expanded = self.expand_children(siblings(children, chosen));
        if expanded.is_ok() && together > 1 {
            let ahead = siblings(children, chosen).filter_map(|child| child.ahead.as_mut());
            let firsts = ahead.filter_map(|family| match family.expansion {
                Expansion::Open => family.children.get_mut(*family.order.first()?),
                _ => None,
            });
            expanded = self.expand_children(firsts);
        }
        self.line.push(frame);
        expanded
    }

    /// Expands children ahead of their search, those that are not yet.
    fn expand_children<'a>(
        &mut self,
        children: impl Iterator<Item = &'a mut Child>,
    ) -> Result<(), EngineError> {
        let children = children.filter(|child| child.ahead.is_none());
        let mut children: Vec<&mut Child> = children.collect();
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.extend(children.iter_mut().map(|child| Leaf {
            state: std::mem::take(&mut child.state),
            family: self.families.pop().unwrap_or_default(),
        }));
        let expanded = self.expand(&mut leaves, false);
        for (child, leaf) in children.into_iter().zip(leaves.drain(..)) {
            child.state = leaf.state;
            match expanded {
                Ok(()) => child.ahead = Some(leaf.family),
                Err(_) => self.families.push(leaf.family),
            }
        }
        self.leaves = leaves;
        expanded
    }

    /// Goes on with an expanded state. Returns what is known of it; `None` if its children have to
    /// be searched.
    fn enter(&mut self, name: Name, family: Box<Family>, before: u64) -> Option<Found> {
        let found = match family.expansion {
            Expansion::Open => {
                self.line.push(Frame {
                    name,
                    family,
                    next: 0,
                    open: false,
                    before,
                });
                return None;
            }
            Expansion::Decided(numbers, plies) => {
                self.table
                    .put(name, numbers, plies, family.moves.len() as u64);
                (numbers, plies)
            }
            Expansion::Closed => OPEN,
        };
        self.give_back(family);
        Some(found)
    }

    /// Keeps the memory of a family for others, and that of families below it.
    fn give_back(&mut self, mut family: Box<Family>) {
        for number in 0..family.moves.len() {
            if let Some(ahead) = family.children[number].ahead.take() {
                self.give_back(ahead);
            }
        }
        self.families.push(family);
    }

    /// Takes the last state, about which this was found out, off the line.
    fn leave(&mut self, (numbers, plies): Found) {
        let Some(frame) = self.line.pop() else {
            return;
        };
        if numbers.is_known() {
            let states = self.states - frame.before;
            self.table.put(frame.name, numbers, plies, states);
            if frame.family.is_decided_by(numbers) {
                let mv = frame.family.moves[frame.family.order[frame.next - 1]];
                self.history.decided(frame.family.role, mv, states);
            }
        }
        self.give_back(frame.family);
    }

    /// Whether states or time have run out.
    fn is_out(&mut self, budget: &Budget) -> bool {
        let mut is_out = self.states >= self.most;
        if self.states >= self.due {
            self.due = self.states + STRIDE;
            is_out |= budget.check().is_err();
        }
        is_out
    }
}

/// The children with these numbers.
fn siblings<'a>(
    children: &'a mut [Child],
    numbers: &'a [usize],
) -> impl Iterator<Item = &'a mut Child> {
    let all = children.iter_mut().enumerate();
    let chosen = all.filter(|(number, _)| numbers.contains(number));
    chosen.map(|(_, child)| child)
}

impl Frame {
    /// Takes note of what was found out about a child. Returns what is known of the state itself;
    /// `None` while there are other children to search.
    fn take(&mut self, (numbers, plies): Found) -> Option<Found> {
        let plies = plies.saturating_add(1);
        match numbers.is_known() {
            true if self.family.decide(numbers, plies) => return Some((numbers, plies)),
            true => {}
            false => self.open = true,
        }
        if self.next < self.family.order.len() {
            return None;
        }
        Some(self.family.decided.filter(|_| !self.open).unwrap_or(OPEN))
    }
}
