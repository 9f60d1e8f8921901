//! What can be wrong with a page.

use std::borrow::Cow;

use svc_diagnostics::{DiagnosticCode, Diagnostic, HasSeverity, Severity, SourceFile, Span};

/// A tag without its closing tag.
pub static UNCLOSED_ELEMENT: DiagnosticCode = DiagnosticCode::error(
    "mdx-unclosed-element",
    "an element is opened but not closed",
);
/// A closing tag without its opening tag.
pub static STRAY_CLOSING_TAG: DiagnosticCode =
    DiagnosticCode::error("mdx-stray-closing-tag", "a closing tag closes nothing");
/// A fence without its end.
pub static UNCLOSED_FENCE: DiagnosticCode = DiagnosticCode::warning(
    "mdx-unclosed-fence",
    "a code block or formula is opened but not closed",
);
/// A `{` without `}`.
pub static UNCLOSED_EXPRESSION: DiagnosticCode = DiagnosticCode::error(
    "mdx-unclosed-expression",
    "a brace is opened but not closed",
);
/// Braces around something that is no JavaScript.
pub static BAD_EXPRESSION: DiagnosticCode = DiagnosticCode::error(
    "mdx-bad-expression",
    "the content of braces is not an expression",
);
/// A `<` that begins no tag.
pub static BAD_TAG: DiagnosticCode = DiagnosticCode::error("mdx-bad-tag", "`<` does not begin a tag");
/// An attribute that cannot be read.
pub static BAD_ATTRIBUTE: DiagnosticCode =
    DiagnosticCode::error("mdx-bad-attribute", "an attribute of a tag cannot be read");
/// An HTML comment.
pub static HTML_COMMENT: DiagnosticCode = DiagnosticCode::error("mdx-html-comment", "MDX has no `<!-- -->` comments");
/// An import or export that does not end.
pub static BAD_ESM: DiagnosticCode = DiagnosticCode::error("mdx-bad-esm", "an import or export cannot be read");
/// Too many levels.
pub static TOO_DEEP: DiagnosticCode = DiagnosticCode::error("mdx-too-deep", "content is nested too deeply");

/// All codes of this crate.
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

/// One problem of a page, placed by a span in the parsed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseDiagnostic {
    /// Which kind.
    pub code: &'static DiagnosticCode,
    /// Where, in the text that was parsed.
    pub span: Span,
    /// One plain phrase.
    pub message: Cow<'static, str>,
    /// What to do.
    pub hint: Cow<'static, str>,
}

impl HasSeverity for ParseDiagnostic {
    fn severity(&self) -> Severity {
        self.code.severity
    }
}

impl ParseDiagnostic {
    /// A problem.
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
        }
    }

    /// The problem as a diagnostic of `file`, in which the parsed text begins at byte `shift`.
    pub fn diagnostic(&self, file: &SourceFile, shift: u32) -> Diagnostic {
        let found = Diagnostic::new(self.code, self.message.clone())
            .at(file.location(self.span.shifted(shift)));
        if self.hint.is_empty() {
            found
        } else {
            found.hint(self.hint.clone())
        }
    }
}
