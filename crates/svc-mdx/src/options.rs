//! Options of the parser.

/// Syntax extensions of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Front matter between `---` or `+++` at the start of the page.
    pub front_matter: bool,
    /// URLs and e-mail addresses in text become links.
    pub autolinks: bool,
    /// Math: `$$` blocks and `$…$`.
    pub math: bool,
    /// Accept `$…$` only if there is no white space inside of the dollars and no digit after the
    /// closing one.
    pub guarded_dollars: bool,
    /// Explicit heading ids: `## Title {#id}`.
    pub heading_ids: bool,
    /// Typographic quotes, dashes and `…` in text; never in code, URLs, expressions or attributes.
    pub smart_punctuation: bool,
    /// Also report input that `@mdx-js/mdx` rejects but that is accepted here: attribute values and
    /// spreads that are empty or not JavaScript, and paragraphs that begin with the words `import`
    /// or `export`. The tree does not depend on this option. Errors that require the grammar of
    /// JavaScript are reported by `check`.
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
    /// Returns the behavior of `@mdx-js/mdx`: all dollars are math, and headings have no explicit
    /// ids.
    ///
    /// # Example
    ///
    /// ```
    /// use svc_mdx::{Options, parse, plain_text};
    /// let text = |options| plain_text(&parse("## A {#b}", &options).value.children);
    /// assert_eq!(text(Options::default()), "A");
    /// ```
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
