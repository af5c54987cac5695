//! What this machine has.

use serde::Serialize;
use sysinfo::System;

/// Instructions on wide registers that our code can use, the narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Simd {
    /// None that our machine code needs: programs are interpreted.
    Portable,
    /// AVX2 and BMI: machine code on 256 bits.
    Avx2,
    /// AVX-512 as well: playouts on 512 bits, other machine code on 256.
    Avx512,
}

impl Simd {
    /// The level of this machine.
    pub fn look() -> Simd {
        #[cfg(all(target_arch = "x86_64", not(portable)))]
        {
            use std::arch::is_x86_feature_detected as has;
            if !(has!("avx2") && has!("bmi1") && has!("bmi2")) {
                Simd::Portable
            } else if has!("avx512f") && has!("avx512vl") {
                Simd::Avx512
            } else {
                Simd::Avx2
            }
        }
        #[cfg(any(not(target_arch = "x86_64"), portable))]
        {
            Simd::Portable
        }
    }

    /// The level in words.
    pub fn name(self) -> &'static str {
        match self {
            Simd::Portable => "no machine code: programs are interpreted",
            Simd::Avx2 => "AVX2: machine code on 256 bits",
            Simd::Avx512 => "AVX-512: playouts on 512 bits, other machine code on 256",
        }
    }
}

/// What this process may use of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Cores.
    pub cores: usize,
    /// Instructions on wide registers.
    pub simd: Simd,
    /// Bytes of memory: those of the machine, or of the container if it has fewer. `None` if the
    /// system does not tell.
    pub memory: Option<u64>,
    /// Bytes of it that are free now.
    pub free: Option<u64>,
    /// Whether a container bounds the memory.
    pub contained: bool,
    /// Whether this program was built with all optimisations.
    pub optimised: bool,
}

impl Machine {
    /// Looks at this machine.
    pub fn look() -> Machine {
        let system = System::new().ok().map(|mut system| {
            system.refresh_memory();
            system
        });
        let system = system.as_ref();
        let known = |bytes: u64| (bytes > 0).then_some(bytes);
        let whole = system.and_then(|system| known(system.total_memory()));
        let free = system.and_then(|system| known(system.available_memory()));
        let bound = system.and_then(System::cgroup_limits);
        let bound = bound.filter(|bound| whole.is_none_or(|whole| bound.total_memory < whole));
        Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            simd: Simd::look(),
            memory: bound.as_ref().map(|bound| bound.total_memory).or(whole),
            free: match &bound {
                Some(bound) => Some(free.unwrap_or(u64::MAX).min(bound.free_memory)),
                None => free,
            },
            contained: bound.is_some(),
            optimised: !cfg!(debug_assertions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_what_every_machine_has() {
        let machine = Machine::look();
        assert!(machine.cores >= 1);
        let memory = machine.memory.expect("this system tells");
        assert!(memory > 64 << 20, "{memory}");
        assert!(machine.free.is_some_and(|free| free <= memory));
        assert_eq!(machine.simd, Simd::look());
    }
}
