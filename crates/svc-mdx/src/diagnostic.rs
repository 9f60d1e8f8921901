//! Diagnostics of the parser.

use std::borrow::Cow;

use svc_diagnostics::{
    Diagnostic, DiagnosticCode, HasSeverity, Severity, SourceFile, Span, diagnostic_code,
};

use crate::ParseFix;

/// An element has no closing tag.
pub static UNCLOSED_ELEMENT: DiagnosticCode =
    diagnostic_code!(error, "mdx-unclosed-element", "an element is not closed");
/// A closing tag has no opening tag.
pub static STRAY_CLOSING_TAG: DiagnosticCode = diagnostic_code!(
    error,
    "mdx-stray-closing-tag",
    "a closing tag has no opening tag"
);
/// A fence is not closed.
pub static UNCLOSED_FENCE: DiagnosticCode = diagnostic_code!(
    warning,
    "mdx-unclosed-fence",
    "a code block or formula is not closed"
);
/// A `{` has no `}`.
pub static UNCLOSED_EXPRESSION: DiagnosticCode =
    diagnostic_code!(error, "mdx-unclosed-expression", "a brace is not closed");
/// Braces contain text that is not JavaScript.
pub static BAD_EXPRESSION: DiagnosticCode = diagnostic_code!(
    error,
    "mdx-bad-expression",
    "the content of braces is not an expression"
);
/// A `<` does not begin a tag.
pub static BAD_TAG: DiagnosticCode =
    diagnostic_code!(error, "mdx-bad-tag", "`<` does not begin a tag");
/// An attribute is invalid.
pub static BAD_ATTRIBUTE: DiagnosticCode =
    diagnostic_code!(error, "mdx-bad-attribute", "an attribute is not valid");
/// An HTML comment, which MDX does not support.
pub static HTML_COMMENT: DiagnosticCode = diagnostic_code!(
    error,
    "mdx-html-comment",
    "`<!-- -->` is not a comment in MDX"
);
/// An import or export is invalid or not complete.
pub static BAD_ESM: DiagnosticCode =
    diagnostic_code!(error, "mdx-bad-esm", "an `import` or `export` is not valid");
/// The content exceeds the maximum nesting depth.
pub static TOO_DEEP: DiagnosticCode =
    diagnostic_code!(error, "mdx-too-deep", "the content is nested too deeply");

/// All diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &UNCLOSED_ELEMENT,
    &STRAY_CLOSING_TAG,
    &UNCLOSED_FENCE,
    &UNCLOSED_EXPRESSION,
    &BAD_EXPRESSION,
    &BAD_TAG,
    &BAD_ATTRIBUTE,
    &HTML_COMMENT,
    &BAD_ESM,
    &TOO_DEEP,
];

/// A problem of a page, with a span in the parsed text.
///
/// # Example
///
/// ```
/// use svc_mdx::{BAD_TAG, ParseDiagnostic, SourceFile, Span};
/// let problem = ParseDiagnostic::new(&BAD_TAG, Span::new(0, 1), "`<` begins no tag", "write `&lt;`");
/// let file = SourceFile::new("a.mdx", "---\n---\n<");
/// assert_eq!(problem.diagnostic(&file, 8).location_string(), "a.mdx:3:1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseDiagnostic {
    /// Kind of problem.
    pub code: &'static DiagnosticCode,
    /// Span in the text that was parsed.
    pub span: Span,
    /// Message, in the form of [`Diagnostic::message`].
    pub message: Cow<'static, str>,
    /// Next step that fixes the problem.
    pub hint: Cow<'static, str>,
    /// Edits that solve the problem; `None` if the author has to decide.
    pub fix: Option<ParseFix>,
}

impl HasSeverity for ParseDiagnostic {
    fn severity(&self) -> Severity {
        self.code.severity
    }
}

impl ParseDiagnostic {
    /// Creates a diagnostic.
    ///
    /// Example: [`ParseDiagnostic`](crate::ParseDiagnostic#example).
    pub fn new(
        code: &'static DiagnosticCode,
        span: Span,
        message: impl Into<Cow<'static, str>>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            hint: hint.into(),
            fix: None,
        }
    }

    /// Converts this to a diagnostic of `file`, in which the parsed text begins at byte `shift`.
    ///
    /// Example: [`ParseDiagnostic`](crate::ParseDiagnostic#example).
    pub fn diagnostic(&self, file: &SourceFile, shift: u32) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code, self.message.clone())
            .at(file.location(self.span.shifted(shift)))
            .fix(self.fix.as_ref().map(|fix| fix.fix(file, shift)));
        if self.hint.is_empty() {
            diagnostic
        } else {
            diagnostic.hint(self.hint.clone())
        }
    }
}
