//! Sets of tuples as decision diagrams.
//!
//! A diagram reads a tuple value by value. Its nodes are what has to be remembered of the values
//! read: of "these nine are all different", the set of values so far, which is one of 512, where
//! the tuples are 362,880. Equal nodes are one node, and every path passes all levels. Diagrams of
//! the same order are joined by conjunction and union, and turned round, node by node (R. Bryant,
//! "Graph-based algorithms for Boolean function manipulation", 1986, for values of any number).

use rustc_hash::FxHashMap;

/// A node by number, or [`NONE`] or [`TRUE`].
pub(crate) type Node = u32;

/// The node from which no tuple is accepted.
pub(crate) const NONE: Node = 0;

/// The end of all tuples that are accepted.
pub(crate) const TRUE: Node = 1;

/// The diagrams over values of some variables, in a fixed order.
pub(crate) struct Diagrams {
    /// For each variable the number of its values.
    sizes: Vec<usize>,
    /// For each node its children, one for each value. Numbers begin after those of the ends.
    nodes: Vec<Box<[Node]>>,
    known: FxHashMap<(usize, Box<[Node]>), Node>,
    /// For each level the node that accepts everything.
    all: Vec<Node>,
    /// The most nodes.
    most: usize,
    /// Steps that joins may still take.
    pub left: u64,
}

/// There would be too many nodes, or it would take too long.
#[derive(Debug)]
pub(crate) struct Large;

/// How two sets are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Join {
    And,
    Or,
}

impl Diagrams {
    /// Diagrams over variables with so many values, of at most `most` nodes together, made in at
    /// most `left` steps.
    pub fn new(sizes: Vec<usize>, most: usize, left: u64) -> Result<Diagrams, Large> {
        let mut diagrams = Diagrams {
            nodes: Vec::new(),
            known: FxHashMap::default(),
            all: vec![TRUE],
            most,
            left,
            sizes,
        };
        for level in (0..diagrams.sizes.len()).rev() {
            let below = diagrams.all[diagrams.all.len() - 1];
            let children = vec![below; diagrams.sizes[level]];
            let node = diagrams.node(level, children)?;
            diagrams.all.push(node);
        }
        diagrams.all.reverse();
        Ok(diagrams)
    }

    /// The set of all tuples.
    pub fn everything(&self) -> Node {
        self.all[0]
    }

    /// The children of a node, one for each value.
    pub fn children(&self, node: Node) -> &[Node] {
        &self.nodes[node as usize - 2]
    }

    /// The node with these children; [`NONE`] if none of them accepts anything.
    fn node(&mut self, level: usize, children: Vec<Node>) -> Result<Node, Large> {
        if children.iter().all(|&child| child == NONE) {
            return Ok(NONE);
        }
        let key = (level, children.into_boxed_slice());
        if let Some(&node) = self.known.get(&key) {
            return Ok(node);
        }
        if self.nodes.len() >= self.most {
            return Err(Large);
        }
        let node = self.nodes.len() as Node + 2;
        self.nodes.push(key.1.clone());
        self.known.insert(key, node);
        Ok(node)
    }

    /// The tuples whose variable has a value that passes the test.
    pub fn where_one(&mut self, var: usize, test: impl Fn(usize) -> bool) -> Result<Node, Large> {
        let below = self.all[var + 1];
        let children = (0..self.sizes[var])
            .map(|value| if test(value) { below } else { NONE })
            .collect();
        let node = self.node(var, children)?;
        self.above(var, node)
    }

    /// The tuples whose two variables have values that pass the test.
    pub fn where_two(
        &mut self,
        vars: [usize; 2],
        test: impl Fn(usize, usize) -> bool,
    ) -> Result<Node, Large> {
        let (first, second) = (vars[0].min(vars[1]), vars[0].max(vars[1]));
        let mut children = Vec::new();
        for value in 0..self.sizes[first] {
            let below = self.all[second + 1];
            let pass = |other: usize| match first == vars[0] {
                true => test(value, other),
                false => test(other, value),
            };
            let last = (0..self.sizes[second])
                .map(|other| if pass(other) { below } else { NONE })
                .collect();
            let mut node = self.node(second, last)?;
            for level in (first + 1..second).rev() {
                node = self.node(level, vec![node; self.sizes[level]])?;
            }
            children.push(node);
        }
        let node = self.node(first, children)?;
        self.above(first, node)
    }

    /// A node of the first level that leads to this one of level `level`, whatever is read.
    fn above(&mut self, level: usize, mut node: Node) -> Result<Node, Large> {
        for level in (0..level).rev() {
            node = self.node(level, vec![node; self.sizes[level]])?;
        }
        Ok(node)
    }

    /// The tuples that are in both sets.
    pub fn and(&mut self, a: Node, b: Node) -> Result<Node, Large> {
        self.join(Join::And, 0, a, b, &mut FxHashMap::default())
    }

    /// The tuples that are in either set.
    pub fn or(&mut self, a: Node, b: Node) -> Result<Node, Large> {
        self.join(Join::Or, 0, a, b, &mut FxHashMap::default())
    }

