//! Semi-naive evaluation: derives every derivable atom and finds each rule instance once.

use crate::error::{GroundError, Stage};
use crate::growth::Growth;
use crate::instances::Instances;
use crate::join::{Join, Sink};
use crate::meter::Meter;
use crate::plan::{Condition, Goal, Plan};
use crate::rewrite::Prepared;
use crate::store::{AtomStore, Tuples};
use crate::view::Views;
use datalog::{Atom, Literal, Program, RelationId, Rule, TermId, TermStore};
use gdl_parse::{Keyword, Span};
use rustc_hash::FxHashSet;

/// The maximum number of atoms in a batch.
const MAX_BATCH: u32 = 1 << 17;

/// A rule prepared for joining.
pub(crate) struct Compiled {
    pub(crate) head: Atom,
    conditions: Vec<Condition>,
    /// Negated dynamic atoms. Reachability assumes that these negations hold.
    pub(crate) negations: Vec<Atom>,
    live: Vec<bool>,
    /// Whether the instances of the rule are kept.
    pub(crate) dynamic: bool,
    pub(crate) span: Span,
    /// The join plan for each position at which a batch can enter. The last entry is for no
    /// batch.
    plans: Vec<Option<Plan>>,
}

impl Compiled {
    /// The number of variables.
    pub(crate) fn vars(&self) -> usize {
        self.live.len()
    }
}

/// The result of evaluation.
pub(crate) struct Fixpoint {
    pub(crate) program: Program,
    /// The first helper relation, introduced to split rules.
    pub(crate) first_helper: RelationId,
    pub(crate) terms: TermStore,
    pub(crate) atoms: AtomStore,
    pub(crate) instances: Instances,
}

impl Fixpoint {
    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.atoms.bytes() + self.terms.bytes() + self.instances.bytes()
    }
}

/// Evaluates a program.
pub(crate) struct Engine<'a, 'b> {
    prepared: Prepared,
    views: Views,
    sink: Sink,
    growth: Growth,
    meter: &'a mut Meter<'b>,
}

impl<'a, 'b> Engine<'a, 'b> {
    pub(crate) fn new(mut prepared: Prepared, meter: &'a mut Meter<'b>) -> Self {
        let relations = &prepared.program.relations;
        let atoms = AtomStore::new(relations.iter().map(|info| info.arity));
        let views = Views::new(relations.len());
        let terms = std::mem::take(&mut prepared.program.terms);
        Engine {
            prepared,
            views,
            growth: Growth::of(&terms),
            sink: Sink::new(atoms, terms),
            meter,
        }
    }

    /// Evaluates the whole program.
    pub(crate) fn evaluate(mut self) -> Result<Fixpoint, GroundError> {
        self.meter.enter(Stage::Static);
        self.static_relations()?;
        self.meter.enter(Stage::Reachability);
        self.dynamic_relations()?;
        Ok(self.finish())
    }

    /// Evaluates the static relations, stratum by stratum.
    fn static_relations(&mut self) -> Result<(), GroundError> {
        let components = self.prepared.dependencies.components().to_vec();
        for component in components {
            let relations: Vec<RelationId> = component
                .into_iter()
                .filter(|r| !self.prepared.dynamic[r.index()])
                .collect();
            let unstratified = self.prepared.dependencies.unstratified();
            if let Some(relation) = relations.iter().find(|r| unstratified.contains(r)) {
                return Err(GroundError::Unstratified {
                    relation: self.name(*relation),
                });
            }
            self.fixpoint(&relations)?;
        }
        Ok(())
    }

    /// Derives everything that play can reach from the initial state. Negations of atoms that
    /// depend on the state are assumed to hold.
    fn dynamic_relations(&mut self) -> Result<(), GroundError> {
        let atoms = &mut self.sink.atoms;
        let role = Program::keyword(Keyword::Role);
        let init = Program::keyword(Keyword::Init);
        let roles = first_args(atoms, role);
        self.sink.roles = roles.into_iter().collect();
        self.growth = Growth::of(&self.sink.terms);
        for fact in first_args(atoms, init) {
            let atom = atoms.intern(Program::keyword(Keyword::True), &[fact]);
            atoms.derive(atom);
        }
        let dynamic = &self.prepared.dynamic;
        let relations: Vec<RelationId> = self
            .prepared
            .dependencies
            .components()
            .iter()
            .flatten()
            .copied()
            .filter(|r| dynamic[r.index()])
            .collect();
        self.fixpoint(&relations)
    }

    /// Returns the result, without the working data.
    pub(crate) fn finish(self) -> Fixpoint {
        Fixpoint {
            first_helper: self.prepared.first_helper,
            program: self.prepared.program,
            terms: self.sink.terms,
            atoms: self.sink.atoms,
            instances: self.sink.instances,
        }
    }

    fn name(&self, relation: RelationId) -> String {
        let name = self.prepared.program.info(relation).name;
        self.sink.terms.symbols().name(name).to_owned()
    }

    /// The number of steps taken.
    pub(crate) fn steps(&self) -> u64 {
        self.meter.report.steps
    }

    /// The tuples of a relation that are known so far.
    pub(crate) fn tuples(&self, relation: RelationId) -> &Tuples {
        self.sink.atoms.tuples(relation)
    }

    /// Derives all atoms of some relations by other rules, given with their positions in the
    /// program, within a number of steps.
    pub(crate) fn list(
        &mut self,
        relations: &[RelationId],
        rules: Vec<(u32, Rule)>,
        steps: u64,
    ) -> Result<(), GroundError> {
        for (position, rule) in rules {
            self.prepared.program.rules[position as usize] = rule;
        }
        self.meter.allow(steps, usize::MAX);
        self.fixpoint(relations)
    }

