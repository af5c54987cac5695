//! Compiles rules to [`Code`]: finds the required modes and orders the bodies.

use crate::code::{Build, Clause, Code, Match, Mode, ModeId, Op, PathCode, PathId, Questions};
use crate::code::{Shape, Source};
use crate::needs::{Answers, Needs};
use crate::statistics::Statistics;
use datalog::{
    Atom, Bindings, Dependencies, Dynamics, Literal, Pattern, Program, RelationId, Rule, VarId,
    order_body,
};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

/// The bound arguments of a call, as bits. Arguments beyond the 64th count as free.
pub(crate) type Mask = u64;

/// Compiled code, and how to list whole relations with it.
pub(crate) struct Compiled {
    pub(crate) code: Code,
    /// Modes without keys. Empty if only the queries of an engine were compiled.
    pub(crate) lists: Vec<(RelationId, ModeId)>,
}

/// Compiles everything that the queries of an engine need. If `lists` is set, also compiles
/// modes for listing every relation.
pub(crate) fn compile(
    program: &Program,
    dependencies: &Dependencies,
    statistics: &Statistics,
    lists: bool,
) -> Compiled {
    let mut compiler = Compiler {
        program,
        dependencies,
        modes: Vec::new(),
        mode_ids: FxHashMap::default(),
        todo: Vec::new(),
        paths: Vec::new(),
        path_ids: FxHashMap::default(),
        statistics,
        needs: Needs::of(program, dependencies),
    };
    let mut mode = |keyword, mask| compiler.mode(Part::Whole(Program::keyword(keyword)), mask);
    let questions = Questions {
        terminal: mode(Keyword::Terminal, 0),
        legal: mode(Keyword::Legal, 1),
        next: mode(Keyword::Next, 0),
        goal: mode(Keyword::Goal, 1),
        init: mode(Keyword::Init, 0),
        role: mode(Keyword::Role, 0),
    };
    let mut listed = Vec::new();
    if lists {
        for relation in (0..program.relations.len() as u32).map(RelationId) {
            listed.push((relation, compiler.mode(Part::Whole(relation), 0)));
        }
    }
    while let Some((id, part, mask)) = compiler.todo.pop() {
        let source = compiler.source(part, mask);
        compiler.modes[id as usize].source = source;
    }
    let code = Code {
        modes: compiler.modes,
        paths: compiler.paths,
        questions,
    };
    Compiled {
        code,
        lists: listed,
    }
}

/// A whole relation, or only its ground facts if it also has rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Whole(RelationId),
    Facts(RelationId),
}

struct Compiler<'a> {
    program: &'a Program,
    dependencies: &'a Dependencies,
    modes: Vec<Mode>,
    mode_ids: FxHashMap<(Part, Mask), ModeId>,
    todo: Vec<(ModeId, Part, Mask)>,
    paths: Vec<PathCode>,
    path_ids: FxHashMap<Shape, PathId>,
    statistics: &'a Statistics,
    needs: Needs<'a>,
}

/// The arguments of `atom` that are bound.
pub(crate) fn mask(atom: &Atom, bindings: &Bindings) -> Mask {
    let args = atom.args.iter().enumerate().take(64);
    args.filter(|(_, arg)| bindings.is_ground(arg))
        .fold(0, |mask, (i, _)| mask | 1 << i)
}

pub(crate) fn is_bound(mask: Mask, argument: usize) -> bool {
    argument < 64 && mask >> argument & 1 == 1
}

