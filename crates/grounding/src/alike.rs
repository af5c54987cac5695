//! Finds views that hold in the same states because they are defined alike.
//!
//! Rulesheets say the same thing under many names: whether a bishop is in the way and whether a
//! queen is are two views of one condition. Where rules have many arguments, most views have
//! such a twin. This is structural hashing of the ground rules: what a view depends on is
//! compared first, so that twins of twins are found in one pass.

use crate::error::GroundError;
use crate::heads::ByHead;
use crate::instances::LiteralCode;
use crate::simplify::Settled;
use crate::store::AtomNo;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

/// Returns for each atom one that holds in the same states; most are their own.
///
/// `views` are the atoms that may be replaced. `watch` is called at every step with the bytes
/// held here. If it fails, the work ends with its error.
pub(crate) fn alike(
    by_head: &ByHead,
    settled: &Settled,
    views: &[bool],
    watch: &mut dyn FnMut(usize) -> Result<(), GroundError>,
) -> Result<Vec<AtomNo>, GroundError> {
    let count = views.len();
    let mut finder = Finder {
        by_head,
        settled,
        same: (0..count as AtomNo).collect(),
        definitions: Vec::new(),
        table: HashTable::new(),
        body: Vec::new(),
        words: Vec::new(),
        spans: Vec::new(),
    };
    let mut visited = vec![false; count];
    // A view comes twice: to put what it depends on above it, and when all of that is done.
    let mut stack: Vec<(AtomNo, bool)> = Vec::new();
    for view in (0..count as AtomNo).filter(|&atom| views[atom as usize]) {
        stack.push((view, false));
        while let Some((atom, ready)) = stack.pop() {
            watch(finder.bytes() + stack.len() * 8)?;
            if ready {
                finder.compare(atom);
            } else if !std::mem::replace(&mut visited[atom as usize], true) {
                stack.push((atom, true));
                let called = by_head.bodies(atom).flatten();
                let called = called.map(|&code| code >> 1);
                let new = |&atom: &AtomNo| views[atom as usize] && !visited[atom as usize];
                stack.extend(called.filter(new).map(|atom| (atom, false)));
            }
        }
    }
    // Views that depend on themselves may have been compared before the others.
    for view in 0..count {
        while finder.same[finder.same[view] as usize] != finder.same[view] {
            finder.same[view] = finder.same[finder.same[view] as usize];
        }
    }
    Ok(finder.same)
}

/// The definition of a view that was compared.
struct Definition {
    view: AtomNo,
    hash: u64,
    words: Range<u32>,
}

struct Finder<'a> {
    by_head: &'a ByHead,
    settled: &'a Settled,
    same: Vec<AtomNo>,
    /// The definitions of the views that are like no other, one behind the other: for each body
    /// its length and literals, in order.
    definitions: Vec<u32>,
    table: HashTable<Definition>,
    body: Vec<LiteralCode>,
    words: Vec<LiteralCode>,
    spans: Vec<Range<usize>>,
}

