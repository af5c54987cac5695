//! Rules in the normal form for evaluation.

use crate::terms::{TermId, TermStore};
use gdl_parse::{Keyword, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// The id of a relation: a name with a number of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

impl RelationId {
    /// Returns the id as an index. Ids are dense from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable's position among the variables of its rule.
pub type VarId = u16;

/// The properties of a relation.
#[derive(Debug, Clone)]
pub struct RelationInfo {
    /// Its name. Helper relations have names that no rulesheet can contain.
    pub name: Symbol,
    /// Its number of arguments.
    pub arity: usize,
    /// Its ground facts, without duplicates.
    pub facts: Vec<Box<[TermId]>>,
    /// Positions in [`Program::rules`] of the rules with this head.
    pub rules: Vec<u32>,
}

/// A term that may contain variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A ground term.
    Term(TermId),
    /// A variable.
    Var(VarId),
    /// A function applied to patterns, at least one of which is not ground.
    Compound(Symbol, Box<[Pattern]>),
}

/// A relation applied to patterns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// One pattern for each argument.
    pub args: Box<[Pattern]>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// No instance of the atom holds. Variables that occur nowhere else are existential inside.
    Negative(Atom),
    /// The terms differ.
    Distinct(Pattern, Pattern),
}

/// A rule: the head holds if the whole body holds.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The derived atom.
    pub head: Atom,
    /// The conditions, in the order of the text.
    pub body: Vec<Literal>,
    /// The number of variables, which are numbered from 0.
    pub vars: usize,
    /// The position of the rule in the text.
    pub span: Span,
}

/// A rulesheet ready for evaluation.
#[derive(Debug, Clone)]
pub struct Program {
    /// The ground terms of the rules.
    pub terms: TermStore,
    /// All relations. Those of keywords come first, see [`Program::keyword`].
    pub relations: Vec<RelationInfo>,
    /// All rules that are not ground facts.
    pub rules: Vec<Rule>,
    pub(crate) by_name: FxHashMap<(Symbol, usize), RelationId>,
    fact_set: FxHashSet<(RelationId, Box<[TermId]>)>,
}

/// The keyword relations, in the order of their ids.
const KEYWORD_RELATIONS: [Keyword; 10] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
    Keyword::Base,
    Keyword::Input,
];

impl Program {
    /// Creates a program without rules.
    pub(crate) fn empty(terms: TermStore) -> Self {
        let mut program = Program {
            terms,
            relations: Vec::new(),
            rules: Vec::new(),
            by_name: FxHashMap::default(),
            fact_set: FxHashSet::default(),
        };
        for keyword in KEYWORD_RELATIONS {
            program.relation(keyword.symbol(), keyword.arity().unwrap_or(0));
        }
        program
    }

    /// The relation of a keyword such as `legal`. It is the same in every program.
    ///
    /// # Panics
    /// If the keyword is a connective or `distinct`, which are not relations.
    pub fn keyword(keyword: Keyword) -> RelationId {
        let position = KEYWORD_RELATIONS.iter().position(|&k| k == keyword);
        RelationId(position.expect("connectives are no relations") as u32)
    }

    /// The relation with this name and arity, added if it is new.
    pub(crate) fn relation(&mut self, name: Symbol, arity: usize) -> RelationId {
        let next = RelationId(self.relations.len() as u32);
        let id = *self.by_name.entry((name, arity)).or_insert(next);
        if id == next {
            self.relations.push(RelationInfo {
                name,
                arity,
                facts: Vec::new(),
                rules: Vec::new(),
            });
        }
        id
    }

    /// Returns the properties of a relation.
    pub fn info(&self, relation: RelationId) -> &RelationInfo {
        &self.relations[relation.index()]
    }

    /// Returns the name of a relation.
    pub fn name(&self, relation: RelationId) -> &str {
        self.terms.symbols().name(self.info(relation).name)
    }

