//! Writes the ground rules as plain data.

use crate::alike::alike;
use crate::engine::Fixpoint;
use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use crate::heads::ByHead;
use crate::idle::split;
use crate::implied::drop_implied;
use crate::inline::inline;
use crate::meter::Meter;
use crate::moves::factor;
use crate::simplify::{Settled, initial};
use crate::store::AtomNo;
use datalog::{Program, TermId, TermStore};
use gdl_parse::{GroundTerm, Keyword};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// Writes the game, without anything whose value is settled. From `many` instances on, views that
/// are defined alike are written once.
pub(crate) fn write(
    fixpoint: &Fixpoint,
    by_head: &ByHead,
    settled: &Settled,
    many: usize,
    meter: &mut Meter<'_>,
) -> Result<GroundGame, GroundError> {
    let mut writer = Writer {
        fixpoint,
        by_head,
        settled,
        naming: Naming::new(&fixpoint.terms),
        game: GroundGame::default(),
        ids: vec![AtomId(u32::MAX); fixpoint.atoms.len()],
        same: Vec::new(),
    };
    writer.roles_facts_moves();
    let held = fixpoint.bytes() + by_head.bytes() + fixpoint.atoms.len() * 64;
    meter.look(held)?;
    writer.views(many, meter, held)?;
    let held = writer.rules(meter, held)?;
    let mut helper = vec![false; writer.game.atoms.len()];
    for (atom, id) in writer.ids.iter().enumerate() {
        if id.0 != u32::MAX && writer.is_own(atom as AtomNo) {
            let relation = fixpoint.atoms.relation(atom as AtomNo);
            helper[id.index()] |= relation >= fixpoint.first_helper;
        }
    }
    let mut game = writer.game;
    inline(&mut game, &helper, &mut || meter.watch(held))?;
    split(&mut game, &mut || meter.watch(held))?;
    drop_implied(&mut game, &mut || meter.watch(held))?;
    factor(&mut game, &mut || meter.watch(held))?;
    Ok(game)
}

struct Writer<'a> {
    fixpoint: &'a Fixpoint,
    by_head: &'a ByHead,
    settled: &'a Settled,
    naming: Naming<'a>,
    game: GroundGame,
    /// For each atom its number in the output.
    ids: Vec<AtomId>,
    /// For each atom the one that is written in its place. Empty if all are written.
    same: Vec<AtomNo>,
}

