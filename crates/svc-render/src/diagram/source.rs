//! Checks of a diagram's source before it is rendered: size limits, and its title and description
//! for screen readers.

use std::borrow::Cow;

use super::error::DiagramError;

/// Maximum size of a diagram's source in bytes; the largest in real documentation has 2 kB.
const MAX_SOURCE_BYTES: usize = 20_000;
/// Maximum number of lines of a diagram.
const MAX_LINES: usize = 1_000;
/// Maximum nesting depth of blocks, braces and brackets.
const MAX_DEPTH: usize = 40;
/// Maximum number of edges from lists of nodes (`a & b --> c & d`).
const MAX_PRODUCT: usize = 2_000;
/// Maximum number of digits of a number; longer ones overflow the engine's dates and counters.
const MAX_DIGITS: usize = 9;
/// Maximum number of digits of a column count; the cost of the engine grows with the count.
const MAX_COLUMN_DIGITS: usize = 3;

/// Title and description of a diagram for screen readers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AccessibleText {
    /// `accTitle`, otherwise `title` of the front matter.
    pub(crate) title: Option<String>,
    /// `accDescr`.
    pub(crate) description: Option<String>,
}

/// Checks the limits and extracts the title and the description.
pub(super) fn measure(source: &str) -> Result<AccessibleText, DiagramError> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(DiagramError::new(
            "the source exceeds the limit of 20,000 bytes",
        ));
    }
    if source.lines().count() > MAX_LINES {
        return Err(DiagramError::new(
            "the source exceeds the limit of 1,000 lines",
        ));
    }
    let mut product = 0_usize;
    let mut blocks = 0_usize;
    for (at, line) in source.lines().enumerate() {
        let here = |reason: &str| DiagramError {
            reason: reason.to_owned(),
            line: u32::try_from(at + 1).ok(),
        };
        let ampersands = line.bytes().filter(|byte| *byte == b'&').count();
        product += (ampersands + 1) * (ampersands + 1);
        if ampersands > 0 && product > MAX_PRODUCT + at {
            return Err(here("lists of nodes exceed the limit of 2,000 edges"));
        }
        if depth(line) > MAX_DEPTH {
            return Err(here("brackets exceed the nesting limit of 40"));
        }
        let trimmed = line.trim();
        if trimmed.ends_with('{') || OPENING.iter().any(|keyword| starts(trimmed, keyword)) {
            blocks += 1;
        } else if trimmed == "end" || trimmed == "}" {
            blocks = blocks.saturating_sub(1);
        }
        if blocks > MAX_DEPTH {
            return Err(here("blocks exceed the nesting limit of 40"));
        }
        let digits = line
            .split(|c: char| !c.is_ascii_digit())
            .map(str::len)
            .max()
            .unwrap_or(0);
        if digits > MAX_DIGITS && (trimmed.starts_with("autonumber") || is_of(source, "gantt")) {
            return Err(here("a number has more than nine digits"));
        }
        if digits > MAX_COLUMN_DIGITS && is_of(source, "block") {
            return Err(here("a column count has more than three digits"));
        }
    }
    Ok(accessible_text(source))
}

/// HTML elements in labels that the engine would print literally.
const LABEL_TAGS: &[&str] = &[
    "b", "code", "em", "i", "small", "span", "strong", "sub", "sup", "u",
];

/// Rewrites syntax that the engine does not support: removes HTML tags other than line breaks from
/// labels; in class diagrams, converts stereotypes to members and removes the quotes of relation
/// labels.
pub(super) fn plain_labels(source: &str) -> Cow<'_, str> {
    if !source.contains('<') && !source.contains('"') {
        return Cow::Borrowed(source);
    }
    let classes = is_of(source, "classDiagram") || is_of(source, "classDiagram-v2");
    let mut out = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let trimmed = line.trim();
        if classes && trimmed.starts_with("<<") && trimmed.ends_with(">>") && trimmed.len() > 4 {
            let name = &trimmed[2..trimmed.len() - 2];
            out.push_str(&line.replace(trimmed, &format!("\u{ab}{name}\u{bb}")));
        } else if classes
            && let Some((relation, label)) = trimmed.rsplit_once(" : \"")
            && let Some(label) = label.strip_suffix('"')
        {
            out.push_str(&line.replace(trimmed, &format!("{relation} : {label}")));
        } else {
            without_tags(line, &mut out);
        }
    }
    Cow::Owned(out)
}

/// Rewrites lines that begin with a node named `End` or `END`, which the engine takes for the end
/// of a block although only the lower-case word is reserved.
pub(super) fn plain_ends(source: Cow<'_, str>) -> Cow<'_, str> {
    let flows = |line: &str| starts(line, "flowchart") || starts(line, "graph");
    if !source.lines().any(|line| is_named_end(line.trim_start()))
        || !source.lines().any(|line| flows(line.trim()))
    {
        return source;
    }
    let mut out = String::with_capacity(source.len() + 8);
    for line in source.split_inclusive('\n') {
        let text = line.trim_start();
        if !is_named_end(text) {
            out.push_str(line);
            continue;
        }
        let (name, rest) = text.split_at(3);
        out.push_str(&line[..line.len() - text.len()]);
        out.push_str(name);
        let behind = rest.trim_start_matches([' ', '\t']);
        if behind.trim().is_empty() || behind.starts_with("%%") {
            out.push(';');
            out.push_str(rest);
        } else if behind.starts_with(['-', '=', '.', '~', '<', '&', ':', ';']) {
            out.push_str(behind);
        } else {
            out.push_str(rest);
        }
    }
    Cow::Owned(out)
}

/// Whether a line begins with `end` in another case than the reserved word.
fn is_named_end(line: &str) -> bool {
    let prefix = line.get(..3).unwrap_or("");
    let behind = line.as_bytes().get(3);
    prefix.eq_ignore_ascii_case("end")
        && prefix != "end"
        && behind.is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'%')
}

