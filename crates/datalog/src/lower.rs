//! Lowers a syntax tree to a [`Program`]: disjunctions become several rules, negations move
//! inwards, equalities are solved.

use crate::program::{Atom, Literal, Pattern, Program, Rule, VarId};
use crate::terms::{TermId, TermStore};
use crate::unfold::unfold_unsafe;
use crate::unify::Substitution;
use gdl_parse::{Keyword, Rulesheet, Span, Symbol, ast};
use rustc_hash::FxHashMap;

/// If a rule has more alternatives than this, its largest disjunction becomes a relation.
const MAX_ALTERNATIVES: usize = 64;

impl Program {
    /// Lowers a rulesheet. Rules that can never matter, such as those that claim to derive
    /// `does`, are left out.
    pub fn from_sheet(sheet: &Rulesheet) -> Program {
        let mut lowering = Lowering {
            program: Program::empty(TermStore::new(sheet.symbols.clone())),
            helpers: 0,
        };
        for rule in &sheet.rules {
            lowering.rule(rule);
        }
        let mut program = lowering.program;
        unfold_unsafe(&mut program);
        program
    }
}

/// A literal before equalities are solved.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    Literal(Literal),
    Equal(Pattern, Pattern),
}

/// A disjunction of conjunctions.
type Alternatives = Vec<Vec<Part>>;

struct Lowering {
    program: Program,
    helpers: usize,
}

/// The variables of the current rule.
#[derive(Default)]
struct Vars {
    ids: FxHashMap<Symbol, VarId>,
    /// How often each variable occurs in the whole rule.
    occurrences: FxHashMap<Symbol, usize>,
}

impl Lowering {
    fn rule(&mut self, rule: &ast::Rule) {
        // State and moves are inputs. Rules cannot derive them.
        let head_keyword = rule.head.keyword();
        if matches!(head_keyword, Some(Keyword::True | Keyword::Does)) {
            return;
        }
        let mut vars = Vars::default();
        count_atom(&rule.head, &mut vars.occurrences);
        for literal in &rule.body {
            count_literal(literal, &mut vars.occurrences);
        }
        let head = self.atom(&rule.head, &mut vars);
        let alternatives = self.conjunction(&rule.body, &mut vars, rule.span);
        for mut parts in alternatives {
            // Some rulesheets leave the role of `legal` and `goal` unbound. Only roles make
            // sense there.
            if matches!(
                head_keyword,
                Some(Keyword::Legal | Keyword::Goal | Keyword::Input)
            ) && let Some(role @ Pattern::Var(var)) = head.args.first()
                && !parts.iter().any(|part| binds(part, *var))
            {
                parts.push(Part::Literal(Literal::Positive(Atom {
                    relation: Program::keyword(Keyword::Role),
                    args: [role.clone()].into(),
                })));
            }
            emit(&mut self.program, head.clone(), parts, rule.span);
        }
    }

    fn term(&mut self, term: &ast::Term, vars: &mut Vars) -> Pattern {
        match term {
            ast::Term::Constant(symbol, _) => Pattern::Term(self.program.terms.constant(*symbol)),
            ast::Term::Variable(name, _) => {
                let next = vars.ids.len() as VarId;
                Pattern::Var(*vars.ids.entry(*name).or_insert(next))
            }
            ast::Term::Compound(functor, args, _) => {
                let args: Box<[Pattern]> = args.iter().map(|arg| self.term(arg, vars)).collect();
                match args
                    .iter()
                    .map(Pattern::as_term)
                    .collect::<Option<Vec<TermId>>>()
                {
                    Some(ground) => Pattern::Term(self.program.terms.compound(*functor, &ground)),
                    None => Pattern::Compound(*functor, args),
                }
            }
        }
    }

    fn atom(&mut self, atom: &ast::Atom, vars: &mut Vars) -> Atom {
        let args: Box<[Pattern]> = atom.args.iter().map(|arg| self.term(arg, vars)).collect();
        Atom {
            relation: self.program.relation(atom.relation, args.len()),
            args,
        }
    }

    fn conjunction(
        &mut self,
        literals: &[ast::Literal],
        vars: &mut Vars,
        span: Span,
    ) -> Alternatives {
        let mut product: Alternatives = vec![Vec::new()];
        for literal in literals {
            let mut factor = self.literal(literal, vars, span);
            if factor.len() > 1 && product.len() * factor.len() > MAX_ALTERNATIVES {
                let head = self.helper(factor, literal, vars, span);
                factor = vec![vec![Part::Literal(Literal::Positive(head))]];
            }
            product = multiply(product, &factor);
        }
        product
    }

