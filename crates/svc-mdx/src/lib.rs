//! MDX text to a tree with spans; never fails.
//!
//! [`parse`] reads a page. What is wrong with it is a [`ParseDiagnostic`] beside the tree; the tree always
//! holds the whole rest of the page. This crate evaluates nothing, resolves nothing and touches no
//! file: JavaScript stays text, and what a tag means is for others to say.
//!
//! ```
//! use svc_mdx::{Kind, Options, parse};
//! let parsed = parse("# Hello", &Options::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert!(matches!(parsed.value.children[0].kind, Kind::Heading { depth: 1, .. }));
//! ```
//!
//! # What is read
//!
//! | syntax | becomes | switch |
//! |---|---|---|
//! | `---` or `+++` at the top | [`Document::front_matter`], unread | [`Options::front_matter`] |
//! | CommonMark 0.31.2, but for the next row | [`Kind`], with the names of mdast | |
//! | indented code, raw HTML, `<after_autolink>` | text, or a problem: MDX has none of them | |
//! | tables, `~~text~~`, `- [x]`, `[^note]` | as on GitHub | |
//! | `https://a.b`, `www.a.b`, `me@a.b` | [`Kind::Link`] | [`Options::autolinks`] |
//! | `$…$`, `$$` blocks | [`Kind::InlineMath`], [`Kind::Math`] | [`Options::math`], [`Options::guarded_dollars`] |
//! | `## Title {#id}` | `id` of [`Kind::Heading`] | [`Options::heading_ids`] |
//! | `import …`, `export …` | [`Kind::Esm`] | |
//! | `{…}` | [`Kind::Expression`] | |
//! | `<Name a="b" c={d} {...e}>…</Name>`, `<>…</>` | [`Kind::Element`] | |
//! | straight quotes, `--`, `...` | typographic ones | [`Options::smart_punctuation`] |
//!
//! # Problems
//!
//! A problem has a code, a span in the text, a phrase and a hint. All problems of a page come at
//! once, in the order of the text, and [`ParseDiagnostic::diagnostic`] places them in a file.
//!
//! ```
//! use svc_mdx::{Options, Severity, SourceFile, parse};
//! let text = "# Hello\n\n<Card>\n  text\n";
//! let parsed = parse(text, &Options::default());
//! assert!(parsed.has(Severity::Error));
//! let found = parsed.diagnostics[0].diagnostic(&SourceFile::new("hello.mdx", text), 0);
//! assert_eq!(found.location_string(), "hello.mdx:3:1");
//! assert_eq!(found.message, "`<Card>` is not closed");
//! assert_eq!(parsed.value.children.len(), 2);
//! ```
//!
//! Whether the JavaScript of a page can be read is only looked at roughly. With the feature `oxc`,
//! which is off by default, `check(text, &parsed)` reads it with a real parser and gives further
//! problems.
//!
//! # Visitors
//!
//! [`walk`] goes over the nodes without recursion; [`plain_text`], [`outline`], [`links`] and
//! [`images`] are made of it, and [`unravel`] lifts paragraphs of nothing but tags.
//!
//! ```
//! use svc_mdx::{Kind, Options, links, outline, parse, walk};
//! let page = parse("## A *b*\n\n[c](/d) <E/>", &Options::default()).value;
//! assert_eq!(outline(&page)[0].text, "A b");
//! assert_eq!(links(&page)[0].url, "/d");
//! let mut names = Vec::new();
//! walk(&page.children, |node, _depth| {
//!     if let Kind::Element(element) = &node.kind {
//!         names.extend(element.name.as_deref());
//!     }
//!     true
//! });
//! assert_eq!(names, ["E"]);
//! ```
//!
//! # Options
//!
//! [`Options::default`] is for sites: prices are no formulas, and headings may name their ids.
//! [`Options::mdx_js`] is what the parser of MDX itself does.
//!
//! ```
//! use svc_mdx::{Options, parse, plain_text};
//! let options = Options { smart_punctuation: true, ..Options::default() };
//! let page = parse("\"It's `'a'`...\"", &options).value;
//! assert_eq!(plain_text(&page.children), "“It’s 'a'…”");
//! ```
//!
//! # Promises and limits
//!
//! No text makes this crate panic, and time is linear in the length of the text. At most 100
//! containers and elements stand inside each other; what is deeper is kept without its container
//! and reported as [`TOO_DEEP`]. Places count bytes in 32 bits, so what lies behind 4 GiB of a text
//! is not read. The same text gives the same tree on every machine.

mod block;
#[cfg(feature = "oxc")]
mod check;
mod dump;
mod step_counter;
mod entities;
mod front_matter;
mod inline;
pub mod js;
mod jsx;
mod link;
mod print;
mod diagnostic;
mod punctuation;
mod smart_punctuation;
mod source;
mod strict_checks;
mod text;
mod tree;
mod unravel;
mod visit;

