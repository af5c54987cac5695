//! The data that all checks share: the relations of a rulesheet, their definitions and uses,
//! and which depend on themselves.

use gdl_parse::diagnostic::{cut, quote};
use gdl_parse::{Atom, Keyword, Literal, Rule, Rulesheet, Symbol, Term};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

/// A relation: its name and its arity. Uses with another arity are other relations (and an
/// arity clash).
pub(crate) type Relation = (Symbol, usize);

/// A use of a relation in the body of a rule.
pub(crate) struct Use<'a> {
    pub(crate) atom: &'a Atom,
    /// Whether it is inside a `not`.
    pub(crate) negative: bool,
    /// The number of the relation.
    pub(crate) relation: usize,
}

/// A rulesheet with its relations.
pub(crate) struct Context<'a> {
    pub(crate) sheet: &'a Rulesheet,
    /// All relations in order of first appearance. Their positions are their numbers.
    pub(crate) relations: Vec<Relation>,
    numbers: FxHashMap<Relation, usize>,
    /// For each relation, the rules with it as their head.
    pub(crate) rules_of: Vec<Vec<usize>>,
    /// All uses of relations in bodies, in order of the text.
    pub(crate) uses: Vec<Use<'a>>,
    /// For each rule, the range of its `uses`.
    uses_of: Vec<std::ops::Range<usize>>,
    /// For each relation, the number of its strongly connected component. Relations share it
    /// exactly if they depend on each other.
    component: Vec<usize>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(sheet: &'a Rulesheet) -> Self {
        let mut context = Context {
            sheet,
            relations: Vec::new(),
            numbers: FxHashMap::default(),
            rules_of: Vec::new(),
            uses: Vec::new(),
            uses_of: Vec::new(),
            component: Vec::new(),
        };
        for (index, rule) in sheet.rules.iter().enumerate() {
            let head = context.intern(&rule.head);
            context.rules_of[head].push(index);
            let first = context.uses.len();
            for (atom, negative) in atoms(&rule.body) {
                let relation = context.intern(atom);
                context.uses.push(Use {
                    atom,
                    negative,
                    relation,
                });
            }
            context.uses_of.push(first..context.uses.len());
        }
        context.component = context.components();
        context
    }

    fn intern(&mut self, atom: &Atom) -> usize {
        let relation = (atom.relation, atom.args.len());
        *self.numbers.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            self.rules_of.push(Vec::new());
            self.relations.len() - 1
        })
    }

    fn components(&self) -> Vec<usize> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = self.relations.iter().map(|_| graph.add_node(())).collect();
        for (head, rules) in self.rules_of.iter().enumerate() {
            for used in rules.iter().flat_map(|&rule| self.uses_of(rule)) {
                graph.update_edge(nodes[head], nodes[used.relation], ());
            }
        }
        let mut component = vec![0; nodes.len()];
        // Kosaraju's algorithm, because petgraph's Tarjan recurses as deep as rules are
        // chained.
        for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
            for member in members {
                component[member.index()] = number;
            }
        }
        component
    }

    /// The relations used in the body of a rule.
    pub(crate) fn uses_of(&self, rule: usize) -> &[Use<'a>] {
        &self.uses[self.uses_of[rule].clone()]
    }

    pub(crate) fn rule(&self, index: usize) -> &'a Rule {
        &self.sheet.rules[index]
    }

    /// The number of the relation of `atom`.
    pub(crate) fn number(&self, atom: &Atom) -> Option<usize> {
        self.numbers.get(&(atom.relation, atom.args.len())).copied()
    }

    /// The number of a keyword's relation, if the rulesheet uses it.
    pub(crate) fn keyword(&self, keyword: Keyword) -> Option<usize> {
        let relation = (keyword.symbol(), keyword.arity()?);
        self.numbers.get(&relation).copied()
    }

    /// The number of a relation by its name, ignoring case.
    pub(crate) fn named(&self, name: &str, arity: usize) -> Option<usize> {
        self.relations.iter().position(|&(symbol, n)| {
            n == arity && self.sheet.symbols.name(symbol).eq_ignore_ascii_case(name)
        })
    }

    /// The rules whose head is the keyword with its proper arity.
    pub(crate) fn rules_for(&self, keyword: Keyword) -> impl Iterator<Item = &'a Rule> {
        let number = self.keyword(keyword);
        let rules = number.map_or([].as_slice(), |number| &self.rules_of[number]);
        rules.iter().map(|&index| self.rule(index))
    }

    /// Whether two relations depend on each other. Without a cycle, a relation does not even
    /// depend on itself.
    pub(crate) fn in_one_cycle(&self, head: usize, used: usize) -> bool {
        self.component[head] == self.component[used]
    }

    /// The shortest path from one relation to another through rules, including both ends. Empty
    /// if there is none.
    pub(crate) fn path(&self, from: usize, to: usize) -> Vec<usize> {
        let mut came_from: Vec<Option<usize>> = vec![None; self.relations.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let rules = self.rules_of[at].iter();
            for used in rules.flat_map(|&rule| self.uses_of(rule)) {
                let next = used.relation;
                if came_from[next].is_some() {
                    continue;
                }
                came_from[next] = Some(at);
                if next == to {
                    let mut path = vec![to];
                    let mut at = came_from[to];
                    while let Some(previous) = at {
                        path.push(previous);
                        at = came_from[previous].filter(|_| previous != from);
                    }
                    path.reverse();
                    return path;
                }
                queue.push_back(next);
            }
        }
        Vec::new()
    }

    /// A relation's name in backquotes.
    pub(crate) fn name(&self, symbol: Symbol) -> String {
        quote(self.sheet.symbols.name(symbol))
    }

    /// The names along a path, for messages.
    pub(crate) fn trail(&self, path: &[usize]) -> String {
        const LONGEST: usize = 8;
        let names = path
            .iter()
            .take(LONGEST)
            .map(|&number| cut(self.sheet.symbols.name(self.relations[number].0)));
        let mut text = names.collect::<Vec<_>>().join(" -> ");
        if path.len() > LONGEST {
            text.push_str(" -> ...");
        }
        text
    }

    /// The text of a term, in backquotes.
    pub(crate) fn term(&self, term: &Term) -> String {
        quote(&term.display(&self.sheet.symbols).to_string())
    }

    /// The text of an atom, in backquotes.
    pub(crate) fn atom(&self, atom: &Atom) -> String {
        quote(&atom.display(&self.sheet.symbols).to_string())
    }
}

