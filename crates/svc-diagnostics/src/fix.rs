//! Edits that solve the problem of a diagnostic.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Location, SourceFile, Span};

/// A replacement of a span of a file. It inserts if the span is empty, and removes if the text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub location: Location,
    /// The replacement.
    pub text: String,
}

/// Edits that solve the problem of a diagnostic without a decision by the user. They apply together
/// or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, in the imperative, lower case, without a full stop: "rename it to `title`".
    pub title: String,
    /// The edits; not empty, and without overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Creates a fix with one edit.
    pub fn new(title: impl Into<String>, location: Location, text: impl Into<String>) -> Self {
        let fix = Self {
            title: title.into(),
            edits: Vec::new(),
        };
        fix.edit(location, text)
    }

    /// Creates a fix that replaces the only occurrence of `old` in a span of a file. `None` if there
    /// is none or more than one.
    pub fn replace(file: &SourceFile, span: Span, old: &str, new: &str) -> Option<Self> {
        let text = file.slice(span);
        let mut found = text.match_indices(old);
        let (at, _) = found.next().filter(|_| !old.is_empty())?;
        let start = span.start as usize + at;
        let replaced = Span::from_range(start..start + old.len());
        let fix = Self::new(format!("write `{new}`"), file.location(replaced), new);
        found.next().is_none().then_some(fix)
    }

    /// Adds an edit.
    #[must_use]
    pub fn edit(mut self, location: Location, text: impl Into<String>) -> Self {
        self.edits.push(Edit {
            location,
            text: text.into(),
        });
        self
    }
}

/// The result of [`apply_fixes`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FixOutcome {
    /// The new texts of the files that change, by path.
    pub texts: BTreeMap<Arc<str>, String>,
    /// For each fix, in order, whether its edits are part of `texts`.
    pub applied: Vec<bool>,
}

/// Applies fixes to the files that `text_of` returns by their path.
///
/// A fix is left out if one of its files is missing, if a span is not in the text, if it changes
/// nothing, or if it overlaps with a fix before it: validate the new texts and apply the fixes of
/// those. A fix that equals an earlier one counts as applied with it. Insertions at the same offset
/// overlap; one at the edge of another edit does not.
///
/// ```
/// use svc_diagnostics::{Fix, SourceFile, Span, apply_fixes};
/// let file = SourceFile::new("a.json", "{\"nmae\": 1}");
/// let fix = Fix::new("rename it to `name`", file.location(Span::new(2, 6)), "name");
/// let outcome = apply_fixes(&|_| Some(file.text()), &[&fix]);
/// assert_eq!(outcome.texts["a.json"], "{\"name\": 1}");
/// assert_eq!(outcome.applied, [true]);
/// ```
pub fn apply_fixes<'a>(text_of: &dyn Fn(&str) -> Option<&'a str>, fixes: &[&Fix]) -> FixOutcome {
    let mut selection: Selection<'_> = BTreeMap::new();
    let mut applied = Vec::with_capacity(fixes.len());
    for fix in fixes {
        applied.push(!fix.edits.is_empty() && select(&mut selection, text_of, &fix.edits));
    }
    let texts = selection.into_iter().filter_map(|(file, edits)| {
        let text = replace_spans(text_of(file)?, &edits);
        (!edits.is_empty()).then(|| (file.clone(), text))
    });
    FixOutcome {
        texts: texts.collect(),
        applied,
    }
}

/// The edits of each file, which do not overlap.
type Selection<'f> = BTreeMap<&'f Arc<str>, BTreeMap<Span, &'f str>>;

/// Adds the edits, or none of them and returns false.
fn select<'a, 'f>(
    selection: &mut Selection<'f>,
    text_of: &dyn Fn(&str) -> Option<&'a str>,
    edits: &'f [Edit],
) -> bool {
    let equal = edits.iter().all(|edit| {
        let others = selection.get(&edit.location.file);
        others.and_then(|others| others.get(&edit.location.span)) == Some(&edit.text.as_str())
    });
    if equal {
        return true;
    }
    let mut changed = false;
    for (index, edit) in edits.iter().enumerate() {
        let span = edit.location.span;
        let replaced = text_of(&edit.location.file).and_then(|text| text.get(span.range()));
        let others = selection.entry(&edit.location.file).or_default();
        if replaced.is_none() || !is_free(others, span) {
            remove(selection, &edits[..index]);
            return false;
        }
        changed |= replaced != Some(edit.text.as_str());
        others.insert(span, &edit.text);
    }
    if !changed {
        remove(selection, edits);
    }
    changed
}

fn remove(selection: &mut Selection<'_>, edits: &[Edit]) {
    for edit in edits {
        if let Some(others) = selection.get_mut(&edit.location.file) {
            others.remove(&edit.location.span);
        }
    }
}

/// Returns true if the span overlaps with none of the spans, which do not overlap with each other.
fn is_free(edits: &BTreeMap<Span, &str>, span: Span) -> bool {
    if edits.contains_key(&span) {
        return false;
    }
    // An insertion at the start of a span is ordered before it.
    let before = edits.range(..span).next_back();
    let after = edits.range(span..).next();
    before.is_none_or(|(before, _)| before.end <= span.start)
        && after.is_none_or(|(after, _)| span.end <= after.start)
}

