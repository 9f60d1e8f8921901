//! The text format: `TIME LEVEL MESSAGE FIELDS SPAN{FIELDS}`.
//!
//! Values come from requests and repositories. Control characters in them are replaced, so that a
//! value is never a line of its own and cannot control a terminal. Only the field `details` has
//! several lines; they are indented and follow the line of the event.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Debug};
use std::time::SystemTime;

use svc_diagnostics::escape_control_chars;
use tracing::Level;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Formats events and fields as text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextFormat {
    /// Adds colors to details.
    pub(super) paint: fn(&str) -> String,
}

impl<S, N> FormatEvent<S, N> for TextFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        write!(
            writer,
            "{}",
            humantime::format_rfc3339_micros(SystemTime::now())
        )?;
        writer.write_str(level_text(*event.metadata().level()))?;
        let mut text = FieldText::new(writer.by_ref());
        event.record(&mut text);
        let details = text.details;
        let spans = context.event_scope().into_iter();
        for span in spans.flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>();
            let fields = fields.map_or("", |fields| fields.fields.trim_end());
            write!(writer, " {}{{{fields}}}", span.name())?;
        }
        writer.write_char('\n')?;
        for line in (self.paint)(&escape_control_chars(&details)).lines() {
            writeln!(writer, "  {line}")?;
        }
        Ok(())
    }
}

impl<'w> FormatFields<'w> for TextFormat {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        fields.record(&mut FieldText::new(writer));
        Ok(())
    }
}

/// A level, aligned and between spaces.
const fn level_text(level: Level) -> &'static str {
    match level {
        Level::ERROR => " ERROR ",
        Level::WARN => "  WARN ",
        Level::INFO => "  INFO ",
        Level::DEBUG => " DEBUG ",
        Level::TRACE => " TRACE ",
    }
}

/// Writes the fields of an event or span.
struct FieldText<'w> {
    writer: Writer<'w>,
    is_empty: bool,
    details: String,
}

impl<'w> FieldText<'w> {
    const fn new(writer: Writer<'w>) -> Self {
        Self {
            writer,
            is_empty: true,
            details: String::new(),
        }
    }

    fn push(&mut self, field: &Field, value: &str) {
        if field.name() == "details" {
            value.clone_into(&mut self.details);
            return;
        }
        if field.name() == "message" {
            self.separate();
            let _ = self.writer.write_str(&escape_line(value));
            return;
        }
        self.begin(field);
        // Most values are of this kind.
        let is_word = !value.is_empty() && value.bytes().all(is_plain_byte);
        if is_word {
            let _ = self.writer.write_str(value);
            return;
        }
        let value = escape_line(value);
        if is_plain(&value) {
            let _ = self.writer.write_str(&value);
        } else {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(self.writer, "\"{value}\"");
        }
    }

    /// Adds a value that needs no quotes.
    fn push_plain(&mut self, field: &Field, value: &str) {
        self.begin(field);
        let _ = self.writer.write_str(value);
    }

    /// Begins a field. The writer is a string, so that writing does not fail.
    fn begin(&mut self, field: &Field) {
        self.separate();
        let _ = self.writer.write_str(field.name());
        let _ = self.writer.write_char('=');
    }

    fn separate(&mut self) {
        if !self.is_empty {
            let _ = self.writer.write_char(' ');
        }
        self.is_empty = false;
    }
}

impl Visit for FieldText<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.push_plain(field, itoa::Buffer::new().format(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.push_plain(field, itoa::Buffer::new().format(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.push_plain(field, zmij::Buffer::new().format(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.push(field, value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.push(field, &value.to_string());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.push(field, &format!("{value:?}"));
    }
}

/// Replaces all control characters with visible ones.
fn escape_line(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_control())
    {
        return Cow::Borrowed(text);
    }
    let text = escape_control_chars(text);
    Cow::Owned(text.replace('\n', "\u{240a}").replace('\t', "\u{2409}"))
}

/// Whether a byte is a letter, a digit or a sign that needs neither quotes nor escapes.
const fn is_plain_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'=' | b'{' | b'}')
}

/// Whether a value needs no quotes.
fn is_plain(value: &str) -> bool {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '"' | '=' | '{' | '}');
    !value.is_empty() && !value.contains(is_special)
}
