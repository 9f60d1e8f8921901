//! Texts in messages, and the spans that they refer to.

use svc_diagnostics::Span;

/// Maximum number of diagnostics. A hostile file could cause millions.
pub(crate) const MAX_DIAGNOSTICS: usize = 5_000;

/// A list of values for a message.
pub(crate) fn value_list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    quoted.join(", ")
}

/// Shortens a text to 60 characters, for messages.
pub(crate) fn shorten(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    text.chars().take(57).chain("…".chars()).collect()
}

/// The first character of a span, to mark the start of a long value.
pub(crate) const fn opening(span: Span) -> Span {
    Span::new(
        span.start,
        if span.end > span.start {
            span.start + 1
        } else {
            span.end
        },
    )
}
