//! The pattern of a redirect for those who write it in the language of another server.

use super::pattern::{Part, captures, parts};

/// One segment of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectPart<'a> {
    /// This text.
    Text(&'a str),
    /// One segment that begins with `prefix` and has at least one more character.
    One {
        /// What it begins with.
        prefix: &'a str,
        /// Its name in the destination; `*` when it has none.
        name: &'a str,
    },
    /// Any number of segments; the first begins with `prefix`.
    Rest {
        /// What it begins with.
        prefix: &'a str,
        /// Its name in the destination; `*` when it has none.
        name: &'a str,
        /// Whether at least one character has to be there.
        some: bool,
    },
}

/// The source of a redirect, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectPattern(Vec<Part>);

impl RedirectPattern {
    /// Reads a source.
    pub fn new(source: &str) -> Self {
        Self(parts(source))
    }

    /// Its segments.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = RedirectPart<'_>> {
        self.0.iter().map(|part| match part {
            Part::Text(text) => RedirectPart::Text(text),
            Part::One { prefix, name } => RedirectPart::One { prefix, name },
            Part::Rest { prefix, name, some } => RedirectPart::Rest {
                prefix,
                name,
                some: *some,
            },
        })
    }

    /// Whether it stands for more than one path.
    pub fn is_open(&self) -> bool {
        self.0.iter().any(|part| !matches!(part, Part::Text(_)))
    }

    /// Whether it stands for a path.
    pub fn matches(&self, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        captures(&self.0, &segments).is_some()
    }
}
