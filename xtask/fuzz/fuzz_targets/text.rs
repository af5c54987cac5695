//! The fuzzer of the target `text` of `fuzz_targets`, with mutations of rulesheets.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::target("text").run(data));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, longest: usize, seed: u32| {
    fuzz_targets::mutate::in_place(data, size, longest, seed, libfuzzer_sys::fuzzer_mutate)
});