    /// Derives all atoms of `relations`, given everything derived before.
    fn fixpoint(&mut self, relations: &[RelationId]) -> Result<(), GroundError> {
        let mut growing = vec![false; self.prepared.program.relations.len()];
        for relation in relations {
            growing[relation.index()] = true;
        }
        let mut rules: Vec<Compiled> = Vec::new();
        // For each relation the places where its atoms are used, as positions of rule and
        // condition.
        let mut entries: Vec<Vec<(usize, usize)>> = vec![Vec::new(); growing.len()];
        for &relation in relations {
            self.facts(relation);
            for position in self.prepared.program.info(relation).rules.clone() {
                let rule = self.prepared.program.rules[position as usize].clone();
                let mut compiled = self.compile(&rule);
                let before = rules.len();
                let mut enters = false;
                for (at, condition) in compiled.conditions.iter().enumerate() {
                    if let Condition::Match { relation, .. } = condition
                        && growing[relation.index()]
                    {
                        entries[relation.index()].push((before, at));
                        enters = true;
                    }
                }
                if !enters {
                    self.run(&mut compiled, None)?;
                }
                rules.push(compiled);
            }
        }
        loop {
            let mut idle = true;
            for &relation in relations {
                while self.sink.atoms.tuples(relation).is_pending() {
                    idle = false;
                    self.settle(relation)?;
                    for &(rule, at) in &entries[relation.index()] {
                        self.run(&mut rules[rule], Some(at))?;
                    }
                }
            }
            if idle {
                return Ok(());
            }
        }
    }

    /// Makes the next batch of a relation out of its pending atoms. The size of a batch is
    /// limited so that it is read quickly.
    fn settle(&mut self, relation: RelationId) -> Result<(), GroundError> {
        let tuples = self.sink.atoms.tuples_mut(relation);
        tuples.old = tuples.settled;
        tuples.settled += (tuples.derived.len() as u32 - tuples.settled).min(MAX_BATCH);
        let count = (tuples.settled - tuples.old) as usize;
        self.views
            .settle(relation, &self.sink.atoms, &self.sink.terms);
        if self.meter.steps(count) {
            self.sink.look(&self.views, self.meter)?;
        }
        self.growth.check(&self.sink.terms)
    }

    fn facts(&mut self, relation: RelationId) {
        for fact in &self.prepared.program.relations[relation.index()].facts {
            let dynamic = self.prepared.dynamic[relation.index()];
            self.sink.fact(relation, fact, dynamic);
        }
    }

    fn compile(&mut self, rule: &Rule) -> Compiled {
        let dynamic = &self.prepared.dynamic;
        let head_dynamic = dynamic[rule.head.relation.index()];
        let mut live = vec![false; rule.vars];
        let mut conditions = Vec::new();
        let mut negations = Vec::new();
        rule.head.for_each_var(&mut |var| live[var as usize] = true);
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => {
                    let recorded = head_dynamic && dynamic[atom.relation.index()];
                    if recorded {
                        atom.for_each_var(&mut |var| live[var as usize] = true);
                    }
                    let (view, leaves) =
                        self.views
                            .for_atom(atom, &self.sink.atoms, &self.sink.terms);
                    conditions.push(Condition::Match {
                        relation: atom.relation,
                        view,
                        leaves,
                        recorded,
                    });
                }
                Literal::Negative(atom) if dynamic[atom.relation.index()] => {
                    atom.for_each_var(&mut |var| live[var as usize] = true);
                    negations.push(atom.clone());
                }
                Literal::Negative(atom) => {
                    let (view, leaves) =
                        self.views
                            .for_atom(atom, &self.sink.atoms, &self.sink.terms);
                    conditions.push(Condition::Absent { view, leaves });
                }
                Literal::Distinct(a, b) => {
                    conditions.push(Condition::Distinct(a.clone(), b.clone()));
                }
            }
        }
        let mut plans = Vec::new();
        plans.resize_with(conditions.len() + 1, || None);
        Compiled {
            head: rule.head.clone(),
            conditions,
            negations,
            live,
            dynamic: head_dynamic,
            span: rule.span,
            plans,
        }
    }

    /// Derives all instances of a rule with the current batch at the condition `batch`.
    fn run(&mut self, rule: &mut Compiled, batch: Option<usize>) -> Result<(), GroundError> {
        let slot = batch.unwrap_or(rule.conditions.len());
        let stale = |plan: &Plan| plan.is_stale(&self.views);
        if rule.plans[slot].as_ref().is_none_or(stale) {
            rule.plans[slot] = Goal {
                conditions: &rule.conditions,
                live: &rule.live,
                batch,
            }
            .plan(&mut self.views);
        }
        let Some(plan) = &rule.plans[slot] else {
            return Ok(());
        };
        let name = |sink: &Sink, relation: RelationId, program: &Program| {
            let name = program.info(relation).name;
            sink.terms.symbols().name(name).to_owned()
        };
        let safe = Join::new(&self.views, &mut self.sink, self.meter, rule).run(plan)?;
        if safe {
            Ok(())
        } else {
            Err(GroundError::Unsafe {
                relation: name(&self.sink, rule.head.relation, &self.prepared.program),
                span: rule.span,
            })
        }
    }
}

fn first_args(atoms: &AtomStore, relation: RelationId) -> Vec<TermId> {
    let tuples = atoms.tuples(relation);
    let mut seen = FxHashSet::default();
    let args = tuples
        .derived
        .iter()
        .filter_map(|&t| tuples.args(t).first().copied());
    args.filter(|&term| seen.insert(term)).collect()
}
