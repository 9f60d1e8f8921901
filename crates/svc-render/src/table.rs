//! Tables in text files, and sets of names.

use std::collections::HashSet;
use std::sync::OnceLock;

/// A table of a text file. A line is a key, a space and the value; lines that begin with `# ` are
/// comments. The keys are sorted by bytes.
#[derive(Debug)]
pub(crate) struct Table {
    text: &'static str,
    entries: OnceLock<Vec<(&'static str, &'static str)>>,
}

impl Table {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text,
            entries: OnceLock::new(),
        }
    }

    /// All keys with their values. The first call splits the text.
    pub(crate) fn entries(&self) -> &[(&'static str, &'static str)] {
        self.entries.get_or_init(|| {
            let lines = self.text.lines().filter(|line| !line.starts_with("# "));
            lines.filter_map(|line| line.split_once(' ')).collect()
        })
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'static str> {
        let entries = self.entries();
        let index = entries.binary_search_by(|(own, _)| (*own).cmp(key)).ok()?;
        entries.get(index).map(|(_, value)| *value)
    }

    #[cfg(test)]
    pub(crate) fn is_sorted(&self) -> bool {
        self.entries().is_sorted_by(|a, b| a.0 < b.0)
    }
}

/// A set of names, written with spaces between them.
#[derive(Debug)]
pub(crate) struct NameSet {
    text: &'static str,
    names: OnceLock<HashSet<&'static str>>,
}

impl NameSet {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self {
            text,
            names: OnceLock::new(),
        }
    }

    /// The name as it is written in the set; `None` if it is not part of it.
    pub(crate) fn get(&self, name: &str) -> Option<&'static str> {
        let split = || self.text.split_ascii_whitespace().collect();
        self.names.get_or_init(split).get(name).copied()
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_skipped_and_values_can_contain_spaces() {
        let table = Table::new("# Keys.\na 1 2\nc# 3\n");
        assert_eq!(table.get("a"), Some("1 2"));
        assert_eq!(table.get("c#"), Some("3"));
        assert_eq!(table.get("#"), None);
        assert!(table.is_sorted());
    }
}