    fn literal(&mut self, literal: &ast::Literal, vars: &mut Vars, span: Span) -> Alternatives {
        match literal {
            ast::Literal::Atom(atom) => {
                vec![vec![Part::Literal(Literal::Positive(
                    self.atom(atom, vars),
                ))]]
            }
            ast::Literal::Distinct(a, b, _) => {
                let distinct = Literal::Distinct(self.term(a, vars), self.term(b, vars));
                vec![vec![Part::Literal(distinct)]]
            }
            ast::Literal::And(items, _) => self.conjunction(items, vars, span),
            ast::Literal::Or(items, _) => items
                .iter()
                .flat_map(|item| self.literal(item, vars, span))
                .collect(),
            ast::Literal::Not(inner, _) => self.negation(inner, vars, span),
        }
    }

    fn negation(&mut self, inner: &ast::Literal, vars: &mut Vars, span: Span) -> Alternatives {
        match inner {
            ast::Literal::Atom(atom) => {
                vec![vec![Part::Literal(Literal::Negative(
                    self.atom(atom, vars),
                ))]]
            }
            ast::Literal::Distinct(a, b, _) => {
                vec![vec![Part::Equal(self.term(a, vars), self.term(b, vars))]]
            }
            ast::Literal::Not(inner, _) => self.literal(inner, vars, span),
            ast::Literal::Or(items, _) => {
                let mut product: Alternatives = vec![Vec::new()];
                for item in items {
                    let factor = self.negation(item, vars, span);
                    if product.len() * factor.len() > MAX_ALTERNATIVES {
                        return self.negated_helper(inner, vars, span);
                    }
                    product = multiply(product, &factor);
                }
                product
            }
            ast::Literal::And(items, _) => {
                if local_variables(inner, vars) {
                    // "There is no ?x with p(?x) and q(?x)" is not "not p(?x) or not q(?x)".
                    self.negated_helper(inner, vars, span)
                } else {
                    items
                        .iter()
                        .flat_map(|item| self.negation(item, vars, span))
                        .collect()
                }
            }
        }
    }

    /// The negation of a helper relation that holds where `inner` holds.
    fn negated_helper(
        &mut self,
        inner: &ast::Literal,
        vars: &mut Vars,
        span: Span,
    ) -> Alternatives {
        let alternatives = self.literal(inner, vars, span);
        let head = self.helper(alternatives, inner, vars, span);
        vec![vec![Part::Literal(Literal::Negative(head))]]
    }

    /// A helper relation that holds where one of the alternatives holds. Its arguments are the
    /// variables that `source` shares with the rest of the rule.
    fn helper(
        &mut self,
        alternatives: Alternatives,
        source: &ast::Literal,
        vars: &mut Vars,
        span: Span,
    ) -> Atom {
        let mut inside = FxHashMap::default();
        count_literal(source, &mut inside);
        let mut shared: Vec<VarId> = inside
            .iter()
            .filter(|(name, count)| vars.occurrences.get(name) != Some(count))
            .filter_map(|(name, _)| vars.ids.get(name).copied())
            .collect();
        shared.sort_unstable();
        // No rulesheet can contain a name with a space, so the name is unique.
        let name = self
            .program
            .terms
            .symbol(&format!("helper {}", self.helpers));
        self.helpers += 1;
        let args: Box<[Pattern]> = shared.into_iter().map(Pattern::Var).collect();
        let head = Atom {
            relation: self.program.relation(name, args.len()),
            args,
        };
        for parts in alternatives {
            emit(&mut self.program, head.clone(), parts, span);
        }
        head
    }
}

fn multiply(left: Alternatives, right: &Alternatives) -> Alternatives {
    left.iter()
        .flat_map(|l| {
            right
                .iter()
                .map(move |r| l.iter().chain(r).cloned().collect())
        })
        .collect()
}

fn binds(part: &Part, var: VarId) -> bool {
    match part {
        Part::Literal(Literal::Positive(atom)) => {
            !atom.args.iter().all(|arg| arg.all_vars(|v| v != var))
        }
        Part::Equal(a, b) => *a == Pattern::Var(var) || *b == Pattern::Var(var),
        Part::Literal(_) => false,
    }
}

