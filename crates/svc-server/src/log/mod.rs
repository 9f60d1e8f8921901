//! The log of the programs: the events of `tracing` on standard error, as text or as JSON.

mod filter;
mod request;
#[cfg(test)]
mod tests;
mod text;
mod writer;

use std::fmt;
use std::io::{self, Stderr, Write as _};

use clap::{Args, ValueEnum};
use svc_diagnostics::escape_control_chars;
use tracing::{Dispatch, Level, enabled, error, info, warn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{Layer, Registry};

pub use filter::{LogFilter, ParseLogFilterError};
use request::ACCESS_TARGET;
#[cfg(feature = "traces")]
pub(crate) use request::REQUEST_TARGET;
pub(crate) use request::{
    AccessLine, AccessRecord, is_access_log_enabled, is_request_span_enabled, record_project,
    record_response, request_span,
};
use writer::LogWriter;

/// A layer that collects spans for something other than the log.
pub(crate) type SpanLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Format of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line per event: time, level, message, fields
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

/// Options of the log, on the command line and in `[log]` of the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct LogOptions {
    /// Format of the log
    #[arg(
        id = "log_format",
        long = "log-format",
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub format: LogFormat,
    /// Least severe level to log: `error`, `warn`, `info`, `debug`, `trace`, or `off`. Followed by
    /// levels of other targets if needed: `info,svc_site=debug`
    #[arg(
        id = "log_level",
        long = "log-level",
        value_name = "LEVEL",
        default_value = "info"
    )]
    pub filter: LogFilter,
    /// Log every request, at any level
    #[arg(id = "access_log", long = "access-log")]
    pub access: bool,
}

/// The log of a program that has called [`LogOptions::init`]. Lines of the access log may not be
/// written before it is dropped.
pub struct Log {
    format: LogFormat,
    paint: fn(&str) -> String,
    writer: LogWriter<fn() -> Stderr>,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format;
        f.debug_struct("Log")
            .field("format", &format)
            .finish_non_exhaustive()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.writer.flush();
    }
}

impl LogOptions {
    /// Starts the log of this process; later calls have no effect on it. `paint` adds colors to
    /// diagnostics in text.
    pub fn init(&self, paint: fn(&str) -> String) -> Log {
        self.init_with(paint, None)
    }

    /// Starts the log, and collects spans with a layer too.
    pub(crate) fn init_with(&self, paint: fn(&str) -> String, spans: Option<SpanLayer>) -> Log {
        if self.format == LogFormat::Json {
            std::panic::set_hook(Box::new(|panic| error!("{panic}")));
        }
        // There is a log already if the process runs several servers, as tests do.
        let writer = LogWriter::new(io::stderr as fn() -> Stderr);
        let _ =
            tracing::dispatcher::set_global_default(self.subscriber(writer.clone(), paint, spans));
        Log {
            format: self.format,
            paint,
            writer,
        }
    }

    /// The subscriber that writes the log to `writer`.
    fn subscriber(
        &self,
        writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
        paint: fn(&str) -> String,
        spans: Option<SpanLayer>,
    ) -> Dispatch {
        let layer = tracing_subscriber::fmt::layer().with_writer(writer);
        let layer: Box<dyn Layer<Registry> + Send + Sync> = match self.format {
            LogFormat::Text => {
                let format = text::TextFormat { paint };
                Box::new(layer.event_format(format).fmt_fields(format))
            }
            LogFormat::Json => Box::new(layer.json().with_current_span(false)),
        };
        let targets = self.filter.targets(self.access);
        match spans {
            Some(spans) => Registry::default()
                .with(vec![layer.with_filter(targets).boxed(), spans])
                .into(),
            // The filter is not part of the layer, so that spans and events that it excludes cost
            // no more than a comparison.
            None => Registry::default().with(layer).with(targets).into(),
        }
    }
}

impl Log {
    /// Announces that the program is ready: on standard output in the text format, where scripts
    /// read the URL, and as an event in JSON. Nothing is printed if `info` is not logged.
    pub fn announce(&self, text: &str) {
        match self.format {
            LogFormat::Json => info!("{}", text.trim_end()),
            LogFormat::Text if enabled!(Level::INFO) => {
                // The reader of a pipe may be gone.
                let mut out = io::stdout().lock();
                let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            }
            LogFormat::Text => {}
        }
    }

    /// Reports the rendered diagnostics of a site at startup: unchanged in the text format, as an
    /// event in JSON. `is_fatal` is whether the program ends because of them.
    pub fn report(&self, diagnostics: &str, is_fatal: bool) {
        let is_enabled = match is_fatal {
            true => enabled!(Level::ERROR),
            false => enabled!(Level::WARN),
        };
        match self.format {
            _ if diagnostics.is_empty() || !is_enabled => {}
            LogFormat::Text => {
                let text = (self.paint)(&escape_control_chars(diagnostics));
                // There is no way to report an error of standard error.
                let _ = io::stderr().write_all(text.as_bytes());
            }
            LogFormat::Json if is_fatal => error!(details = diagnostics, "the site is not served"),
            LogFormat::Json => warn!(details = diagnostics, "the site has problems"),
        }
    }
}
