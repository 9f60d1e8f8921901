//! Checks that a text repeated four times takes about four times the steps, in parsing and in
//! printing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mdx::{Options, count_steps, parse, print};

/// Minimum size of the smaller text in bytes, so that constant costs do not matter.
const SIZE: usize = 16 << 10;
/// Number of steps per byte up to which growth is ignored.
const CHEAP: u64 = 60;

fn steps(text: &str) -> (u64, u64) {
    let options = Options::default();
    let (parsed, reading) = count_steps(|| parse(text, &options));
    let (printed, printing) = count_steps(|| print(&parsed.value, &options));
    // Prefixes of containers may be added to every line.
    assert!(
        printed.len() <= 400 * text.len() + 400,
        "{} bytes",
        printed.len()
    );
    (reading, printing)
}

fuzz_target!(|text: &str| {
    if text.is_empty() || text.len() > 512 {
        return;
    }
    let small = text.repeat(SIZE / text.len() + 1);
    let large = small.repeat(4);
    let (reading, printing) = steps(&small);
    let (reading_4, printing_4) = steps(&large);
    let cheap = CHEAP * large.len() as u64;
    assert!(
        reading_4 <= cheap || reading_4 <= reading * 11 / 2,
        "reading: {reading} steps became {reading_4}"
    );
    assert!(
        printing_4 <= 8 * cheap || printing_4 <= printing * 11 / 2,
        "printing: {printing} steps became {printing_4}"
    );
});
