//! Orders facts so that linked ones are near.

use super::Direction;
use fixedbitset::FixedBitSet;

/// Rounds of the power iteration, which starts near the solution.
const ROUNDS: usize = 400;
/// Minimum number of facts of a quantity that changes both ways: with fewer, nearness has no
/// meaning.
const BOTH: usize = 4;

/// An ordered family of facts.
pub(super) struct Row {
    /// The facts, by their positions in the family.
    pub order: Vec<usize>,
    /// The direction of the links.
    pub direction: Direction,
}

/// The row of a family, if there is one. `seen` and `reads` give for each fact the facts to
/// which it leads. `first` is the initial fact.
pub(super) fn row(
    seen: &[FixedBitSet],
    reads: &[FixedBitSet],
    first: Option<usize>,
) -> Option<Row> {
    let links = Links::new(seen, reads);
    let distances = distances(&links.near, first.unwrap_or(0));
    // A fact that links do not connect to the initial one is not a value.
    let reached = (0..seen.len()).filter(|&at| distances[at].is_some());
    let members: Vec<usize> = reached.collect();
    if members.len() < 3 {
        return None;
    }
    if let Some(order) = total(&members, &|at| links.ahead(at, &members)) {
        return Some(Row {
            order,
            direction: Direction::Forward,
        });
    }
    let end = *members.iter().max_by_key(|&&at| distances[at])?;
    let line = Line::new(&links, &members, end)?;
    match line.leads_one_way() {
        true => line.forward(),
        false => line.both(&links, first),
    }
}

/// The links between the facts of a family.
struct Links<'s> {
    seen: &'s [FixedBitSet],
    reads: &'s [FixedBitSet],
    /// For each fact, those that a link connects to it, in whichever direction.
    near: Vec<Vec<usize>>,
}

impl<'s> Links<'s> {
    fn new(seen: &'s [FixedBitSet], reads: &'s [FixedBitSet]) -> Links<'s> {
        let size = seen.len();
        let near = Vec::new();
        let mut links = Links { seen, reads, near };
        let linked = |a: usize, b: usize| a != b && (links.lead(a, b) || links.lead(b, a));
        links.near = (0..size)
            .map(|a| (0..size).filter(|&b| linked(a, b)).collect())
            .collect();
        links
    }

    /// Whether a link leads from one fact to the other.
    fn lead(&self, from: usize, to: usize) -> bool {
        self.seen[from].contains(to) || self.reads[from].contains(to)
    }

    /// The other members to which a fact leads.
    fn ahead(&self, from: usize, members: &[usize]) -> Vec<usize> {
        let others = members.iter().copied();
        others
            .filter(|&to| from != to && self.lead(from, to))
            .collect()
    }
}

/// Members in an order that has linked ones near each other.
struct Line {
    order: Vec<usize>,
    /// The links, as the places of their ends in the order.
    links: Vec<(usize, usize)>,
    /// The number of places that the longest link spans.
    longest: usize,
}

impl Line {
    /// Orders the members, of which one is an `end`. `None` if no link connects them.
    fn new(links: &Links<'_>, members: &[usize], end: usize) -> Option<Line> {
        let order = seriation(&links.near, members, end);
        let mut place = vec![usize::MAX; links.near.len()];
        for (at, &member) in order.iter().enumerate() {
            place[member] = at;
        }
        let mut placed: Vec<(usize, usize)> = Vec::new();
        for &a in members {
            let to = links.near[a].iter().filter(|&&b| links.lead(a, b));
            placed.extend(to.map(|&b| (place[a], place[b])));
        }
        let longest = placed.iter().map(|(a, b)| a.abs_diff(*b)).max()?;
        Some(Line {
            order,
            links: placed,
            longest,
        })
    }

    /// The number of links that lead forwards.
    fn up(&self) -> usize {
        self.links.iter().filter(|(a, b)| a < b).count()
    }

    /// Whether all links lead in the same direction.
    fn leads_one_way(&self) -> bool {
        let up = self.up();
        up == self.links.len() || up == 0
    }

    /// The row of a quantity that changes in one direction.
    fn forward(self) -> Option<Row> {
        // A quantity does not jump over half of its row, unless it has only a few values.
        if self.longest > (self.order.len() / 2).max(1) {
            return None;
        }
        let backwards = self.up() == 0;
        let mut order = self.order;
        if backwards {
            order.reverse();
        }
        Some(Row {
            order,
            direction: Direction::Forward,
        })
    }

    /// The row of a quantity that changes both ways.
    fn both(self, links: &Links<'_>, first: Option<usize>) -> Option<Row> {
        let gaps = self.order.len() - 1;
        // A ring that is folded flat has almost no links between neighbours.
        let neighbours = |gap: &usize| links.near[self.order[*gap]].contains(&self.order[*gap + 1]);
        let close = (0..gaps).filter(neighbours).count();
        let apart = self.longest > gaps / 3 || 2 * close < gaps;
        // Some gap between neighbours must be crossed both ways; otherwise the row leads apart.
        if self.order.len() < BOTH || apart || !(0..gaps).any(|gap| self.is_crossed(gap)) {
            return None;
        }
        let first = first.and_then(|first| self.order.iter().position(|&at| at == first));
        let mut order = self.order;
        if first.is_some_and(|place| 2 * place > gaps) {
            order.reverse();
        }
        Some(Row {
            order,
            direction: Direction::Both,
        })
    }