/// Adds a rule after solving equalities, removing trivial conditions and renumbering variables.
/// Adds nothing if the body can never hold.
pub(crate) fn emit(program: &mut Program, head: Atom, parts: Vec<Part>, span: Span) {
    if let Some(rule) = solved(&mut program.terms, &head, parts, span) {
        program.add_rule(rule);
    }
}

impl Rule {
    /// A rule in normal form: without conditions that always hold or stand twice, its variables
    /// numbered in the order in which they occur. `None` if the body can never hold.
    pub fn normal(
        head: &Atom,
        body: Vec<Literal>,
        span: Span,
        terms: &mut TermStore,
    ) -> Option<Rule> {
        let parts = body.into_iter().map(Part::Literal).collect();
        solved(terms, head, parts, span)
    }
}

/// The rule with equalities solved, trivial conditions removed and variables renumbered. `None`
/// if the body can never hold.
pub(crate) fn solved(
    terms: &mut TermStore,
    head: &Atom,
    parts: Vec<Part>,
    span: Span,
) -> Option<Rule> {
    let mut substitution = Substitution::default();
    for part in &parts {
        if let Part::Equal(a, b) = part
            && !substitution.unify(a, b, terms)
        {
            return None;
        }
    }
    let mut head = substitution.apply_atom(head, terms);
    let mut body: Vec<Literal> = Vec::new();
    for part in &parts {
        let Part::Literal(literal) = part else {
            continue;
        };
        let literal = substitution.apply_literal(literal, terms);
        if let Literal::Distinct(a, b) = &literal {
            if a == b {
                return None;
            }
            if !Substitution::default().unify(a, b, terms) {
                continue;
            }
        }
        if !body.contains(&literal) {
            body.push(literal);
        }
    }
    let mut numbers: FxHashMap<VarId, VarId> = FxHashMap::default();
    let mut renumber = |var: VarId| {
        let next = numbers.len() as VarId;
        *numbers.entry(var).or_insert(next)
    };
    renumber_atom(&mut head, &mut renumber);
    for literal in &mut body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                renumber_atom(atom, &mut renumber);
            }
            Literal::Distinct(a, b) => {
                renumber_pattern(a, &mut renumber);
                renumber_pattern(b, &mut renumber);
            }
        }
    }
    let vars = numbers.len();
    Some(Rule {
        head,
        body,
        vars,
        span,
    })
}

fn renumber_atom(atom: &mut Atom, renumber: &mut impl FnMut(VarId) -> VarId) {
    atom.args
        .iter_mut()
        .for_each(|arg| renumber_pattern(arg, renumber));
}

fn renumber_pattern(pattern: &mut Pattern, renumber: &mut impl FnMut(VarId) -> VarId) {
    match pattern {
        Pattern::Term(_) => {}
        Pattern::Var(var) => *var = renumber(*var),
        Pattern::Compound(_, args) => {
            args.iter_mut()
                .for_each(|arg| renumber_pattern(arg, renumber));
        }
    }
}

/// Whether a variable occurs in `literal` and nowhere else in the rule.
fn local_variables(literal: &ast::Literal, vars: &Vars) -> bool {
    let mut inside = FxHashMap::default();
    count_literal(literal, &mut inside);
    inside
        .iter()
        .any(|(name, count)| vars.occurrences.get(name) == Some(count))
}

fn count_term(term: &ast::Term, counts: &mut FxHashMap<Symbol, usize>) {
    match term {
        ast::Term::Constant(..) => {}
        ast::Term::Variable(name, _) => *counts.entry(*name).or_default() += 1,
        ast::Term::Compound(_, args, _) => args.iter().for_each(|arg| count_term(arg, counts)),
    }
}

fn count_atom(atom: &ast::Atom, counts: &mut FxHashMap<Symbol, usize>) {
    atom.args.iter().for_each(|arg| count_term(arg, counts));
}

fn count_literal(literal: &ast::Literal, counts: &mut FxHashMap<Symbol, usize>) {
    match literal {
        ast::Literal::Atom(atom) => count_atom(atom, counts),
        ast::Literal::Not(inner, _) => count_literal(inner, counts),
        ast::Literal::Or(items, _) | ast::Literal::And(items, _) => {
            items.iter().for_each(|item| count_literal(item, counts));
        }
        ast::Literal::Distinct(a, b, _) => {
            count_term(a, counts);
            count_term(b, counts);
        }
    }
}