    /// The rules with head `relation`. Its ground facts are in [`RelationInfo::facts`].
    pub fn rules_of(&self, relation: RelationId) -> impl Iterator<Item = &Rule> {
        self.info(relation)
            .rules
            .iter()
            .map(|&rule| &self.rules[rule as usize])
    }

    /// The roles that are stated as facts, in order.
    pub fn roles(&self) -> Vec<TermId> {
        let facts = &self.info(Program::keyword(Keyword::Role)).facts;
        facts
            .iter()
            .filter_map(|fact| fact.first().copied())
            .collect()
    }

    /// Puts roles, given with their names, in the order in which every engine numbers them: those
    /// stated as facts as they are stated, then those of rules by name.
    pub fn order_roles(&self, roles: &mut [(TermId, String)]) {
        let stated = self.roles();
        roles.sort_by(|(a, a_name), (b, b_name)| {
            let place = |role| stated.iter().position(|&stated| stated == role);
            let [a, b] = [*a, *b].map(|role| place(role).unwrap_or(stated.len()));
            a.cmp(&b).then_with(|| a_name.cmp(b_name))
        });
    }

    pub(crate) fn add_rule(&mut self, rule: Rule) {
        let relation = rule.head.relation.index();
        if rule.body.is_empty()
            && let Some(fact) = rule
                .head
                .args
                .iter()
                .map(Pattern::as_term)
                .collect::<Option<_>>()
        {
            let fact: Box<[TermId]> = fact;
            if self.fact_set.insert((rule.head.relation, fact.clone())) {
                self.relations[relation].facts.push(fact);
            }
            return;
        }
        self.relations[relation].rules.push(self.rules.len() as u32);
        self.rules.push(rule);
    }
}

impl Pattern {
    /// The ground term, if the pattern is one.
    pub fn as_term(&self) -> Option<TermId> {
        match self {
            Pattern::Term(term) => Some(*term),
            _ => None,
        }
    }

    /// Calls `visit` for every occurrence of a variable, left to right.
    pub fn for_each_var(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Pattern::Term(_) => {}
            Pattern::Var(var) => visit(*var),
            Pattern::Compound(_, args) => args.iter().for_each(|arg| arg.for_each_var(visit)),
        }
    }

    /// The pattern with `by` added to the number of each variable.
    pub fn shifted(&self, by: VarId) -> Pattern {
        match self {
            Pattern::Term(term) => Pattern::Term(*term),
            Pattern::Var(var) => Pattern::Var(var + by),
            Pattern::Compound(functor, args) => {
                Pattern::Compound(*functor, args.iter().map(|arg| arg.shifted(by)).collect())
            }
        }
    }

    /// Whether every variable satisfies `test`.
    pub fn all_vars(&self, mut test: impl FnMut(VarId) -> bool) -> bool {
        let mut all = true;
        self.for_each_var(&mut |var| all &= test(var));
        all
    }
}

impl Atom {
    /// Calls `visit` for every occurrence of a variable, left to right.
    pub fn for_each_var(&self, visit: &mut impl FnMut(VarId)) {
        self.args.iter().for_each(|arg| arg.for_each_var(visit));
    }

    /// The atom with `by` added to the number of each variable.
    pub fn shifted(&self, by: VarId) -> Atom {
        Atom {
            relation: self.relation,
            args: self.args.iter().map(|arg| arg.shifted(by)).collect(),
        }
    }
}

impl Literal {
    /// Calls `visit` for every occurrence of a variable, left to right.
    pub fn for_each_var(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_var(visit),
            Literal::Distinct(a, b) => {
                a.for_each_var(visit);
                b.for_each_var(visit);
            }
        }
    }

    /// The literal with `by` added to the number of each variable.
    pub fn shifted(&self, by: VarId) -> Literal {
        match self {
            Literal::Positive(atom) => Literal::Positive(atom.shifted(by)),
            Literal::Negative(atom) => Literal::Negative(atom.shifted(by)),
            Literal::Distinct(a, b) => Literal::Distinct(a.shifted(by), b.shifted(by)),
        }
    }

    /// The atom, if the literal is positive.
    pub fn positive(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        }
    }
}