fn without_tags(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let inside = rest[at + 1..].trim_start_matches('/');
        let end = inside.find(|c: char| !c.is_ascii_alphanumeric());
        let name = &inside[..end.unwrap_or(inside.len())];
        let is_tag = LABEL_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        match inside.find('>').filter(|_| is_tag) {
            Some(close) => {
                out.push_str(&rest[..at]);
                rest = &inside[close + 1..];
            }
            None => {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
}

/// Keywords of blocks that `end` closes.
const OPENING: &[&str] = &[
    "subgraph", "loop", "alt", "opt", "par", "critical", "break", "rect", "box", "block",
];

fn starts(line: &str, keyword: &str) -> bool {
    line.strip_prefix(keyword)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', '\t']))
}

/// Whether a line of the source starts a diagram of this type.
fn is_of(source: &str, kind: &str) -> bool {
    let mut heads = source.lines().map(str::trim);
    heads.any(|line| line == kind || line.strip_prefix(kind) == Some("-beta"))
}

fn depth(line: &str) -> usize {
    let mut now = 0_usize;
    let mut max = 0;
    for byte in line.bytes() {
        match byte {
            b'{' | b'(' | b'[' => now += 1,
            b'}' | b')' | b']' => now = now.saturating_sub(1),
            _ => {}
        }
        max = max.max(now);
    }
    max
}

fn accessible_text(source: &str) -> AccessibleText {
    let mut accessible = AccessibleText::default();
    let mut lines = source.lines();
    let mut front = source.trim_start().starts_with("---");
    let mut rules = 0;
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line == "---" {
            rules += 1;
            front = rules < 2 && front;
        } else if let Some(title) = line.strip_prefix("title:").filter(|_| front) {
            accessible.title = text(title.trim().trim_matches(['"', '\'']));
        } else if let Some(title) = line.strip_prefix("accTitle") {
            accessible.title =
                text(title.trim_start().trim_start_matches(':')).or(accessible.title);
        } else if let Some(rest) = line.strip_prefix("accDescr") {
            let rest = rest.trim_start();
            accessible.description = match rest.strip_prefix('{') {
                Some(first) => {
                    let mut all = vec![first.trim_end_matches('}').trim().to_owned()];
                    if !first.contains('}') {
                        for more in lines.by_ref() {
                            all.push(more.trim().trim_end_matches('}').trim().to_owned());
                            if more.contains('}') {
                                break;
                            }
                        }
                    }
                    text(&all.join(" "))
                }
                None => text(rest.trim_start_matches(':')),
            };
        }
    }
    accessible
}

fn text(text: &str) -> Option<String> {
    let text: String = text.trim().chars().take(1_000).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessible_title_and_description_are_extracted() {
        let text = measure("---\ntitle: \"T\"\n---\nflowchart TD\naccDescr {\n one\n two }\nA-->B");
        let expected = AccessibleText {
            title: Some("T".to_owned()),
            description: Some("one two".to_owned()),
        };
        assert_eq!(text, Ok(expected));
        let text = measure("pie\naccTitle: Shares\naccDescr: Who has what\n");
        assert_eq!(text.expect("small").title.as_deref(), Some("Shares"));
    }

    #[test]
    fn nodes_named_end_do_not_close_blocks() {
        for (line, expected) in [
            ("  End --> B", "  End--> B"),
            ("END\t& C ==> B", "END& C ==> B"),
            ("End", "End;"),
            ("End %% last", "End; %% last"),
            ("end", "end"),
            ("end %% of S", "end %% of S"),
            ("Ending --> B", "Ending --> B"),
            ("End[Done] --> B", "End[Done] --> B"),
            ("End o--o B", "End o--o B"),
        ] {
            let source = format!("flowchart TD\n{line}\nA --> End\n");
            let expected = format!("flowchart TD\n{expected}\nA --> End\n");
            assert_eq!(plain_ends(source.into()), expected, "{line}");
        }
        let other = "sequenceDiagram\nloop x\nA->>B: y\nEND\n";
        assert_eq!(plain_ends(other.into()), other);
    }

    #[test]
    fn large_and_deep_sources_are_rejected_with_a_line() {
        let list = vec!["a"; 60].join(" & ");
        for (source, line) in [
            ("x".repeat(MAX_SOURCE_BYTES + 1), None),
            ("\n".repeat(MAX_LINES + 1), None),
            (format!("flowchart TD\n{list} --> {list}"), Some(2)),
            (format!("flowchart TD\nA{}", "[".repeat(50)), Some(2)),
            ("loop x\n".repeat(50), Some(41)),
            (
                "sequenceDiagram\nautonumber 18446744073709551615".to_owned(),
                Some(2),
            ),
        ] {
            let problem = measure(&source).expect_err("too large");
            assert_eq!(problem.line, line, "{problem:?}");
        }
    }
}
