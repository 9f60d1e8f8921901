//! Repair of markup that is not valid in MDX.

use svc_mdx::{
    BAD_ATTRIBUTE, BAD_ESM, Options, ParseDiagnostic, STRAY_CLOSING_TAG, Severity,
    UNCLOSED_ELEMENT, check, parse,
};

use super::html;

/// Maximum number of passes over a page. Each pass changes every problem it finds; more problems
/// appear only where tags enclose others.
const MAX_PASSES: usize = 40;

/// A change of the text.
pub(super) struct Change {
    pub(super) message: String,
    /// Text near the change.
    pub(super) context: String,
}

/// Changes all markup that the parser rejects: tags of HTML are removed, everything else is
/// escaped.
pub(super) fn repair(text: &mut String) -> Vec<Change> {
    let mut changes = Vec::new();
    for _ in 0..MAX_PASSES {
        let parsed = parse(text, &Options::default());
        let mut problems: Vec<ParseDiagnostic> = parsed
            .diagnostics
            .iter()
            .filter(|problem| problem.code.severity >= Severity::Error)
            .cloned()
            .collect();
        if problems.is_empty() {
            problems = check(text, &parsed);
        }
        if problems.is_empty() {
            break;
        }
        problems.sort_by_key(|problem| problem.span.start);
        problems.dedup_by_key(|problem| problem.span.start);
        let before = text.clone();
        for problem in problems.iter().rev() {
            changes.extend(change(text, problem));
        }
        if *text == before {
            break;
        }
    }
    changes
}

fn change(text: &mut String, problem: &ParseDiagnostic) -> Option<Change> {
    let mut start = text.floor_char_boundary(problem.span.start as usize);
    if problem.code == &BAD_ATTRIBUTE {
        start = text[..start].rfind('<')?;
    }
    let rest = &text[start..];
    let context: String = rest
        .split('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .take(60)
        .collect();
    let message = problem.message.to_string();
    if problem.code == &BAD_ESM {
        let first = rest.chars().next()?;
        let reference = format!("&#{};", u32::from(first));
        text.replace_range(start..start + first.len_utf8(), &reference);
        return Some(Change { message, context });
    }
    let is_element = problem.code == &UNCLOSED_ELEMENT || problem.code == &STRAY_CLOSING_TAG;
    if is_element && let Some(tag) = html_tag(rest) {
        text.replace_range(start..start + tag, "");
        return Some(Change { message, context });
    }
    // Bad expressions are reported at their content.
    let at = match rest.chars().next()? {
        '<' | '{' | '}' => start,
        _ => text[..start].rfind(['{', '<'])?,
    };
    let new = match &text[at..=at] {
        "<" => "&lt;",
        "{" => "\\{",
        _ => "\\}",
    };
    text.replace_range(at..=at, new);
    Some(Change { message, context })
}

/// The length of a tag of HTML in JSX.
fn html_tag(text: &str) -> Option<usize> {
    let name = text.trim_start_matches(['<', '/']);
    let length = name.find(|c: char| !c.is_ascii_alphanumeric())?;
    let end = text.find('>')?;
    html::is_element(&name[..length]).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mdx_is_changed_and_named() {
        let mut text = "a <p>b\n\nc </li> d <T e {f\n\nexport is text\n".to_owned();
        let changes = repair(&mut text);
        assert!(changes.len() >= 4, "{text}");
        let parsed = parse(&text, &Options::default());
        assert!(parsed.diagnostics.is_empty(), "{text}");
        for word in ["a ", "b", "c ", " d ", "T e", "f", "xport is text"] {
            assert!(text.contains(word), "{text}");
        }
    }
}