/// The atoms of a body in order, each with a flag for being inside a `not`.
fn atoms(body: &[Literal]) -> Vec<(&Atom, bool)> {
    fn visit<'a>(literal: &'a Literal, negative: bool, out: &mut Vec<(&'a Atom, bool)>) {
        match literal {
            Literal::Atom(atom) => out.push((atom, negative)),
            Literal::Not(inner, _) => visit(inner, true, out),
            Literal::Or(items, _) | Literal::And(items, _) => {
                items.iter().for_each(|item| visit(item, negative, out));
            }
            Literal::Distinct(..) => {}
        }
    }
    let mut out = Vec::new();
    body.iter()
        .for_each(|literal| visit(literal, false, &mut out));
    out
}

/// Calls `visit` with every literal of a body, outer ones first.
pub(crate) fn for_each_literal<'a>(body: &'a [Literal], visit: &mut impl FnMut(&'a Literal)) {
    for literal in body {
        visit(literal);
        match literal {
            Literal::Atom(_) | Literal::Distinct(..) => {}
            Literal::Not(inner, _) => for_each_literal(std::slice::from_ref(&**inner), visit),
            Literal::Or(items, _) | Literal::And(items, _) => for_each_literal(items, visit),
        }
    }
}

/// Calls `visit` with every term of a rule, including nested terms.
pub(crate) fn for_each_term<'a>(rule: &'a Rule, visit: &mut impl FnMut(&'a Term)) {
    fn inside<'a>(terms: &'a [Term], visit: &mut impl FnMut(&'a Term)) {
        for term in terms {
            visit(term);
            if let Term::Compound(_, args, _) = term {
                inside(args, visit);
            }
        }
    }
    inside(&rule.head.args, visit);
    for_each_literal(&rule.body, &mut |literal| match literal {
        Literal::Atom(atom) => inside(&atom.args, visit),
        Literal::Distinct(a, b, _) => {
            inside(std::slice::from_ref(a), visit);
            inside(std::slice::from_ref(b), visit);
        }
        _ => {}
    });
}

/// Calls `visit` with every variable in `term`.
pub(crate) fn for_each_variable(term: &Term, visit: &mut impl FnMut(Symbol, gdl_parse::Span)) {
    match term {
        Term::Variable(symbol, span) => visit(*symbol, *span),
        Term::Compound(_, args, _) => args.iter().for_each(|arg| for_each_variable(arg, visit)),
        Term::Constant(..) => {}
    }
}

/// Whether two terms have the same text.
pub(crate) fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Constant(a, _), Term::Constant(b, _)) => a == b,
        (Term::Variable(a, _), Term::Variable(b, _)) => a == b,
        (Term::Compound(a, xs, _), Term::Compound(b, ys, _)) => {
            a == b && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(x, y))
        }
        _ => false,
    }
}
