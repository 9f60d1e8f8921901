//! Formatting of pages: white space, markers and quotes in one form, and all other text as it is
//! written.
//!
//! [`RULES`] propose changes, and each change is made only if the page is then parsed as the same
//! tree, so formatting never changes what a page means.

mod attributes;
mod blank_lines;
mod changes;
mod emphasis;
mod fences;
mod front_matter;
mod headings;
mod indentation;
mod list_markers;
mod meaning;
mod page;
mod tables;
mod thematic_breaks;
mod trailing_space;

use svc_diagnostics::{Checked, Severity};

use crate::{Options, ParseDiagnostic, parse};

use changes::{Change, Changes};
use meaning::Meaning;
use page::Page;

/// A rule returns the changes of a page that give it the form of the rule.
type Rule = fn(&Page<'_>) -> Vec<Change>;

/// The rules, in the order in which they are applied.
const RULES: [Rule; 11] = [
    front_matter::changes,
    trailing_space::changes,
    headings::changes,
    emphasis::changes,
    thematic_breaks::changes,
    fences::changes,
    list_markers::changes,
    attributes::changes,
    indentation::changes,
    blank_lines::changes,
    tables::changes,
];

/// Maximum number of times that all rules are applied: a list in a list in an element can need one
/// for each level.
const MAX_PASSES: usize = 12;

/// Formats a page: returns the text in a normal form that [`parse`] reads as the same tree with the
/// same diagnostics. Formatting the result changes nothing.
///
/// What cannot be changed without another meaning is left as it is, and so is a page with errors,
/// which are among the diagnostics. Code, formulas, expressions, modules and front matter are never
/// changed, but for trailing white space of front matter and for the indentation of whole code
/// blocks.
///
/// # Example
///
/// ```
/// use svc_mdx::{Options, format};
/// let text = "Title\n=====\n* a\n* __b__  \n\n\n<Card  title='c'>\ntext\n</Card>";
/// assert_eq!(
///     format(text, &Options::default()).value,
///     "# Title\n\n- a\n- **b**\n\n<Card title=\"c\">\n  text\n</Card>\n"
/// );
/// ```
pub fn format(text: &str, options: &Options) -> Checked<String, ParseDiagnostic> {
    let parsed = parse(text, options);
    let value = match parsed.has(Severity::Error) {
        true => None,
        false => formatted(text, options),
    };
    Checked {
        value: value.unwrap_or_else(|| text.to_owned()),
        diagnostics: parsed.diagnostics,
    }
}

/// Applies the rules until nothing changes; `None` if the text is to be left as it is.
fn formatted(text: &str, options: &Options) -> Option<String> {
    let mut current = text.replace("\r\n", "\n");
    if current.len() != text.len() {
        let meaning = Meaning::of(&current, options);
        if !Meaning::of(text, options).eq_but_line_endings(&meaning) {
            return None;
        }
    }
    // Other line endings are so rare that no rule handles them.
    if current.contains('\r') {
        return None;
    }
    if options.front_matter {
        current = fenced(current, options)?;
    }
    let meaning = Meaning::of(&current, options);
    let mut changes = Changes::new(&meaning, options);
    let mut document = parse(&current, options).value;
    for _ in 0..MAX_PASSES {
        let mut is_changed = false;
        for rule in RULES {
            let proposed = rule(&Page::new(&current, &document));
            if let Some(changed) = changes.apply(&current, proposed)? {
                document = parse(&changed, options).value;
                current = changed;
                is_changed = true;
            }
        }
        if !is_changed {
            return Some(current);
        }
    }
    None
}

/// Fences of front matter.
const FENCES: [&str; 2] = ["---", "+++"];

/// Removes blank lines before front matter, which sites accept there. `None` if the text begins
/// with a fence that is not the one of front matter, or if its content does: it depends on blank
/// lines how a site reads it.
fn fenced(mut text: String, options: &Options) -> Option<String> {
    let is_fence = |text: &str| FENCES.iter().any(|fence| text.starts_with(fence));
    let start = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ', '\t']);
    if is_fence(start) {
        if !text.starts_with('\u{feff}') {
            text = start.to_owned();
        }
        let front = parse(&text, options).value.front_matter?;
        let content = text.get(front.span.range().end + 1..).unwrap_or("");
        return (!is_fence(content)).then_some(text);
    }
    Some(text)
}
