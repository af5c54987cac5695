//! Positions for the vertices of a graph without coordinates.
//!
//! Vertices repel each other and edges attract, with decreasing force (Fruchterman and Reingold,
//! "Graph drawing by force-directed placement", 1991). Starts on a circle and is deterministic.

/// Rounds of forces.
const ROUNDS: usize = 200;
/// With more vertices than this, the layout is a circle.
const MOST: usize = 400;

/// Positions of vertices within a square of side 1, joined by edges.
pub(super) fn layout(vertices: usize, edges: &[[usize; 2]]) -> Vec<[f64; 2]> {
    let turn = std::f64::consts::TAU / vertices.max(1) as f64;
    let circle = (0..vertices).map(|at| {
        let (sin, cos) = (at as f64 * turn).sin_cos();
        [0.5 + 0.5 * sin, 0.5 - 0.5 * cos]
    });
    let mut places: Vec<[f64; 2]> = circle.collect();
    if edges.is_empty() || vertices > MOST {
        return places;
    }
    let apart = (1.0 / vertices as f64).sqrt();
    for round in 0..ROUNDS {
        let mut forces = vec![[0.0f64; 2]; vertices];
        let mut push = |a: usize, b: usize, force: &dyn Fn(f64) -> f64| {
            let step = [places[a][0] - places[b][0], places[a][1] - places[b][1]];
            let length = step[0].hypot(step[1]).max(1e-6);
            let force = force(length) / length;
            for axis in 0..2 {
                forces[a][axis] += step[axis] * force;
                forces[b][axis] -= step[axis] * force;
            }
        };
        for a in 0..vertices {
            for b in 0..a {
                push(a, b, &|length| apart * apart / length);
            }
        }
        for &[a, b] in edges.iter().filter(|edge| edge[0] != edge[1]) {
            push(a, b, &|length| -length * length / apart);
        }
        let most = 0.1 * (1.0 - round as f64 / ROUNDS as f64);
        for (place, force) in places.iter_mut().zip(&forces) {
            let length = force[0].hypot(force[1]).max(1e-9);
            for axis in 0..2 {
                place[axis] += force[axis] / length * length.min(most);
            }
        }
    }
    for axis in 0..2 {
        let low = places
            .iter()
            .map(|place| place[axis])
            .fold(f64::MAX, f64::min);
        let high = places
            .iter()
            .map(|place| place[axis])
            .fold(f64::MIN, f64::max);
        let span = (high - low).max(1e-9);
        places
            .iter_mut()
            .for_each(|place| place[axis] = (place[axis] - low) / span);
    }
    places
}
