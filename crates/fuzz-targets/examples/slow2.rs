//! x
use std::time::*;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let t = Instant::now();
    let p = gdl_parse::parse(&text, &Default::default());
    println!("parse {:?}", t.elapsed());
    for d in &p.diagnostics {
        println!("{d:?}");
    }
    println!("{}", p.sheet);
    let pr = datalog::Program::from_sheet(&p.sheet);
    println!("lower {:?} {} rules", t.elapsed(), pr.rules.len());
}
