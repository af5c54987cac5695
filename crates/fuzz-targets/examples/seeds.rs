//! x
fn main() {
    for t in fuzz_targets::TARGETS {
        let d = format!("/tmp/fz/run/{}/seeds", t.name);
        std::fs::create_dir_all(&d).unwrap();
        for (n, s) in (t.seeds)().iter().enumerate() {
            std::fs::write(format!("{d}/{n:03}"), s).unwrap();
        }
    }
}