impl Compiler<'_> {
    fn mode(&mut self, part: Part, mask: Mask) -> ModeId {
        if let Some(&id) = self.mode_ids.get(&(part, mask)) {
            return id;
        }
        let id = self.modes.len() as ModeId;
        self.mode_ids.insert((part, mask), id);
        self.todo.push((id, part, mask));
        let (Part::Whole(relation) | Part::Facts(relation)) = part;
        let whole = matches!(part, Part::Whole(_));
        let arity = self.program.info(relation).arity;
        let keys = (0..arity).filter(|&i| is_bound(mask, i)).count();
        self.modes.push(Mode {
            keys,
            outs: arity - keys,
            dynamics: if whole {
                self.dependencies.dynamics(relation)
            } else {
                Dynamics::Static
            },
            recursive: whole && self.dependencies.is_recursive(relation.index()),
            source: Source::Tuples(Vec::new()),
        });
        id
    }

    fn source(&mut self, part: Part, mask: Mask) -> Source {
        let program = self.program;
        let (Part::Whole(relation) | Part::Facts(relation)) = part;
        let info = program.info(relation);
        if matches!(part, Part::Facts(_)) || info.rules.is_empty() {
            let tuples = info.facts.iter().map(|fact| {
                let (bound, free): (Vec<_>, Vec<_>) = fact
                    .iter()
                    .enumerate()
                    .partition(|(i, _)| is_bound(mask, *i));
                bound
                    .into_iter()
                    .chain(free)
                    .map(|(_, &term)| term)
                    .collect()
            });
            return Source::Tuples(tuples.collect());
        }
        let mut clauses = Vec::with_capacity(info.rules.len() + 1);
        if !info.facts.is_empty() {
            clauses.push(self.facts_clause(relation, mask, info.arity));
        }
        let rules = program.rules_of(relation);
        clauses.extend(rules.filter_map(|rule| self.clause(rule, mask)));
        Source::Clauses(clauses)
    }

    /// The clause for `relation(x...)` from stated facts.
    fn facts_clause(&mut self, relation: RelationId, mask: Mask, arity: usize) -> Clause {
        let mode = self.mode(Part::Facts(relation), mask);
        let (bound, free): (Vec<VarId>, Vec<VarId>) =
            (0..arity as VarId).partition(|&i| is_bound(mask, i as usize));
        Clause {
            head: bound.iter().map(|&var| Match::Bind(var)).collect(),
            ops: Box::new([Op::Call {
                mode,
                keys: bound.iter().map(|&var| Build::Register(var)).collect(),
                outs: free.iter().map(|&var| Match::Bind(var)).collect(),
            }]),
            once: Box::new([false]),
            outs: free.iter().map(|&var| Build::Register(var)).collect(),
            registers: arity,
        }
    }

    /// Compiles a rule for this mode. `None` if a variable of the head would have no value.
    fn clause(&mut self, rule: &Rule, mask: Mask) -> Option<Clause> {
        let mut bindings = Bindings::none(rule.vars);
        let mut head = Vec::new();
        for (i, arg) in rule.head.args.iter().enumerate() {
            if is_bound(mask, i) {
                head.push(matcher(arg, &mut bindings));
            }
        }
        let order = order_body(rule, bindings.clone(), |atom, bindings| {
            let cost = cost(
                atom,
                bindings,
                self.program,
                self.dependencies,
                self.statistics,
            );
            match self.needs.answers(atom, bindings) {
                Answers::All => cost,
                Answers::Endless => cost + ENDLESS,
                Answers::Missing => cost + MISSING,
            }
        });
        let (mut ops, mut once) = (Vec::new(), Vec::new());
        for (at, &position) in order.iter().enumerate() {
            let literal = &rule.body[position];
            let later = order[at + 1..].iter().map(|&later| &rule.body[later]);
            let enough = !binds_for(literal, &bindings, later, &rule.head);
            if let Some(op) = self.literal(literal, &mut bindings) {
                ops.push(op);
                once.push(enough);
            }
        }
        let free = rule
            .head
            .args
            .iter()
            .enumerate()
            .filter(|(i, _)| !is_bound(mask, *i));
        let outs = free
            .map(|(_, arg)| builder(arg, &bindings))
            .collect::<Option<_>>()?;
        Some(Clause {
            head: head.into(),
            ops: ops.into(),
            once: once.into(),
            outs,
            registers: rule.vars,
        })
    }

    /// Compiles a literal to a step. `None` if it constrains nothing.
    fn literal(&mut self, literal: &Literal, bindings: &mut Bindings) -> Option<Op> {
        match literal {
            Literal::Positive(atom) => Some(self.atom(atom, bindings)),
            // Variables bound inside a negation are not bound outside.
            Literal::Negative(atom) => {
                Some(Op::Not(Box::new(self.atom(atom, &mut bindings.clone()))))
            }
            // A variable without a binding can always differ.
            Literal::Distinct(a, b) => {
                Some(Op::Distinct(builder(a, bindings)?, builder(b, bindings)?))
            }
        }
    }

    fn atom(&mut self, atom: &Atom, bindings: &mut Bindings) -> Op {
        if atom.relation == Program::keyword(Keyword::True) {
            return self.fact(&atom.args[0], bindings);
        }
        if atom.relation == Program::keyword(Keyword::Does) {
            let role = matcher(&atom.args[0], bindings);
            return Op::Does {
                role,
                mv: matcher(&atom.args[1], bindings),
            };
        }
        let mut mask = 0;
        let mut keys = Vec::new();
        for (i, arg) in atom.args.iter().enumerate().take(64) {
            if let Some(key) = builder(arg, bindings) {
                mask |= 1 << i;
                keys.push(key);
            }
        }
        let free: Vec<&Pattern> = atom
            .args
            .iter()
            .enumerate()
            .filter_map(|(i, arg)| (!is_bound(mask, i)).then_some(arg))
            .collect();
        let outs = free.into_iter().map(|arg| matcher(arg, bindings)).collect();
        Op::Call {
            mode: self.mode(Part::Whole(atom.relation), mask),
            keys: keys.into(),
            outs,
        }
    }

    fn fact(&mut self, pattern: &Pattern, bindings: &mut Bindings) -> Op {
        if let Some(term) = builder(pattern, bindings) {
            return Op::Holds(term);
        }
        let (mut keys, mut outs) = (Vec::new(), Vec::new());
        let shape = shape(pattern, bindings, &mut keys, &mut outs);
        bindings.bind(pattern);
        let path = *self.path_ids.entry(shape.clone()).or_insert_with(|| {
            self.paths.push(PathCode {
                shape,
                keys: keys.len(),
                outs: outs.len(),
            });
            self.paths.len() as PathId - 1
        });
        Op::Facts {
            path,
            keys: keys.into_iter().map(Build::Register).collect(),
            outs: outs.into(),
        }
    }
}