impl Finder<'_> {
    fn bytes(&self) -> usize {
        self.same.len() * 5
            + self.definitions.capacity() * 4
            + self.table.capacity() * size_of::<Definition>()
    }

    /// Compares a view with those before it.
    fn compare(&mut self, view: AtomNo) {
        self.define(view);
        if let [only] = self.spans.as_slice()
            && let [code] = self.words[only.clone()]
            && code & 1 == 0
        {
            self.same[view as usize] = code >> 1;
            return;
        }
        let from = self.definitions.len();
        for span in &self.spans {
            self.definitions.push(span.len() as u32);
            self.definitions.extend(&self.words[span.clone()]);
        }
        let mut hasher = FxHasher::default();
        for &word in &self.definitions[from..] {
            hasher.write_u32(word);
        }
        let hash = hasher.finish();
        let words = |known: &Definition| {
            &self.definitions[known.words.start as usize..known.words.end as usize]
        };
        let known = self.table.find(hash, |known| {
            known.hash == hash && *words(known) == self.definitions[from..]
        });
        if let Some(known) = known {
            self.same[view as usize] = known.view;
            self.definitions.truncate(from);
            return;
        }
        let definition = Definition {
            view,
            hash,
            words: from as u32..self.definitions.len() as u32,
        };
        self.table
            .insert_unique(hash, definition, |known| known.hash);
    }

    /// Writes the bodies of a view to `words`, over the atoms that stand for others. `spans` are
    /// the bodies in order, each once.
    fn define(&mut self, view: AtomNo) {
        self.words.clear();
        self.spans.clear();
        for body in self.by_head.bodies(view) {
            let Some(open) = self.settled.open(body) else {
                continue;
            };
            let same = &self.same;
            self.body.clear();
            self.body
                .extend(open.map(|code| same[(code >> 1) as usize] << 1 | code & 1));
            self.body.sort_unstable();
            self.body.dedup();
            if self.body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
                continue;
            }
            let from = self.words.len();
            self.words.extend_from_slice(&self.body);
            self.spans.push(from..self.words.len());
        }
        let words = &self.words;
        self.spans
            .sort_unstable_by(|a, b| words[a.clone()].cmp(&words[b.clone()]));
        self.spans
            .dedup_by(|a, b| words[a.clone()] == words[b.clone()]);
    }
}

#[cfg(test)]
mod tests {
    use crate::{AtomKind, ground_closely};
    use budget::Budget;

    /// The names of the views of a game with these rules beside its own.
    fn views(rules: &str) -> Vec<String> {
        let text = format!(
            "(role r) (init (p 1)) (init (q 1)) (init (q 2))
             (<= (next (p ?x)) (does r (flip ?x)))
             (<= (next (q ?x)) (does r (keep ?x)))
             (<= (legal r (flip ?x)) (true (q ?x)))
             (<= (legal r (keep ?x)) (true (p ?x)))
             (<= terminal (true (p 3))) (goal r 0) {rules}"
        );
        let parsed = gdl_parse::parse(&text, &Default::default());
        let program = datalog::Program::from_sheet(&parsed.sheet);
        let game = ground_closely(&program, &Budget::system())
            .expect("it grounds")
            .game;
        let named = game.atoms.iter().zip(&game.view_names);
        let views = named.filter(|(kind, _)| matches!(kind, AtomKind::View));
        views.map(|(_, name)| name.clone()).collect()
    }

    #[test]
    fn views_that_are_defined_alike_are_written_once() {
        let rules = "(<= (legal r a) (bishop 1)) (<= (legal r b) (not (bishop 1)))
                     (<= (legal r c) (queen 1)) (<= (legal r d) (not (queen 1)))
                     (<= (bishop ?x) (true (p ?x)) (true (q 2)))
                     (<= (queen ?x) (true (q 2)) (true (p ?x)))";
        assert_eq!(views(rules), ["(bishop 1)"]);
        // They differ in one condition.
        let other = rules.replace("(queen ?x) (true (q 2))", "(queen ?x) (true (q 1))");
        assert_eq!(views(&other), ["(bishop 1)", "(queen 1)"]);
    }

    #[test]
    fn what_is_alike_below_is_alike_above() {
        let rules = "(<= (legal r a) (not over1)) (<= (legal r b) (not over2))
                     (<= over1 under1 (true (q 1))) (<= over2 under2 (true (q 1)))
                     (<= under1 (true (p 1))) (<= under1 (true (p 2)))
                     (<= under2 (true (p 2))) (<= under2 (true (p 1)))";
        assert_eq!(views(rules).len(), 2, "{:?}", views(rules));
    }

    #[test]
    fn a_view_for_one_fact_is_not_written() {
        assert_eq!(
            views("(<= (legal r a) alias) (<= alias (true (p 1)))"),
            [""; 0]
        );
    }
}
