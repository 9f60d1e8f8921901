//! Spans to remove a part of a document together with what separates it from its neighbors.

use svc_diagnostics::Span;

/// Extends the span of a member or item of a JSON text by its comma, and by white space so that the
/// next one takes its place. Returns the span unchanged if it has no neighbor.
///
/// ```
/// use svc_data::json_removal;
/// use svc_diagnostics::Span;
/// let text = "{\"a\": 1, \"b\": 2}";
/// assert_eq!(&text[json_removal(text, Span::new(1, 7)).range()], "\"a\": 1, ");
/// assert_eq!(&text[json_removal(text, Span::new(9, 15)).range()], ", \"b\": 2");
/// ```
pub fn json_removal(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let after = text.get(end..).unwrap_or("");
    if let Some(rest) = after.trim_start().strip_prefix(',') {
        return Span::from_range(start..text.len() - rest.trim_start().len());
    }
    let before = text.get(..start).unwrap_or("").trim_end();
    match before.strip_suffix(',') {
        Some(before) => Span::from_range(before.len()..end),
        None => span,
    }
}

/// Extends a span by its whole line if nothing else is on it. `None` if there is, or if the span has
/// several lines.
pub(crate) fn whole_line(text: &str, span: Span) -> Option<Span> {
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start)?;
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let rest = text.get(end..)?;
    let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let is_blank = |text: Option<&str>| text.is_some_and(|text| text.trim().is_empty());
    let alone = is_blank(before.get(line..)) && is_blank(rest.get(..length));
    let inside = text.get(span.range())?;
    (alone && !inside.contains('\n')).then(|| Span::from_range(line..end + length))
}

/// Returns a JSON string with quotes and escapes.
pub(crate) fn quoted(content: &str) -> String {
    serde_json::Value::from(content).to_string()
}
