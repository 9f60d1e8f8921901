//! The two properties of printing.

use svc_mdx::{Document, Kind, Options, mdast_dump, parse, print, walk};

/// Returns the tree without spans, including the fields that [`mdast_dump`] omits.
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

/// Checks the round trip of `text`. Returns `Ok(false)` if it has diagnostics; then printing must
/// only terminate.
pub(crate) fn check(text: &str, options: &Options) -> Result<bool, String> {
    let parsed = parse(text, options);
    let printed = print(&parsed.value, options);
    if !parsed.diagnostics.is_empty() {
        return Ok(false);
    }
    let reparsed = parse(&printed, options);
    let (left, right) = (tree(&parsed.value), tree(&reparsed.value));
    if left != right {
        let lines = left.lines().zip(right.lines().chain(std::iter::repeat("")));
        let first = lines
            .enumerate()
            .find(|(_, (left, right))| left != right)
            .map(|(at, (left, right))| format!("line {at}: {left:.300} became {right:.300}"));
        return Err(first.unwrap_or_else(|| "the printed tree has more lines".to_owned()));
    }
    if let Some(problem) = reparsed.diagnostics.first() {
        return Err(format!(
            "the printed text has a diagnostic: {}",
            problem.message
        ));
    }
    let twice = print(&reparsed.value, options);
    if twice != printed {
        return Err(format!("{printed:.200?} became {twice:.200?}"));
    }
    Ok(true)
}