impl Writer<'_> {
    /// Adds an output atom for `atom`.
    fn add(&mut self, atom: Option<AtomNo>, kind: AtomKind) {
        let id = AtomId(self.game.atoms.len() as u32);
        self.game.atoms.push(kind);
        let name = match (kind, atom) {
            (AtomKind::View, Some(atom)) => self.view_name(atom),
            _ => String::new(),
        };
        self.game.view_names.push(name);
        if let Some(atom) = atom {
            self.ids[atom as usize] = id;
        }
    }

    fn view_name(&self, atom: AtomNo) -> String {
        let fixpoint = self.fixpoint;
        let name = fixpoint.program.info(fixpoint.atoms.relation(atom)).name;
        let name = fixpoint.terms.symbols().name(name);
        let args = fixpoint.atoms.args(atom);
        if args.is_empty() {
            return name.to_owned();
        }
        let mut text = format!("({name}");
        for &arg in args {
            text.push(' ');
            self.naming.write(arg, &mut text);
        }
        text.push(')');
        text
    }

    /// The possible atoms of a keyword's relation.
    fn possible(&self, keyword: Keyword) -> Vec<AtomNo> {
        let tuples = self.fixpoint.atoms.tuples(Program::keyword(keyword));
        let atoms = tuples.derived.iter().map(|&tuple| tuples.atom(tuple));
        atoms.filter(|&atom| self.settled.possible(atom)).collect()
    }

    /// Writes the roles in order, the facts and moves sorted by structure, and the atoms of all
    /// of these.
    fn roles_facts_moves(&mut self) {
        let atoms = &self.fixpoint.atoms;
        let role_tuples = atoms.tuples(Program::keyword(Keyword::Role));
        let named = role_tuples.derived.iter().map(|&tuple| {
            let role = role_tuples.args(tuple)[0];
            (role, self.naming.term(role).to_string())
        });
        let mut named: Vec<(TermId, String)> = named.collect();
        self.fixpoint.program.order_roles(&mut named);
        let mut roles: FxHashMap<TermId, u32> = FxHashMap::default();
        for (role, _) in named {
            roles.insert(role, self.game.roles.len() as u32);
            self.game.roles.push(self.naming.term(role));
        }

        let mut facts = self.possible(Keyword::True);
        facts.sort_by(|&a, &b| self.naming.compare(atoms.args(a)[0], atoms.args(b)[0]));
        let mut fact_of: FxHashMap<TermId, u32> = FxHashMap::default();
        for &atom in &facts {
            let fact = self.game.facts.len() as u32;
            let term = atoms.args(atom)[0];
            fact_of.insert(term, fact);
            self.game.facts.push(self.naming.term(term));
            self.add(Some(atom), AtomKind::True { fact });
        }
        let initial = initial(self.fixpoint);
        self.game.initial = initial
            .iter()
            .filter_map(|&atom| fact_of.get(&atoms.args(atom)[0]).copied())
            .collect();
        self.game.initial.sort_unstable();

        let mut moves = self.possible(Keyword::Legal);
        moves.sort_by(|&a, &b| {
            let (a, b) = (atoms.args(a), atoms.args(b));
            roles
                .get(&a[0])
                .cmp(&roles.get(&b[0]))
                .then_with(|| self.naming.compare(a[1], b[1]))
        });
        self.game.moves = vec![Vec::new(); self.game.roles.len()];
        let does = Program::keyword(Keyword::Does);
        for legal in moves {
            let args = atoms.args(legal);
            let Some(&role) = roles.get(&args[0]) else {
                continue;
            };
            let mv = self.game.moves[role as usize].len() as u32;
            let term = self.naming.term(args[1]);
            self.game.moves[role as usize].push(term);
            self.add(atoms.find(does, args), AtomKind::Does { role, mv });
            self.add(Some(legal), AtomKind::Legal { role, mv });
        }

        for atom in self.possible(Keyword::Next) {
            if let Some(&fact) = fact_of.get(&atoms.args(atom)[0]) {
                self.add(Some(atom), AtomKind::Next { fact });
            }
        }
        let mut goals: Vec<(u32, u8, AtomNo)> = Vec::new();
        for atom in self.possible(Keyword::Goal) {
            let args = atoms.args(atom);
            let text = self.naming.name(args[1]);
            let value = text.and_then(|t| t.parse::<u8>().ok().filter(|&v| v <= 100));
            if let (Some(&role), Some(value)) = (roles.get(&args[0]), value) {
                goals.push((role, value, atom));
            }
        }
        goals.sort_unstable();
        for (i, &(role, value, atom)) in goals.iter().enumerate() {
            // `050` and `50` are the same value.
            if i > 0 && (goals[i - 1].0, goals[i - 1].1) == (role, value) {
                self.ids[atom as usize] = self.ids[goals[i - 1].2 as usize];
            } else {
                self.add(Some(atom), AtomKind::Goal { role, value });
            }
        }
        for atom in self.possible(Keyword::Terminal) {
            self.add(Some(atom), AtomKind::Terminal);
        }
    }

    /// Adds atoms for needed ones that have none yet: views, and goals with invalid values that
    /// rules ask for.
    fn views(
        &mut self,
        many: usize,
        meter: &mut Meter<'_>,
        held: usize,
    ) -> Result<(), GroundError> {
        let open = (0..).zip(&self.ids);
        let open = open.map(|(atom, id)| self.settled.is_open(atom) && id.0 == u32::MAX);
        let views: Vec<bool> = open.collect();
        if self.by_head.len() >= many {
            let watch = &mut |bytes| meter.watch(held + bytes);
            self.same = alike(self.by_head, self.settled, &views, watch)?;
        }
        let views = || (0..views.len()).filter(|&atom| views[atom]);
        for atom in views() {
            if self.is_own(atom as AtomNo) {
                self.add(Some(atom as AtomNo), AtomKind::View);
            }
        }
        for atom in views() {
            if let Some(&same) = self.same.get(atom) {
                self.ids[atom] = self.ids[same as usize];
            }
        }
        Ok(())
    }

    /// Whether no other atom is written in place of this one.
    fn is_own(&self, atom: AtomNo) -> bool {
        self.same
            .get(atom as usize)
            .is_none_or(|&same| same == atom)
    }

    /// Writes the rules, grouped by head. Returns the number of bytes held including them.
    fn rules(&mut self, meter: &mut Meter<'_>, held: usize) -> Result<usize, GroundError> {
        let own = (0..).zip(&self.ids);
        let own = own.filter(|&(atom, id)| id.0 != u32::MAX && self.is_own(atom));
        let mut own: Vec<(AtomId, AtomNo)> = own.map(|(atom, &id)| (id, atom)).collect();
        own.sort_unstable();
        let mut rules: Vec<GroundRule> = Vec::new();
        let mut bytes = held + size_of_val(&*own);
        let mut scratch: Vec<GroundLiteral> = Vec::new();
        // `050` and `50` share an atom, which always holds if either of them always holds.
        for same in own.chunk_by(|one, other| one.0 == other.0) {
            let (head, first) = (same[0].0, rules.len());
            let derived = |atom| self.by_head.bodies(atom).next().is_some();
            let mut atoms = same.iter().map(|&(_, atom)| atom);
            if atoms.any(|atom| self.settled.always(atom) && derived(atom)) {
                rules.push(GroundRule {
                    head,
                    body: Box::default(),
                });
                continue;
            }
            for body in same.iter().flat_map(|&(_, atom)| self.by_head.bodies(atom)) {
                meter.watch(bytes)?;
                let Some(open) = self.settled.open(body) else {
                    continue;
                };
                scratch.clear();
                scratch.extend(open.map(|code| GroundLiteral {
                    atom: self.ids[(code >> 1) as usize],
                    negated: code & 1 == 1,
                }));
                scratch.sort_unstable();
                // Atoms that are alike may stand beside each other, or beside their negation.
                scratch.dedup();
                if scratch.windows(2).any(|pair| pair[0].atom == pair[1].atom) {
                    continue;
                }
                bytes += size_of::<GroundRule>() + scratch.len() * size_of::<GroundLiteral>() + 16;
                rules.push(GroundRule {
                    head,
                    body: scratch.as_slice().into(),
                });
            }
            rules[first..].sort_by(|a, b| a.body.cmp(&b.body));
            let mut kept = first;
            for next in first..rules.len() {
                if kept == first || rules[kept - 1].body != rules[next].body {
                    rules.swap(kept, next);
                    kept += 1;
                }
            }
            rules.truncate(kept);
        }
        self.game.rules = rules;
        meter.look(bytes)?;
        Ok(bytes)
    }
}

