//! The pattern of a redirect for those who write it in the language of another server.

use super::pattern::{Segment, captures, parse_segments};

/// One segment of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternSegment<'a> {
    /// This text.
    Literal(&'a str),
    /// One segment that begins with `prefix` and has at least one more character.
    Param {
        /// What it begins with.
        prefix: &'a str,
        /// Its name in the destination; `*` when it has none.
        name: &'a str,
    },
    /// Any number of segments; the first begins with `prefix`.
    Wildcard {
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
pub struct RedirectPattern(Vec<Segment>);

impl RedirectPattern {
    /// Reads a source.
    pub fn new(source: &str) -> Self {
        Self(parse_segments(source))
    }

    /// Its segments.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = PatternSegment<'_>> {
        self.0.iter().map(|part| match part {
            Segment::Literal(text) => PatternSegment::Literal(text),
            Segment::Param { prefix, name } => PatternSegment::Param { prefix, name },
            Segment::Wildcard { prefix, name, some } => PatternSegment::Wildcard {
                prefix,
                name,
                some: *some,
            },
        })
    }

    /// Whether it stands for more than one path.
    pub fn has_wildcards(&self) -> bool {
        self.0
            .iter()
            .any(|part| !matches!(part, Segment::Literal(_)))
    }

    /// Whether it stands for a path.
    pub fn matches(&self, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        captures(&self.0, &segments).is_some()
    }
}
