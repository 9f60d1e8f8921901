//! `[log]`: format and levels of the log.

use clap::ValueEnum as _;

use super::decode::{Cx, Fields};
use super::table::{DefaultValue, TableSchema, ValueType, key};
use crate::log::{LogFilter, LogFormat, LogOptions};

pub(super) static TABLE: TableSchema = TableSchema {
    name: "log",
    about: "The log on standard error. Changes require a restart.",
    keys: &[
        key(
            "format",
            ValueType::Text("^(text|json)$"),
            "`text` for one line per event, `json` for one JSON object per line.",
        )
        .default(DefaultValue::Text("text")),
        key(
            "level",
            ValueType::Text(LogFilter::PATTERN),
            "Least severe level to log: `error`, `warn`, `info`, `debug`, `trace`, or `off`. Followed by levels of other targets if needed.",
        )
        .default(DefaultValue::Text("info"))
        .example("\"info,svc_site=debug\""),
        key(
            "access",
            ValueType::Boolean,
            "Whether to log every request, at any level.",
        )
        .default(DefaultValue::Boolean(false)),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> LogOptions {
    let Some(fields) = server.get("log").and_then(|node| cx.open(node, &TABLE)) else {
        return LogOptions::default();
    };
    let mut options = LogOptions {
        access: cx.flag(fields, "access"),
        ..LogOptions::default()
    };
    if let Some(text) = cx.text(fields, "format") {
        match LogFormat::from_str(text.text, false) {
            Ok(format) => options.format = format,
            Err(_) => cx.refuse(text, "format", "write `text` or `json`"),
        }
    }
    if let Some(text) = cx.text(fields, "level") {
        match text.text.parse() {
            Ok(filter) => options.filter = filter,
            Err(error) => {
                let error: crate::log::ParseLogFilterError = error;
                let hint = error.to_string();
                let hint = hint.split_once("; ").map_or("", |(_, hint)| hint);
                cx.refuse(text, "level", hint);
            }
        }
    }
    options
}
