//! Redirect patterns for conversion to the syntax of other servers.

use super::pattern::{Segment, captures, fill, parse_segments};

/// A segment of a redirect source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternSegment<'a> {
    /// Literal text.
    Literal(&'a str),
    /// A segment that begins with `prefix` and has at least one more character.
    Param {
        /// Literal text at the start of the segment.
        prefix: &'a str,
        /// Name of the parameter in the destination; `*` if it has none.
        name: &'a str,
    },
    /// Any number of segments; the first one begins with `prefix`.
    Wildcard {
        /// Literal text at the start of the first segment.
        prefix: &'a str,
        /// Name of the parameter in the destination; `*` if it has none.
        name: &'a str,
        /// Whether at least one character must follow the prefix.
        some: bool,
    },
}

/// The parsed source of a redirect.
///
/// # Example
///
/// ```
/// use svc_nav::{PatternSegment, RedirectPattern};
/// let pattern = RedirectPattern::new("/docs/:page");
/// assert!(pattern.has_wildcards() && pattern.matches("/docs/a") && !pattern.matches("/docs"));
/// assert_eq!(pattern.segments().next(), Some(PatternSegment::Literal("docs")));
/// assert_eq!(pattern.rewrite("/docs/a", "/old/:page").as_deref(), Some("/old/a"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectPattern(Vec<Segment>);

impl RedirectPattern {
    /// Parses a source.
    ///
    /// Example: [`RedirectPattern`](crate::RedirectPattern#example).
    pub fn new(source: &str) -> Self {
        Self(parse_segments(source))
    }

    /// Iterates over the segments.
    ///
    /// Example: [`RedirectPattern`](crate::RedirectPattern#example).
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

    /// Returns true if the source has parameters or wildcards.
    ///
    /// Example: [`RedirectPattern`](crate::RedirectPattern#example).
    pub fn has_wildcards(&self) -> bool {
        self.0
            .iter()
            .any(|part| !matches!(part, Segment::Literal(_)))
    }

    /// Returns true if the source matches a path.
    ///
    /// Example: [`RedirectPattern`](crate::RedirectPattern#example).
    pub fn matches(&self, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        captures(&self.0, &segments).is_some()
    }

    /// Returns the URL path that a destination describes for a decoded path; `None` if the source
    /// does not match it. Parameters that the source does not have stay as they are.
    ///
    /// Example: [`RedirectPattern`](crate::RedirectPattern#example).
    pub fn rewrite(&self, path: &str, destination: &str) -> Option<String> {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        fill(destination, &captures(&self.0, &segments)?)
    }
}
