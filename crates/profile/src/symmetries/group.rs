//! Symmetries and the groups that they generate.

use super::graph::Places;
use analysis::Evidence;
use game::{MoveId, RoleId};
use netlist::GameLogic;
use std::collections::HashSet;

/// A permutation of facts, moves and roles that leaves the game unchanged.
///
/// It is proved that legality and the next state are compatible with it.
#[derive(Debug, Clone)]
pub struct Symmetry {
    /// The image of each fact.
    pub facts: Vec<u32>,
    /// For each role, the images of its moves, which are moves of the image of the role.
    pub moves: Vec<Vec<u32>>,
    /// The image of each role.
    pub roles: Vec<u16>,
    /// The evidence that terminality and results are compatible too: a role has the same result
    /// in a state as the image of the role has in the image of the state.
    pub agrees: Evidence,
    /// Whether the initial state is its own image.
    pub fixes_initial: bool,
}

/// Equality as permutations, whatever the evidence.
impl PartialEq for Symmetry {
    fn eq(&self, other: &Symmetry) -> bool {
        (&self.facts, &self.moves, &self.roles) == (&other.facts, &other.moves, &other.roles)
    }
}

impl Symmetry {
    /// Converts an automorphism of the game's graph.
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

    /// Whether a state, given as its facts, is its own image.
    fn fixes(&self, facts: &[u32]) -> bool {
        let state: HashSet<u32> = facts.iter().copied().collect();
        let mut images = facts.iter().map(|&fact| self.facts[fact as usize]);
        images.all(|fact| state.contains(&fact))
    }

    /// The identity.
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

    /// The composition: this one, then the other. It counts as fixing the initial state only if
    /// both factors do.
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

    /// Whether it is the identity.
    pub fn is_identity(&self) -> bool {
        *self == Symmetry::identity(self)
    }

    /// Whether every role is its own image.
    pub fn fixes_roles(&self) -> bool {
        self.roles
            .iter()
            .enumerate()
            .all(|(role, &to)| role == usize::from(to))
    }

    /// The number of facts that it moves.
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

/// The weaker evidence of both.
fn weaker(a: Evidence, b: Evidence) -> Evidence {
    match (a, b) {
        (Evidence::Proved, other) | (other, Evidence::Proved) => other,
        (Evidence::Unknown, _) | (_, Evidence::Unknown) => Evidence::Unknown,
        (Evidence::Observed { samples: a }, Evidence::Observed { samples: b }) => {
            Evidence::Observed { samples: a.min(b) }
        }
    }
}

/// All elements that these generate, the identity first; `None` if there are more than `most`.
/// The facts of the initial state decide which elements fix it.
pub(super) fn closure(
    generators: &[Symmetry],
    most: usize,
    initial: &[u32],
) -> Option<Vec<Symmetry>> {
    let (all, complete) = made(generators, most, initial);
    complete.then_some(all)
}

/// At most `most` elements that these generate, the identity first, then products of few
/// generators. Also returns whether these are all.
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
