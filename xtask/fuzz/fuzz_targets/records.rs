//! The fuzzer of the target `records` of `fuzz_targets`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::target("records").run(data));
