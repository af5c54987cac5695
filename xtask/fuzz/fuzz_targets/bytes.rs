//! The fuzzer of the target `bytes` of `fuzz_targets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::target("bytes").run(data));
