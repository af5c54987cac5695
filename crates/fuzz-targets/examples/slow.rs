//! x
use prepare::*;
use std::time::*;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for e in EVALUATORS {
        let budget = budget::Budget::system()
            .with_timeout(Duration::from_millis(200))
            .with_memory(64 << 20);
        let t = Instant::now();
        let r = e.make(
            &text,
            &Settings {
                max_steps: 40,
                ..Default::default()
            },
            &budget,
        );
        let made = t.elapsed();
        let s = match r {
            Err(e) => format!("{e}"),
            Ok(mut m) => {
                let st = game::Start {
                    state: &m.initial,
                    playouts: 70,
                };
                let mut v = vec![];
                let r = m.playouts.run(&[st], &mut v, &budget);
                format!("{r:?}")
            }
        };
        println!("{} made {made:?} all {:?}: {s}", e.name(), t.elapsed());
    }
    for engine in [EngineChoice::Propnet, EngineChoice::Scalar] {
        let budget = budget::Budget::system()
            .with_timeout(Duration::from_millis(200))
            .with_memory(64 << 20);
        let t = Instant::now();
        let r = prepare(
            &text,
            &Options {
                engine,
                ..Default::default()
            },
            &budget,
        );
        println!("{} {:?} {:?}", engine.name(), t.elapsed(), r.err());
    }
}
