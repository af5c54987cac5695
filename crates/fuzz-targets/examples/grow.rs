//! x
fn main() {
    for a in std::env::args().skip(1) {
        let text = std::fs::read(&a).unwrap();
        let p = gdl_parse::parse_bytes(&text, &Default::default());
        let t = std::time::Instant::now();
        let pr = datalog::Program::from_sheet(&p.sheet);
        println!(
            "{} {} {:?} {a}",
            pr.rules.len(),
            p.sheet.rules.iter().filter(|r| !r.body.is_empty()).count(),
            t.elapsed()
        );
    }
}
