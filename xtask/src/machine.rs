//! The machine and the program of a measurement.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Extensions of the instruction set that evaluators may use.
const FLAGS: &[&str] = &[
    "popcnt",
    "avx2",
    "bmi2",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512_vbmi",
    "avx512_vpopcntdq",
    "gfni",
    "asimd",
    "sve",
];

/// What figures depend on besides the measured code. Fields that the system does not report are
/// empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The model of the processor.
    pub cpu: String,
    /// Its extensions that matter here.
    pub flags: Vec<String>,
    /// The number of cores that this process may use.
    pub cores: usize,
    /// The size of main memory in bytes.
    pub memory_bytes: u64,
    /// The operating system and architecture.
    pub system: String,
    /// The version of the compiler that is installed now.
    pub rustc: String,
    /// The profile of the build: release or debug.
    pub profile: String,
    /// The commit of the work tree, with a `+` if it has changes.
    pub commit: String,
    /// The Unix time in seconds.
    pub unix_seconds: u64,
}

impl Machine {
    /// The present machine and program.
    pub fn here() -> Self {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Machine {
            cpu: field(&cpu, "model name").unwrap_or_default().to_owned(),
            flags: flags(&cpu),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory_bytes(&memory).unwrap_or_default(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: output("rustc", &["--version"]).unwrap_or_default(),
            profile: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            }
            .to_owned(),
            commit: commit().unwrap_or_default(),
            unix_seconds: since.map_or(0, |since| since.as_secs()),
        }
    }
}

impl fmt::Display for Machine {
    /// One line of text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}), {} cores, {} GiB, {}; {}, {} build of {}",
            self.cpu,
            self.flags.join(" "),
            self.cores,
            self.memory_bytes >> 30,
            self.system,
            self.rustc,
            self.profile,
            self.commit
        )
    }
}

/// The value of the first line `NAME : VALUE`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

fn flags(cpu: &str) -> Vec<String> {
    // The first name is used on x86, the second on ARM.
    let all = field(cpu, "flags").or(field(cpu, "Features")).unwrap_or("");
    let all: Vec<&str> = all.split_whitespace().collect();
    let ours = FLAGS.iter().filter(|flag| all.contains(flag));
    ours.map(|&flag| flag.to_owned()).collect()
}

fn memory_bytes(text: &str) -> Option<u64> {
    let number = field(text, "MemTotal")?.strip_suffix("kB")?;
    Some(number.trim().parse::<u64>().ok()? * 1024)
}

fn output(program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let output = command.args(args).current_dir(testkit::root()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn commit() -> Option<String> {
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changes = output("git", &["status", "--porcelain", "--untracked-files=no"])?;
    Some(commit + if changes.is_empty() { "" } else { "+" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_files_are_parsed() {
        let cpu = "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu avx2 gfni avx512\n";
        assert_eq!(field(cpu, "model name"), Some("Some CPU"));
        assert_eq!(flags(cpu), ["avx2", "gfni"]);
        assert_eq!(flags("Features : fp asimd\n"), ["asimd"]);
        assert_eq!(memory_bytes("MemTotal:  2048 kB\n"), Some(2 << 20));
        assert_eq!(memory_bytes(""), None);
    }

    #[test]
    fn this_machine_can_be_described() {
        let machine = Machine::here();
        assert!(machine.cores >= 1);
        let json = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
    }
}
