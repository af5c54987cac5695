//! Symmetries and what they make together.

use super::graph::Places;
use analysis::Evidence;
use game::{MoveId, RoleId};
use netlist::GameLogic;
use std::collections::HashSet;

/// A permutation of facts, moves and roles that leaves the game as it is.
///
/// That what is legal and the next state go with it is proved.
#[derive(Debug, Clone)]
pub struct Symmetry {
    /// What each fact becomes.
    pub facts: Vec<u32>,
    /// For each role, what each of its moves becomes: a move of the role that the role becomes.
    pub moves: Vec<Vec<u32>>,
    /// What each role becomes.
    pub roles: Vec<u16>,
    /// How sure it is that the end of play goes with it too, and results: that a role has in a state
    /// the result that the role it becomes has in the image.
    pub agrees: Evidence,
    /// Whether the initial state becomes itself.
    pub fixes_initial: bool,
}

/// The same permutation, however sure.
impl PartialEq for Symmetry {
    fn eq(&self, other: &Symmetry) -> bool {
        (&self.facts, &self.moves, &self.roles) == (&other.facts, &other.moves, &other.roles)
    }
}

impl Symmetry {
    /// From an automorphism of the game's graph.
    pub(super) fn of(image: &[u32], places: &Places, logic: &GameLogic) -> Symmetry {
        let roles: Vec<u16> = (places.roles()..places.len())
            .map(|vertex| (image[vertex] as usize - places.roles()) as u16)
            .collect();
        let moves = (0..roles.len()).map(|role| {
            let start = places.moves[usize::from(roles[role])] as u32;
            let row = places.moves[role]..places.moves[role + 1];
            image[row].iter().map(|&mv| mv - start).collect()
        });
        let mut symmetry = Symmetry {
            facts: image[..places.facts].to_vec(),
            moves: moves.collect(),
            roles,
            agrees: Evidence::Proved,
            fixes_initial: false,
        };
        symmetry.fixes_initial = symmetry.fixes(&logic.words.initial);
        symmetry
    }

    /// Whether a state, as its facts, becomes itself.
    fn fixes(&self, facts: &[u32]) -> bool {
        let state: HashSet<u32> = facts.iter().copied().collect();
        let mut images = facts.iter().map(|&fact| self.facts[fact as usize]);
        images.all(|fact| state.contains(&fact))
    }

    /// The one that leaves everything in its place.
    fn identity(like: &Symmetry) -> Symmetry {
        let numbers = |count: usize| (0..count as u32).collect::<Vec<u32>>();
        Symmetry {
            facts: numbers(like.facts.len()),
            moves: like.moves.iter().map(|row| numbers(row.len())).collect(),
            roles: (0..like.roles.len() as u16).collect(),
            agrees: Evidence::Proved,
            fixes_initial: true,
        }
    }

    /// This one, then the other. Whether that leaves the initial state as it is is known only if both
    /// do: otherwise it is taken not to.
    pub fn then(&self, other: &Symmetry) -> Symmetry {
        let moves = self.moves.iter().zip(&self.roles).map(|(row, &role)| {
            let next = &other.moves[usize::from(role)];
            row.iter().map(|&mv| next[mv as usize]).collect()
        });
        let facts = self.facts.iter().map(|&fact| other.facts[fact as usize]);
        let initial = self.fixes_initial && other.fixes_initial;
        Symmetry {
            facts: facts.collect(),
            moves: moves.collect(),
            roles: self
                .roles
                .iter()
                .map(|&role| other.roles[usize::from(role)])
                .collect(),
            agrees: weaker(self.agrees, other.agrees),
            fixes_initial: initial,
        }
    }

    /// Whether everything stays in its place.
    pub fn is_identity(&self) -> bool {
        *self == Symmetry::identity(self)
    }

    /// Whether every role becomes itself.
    pub fn fixes_roles(&self) -> bool {
        self.roles
            .iter()
            .enumerate()
            .all(|(role, &to)| role == usize::from(to))
    }

    /// How many facts it moves.
    pub fn moved(&self) -> usize {
        let facts = self.facts.iter().enumerate();
        facts.filter(|&(fact, &to)| fact != to as usize).count()
    }

    /// The image of a state, whose facts are bits by their position in the vocabulary.
    pub fn state(&self, words: &[u64]) -> Vec<u64> {
        let mut image = vec![0; words.len()];
        for (at, &word) in words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let fact = at * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                if let Some(&to) = self.facts.get(fact) {
                    image[to as usize / 64] |= 1 << (to % 64);
                }
            }
        }
        image
    }

    /// The image of a role's move; `None` if there is no such move.
    pub fn image_of(&self, role: RoleId, mv: MoveId) -> Option<(RoleId, MoveId)> {
        let to = *self.moves.get(role.0)?.get(mv.0 as usize)?;
        Some((RoleId(usize::from(self.roles[role.0])), MoveId(to)))
    }
}

/// The less sure of both.
fn weaker(a: Evidence, b: Evidence) -> Evidence {
    match (a, b) {
        (Evidence::Proved, other) | (other, Evidence::Proved) => other,
        (Evidence::Unknown, _) | (_, Evidence::Unknown) => Evidence::Unknown,
        (Evidence::Observed { samples: a }, Evidence::Observed { samples: b }) => {
            Evidence::Observed { samples: a.min(b) }
        }
    }
}

/// All that these make, the identity first; `None` if there are more than `most`. With the facts of
/// the initial state, to tell which leave it as it is.
pub(super) fn closure(
    generators: &[Symmetry],
    most: usize,
    initial: &[u32],
) -> Option<Vec<Symmetry>> {
    let (all, complete) = made(generators, most, initial);
    complete.then_some(all)
}

/// What these make, the identity first, then what takes the fewest of them; no more than `most`, and
/// whether that is all.
pub(super) fn made(generators: &[Symmetry], most: usize, initial: &[u32]) -> (Vec<Symmetry>, bool) {
    let Some(first) = generators.first() else {
        return (Vec::new(), most > 0);
    };
    let key = |symmetry: &Symmetry| {
        let moves = symmetry.moves.concat();
        (symmetry.facts.clone(), moves, symmetry.roles.clone())
    };
    let mut all = vec![Symmetry::identity(first)];
    let mut known: HashSet<_> = all.iter().map(key).collect();
    let mut complete = true;
    let mut done = 0;
    'all: while done < all.len() {
        for generator in generators {
            let product = all[done].then(generator);
            if known.insert(key(&product)) {
                complete = all.len() < most;
                if !complete {
                    break 'all;
                }
                all.push(product);
            }
        }
        done += 1;
    }
    for symmetry in &mut all {
        symmetry.fixes_initial = symmetry.fixes(initial);
    }
    (all, complete)
}
