//! Closures that are composed with themselves become chains of single steps.
//!
//! `(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))` says what `(<= (path ?x ?z) (path ?x ?y) (step ?y
//! ?z))` says, where `step` is what the other rules of `path` derive. The first has an instance for
//! each three nodes, the second for each node and step. Only where nearly all nodes are one step
//! from each other this saves nothing, and takes more rounds. It is the linear form of a transitive
//! closure (Ioannidis and Wong, "Towards an algebraic theory of recursion", 1991).

use crate::rewrite::{relation, set_rules};
use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, VarId,
};

/// Makes all such closures linear.
pub(crate) fn linear_closures(program: &mut Program) {
    let dependencies = Dependencies::of(program);
    let closures: Vec<Closure> = (0..program.relations.len())
        .filter_map(|number| Closure::of(RelationId(number as u32), program, &dependencies))
        .collect();
    for closure in closures {
        closure.rewrite(program);
    }
}

/// A relation that is closed under composition with itself.
struct Closure {
    relation: RelationId,
    /// The position of its only recursive rule, and of the two calls in its body.
    rule: usize,
    /// Whether the first call is the one that leads on from where the other one ends.
    swapped: bool,
    /// The arguments that a chain begins with, and those that it ends with.
    begins: Vec<usize>,
    ends: Vec<usize>,
}

impl Closure {
    /// The relation as a closure; `None` if it is none.
    fn of(relation: RelationId, program: &Program, dependencies: &Dependencies) -> Option<Closure> {
        let number = relation.index();
        let alone = dependencies.components()[dependencies.component(relation)].len() == 1;
        if !dependencies.is_recursive(number) || !alone {
            return None;
        }
        let calls = |rule: &u32| {
            let body = program.rules[*rule as usize].body.iter();
            body.filter_map(self::relation)
                .any(|called| called == relation)
        };
        let mut recursive = program
            .info(relation)
            .rules
            .iter()
            .filter(|rule| calls(rule));
        let (&only, None) = (recursive.next()?, recursive.next()) else {
            return None;
        };
        let rule = &program.rules[only as usize];
        let [Literal::Positive(a), Literal::Positive(b)] = &rule.body[..] else {
            return None;
        };
        if a.relation != relation || b.relation != relation {
            return None;
        }
        [(a, b, false), (b, a, true)]
            .into_iter()
            .find_map(|(from, on, swapped)| {
                let (begins, ends) = composed(&rule.head, from, on)?;
                Some(Closure {
                    relation,
                    rule: only as usize,
                    swapped,
                    begins,
                    ends,
                })
            })
    }

    /// Makes the relation's other rules and its facts a relation of steps, of which chains consist.
    fn rewrite(&self, program: &mut Program) {
        let step = RelationId(program.relations.len() as u32);
        let extends = self.extends(program);
        let closed = &mut program.relations[self.relation.index()];
        let (arity, facts) = (closed.arity, std::mem::take(&mut closed.facts));
        // No rulesheet can contain a name with a space, so the name is unique.
        let name = program.terms.symbol(&format!("step {}", step.0));
        program.relations.push(RelationInfo {
            name,
            arity,
            facts,
            rules: Vec::new(),
        });
        let mut rules = std::mem::take(&mut program.rules);
        for (number, rule) in rules.iter_mut().enumerate() {
            if rule.head.relation != self.relation {
                continue;
            }
            if number != self.rule {
                rule.head.relation = step;
            } else if let Literal::Positive(call) =
                &mut rule.body[usize::from(extends != self.swapped)]
            {
                call.relation = step;
            }
        }
        let args: Box<[Pattern]> = (0..arity as VarId).map(Pattern::Var).collect();
        let over = |relation| Atom {
            relation,
            args: args.clone(),
        };
        rules.push(Rule {
            head: over(self.relation),
            body: vec![Literal::Positive(over(step))],
            vars: arity,
            span: rules[self.rule].span,
        });
        set_rules(program, rules);
    }

