//! Spans, source files and diagnostics with a stable code, a location, a hint and, where there is only
//! one solution, a [`Fix`], and their output as text, JSON, SARIF or annotations of GitHub Actions.
//!
//! A problem in a user's file is a value, never an `Err` and never a panic: every stage returns a
//! [`Checked`], which holds its result and all diagnostics. `Result` is for input and output
//! (files, sockets), which this crate does not do.
//!
//! ```
//! use svc_diagnostics::{DiagnosticCode, Diagnostic, SourceFile, Span};
//! static CODE: DiagnosticCode = DiagnosticCode::error("demo-colon", "a colon is missing");
//! let file = SourceFile::new("docs.json", "{\n  \"name\" 1\n}");
//! let diagnostic = Diagnostic::new(&CODE, "expected `:` after `name`")
//!     .at(file.location(Span::new(11, 12)))
//!     .hint("write `\"name\": 1`");
//! assert_eq!(diagnostic.location_string(), "docs.json:2:10");
//! ```

mod checked;
mod code;
mod diagnostic;
mod emit;
mod encoding;
mod explanation;
mod fix;
mod source;
mod span;
mod suggest;

pub use checked::{Checked, HasSeverity};
pub use code::{DiagnosticCode, Severity};
pub use diagnostic::{Diagnostic, Label};
pub use emit::{escape_control_chars, render_github, render_json, render_sarif, render_text};
pub use encoding::{DecodeError, decode};
pub use explanation::ExplanationPart;
pub use fix::{Edit, Fix, FixOutcome, apply_fixes};
pub use source::{Location, Position, SourceFile};
pub use span::Span;
pub use suggest::{did_you_mean, is_shortened_path, is_typing_error};