    /// Whether links lead both ways over the gap between a place and the next one.
    fn is_crossed(&self, gap: usize) -> bool {
        let over = |&(a, b): &(usize, usize)| a.min(b) <= gap && gap < a.max(b);
        let (mut forth, mut back) = (false, false);
        for &(a, b) in self.links.iter().filter(|&link| over(link)) {
            forth |= a < b;
            back |= b < a;
        }
        forth && back
    }
}

/// The only order in which all links lead forwards, if there is exactly one: each member leads
/// to the next, and perhaps to later ones.
fn total(members: &[usize], ahead: &dyn Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    let size = members.iter().max()? + 1;
    let (mut before, mut next) = (vec![0usize; size], vec![Vec::new(); size]);
    for &at in members {
        next[at] = ahead(at);
        next[at].iter().for_each(|&other| before[other] += 1);
    }
    let mut order = Vec::with_capacity(members.len());
    let mut ready: Vec<usize> = members
        .iter()
        .copied()
        .filter(|&at| before[at] == 0)
        .collect();
    while let Some(at) = ready.pop() {
        if !ready.is_empty() {
            return None;
        }
        order.push(at);
        for &other in &next[at] {
            before[other] -= 1;
            if before[other] == 0 {
                ready.push(other);
            }
        }
    }
    (order.len() == members.len()).then_some(order)
}

/// The number of links from one fact to each other.
fn distances(near: &[Vec<usize>], from: usize) -> Vec<Option<usize>> {
    let mut distances = vec![None; near.len()];
    distances[from] = Some(0);
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        let next = distances[at].map(|distance: usize| distance + 1);
        for &other in &near[at] {
            if distances[other].is_none() {
                distances[other] = next;
                open.push_back(other);
            }
        }
    }
    distances
}

/// The members ordered by the eigenvector of the second smallest eigenvalue of the graph's
/// Laplacian: power iteration that starts from the distances to one end.
fn seriation(near: &[Vec<usize>], members: &[usize], end: usize) -> Vec<usize> {
    let from = distances(near, end);
    let mut values: Vec<f64> = vec![0.0; near.len()];
    for &at in members {
        values[at] = from[at].unwrap_or(0) as f64;
    }
    let degree = members.iter().map(|&at| near[at].len()).max().unwrap_or(1);
    let shift = 2.0 * degree as f64;
    for _ in 0..ROUNDS {
        let mean = members.iter().map(|&at| values[at]).sum::<f64>() / members.len() as f64;
        members.iter().for_each(|&at| values[at] -= mean);
        let norm = members
            .iter()
            .map(|&at| values[at] * values[at])
            .sum::<f64>()
            .sqrt();
        if norm == 0.0 {
            break;
        }
        let mut next = values.clone();
        for &at in members {
            let around: f64 = near[at].iter().map(|&other| values[other]).sum();
            let own = (shift - near[at].len() as f64) * values[at];
            next[at] = (own + around) / (norm * shift);
        }
        values = next;
    }
    let mut order = members.to_vec();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(size: usize, links: &[(usize, usize)]) -> Vec<FixedBitSet> {
        let mut rows = vec![FixedBitSet::with_capacity(size); size];
        links.iter().for_each(|&(a, b)| rows[a].insert(b));
        rows
    }

    fn of(size: usize, links: &[(usize, usize)], first: usize) -> Option<(Vec<usize>, Direction)> {
        let none = graph(size, &[]);
        row(&graph(size, links), &none, Some(first)).map(|row| (row.order, row.direction))
    }

    #[test]
    fn a_chain_goes_forward() {
        let links = [(3, 1), (1, 0), (0, 2)];
        assert_eq!(
            of(4, &links, 3),
            Some((vec![3, 1, 0, 2], Direction::Forward))
        );
    }

    #[test]
    fn jumps_of_different_length_form_a_row() {
        // Values 0 to 30, shuffled; each step adds 3, 4 or 5.
        let shuffled = |value: usize| value * 12 % 31;
        let mut links = Vec::new();
        for value in 0..31 {
            let next = [value + 3, value + 4, value + 5]
                .into_iter()
                .filter(|&next| next < 31);
            links.extend(next.map(|next| (shuffled(value), shuffled(next))));
        }
        let (order, direction) = of(31, &links, 0).unwrap();
        assert_eq!(direction, Direction::Forward);
        let expected: Vec<usize> = (0..31).map(shuffled).collect();
        let misplaced = order.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(misplaced <= 4, "{order:?}");
    }

    #[test]
    fn a_heap_only_gets_smaller() {
        let links: Vec<(usize, usize)> = (0..6)
            .flat_map(|from| (0..from).map(move |to| (from, to)))
            .collect();
        assert_eq!(
            of(6, &links, 4),
            Some((vec![5, 4, 3, 2, 1, 0], Direction::Forward))
        );
    }

    #[test]
    fn coins_go_both_ways() {
        let mut links = Vec::new();
        for value in 0..9 {
            links.extend([(value, value + 1), (value + 1, value)]);
        }
        let (order, direction) = of(10, &links, 2).unwrap();
        assert_eq!((order, direction), ((0..10).collect(), Direction::Both));
    }

    #[test]
    fn squares_and_rings_form_no_row() {
        // From empty to one of two pieces, and back.
        assert_eq!(of(3, &[(0, 1), (0, 2)], 0), None);
        assert_eq!(of(3, &[(0, 1), (0, 2), (1, 0), (2, 0)], 0), None);
        let pieces = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 0),
            (2, 0),
            (3, 0),
            (4, 0),
            (1, 2),
        ];
        assert_eq!(of(5, &pieces, 0), None);
        let ring: Vec<(usize, usize)> = (0..12).map(|at| (at, (at + 1) % 12)).collect();
        assert_eq!(of(12, &ring, 0), None);
    }
}