    /// Whether steps are added at the ends of chains, not at their beginnings. Callers that say
    /// where a chain begins need only those from there, so it depends on what more calls say.
    fn extends(&self, program: &Program) -> bool {
        let (mut begins, mut ends) = (0, 0);
        let others = program.rules.iter().enumerate();
        let others = others.filter(|(number, _)| *number != self.rule);
        for called in others.flat_map(|(_, rule)| &rule.body) {
            if let Literal::Positive(call) | Literal::Negative(call) = called
                && call.relation == self.relation
            {
                let given = |places: &[usize]| {
                    let given = |&&at: &&usize| matches!(call.args[at], Pattern::Term(_));
                    places.iter().filter(given).count()
                };
                begins += given(&self.begins);
                ends += given(&self.ends);
            }
        }
        begins >= ends
    }
}

/// The arguments that chains begin with and end with, if `head` is the chain `from` followed by the
/// chain `on`, and all other arguments are those of all three.
fn composed(head: &Atom, from: &Atom, on: &Atom) -> Option<(Vec<usize>, Vec<usize>)> {
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    let vars = |atom: &Atom| -> Option<Vec<VarId>> {
        let var = |arg: &Pattern| match arg {
            Pattern::Var(var) => Some(*var),
            _ => None,
        };
        let mut vars: Vec<VarId> = atom.args.iter().map(var).collect::<Option<_>>()?;
        let in_order = vars.clone();
        vars.sort_unstable();
        vars.dedup();
        (vars.len() == in_order.len()).then_some(in_order)
    };
    let (head, from, on) = (vars(head)?, vars(from)?, vars(on)?);
    for at in 0..head.len() {
        match (from[at] == head[at], on[at] == head[at]) {
            (true, true) => {}
            (true, false) => begins.push(at),
            (false, true) => ends.push(at),
            (false, false) => return None,
        }
    }
    // Where the first chain ends, the second one begins, and the head knows nothing of it.
    let met: Vec<VarId> = ends.iter().map(|&at| from[at]).collect();
    let begun: Vec<VarId> = begins.iter().map(|&at| on[at]).collect();
    let is_chain = !met.is_empty() && met == begun && met.iter().all(|var| !head.contains(var));
    is_chain.then_some((begins, ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of relations that are made linear in a game with these rules.
    fn closures(rules: &str) -> usize {
        let parsed = gdl_parse::parse(rules, &Default::default());
        let mut program = Program::from_sheet(&parsed.sheet);
        let before = program.relations.len();
        linear_closures(&mut program);
        program.relations.len() - before
    }

    #[test]
    fn compositions_are_recognised() {
        let base = "(<= (path ?x ?y) (true (edge ?x ?y)))";
        for rule in [
            "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
            "(<= (path ?x ?z) (path ?y ?z) (path ?x ?y))",
        ] {
            assert_eq!(closures(&format!("{base} {rule}")), 1, "{rule}");
        }
        let wide = "(<= (joined ?c ?x ?y ?u ?v) (true (at ?c ?x ?y ?u ?v)))
            (<= (joined ?c ?x ?y ?u ?v) (joined ?c ?x ?y ?s ?t) (joined ?c ?s ?t ?u ?v))";
        assert_eq!(closures(wide), 1);
    }

    #[test]
    fn what_is_no_composition_stays() {
        let base = "(<= (path ?x ?y) (true (edge ?x ?y)))";
        for rule in [
            // Linear already.
            "(<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))",
            // The ends meet crosswise, or not at all, or something else is asked.
            "(<= (path ?x ?z) (path ?x ?y) (path ?z ?y))",
            "(<= (path ?x ?z) (path ?x ?y) (path ?w ?z))",
            "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z) (true (open ?y)))",
            "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (path ?x ?y) (path ?y ?x))",
        ] {
            assert_eq!(closures(&format!("{base} {rule}")), 0, "{rule}");
        }
        // Pairs that change places on the way are no chain of pairs.
        let crossed = "(<= (joined ?x ?y ?u ?v) (true (at ?x ?y ?u ?v)))
            (<= (joined ?x ?y ?u ?v) (joined ?x ?y ?s ?t) (joined ?t ?s ?u ?v))";
        assert_eq!(closures(crossed), 0);
    }
}
