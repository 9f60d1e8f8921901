//! Spans, source files and diagnostics with code, place and hint; printing them.
//!
//! A mistake in somebody's file is a value, never an `Err` and never a panic: every stage returns
//! [`Checked`], its result and everything it found. `Result` is for the world outside (files,
//! sockets), which this crate does not touch.
//!
//! ```
//! use svc_diagnostics::{DiagnosticCode, Diagnostic, SourceFile, Span};
//! static CODE: DiagnosticCode = DiagnosticCode::error("demo-colon", "a colon is missing");
//! let file = SourceFile::new("docs.json", "{\n  \"name\" 1\n}");
//! let found = Diagnostic::new(&CODE, "expected `:` after `name`")
//!     .at(file.location(Span::new(11, 12)))
//!     .hint("write `\"name\": 1`");
//! assert_eq!(found.location_string(), "docs.json:2:10");
//! ```

mod checked;
mod code;
mod diagnostic;
mod emit;
mod encoding;
mod source;
mod span;
mod suggest;

pub use checked::{Checked, HasSeverity};
pub use code::{DiagnosticCode, Severity};
pub use diagnostic::{Diagnostic, Label};
pub use emit::{escape_control_chars, render_json, render_text};
pub use encoding::{DecodeError, decode};
pub use source::{Location, Position, SourceFile};
pub use span::Span;
pub use suggest::{did_you_mean, is_shortened_path};
