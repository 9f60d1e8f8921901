//! Parses MDX into a tree with spans. Never fails.
//!
//! [`parse`] parses a page. Every problem is a [`ParseDiagnostic`] next to the tree, and the tree
//! always contains the rest of the page. This crate evaluates and resolves nothing and reads no
//! files: JavaScript stays text, and the meaning of tags is left to the caller.
//!
//! ```
//! use svc_mdx::{Kind, Options, parse};
//! let parsed = parse("# Hello", &Options::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert!(matches!(parsed.value.children[0].kind, Kind::Heading { depth: 1, .. }));
//! ```
//!
//! # Syntax
//!
//! | syntax | result | option |
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
//! # Diagnostics
//!
//! A diagnostic has a code, a span in the text, a message and a hint. All diagnostics of a page are
//! returned at once, in the order of the text. [`ParseDiagnostic::diagnostic`] converts them to
//! diagnostics of a file.
//!
//! ```
//! use svc_mdx::{Options, Severity, SourceFile, parse};
//! let text = "# Hello\n\n<Card>\n  text\n";
//! let parsed = parse(text, &Options::default());
//! assert!(parsed.has(Severity::Error));
//! let diagnostic = parsed.diagnostics[0].diagnostic(&SourceFile::new("hello.mdx", text), 0);
//! assert_eq!(diagnostic.location_string(), "hello.mdx:3:1");
//! assert_eq!(diagnostic.message, "`<Card>` is not closed");
//! assert_eq!(parsed.value.children.len(), 2);
//! ```
//!
//! The JavaScript of a page is checked only lexically. With the feature `oxc`, which is off by
//! default, `check(text, &parsed)` parses it and returns further diagnostics.
//!
//! # Visitors
//!
//! [`walk`] visits the nodes without recursion; [`plain_text`], [`outline`], [`links`] and
//! [`images`] are based on it. [`unravel`] lifts paragraphs that contain only tags.
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
//! # Formatting
//!
//! [`format()`] gives the text of a page a normal form without changing its tree. [`print`] is for
//! trees that have no text yet.
//!
//! # Options
//!
//! [`Options::default`] is for documentation sites: prices are not formulas, and headings may have
//! explicit ids. [`Options::mdx_js`] is the behavior of `@mdx-js/mdx`.
//!
//! ```
//! use svc_mdx::{Options, parse, plain_text};
//! let options = Options { smart_punctuation: true, ..Options::default() };
//! let page = parse("\"It's `'a'`...\"", &options).value;
//! assert_eq!(plain_text(&page.children), "“It’s 'a'…”");
//! ```
//!
//! # Guarantees and limits
//!
//! Parsing never panics and takes time linear in the length of the text. At most 100 containers and
//! elements can be nested; deeper ones are dropped, their content is retained, and [`TOO_DEEP`] is
//! reported. Spans are 32-bit byte offsets, so text after 4 GiB is not read. The result is the same
//! on every machine.

mod block;
#[cfg(feature = "oxc")]
mod check;
mod diagnostic;
mod dump;
mod entities;
mod fix;
mod format;
mod front_matter;
mod inline;
pub mod js;
mod jsx;
mod link;
mod options;
mod print;
mod punctuation;
mod smart_punctuation;
mod source;
mod step_counter;
mod strict_checks;
mod text;
mod tree;
mod unravel;
mod visit;

#[cfg(feature = "oxc")]
pub use check::check;
pub use dump::mdast_dump;
pub use fix::ParseFix;
pub use format::format;
pub use jsx::{ParseError, Tag, parse_jsx};
#[cfg(feature = "step-counter")]
#[doc(hidden)]
pub use step_counter::count_steps;

pub use diagnostic::{
    BAD_ATTRIBUTE, BAD_ESM, BAD_EXPRESSION, BAD_TAG, CODES, HTML_COMMENT, ParseDiagnostic,
    STRAY_CLOSING_TAG, TOO_DEEP, UNCLOSED_ELEMENT, UNCLOSED_EXPRESSION, UNCLOSED_FENCE,
};
pub use options::Options;
pub use print::print;
pub use smart_punctuation::smart_punctuation;
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
pub use text::decode_references;
pub use tree::{
    Align, Attribute, AttributeKind, AttributeValue, Document, Element, FrontMatter,
    FrontMatterKind, Kind, Node, ReferenceKind,
};
pub use unravel::unravel;
pub use visit::{LinkDestination, OutlineEntry, images, links, outline, plain_text, walk};

/// Parses a page. With [`Options::strict`], a diagnostic with severity error means that
/// `@mdx-js/mdx` rejects the page.
///
/// Example: [crate documentation](crate).
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
    inline::fill::fill(&mut children, &mut inlines, &mut page);
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
    fix::add(text, &document, &mut problems);
    problems.sort_by_key(|problem| problem.span);
    Checked {
        value: document,
        diagnostics: problems,
    }
}

/// Maximum number of unclosed elements whose closing tags are searched for in code blocks.
const MAX_SWALLOWED: usize = 20;

/// Changes the message of unclosed elements whose closing tag is inside of an unclosed code block,
/// because the code block and not the tag is the mistake.
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
                format!("`{closing}` is inside of a code block that is not closed").into();
            problem.hint = "close the code block before it".into();
        }
    }
}
