//! The dependencies between relations.

use crate::program::{Literal, Program, RelationId};
use gdl_parse::Keyword;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// What changes the extension of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dynamics {
    /// Nothing: it depends on neither state nor moves.
    Static,
    /// The state.
    State,
    /// The state and the moves played in it.
    Moves,
}

/// The condensed dependency graph of a program.
#[derive(Debug, Clone)]
pub struct Dependencies {
    component: Vec<u32>,
    recursive: Vec<bool>,
    dynamics: Vec<Dynamics>,
    components: Vec<Vec<RelationId>>,
    unstratified: Vec<RelationId>,
}

impl Dependencies {
    /// The dependencies of `program`.
    pub fn of(program: &Program) -> Self {
        let count = program.relations.len();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, program.rules.len() * 3);
        for _ in 0..count {
            graph.add_node(());
        }
        let node = |relation: RelationId| NodeIndex::new(relation.index());
        for rule in &program.rules {
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    graph.update_edge(node(rule.head.relation), node(atom.relation), ());
                }
            }
        }
        // Components come in reverse topological order: dependencies first.
        let sccs = kosaraju_scc(&graph);
        let mut component = vec![0u32; count];
        let mut recursive = vec![false; count];
        let mut dynamics = vec![Dynamics::Static; count];
        let mut components = Vec::with_capacity(sccs.len());
        for (number, members) in sccs.iter().enumerate() {
            let mut level = Dynamics::Static;
            for &member in members {
                component[member.index()] = number as u32;
                let relation = RelationId(member.index() as u32);
                if relation == Program::keyword(Keyword::True) {
                    level = level.max(Dynamics::State);
                } else if relation == Program::keyword(Keyword::Does) {
                    level = level.max(Dynamics::Moves);
                }
                for called in graph.neighbors(member) {
                    level = level.max(dynamics[called.index()]);
                    if called == member {
                        recursive[member.index()] = true;
                    }
                }
                recursive[member.index()] |= members.len() > 1;
            }
            for &member in members {
                dynamics[member.index()] = level;
            }
            components.push(
                members
                    .iter()
                    .map(|m| RelationId(m.index() as u32))
                    .collect(),
            );
        }
        let mut unstratified: Vec<RelationId> = program
            .rules
            .iter()
            .filter(|rule| {
                rule.body.iter().any(|literal| match literal {
                    Literal::Negative(atom) => {
                        component[atom.relation.index()] == component[rule.head.relation.index()]
                    }
                    _ => false,
                })
            })
            .map(|rule| rule.head.relation)
            .collect();
        unstratified.sort_unstable();
        unstratified.dedup();
        Dependencies {
            component,
            recursive,
            dynamics,
            components,
            unstratified,
        }
    }

    /// Whether the relation with this index depends on itself.
    pub fn is_recursive(&self, relation: usize) -> bool {
        self.recursive[relation]
    }

    /// What changes the relation's extension.
    pub fn dynamics(&self, relation: RelationId) -> Dynamics {
        self.dynamics[relation.index()]
    }

    /// The strongly connected component of a relation, as a position in
    /// [`Dependencies::components`].
    pub fn component(&self, relation: RelationId) -> usize {
        self.component[relation.index()] as usize
    }

    /// The strongly connected components. Each depends only on itself and earlier ones.
    pub fn components(&self) -> &[Vec<RelationId>] {
        &self.components
    }

    /// The relations that depend on their own negation, which GDL forbids.
    pub fn unstratified(&self) -> &[RelationId] {
        &self.unstratified
    }
}