    fn join(
        &mut self,
        join: Join,
        level: usize,
        a: Node,
        b: Node,
        known: &mut FxHashMap<(usize, Node, Node), Node>,
    ) -> Result<Node, Large> {
        match join {
            Join::And if a == NONE || b == NONE => return Ok(NONE),
            Join::Or if a == NONE => return Ok(b),
            Join::Or if b == NONE => return Ok(a),
            _ if a == b => return Ok(a),
            _ => {}
        }
        self.step()?;
        let key = (level, a.min(b), a.max(b));
        if let Some(&node) = known.get(&key) {
            return Ok(node);
        }
        let mut children = Vec::with_capacity(self.sizes[level]);
        for value in 0..self.sizes[level] {
            let (a, b) = (self.children(a)[value], self.children(b)[value]);
            children.push(self.join(join, level + 1, a, b, known)?);
        }
        let node = self.node(level, children)?;
        known.insert(key, node);
        Ok(node)
    }

    fn step(&mut self) -> Result<(), Large> {
        self.left = self.left.checked_sub(1).ok_or(Large)?;
        Ok(())
    }

    /// The tuples that are not in the set.
    pub fn not(&mut self, node: Node) -> Result<Node, Large> {
        self.turned(0, node, &mut FxHashMap::default())
    }

    fn turned(
        &mut self,
        level: usize,
        node: Node,
        known: &mut FxHashMap<Node, Node>,
    ) -> Result<Node, Large> {
        match node {
            NONE => return Ok(self.all[level]),
            TRUE => return Ok(NONE),
            _ => {}
        }
        self.step()?;
        if let Some(&turned) = known.get(&node) {
            return Ok(turned);
        }
        let mut children = Vec::with_capacity(self.sizes[level]);
        for value in 0..self.sizes[level] {
            let child = self.children(node)[value];
            children.push(self.turned(level + 1, child, known)?);
        }
        let turned = self.node(level, children)?;
        known.insert(node, turned);
        Ok(turned)
    }

    /// The edges below a node, each once: node, value, child. Only those that lead to [`TRUE`].
    pub fn edges(&self, root: Node) -> Vec<(Node, usize, Node)> {
        let (mut open, mut seen) = (vec![root], FxHashMap::default());
        let mut edges = Vec::new();
        while let Some(node) = open.pop() {
            if node <= TRUE || seen.insert(node, ()).is_some() {
                continue;
            }
            for (value, &child) in self.children(node).iter().enumerate() {
                if child != NONE {
                    edges.push((node, value, child));
                    open.push(child);
                }
            }
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a tuple is in a set.
    fn has(diagrams: &Diagrams, set: Node, tuple: &[usize]) -> bool {
        let mut at = set;
        for &value in tuple {
            if at == NONE {
                return false;
            }
            at = diagrams.children(at)[value];
        }
        at == TRUE
    }

    /// All tuples of three variables with so many values.
    fn tuples(sizes: [usize; 3]) -> Vec<[usize; 3]> {
        let mut tuples = Vec::new();
        for a in 0..sizes[0] {
            for b in 0..sizes[1] {
                tuples.extend((0..sizes[2]).map(|c| [a, b, c]));
            }
        }
        tuples
    }

    #[test]
    fn sets_are_those_of_a_list() {
        let sizes = [3, 2, 4];
        let mut diagrams = Diagrams::new(sizes.to_vec(), 1000, 1000).unwrap();
        let odd = diagrams.where_one(1, |value| value == 1).unwrap();
        let less = diagrams.where_two([2, 0], |c, a| c < a).unwrap();
        let both = diagrams.and(odd, less).unwrap();
        let either = diagrams.or(odd, less).unwrap();
        let neither = diagrams.not(either).unwrap();
        let all = diagrams.or(either, neither).unwrap();
        assert_eq!(all, diagrams.everything());
        for tuple in tuples(sizes) {
            let (is_odd, is_less) = (tuple[1] == 1, tuple[2] < tuple[0]);
            assert_eq!(has(&diagrams, odd, &tuple), is_odd);
            assert_eq!(has(&diagrams, less, &tuple), is_less);
            assert_eq!(has(&diagrams, both, &tuple), is_odd && is_less);
            assert_eq!(has(&diagrams, either, &tuple), is_odd || is_less);
            assert_eq!(has(&diagrams, neither, &tuple), !(is_odd || is_less));
        }
    }

    #[test]
    fn permutations_take_a_node_for_each_set_of_values() {
        let count = 6;
        let mut diagrams = Diagrams::new(vec![count; count], 10_000, 1_000_000).unwrap();
        let mut set = diagrams.everything();
        for a in 0..count {
            for b in 0..a {
                let differ = diagrams.where_two([a, b], |a, b| a != b).unwrap();
                set = diagrams.and(set, differ).unwrap();
            }
        }
        let edges = diagrams.edges(set);
        let mut nodes: Vec<Node> = edges.iter().map(|edge| edge.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        assert_eq!(nodes.len(), (1 << count) - 1);
    }

    #[test]
    fn nodes_and_steps_are_bounded() {
        for (most, left) in [(100, u64::MAX), (usize::MAX, 100)] {
            let mut diagrams = Diagrams::new(vec![20; 6], most, left).unwrap();
            let mut set = diagrams.everything();
            let mut join = |a, b| {
                let differ = diagrams.where_two([a, b], |a, b| a != b)?;
                set = diagrams.and(set, differ)?;
                Ok::<(), Large>(())
            };
            let mut pairs = (0..6).flat_map(|a| (0..a).map(move |b| (a, b)));
            assert!(pairs.any(|(a, b)| join(a, b).is_err()));
        }
    }
}
