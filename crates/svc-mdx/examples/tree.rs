//! Prints the tree of a page in the form of [`svc_mdx::mdast_dump`], and its diagnostics.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

use svc_diagnostics::SourceFile;
use svc_mdx::{Options, mdast_dump, parse};

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: tree FILE");
        return;
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let parsed = parse(&text, &Options::mdx_js());
            print!("{}", mdast_dump(&parsed.value));
            let file = SourceFile::new(path.as_str(), text.as_str());
            for problem in &parsed.diagnostics {
                let diagnostic = problem.diagnostic(&file, 0);
                eprintln!(
                    "{}: {} [{}]",
                    diagnostic.location_string(),
                    diagnostic.message,
                    diagnostic.code.id
                );
            }
        }
        Err(error) => eprintln!("{path}: {error}"),
    }
}
