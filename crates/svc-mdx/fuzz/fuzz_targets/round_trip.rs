//! Checks that printed output is parsed as the same tree for every text without diagnostics, and
//! that every tree can be printed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mdx::Options;

#[path = "../../tests/laws/mod.rs"]
mod laws;

fuzz_target!(|text: &str| {
    for options in [Options::default(), Options::mdx_js()] {
        if let Err(why) = laws::check(text, &options) {
            panic!("{why}");
        }
    }
});