/// Replaces the spans, which are in the text and do not overlap.
fn replace_spans(text: &str, edits: &BTreeMap<Span, &str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (span, replacement) in edits {
        let range = span.range();
        out.push_str(text.get(end..range.start).unwrap_or(""));
        out.push_str(replacement);
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies fixes of `(start, end, text)` to the text of one file.
    fn apply(text: &str, fixes: &[&[(u32, u32, &str)]]) -> (String, Vec<bool>) {
        let file = SourceFile::new("a", text);
        let fixes: Vec<Fix> = fixes
            .iter()
            .map(|edits| Fix {
                title: String::new(),
                edits: edits
                    .iter()
                    .map(|(start, end, text)| Edit {
                        location: file.location(Span::new(*start, *end)),
                        text: (*text).to_owned(),
                    })
                    .collect(),
            })
            .collect();
        let fixes: Vec<&Fix> = fixes.iter().collect();
        let outcome = apply_fixes(&|_| Some(file.text()), &fixes);
        let text = outcome.texts.get("a").map_or(text, String::as_str);
        (text.to_owned(), outcome.applied)
    }

    #[test]
    fn edits_that_touch_apply_and_edits_that_overlap_wait() {
        let all = |text: &str, count| (text.to_owned(), vec![true; count]);
        assert_eq!(
            apply("abc", &[&[(1, 2, "x")], &[(2, 3, "y")]]),
            all("axy", 2)
        );
        assert_eq!(
            apply("abc", &[&[(1, 2, "x")], &[(1, 1, "y")]]),
            all("ayxc", 2)
        );
        assert_eq!(
            apply("abc", &[&[(1, 1, "y")], &[(1, 2, "x")]]),
            all("ayxc", 2)
        );
        assert_eq!(
            apply("abc", &[&[(1, 2, "x")], &[(2, 2, "y")]]),
            all("axyc", 2)
        );
        let first = |text: &str| (text.to_owned(), vec![true, false]);
        assert_eq!(apply("abc", &[&[(0, 3, "x")], &[(1, 1, "y")]]), first("x"));
        assert_eq!(apply("abc", &[&[(0, 2, "x")], &[(1, 3, "y")]]), first("xc"));
        assert_eq!(
            apply("abc", &[&[(1, 1, "x")], &[(1, 1, "y")]]),
            first("axbc")
        );
        assert_eq!(
            apply("abc", &[&[(1, 1, "x")], &[(0, 3, "y")]]),
            first("axbc")
        );
    }

    #[test]
    fn a_fix_applies_as_a_whole_or_not_at_all() {
        let (text, applied) = apply("abc", &[&[(0, 1, "x")], &[(2, 3, "y"), (0, 1, "z")]]);
        assert_eq!((text.as_str(), applied), ("xbc", vec![true, false]));
    }

    #[test]
    fn fixes_out_of_bounds_or_without_effect_are_left_out() {
        let (text, applied) = apply("é", &[&[(1, 2, "x")], &[(0, 9, "x")], &[(0, 2, "é")], &[]]);
        assert_eq!((text.as_str(), applied), ("é", vec![false; 4]));
    }

    #[test]
    fn equal_fixes_apply_once() {
        let (text, applied) = apply("abc", &[&[(1, 1, "x")], &[(1, 1, "x")]]);
        assert_eq!((text.as_str(), applied), ("axbc", vec![true; 2]));
    }

    #[test]
    fn only_a_unique_text_is_replaced() {
        let file = SourceFile::new("a", "x href=\"/a\" /b /b");
        let replace = |old| Fix::replace(&file, Span::new(2, 99), old, "/c");
        assert_eq!(replace("/a"), None, "the span is out of bounds");
        let replace = |old| Fix::replace(&file, Span::new(2, 17), old, "/c");
        let span = |fix: Fix| fix.edits[0].location.span;
        assert_eq!(replace("/a").map(span), Some(Span::new(8, 10)));
        assert_eq!(replace("/b"), None);
        assert_eq!(replace(""), None);
    }

    #[test]
    fn all_files_of_a_fix_change() {
        let one = SourceFile::new("one", "1");
        let two = SourceFile::new("two", "2");
        let at = Span::new(0, 1);
        let fix = Fix::new("swap", one.location(at), "2").edit(two.location(at), "1");
        let text_of = |path: &str| match path {
            "one" => Some("1"),
            "two" => Some("2"),
            _ => None,
        };
        let outcome = apply_fixes(&text_of, &[&fix]);
        assert_eq!(outcome.texts["one"], "2");
        assert_eq!(outcome.texts["two"], "1");
        let outcome = apply_fixes(&|path| (path == "one").then_some("1"), &[&fix]);
        assert_eq!(
            outcome,
            FixOutcome {
                texts: BTreeMap::new(),
                applied: vec![false]
            }
        );
    }
}