/// Whether a literal binds a variable that later literals or the head read.
fn binds_for<'r>(
    literal: &Literal,
    bindings: &Bindings,
    later: impl Iterator<Item = &'r Literal>,
    head: &Atom,
) -> bool {
    let mut read = Bindings::clone(bindings);
    let mut bound = Vec::new();
    let Literal::Positive(atom) = literal else {
        return false;
    };
    let mut note = |var| {
        if !bindings.contains(var) {
            bound.push(var);
        }
    };
    atom.args.iter().for_each(|arg| arg.for_each_var(&mut note));
    for literal in later {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => read.bind_atom(atom),
            Literal::Distinct(a, b) => [a, b].into_iter().for_each(|term| read.bind(term)),
        }
    }
    read.bind_atom(head);
    bound.into_iter().any(|var| read.contains(var))
}

/// The path for a pattern: bound variables become keys, the others become outs.
fn shape(
    pattern: &Pattern,
    bindings: &Bindings,
    keys: &mut Vec<VarId>,
    outs: &mut Vec<VarId>,
) -> Shape {
    let number = |list: &mut Vec<VarId>, var: VarId| {
        let known = list.iter().position(|&v| v == var);
        known.unwrap_or_else(|| {
            list.push(var);
            list.len() - 1
        }) as u16
    };
    match pattern {
        Pattern::Term(term) => Shape::Term(*term),
        Pattern::Var(var) if bindings.contains(*var) => Shape::Key(number(keys, *var)),
        Pattern::Var(var) => Shape::Out(number(outs, *var)),
        Pattern::Compound(functor, args) => Shape::Compound(
            *functor,
            args.iter()
                .map(|arg| shape(arg, bindings, keys, outs))
                .collect(),
        ),
    }
}

