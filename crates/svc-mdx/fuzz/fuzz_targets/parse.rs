//! Checks for any text: no panic, all spans are in the text, and every visitor terminates.

#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mdx::{Options, images, links, outline, parse, plain_text, mdast_dump, unravel, walk};

fuzz_target!(|text: &str| {
    for options in [Options::default(), Options::mdx_js()] {
        let mut parsed = parse(text, &options);
        walk(&parsed.value.children, |node, depth| {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            assert!(text.get(start..end).is_some(), "span {start}..{end}");
            assert!(depth <= 400, "depth {depth}");
            true
        });
        for problem in &parsed.diagnostics {
            let (start, end) = (problem.span.start as usize, problem.span.end as usize);
            assert!(text.get(start..end).is_some(), "problem at {start}..{end}");
        }
        let _ = mdast_dump(&parsed.value);
        let _ = plain_text(&parsed.value.children);
        let _ = links(&parsed.value).len() + images(&parsed.value).len();
        let _ = outline(&parsed.value).len();
        unravel(&mut parsed.value);
    }
});
