//! MDX text to a tree with spans; never fails.
//!
//! [`parse`] reads CommonMark with tables, strikethrough, task lists, bare addresses, footnotes,
//! front matter, math and MDX (import and export, `{…}`, JSX). What is wrong with the page is a
//! [`Problem`] beside the tree; the tree always holds the whole rest of the page. Time is linear
//! in the length of the text, and depth is limited.
//!
//! ```
//! use svc_mdx::{Kind, Options, parse};
//! let parsed = parse("# Hello", &Options::default());
//! assert!(parsed.problems.is_empty());
//! assert!(matches!(parsed.document.children[0].kind, Kind::Heading { depth: 1, .. }));
//! ```

mod block;
mod dump;
mod entities;
mod front_matter;
mod inline;
pub mod js;
mod jsx;
mod link;
mod problem;
mod punctuation;
mod source;
mod text;
mod tree;
mod unravel;
mod visit;

pub use dump::reference_dump;
pub use jsx::{Fault, Tag, parse_jsx};

pub use problem::{
    BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION, BAD_TAG, CODES, HTML_COMMENT, Problem,
    STRAY_CLOSING_TAG, TOO_DEEP, UNCLOSED_ELEMENT, UNCLOSED_EXPRESSION,
};
pub use tree::{
    Align, Attribute, AttributeKind, AttributeValue, Document, Element, FrontMatter,
    FrontMatterKind, Kind, Node, ReferenceKind,
};
pub use unravel::unravel;
pub use visit::{Address, OutlineEntry, images, links, outline, plain_text, walk};

/// What the parser accepts beyond the fixed syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// `$$` blocks and `$…$`.
    pub math: bool,
    /// `$…$` only without white space inside the dollars and no digit after the closing one.
    pub guarded_dollars: bool,
    /// `## Title {#id}`.
    pub heading_ids: bool,
    /// Report also what the reference refuses but what is understood here. Nothing is such yet.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            math: true,
            guarded_dollars: true,
            heading_ids: true,
            strict: false,
        }
    }
}

impl Options {
    /// The plain behaviour of the reference: all dollars count, no heading ids.
    pub const fn reference() -> Self {
        Self {
            math: true,
            guarded_dollars: false,
            heading_ids: false,
            strict: false,
        }
    }
}

/// A tree and what was wrong.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// The tree; usable whatever the problems are.
    pub document: Document,
    /// All problems, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Reads a page.
pub fn parse(text: &str, options: &Options) -> Parsed {
    let (front_matter, start) = front_matter::read(text);
    let blocks = block::blocks(text, start, options);
    let mut children = blocks.nodes;
    let mut inlines = blocks.inlines;
    let mut page = inline::Page {
        options,
        definitions: blocks.definitions,
        footnotes: blocks.footnotes,
        problems: blocks.problems,
        too_deep: false,
    };
    inline::fill(&mut children, &mut inlines, &mut page);
    let mut problems = page.problems;
    problems.sort_by_key(|problem| problem.span);
    Parsed {
        document: Document {
            front_matter,
            children,
        },
        problems,
    }
}