/// How to build a term from the pattern, if all of its variables are bound.
fn builder(pattern: &Pattern, bindings: &Bindings) -> Option<Build> {
    Some(match pattern {
        Pattern::Term(term) => Build::Term(*term),
        Pattern::Var(var) if bindings.contains(*var) => Build::Register(*var),
        Pattern::Var(_) => return None,
        Pattern::Compound(functor, args) => Build::Compound(
            *functor,
            args.iter()
                .map(|arg| builder(arg, bindings))
                .collect::<Option<_>>()?,
        ),
    })
}

/// How to match a term with the pattern. Binds the variables of the pattern.
fn matcher(pattern: &Pattern, bindings: &mut Bindings) -> Match {
    match pattern {
        Pattern::Term(term) => Match::Term(*term),
        Pattern::Var(var) if bindings.contains(*var) => Match::Check(*var),
        Pattern::Var(var) => {
            bindings.bind(pattern);
            Match::Bind(*var)
        }
        Pattern::Compound(functor, args) => Match::Compound(
            *functor,
            args.iter().map(|arg| matcher(arg, bindings)).collect(),
        ),
    }
}

/// Added to the cost of calls that may never end, and of those that miss answers. They are made
/// once nothing else can bind what they need, whatever they are expected to cost.
const ENDLESS: f64 = 1e30;
const MISSING: f64 = 1e60;
/// The assumed number of facts of a kind that was never seen.
const UNKNOWN_FACTS: f64 = 30.0;
/// The assumed number of values for each free argument of a relation that could not be listed.
const UNKNOWN_ARGUMENT: f64 = 6.0;

/// The expected cost of enumerating the tuples of `atom` for one binding.
fn cost(
    atom: &Atom,
    bindings: &Bindings,
    program: &Program,
    dependencies: &Dependencies,
    statistics: &Statistics,
) -> f64 {
    let relation = atom.relation;
    let ground = atom.args.iter().all(|arg| bindings.is_ground(arg));
    if relation == Program::keyword(Keyword::Does) {
        return if bindings.is_ground(&atom.args[0]) {
            0.3
        } else {
            0.6
        };
    }
    // A derived relation costs a call, and its derivation unless it is static.
    let call = match dependencies.dynamics(relation) {
        _ if program.info(relation).rules.is_empty() => 0.0,
        Dynamics::Static => 0.1,
        _ if dependencies.is_recursive(relation.index()) => 4.0,
        _ => 1.0,
    };
    if ground {
        return call;
    }
    let matches = statistics.matches(atom, bindings).unwrap_or_else(|| {
        let (mut leaves, mut free) = (0.0f64, 0.0f64);
        atom.args
            .iter()
            .for_each(|arg| count_leaves(arg, bindings, &mut leaves, &mut free));
        if relation == Program::keyword(Keyword::True) {
            // Each bound leaf is assumed to divide the facts evenly.
            UNKNOWN_FACTS.powf(free / leaves.max(1.0))
        } else {
            UNKNOWN_ARGUMENT.powf(free)
        }
    });
    call + matches
}

fn count_leaves(pattern: &Pattern, bindings: &Bindings, leaves: &mut f64, free: &mut f64) {
    match pattern {
        Pattern::Term(_) => *leaves += 1.0,
        Pattern::Var(var) => {
            *leaves += 1.0;
            if !bindings.contains(*var) {
                *free += 1.0;
            }
        }
        Pattern::Compound(_, args) => {
            args.iter()
                .for_each(|arg| count_leaves(arg, bindings, leaves, free));
        }
    }
}
