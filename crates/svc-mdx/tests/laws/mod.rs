//! The two laws of printing.

use svc_mdx::{Document, Kind, Options, mdast_dump, parse, print, walk};

/// The tree without places, with all that [`mdast_dump`] leaves out.
pub(crate) fn tree(document: &Document) -> String {
    let mut out = mdast_dump(document);
    walk(&document.children, |node, _| {
        match &node.kind {
            Kind::Heading { id: Some(id), .. } => out.push_str(&format!("id {id:?}\n")),
            Kind::Element(element) => {
                out.push_str(if element.self_closing {
                    "alone\n"
                } else {
                    "pair\n"
                });
            }
            _ => {}
        }
        true
    });
    out
}

/// Prints what `text` reads as. `Ok(false)` when it has problems: then only printing must end.
pub(crate) fn check(text: &str, options: &Options) -> Result<bool, String> {
    let parsed = parse(text, options);
    let printed = print(&parsed.value, options);
    if !parsed.diagnostics.is_empty() {
        return Ok(false);
    }
    let again = parse(&printed, options);
    let (left, right) = (tree(&parsed.value), tree(&again.value));
    if left != right {
        let lines = left.lines().zip(right.lines().chain(std::iter::repeat("")));
        let first = lines
            .enumerate()
            .find(|(_, (left, right))| left != right)
            .map(|(at, (left, right))| format!("line {at}: {left:.300} became {right:.300}"));
        return Err(first.unwrap_or_else(|| "more became of it".to_owned()));
    }
    if let Some(problem) = again.diagnostics.first() {
        return Err(format!("got a problem: {}", problem.message));
    }
    let twice = print(&again.value, options);
    if twice != printed {
        return Err(format!("{printed:.200?} became {twice:.200?}"));
    }
    Ok(true)
}