#[cfg(feature = "oxc")]
pub use check::check;
pub use dump::mdast_dump;
#[cfg(feature = "step-counter")]
#[doc(hidden)]
pub use step_counter::count_steps;
pub use jsx::{ParseError, Tag, parse_jsx};

pub use print::print;
pub use diagnostic::{
    BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION, BAD_TAG, CODES, HTML_COMMENT, ParseDiagnostic,
    STRAY_CLOSING_TAG, TOO_DEEP, UNCLOSED_ELEMENT, UNCLOSED_EXPRESSION, UNCLOSED_FENCE,
};
pub use smart_punctuation::smart_punctuation;
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
pub use tree::{
    Align, Attribute, AttributeKind, AttributeValue, Document, Element, FrontMatter,
    FrontMatterKind, Kind, Node, ReferenceKind,
};
pub use unravel::unravel;
pub use visit::{LinkDestination, OutlineEntry, images, links, outline, plain_text, walk};

/// What the parser accepts beyond the fixed syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The block between `---` or `+++` at the very top.
    pub front_matter: bool,
    /// Bare addresses become links.
    pub autolinks: bool,
    /// `$$` blocks and `$…$`.
    pub math: bool,
    /// `$…$` only without white space inside the dollars and no digit after the closing one.
    pub guarded_dollars: bool,
    /// `## Title {#id}`.
    pub heading_ids: bool,
    /// Curly quotes, dashes and `…` in text; never in code, addresses, expressions or attributes.
    pub smart_punctuation: bool,
    /// Report also what the reference refuses but is passed over here: attribute values and
    /// spreads that are empty or certainly no JavaScript, and paragraphs that begin with the words
    /// `import` or `export`. The tree is the same either way. What only the grammar of JavaScript
    /// can tell is left to `check`.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            heading_ids: true,
            guarded_dollars: true,
            ..Self::mdx_js()
        }
    }
}

impl Options {
    /// The plain behaviour of the reference: all dollars count, no heading ids.
    pub const fn mdx_js() -> Self {
        Self {
            front_matter: true,
            autolinks: true,
            math: true,
            guarded_dollars: false,
            heading_ids: false,
            smart_punctuation: false,
            strict: false,
        }
    }
}

/// Reads a page. A problem that is an error, with [`Options::strict`], means a page that the
/// reference refuses as a whole.
pub fn parse(text: &str, options: &Options) -> Checked<Document, ParseDiagnostic> {
    let text = text
        .get(..text.floor_char_boundary(u32::MAX as usize))
        .unwrap_or(text);
    let (front_matter, start) = if options.front_matter {
        front_matter::read(text)
    } else {
        (None, text.len() - text.trim_start_matches('\u{feff}').len())
    };
    let blocks = block::blocks(text, start, options);
    let mut children = blocks.nodes;
    let mut inlines = blocks.inlines;
    let mut page = inline::PageContext::new(
        options,
        blocks.definitions,
        blocks.footnotes,
        blocks.problems,
    );
    inline::fill(&mut children, &mut inlines, &mut page);
    let mut problems = page.problems;
    if options.smart_punctuation {
        smart_punctuation::nodes(&mut children, &mut ' ');
    }
    let document = Document {
        front_matter,
        children,
    };
    if options.strict {
        strict_checks::find(text, &document, &mut problems);
    }
    report_swallowed(text, &mut problems);
    problems.sort_by_key(|problem| problem.span);
    Checked {
        value: document,
        diagnostics: problems,
    }
}

/// Unclosed elements whose closing tags are looked for in code blocks.
const MAX_SWALLOWED: usize = 20;

/// Says of elements that are not closed when their closing tag is inside of a code block that never
/// ends: then the tag is right and the code block is wrong.
fn report_swallowed(text: &str, problems: &mut [ParseDiagnostic]) {
    let starts = |problem: &&ParseDiagnostic| problem.code.id == UNCLOSED_FENCE.id;
    let mut fences: Vec<usize> = problems
        .iter()
        .filter(starts)
        .map(|problem| problem.span.start as usize)
        .collect();
    fences.sort_unstable();
    if fences.is_empty() {
        return;
    }
    let open = problems
        .iter_mut()
        .filter(|problem| problem.code.id == UNCLOSED_ELEMENT.id);
    for problem in open.take(MAX_SWALLOWED) {
        let at = problem.span.start as usize;
        let inside = fences.iter().find(|fence| **fence > at);
        let tag = text.get(at..problem.span.end as usize).unwrap_or_default();
        let name = tag.trim_start_matches('<');
        let name = name
            .split(|c: char| c.is_whitespace() || "/>".contains(c))
            .next();
        let (Some(fence), Some(name)) = (inside, name.filter(|name| !name.is_empty())) else {
            continue;
        };
        let closing = format!("</{name}>");
        if text
            .get(*fence..)
            .is_some_and(|rest| rest.contains(&closing))
        {
            problem.message =
                format!("`{closing}` is inside of a code block that is never closed").into();
            problem.hint = "close the code block before it".into();
        }
    }
}
