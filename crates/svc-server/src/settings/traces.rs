//! `[traces]`: spans of requests and deployments for OpenTelemetry.

use svc_git::Secret;

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::secret::{self, VARIABLE};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};

/// Name of the service if the table has none.
const DEFAULT_SERVICE: &str = "svc-server";
/// Share of requests if the table has none.
const DEFAULT_PERCENT: u32 = 10;

/// A collector of traces, and what it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracesSettings {
    /// URL of the collector, which accepts OTLP over HTTP.
    pub endpoint: String,
    /// Value of the header `Authorization`; `None` if the collector needs none.
    pub authorization: Option<Secret>,
    /// Share of requests that have a span, in percent.
    pub sample_percent: u8,
    /// Resource attribute `service.name`.
    pub service_name: String,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "traces",
    about: "A collector for the spans of requests and deployments, such as the OpenTelemetry Collector, Jaeger or Tempo. Changes require a restart.",
    keys: &[
        key(
            "endpoint",
            ValueType::Text("^https?://"),
            "URL to which spans are sent as OTLP over HTTP (protobuf), with its path. The host may have a private IP address.",
        )
        .required()
        .example("\"http://127.0.0.1:4318/v1/traces\""),
        key(
            "authorization_file",
            ValueType::Path,
            "File with the value of the header `Authorization`, such as `Bearer …`.",
        )
        .example("\"/etc/svc/secrets/traces\""),
        key(
            "authorization_env",
            ValueType::Text(VARIABLE),
            "Environment variable with the value of the header `Authorization`.",
        )
        .example("\"SVC_TRACES_AUTHORIZATION\""),
        key(
            "sample_percent",
            ValueType::Count(0, 100),
            "Share of requests that have a span, in percent. A trusted proxy that sends `traceparent` decides itself. Deployments and jobs always have spans.",
        )
        .default(DefaultValue::Count(DEFAULT_PERCENT)),
        key(
            "service_name",
            ValueType::Text(""),
            "Name of the service in the traces.",
        )
        .default(DefaultValue::Text(DEFAULT_SERVICE)),
    ],
    choices: &[ExclusiveKeys {
        keys: &["authorization_file", "authorization_env"],
        required: false,
    }],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> Option<TracesSettings> {
    let fields = cx.open(server.get("traces")?, &TABLE)?;
    if !cfg!(feature = "traces") {
        let message = "`[traces]` requires a program with the feature `traces`";
        let hint = "build it without `--no-default-features`, or remove the table";
        cx.report(&CONFLICT, server.key_span("traces"), message, hint);
    }
    let endpoint = cx.text(fields, "endpoint")?;
    match svc_fetch::parse_url(endpoint.text) {
        Ok(url) if url.path() == "/" => {
            let hint = "write the whole URL: collectors listen at `http://HOST:4318/v1/traces`";
            cx.refuse(endpoint, "endpoint", hint);
        }
        Ok(_) => {}
        Err(error) => {
            let hint = format!("{error}; write a URL: `http://127.0.0.1:4318/v1/traces`");
            cx.refuse(endpoint, "endpoint", hint);
        }
    }
    let service_name = cx.text(fields, "service_name");
    Some(TracesSettings {
        endpoint: endpoint.text.to_owned(),
        authorization: secret::decode(cx, fields, "authorization"),
        sample_percent: u8::try_from(cx.count(fields, "sample_percent")?).unwrap_or(100),
        service_name: service_name
            .map_or(DEFAULT_SERVICE, |name| name.text)
            .to_owned(),
    })
}