/// The names of terms, and their order.
struct Naming<'a> {
    terms: &'a TermStore,
    names: Vec<Arc<str>>,
    /// For each symbol its position among the sorted names. Numbers come first, by value.
    rank: Vec<u32>,
}

impl<'a> Naming<'a> {
    fn new(terms: &'a TermStore) -> Self {
        let symbols = terms.symbols();
        let names: Vec<Arc<str>> = symbols.iter().map(|(_, name)| name.into()).collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |i: usize| {
                let number = names[i].parse::<i64>().ok();
                (number.is_none(), number, &names[i])
            };
            key(a).cmp(&key(b))
        });
        let mut rank = vec![0; names.len()];
        for (position, symbol) in order.into_iter().enumerate() {
            rank[symbol] = position as u32;
        }
        Naming { terms, names, rank }
    }

    /// The name of a constant.
    fn name(&self, term: TermId) -> Option<&str> {
        let constant = self.terms.args(term).is_empty();
        constant.then(|| &*self.names[self.terms.functor(term).index()])
    }

    fn term(&self, term: TermId) -> GroundTerm {
        let name = self.names[self.terms.functor(term).index()].clone();
        match self.terms.args(term) {
            [] => GroundTerm::Constant(name),
            args => GroundTerm::Compound(name, args.iter().map(|&arg| self.term(arg)).collect()),
        }
    }

    fn write(&self, term: TermId, text: &mut String) {
        let name = &self.names[self.terms.functor(term).index()];
        match self.terms.args(term) {
            [] => text.push_str(name),
            args => {
                text.push('(');
                text.push_str(name);
                for &arg in args {
                    text.push(' ');
                    self.write(arg, text);
                }
                text.push(')');
            }
        }
    }

    fn compare(&self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let rank = |term: TermId| self.rank[self.terms.functor(term).index()];
        let (xs, ys) = (self.terms.args(a), self.terms.args(b));
        rank(a)
            .cmp(&rank(b))
            .then_with(|| xs.len().cmp(&ys.len()))
            .then_with(|| {
                let pairs = xs.iter().zip(ys);
                pairs.fold(Ordering::Equal, |order, (&x, &y)| {
                    order.then_with(|| self.compare(x, y))
                })
            })
    }
}
