//! How the moves of a choice are chosen.

use super::{Builder, Rows};
use crate::choice::Counted;
use crate::effects::Effects;
use crate::scan::Scan;
use crate::step::{Choice, ChoicePlaces};
use netlist::Lit;

impl Builder<'_> {
    /// Chooses one of the legal moves of a choice.
    pub fn choose(&mut self, choice: &Choice, rows: &Rows) {
        let legal = |&(role, mv): &(u16, u32)| rows[usize::from(role)][mv as usize];
        let possible = |moves: &[(u16, u32)]| {
            let moves = moves.iter().copied();
            let moves = moves.filter(|mv| legal(mv) != Lit::FALSE);
            moves.collect::<Vec<_>>()
        };
        let forced = possible(&choice.forced);
        for mv in &forced {
            self.set_chosen(mv, legal(mv));
        }
        let groups = choice.leaves.iter().map(|leaf| {
            let mut leaf = possible(leaf);
            leaf.retain(|mv| !self.is_listed(mv));
            leaf
        });
        let groups: Vec<_> = groups.filter(|leaf| !leaf.is_empty()).collect();
        match &groups[..] {
            [] => {}
            [only] => {
                // No choice: the legal moves are played. A move that is its role's only one
                // here is played wherever play continues.
                let alone = forced.is_empty() && only.len() == 1;
                for mv in only {
                    self.set_chosen(mv, if alone { Lit::TRUE } else { legal(mv) });
                }
            }
            groups if groups.len() >= choice.scan_from && self.places.guided.is_empty() => {
                self.scan(groups.iter().flatten().copied(), rows);
            }
            groups => {
                // If all moves of the choice are forced, there is nothing to choose.
                let role = groups[0][0].0;
                let always = forced.is_empty() && groups.iter().flatten().all(|mv| mv.0 == role);
                let lits: Vec<Lit> = (groups.iter())
                    .map(|leaf| self.net.or_all(leaf.iter().map(&legal)))
                    .collect();
                let on = self.draw(&lits, always);
                for (leaf, on) in groups.iter().zip(on) {
                    match &leaf[..] {
                        [only] => self.set_chosen(only, on),
                        several => {
                            for mv in several {
                                let on = self.net.and(on, legal(mv));
                                self.set_chosen(mv, on);
                            }
                        }
                    }
                }
            }
        }
    }

    fn set_chosen(&mut self, &(role, mv): &(u16, u32), lit: Lit) {
        self.chosen[self.logic.does[usize::from(role)][mv as usize].node()] = lit;
    }

    /// Whether the move is chosen by a list and never by chance.
    fn is_listed(&self, &(role, _): &(u16, u32)) -> bool {
        let mut guided = self.places.guided.iter();
        guided.any(|g| g.role == usize::from(role) && g.follows.is_none())
    }

    /// Draws one of the legal leaves, uniformly. Returns for each whether it is drawn. With
    /// `always`, one is legal wherever play continues.
    fn draw(&mut self, legal: &[Lit], always: bool) -> Vec<Lit> {
        self.leaves += legal.len();
        let counted = Counted::new(&mut self.net, legal);
        let random = self.reserve(counted.random_bits());
        let bits: Vec<Lit> = random.clone().map(|plane| self.held(plane)).collect();
        let drawn = counted.rank(&mut self.net, &bits);
        let total = self.reserve(counted.total().len());
        let rank = self.reserve(drawn.rank.len());
        let doubtful = self.reserve(1).start;
        let planes = total.clone().chain(rank.clone()).chain([doubtful]);
        let lits = (counted.total().iter())
            .chain(&drawn.rank)
            .chain([&drawn.doubtful]);
        self.look
            .extend(lits.zip(planes).map(|(&lit, plane)| (lit, plane as u32)));
        // From here on the rank is read from memory.
        let held: Vec<Lit> = rank.clone().map(|plane| self.held(plane)).collect();
        let open = match always {
            true => Lit::TRUE,
            false => self.net.or_all(counted.total().iter().copied()),
        };
        self.places.choices.push(ChoicePlaces {
            random,
            total,
            rank,
            doubtful,
        });
        counted.select(&mut self.net, &held, open)
    }

    /// Leaves the choice among these moves to the caller, who sets the planes of its effects.
    fn scan(&mut self, moves: impl Iterator<Item = (u16, u32)>, rows: &Rows) {
        let moves: Vec<(u16, u32)> = moves.collect();
        let of = |&(role, mv): &(u16, u32)| (usize::from(role), mv as usize);
        self.leaves += moves.len();
        let legal = self.reserve(moves.len());
        for ((role, mv), plane) in moves.iter().map(of).zip(legal.clone()) {
            self.look.push((rows[role][mv], plane as u32));
        }
        let does = moves.iter().map(of);
        let nodes: Vec<usize> = does
            .map(|(role, mv)| self.logic.does[role][mv].node())
            .collect();
        let found = Effects::of(self.logic, &self.late, &nodes);
        let effects = self.reserve(found.nodes.len());
        for (&(node, none), plane) in found.nodes.iter().zip(effects.clone()) {
            let lit = self.held(plane) ^ none;
            self.learn(node, lit);
        }
        for &(node, value) in &found.constant {
            self.learn(node, Lit::constant(value));
        }
        let planes = |of: &Vec<u32>| {
            let planes = of.iter().map(|&at| effects.start as u32 + at);
            planes.collect()
        };
        self.places.scans.push(Scan {
            legal,
            planes_of: found.of.iter().map(planes).collect(),
            effects,
        });
    }

    /// Sets the copy of a signal that depends on the choice of a move alone.
    fn learn(&mut self, node: usize, lit: Lit) {
        self.chosen[node] = lit;
        self.import.is(node, lit);
    }
}
