//! Changes of a text that are made only if its meaning stays.

use std::ops::Range;

use crate::Options;

use super::meaning::Meaning;

/// Maximum number of texts that are compared for one page. A page that needs more is left as it is.
const MAX_ATTEMPTS: usize = 600;

/// Replacements that only make sense together, such as those of both delimiters of an emphasis.
#[derive(Debug, Default)]
pub(super) struct Change {
    edits: Vec<(Range<usize>, String)>,
}

impl Change {
    /// A change of one range.
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self::default().and(range, text)
    }

    /// Adds a replacement.
    pub(super) fn and(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push((range, text.into()));
        self
    }

    /// Returns the change, or `None` if it leaves `text` as it is.
    pub(super) fn of(mut self, text: &str) -> Option<Self> {
        self.edits
            .retain(|(range, new)| text.get(range.clone()) != Some(new));
        (!self.edits.is_empty()).then_some(self)
    }
}

/// Makes changes of one page.
pub(super) struct Changes<'a> {
    meaning: &'a Meaning,
    options: &'a Options,
    attempts: usize,
}

impl<'a> Changes<'a> {
    /// Creates a value for a page with this meaning.
    pub(super) fn new(meaning: &'a Meaning, options: &'a Options) -> Self {
        Self {
            meaning,
            options,
            attempts: 0,
        }
    }

    /// Applies all changes with which the text has the same meaning, each in its half, quarter and
    /// so on if not all of them have. The result is `None` if there were too many attempts; inside
    /// of it, `None` is that nothing was changed.
    #[expect(clippy::option_option, reason = "two different endings")]
    pub(super) fn apply(&mut self, text: &str, changes: Vec<Change>) -> Option<Option<String>> {
        let mut accepted: Vec<&Change> = Vec::new();
        let mut result = None;
        let mut pending = vec![&changes[..]];
        while let Some(group) = pending.pop() {
            if group.is_empty() {
                continue;
            }
            let retained = accepted.len();
            accepted.extend(group);
            if let Some(changed) = applied(text, &accepted) {
                self.attempts += 1;
                if self.attempts > MAX_ATTEMPTS {
                    return None;
                }
                if Meaning::of(&changed, self.options) == *self.meaning {
                    result = Some(changed);
                    continue;
                }
            }
            accepted.truncate(retained);
            if group.len() > 1 {
                let (first, second) = group.split_at(group.len() / 2);
                pending.extend([second, first]);
            }
        }
        Some(result.filter(|changed| changed != text))
    }
}

/// Returns the text after all changes; `None` if two of them overlap.
fn applied(text: &str, changes: &[&Change]) -> Option<String> {
    let mut edits: Vec<_> = changes.iter().flat_map(|change| &change.edits).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        out.push_str(text.get(at..range.start)?);
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_change_the_meaning_are_not_made() {
        let text = "a\n\nb\n\nc\n";
        let options = Options::default();
        let meaning = Meaning::of(text, &options);
        let mut changes = Changes::new(&meaning, &options);
        let proposed = vec![
            Change::new(1..1, " "),
            Change::new(3..4, "x"),
            Change::new(4..4, "  "),
            Change::new(6..7, "\t c"),
        ];
        let changed = changes.apply(text, proposed).flatten();
        assert_eq!(changed.as_deref(), Some("a \n\nb  \n\n\t c\n"));
        assert_eq!(
            changes.apply(text, vec![Change::new(0..1, "x")]),
            Some(None)
        );
    }

    #[test]
    fn overlapping_changes_are_not_made_together() {
        let (a, b) = (Change::new(0..2, "x"), Change::new(1..3, "y"));
        assert_eq!(applied("abc", &[&a, &b]), None);
        assert_eq!(applied("abc", &[&b]).as_deref(), Some("ay"));
    }
}
