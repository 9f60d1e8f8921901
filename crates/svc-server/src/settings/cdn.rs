//! `[projects.cdn]`: a content delivery network in front of the site.

use std::time::Duration;

use http::header::HeaderName;

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};
use super::{Secret, secret};

/// Settings of a content delivery network (CDN).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CdnSettings {
    /// How long the CDN may hold a page.
    pub max_age: Duration,
    /// How the CDN is told that pages have changed; `None` if it is not.
    pub purge: Option<PurgeSettings>,
}

/// The request that has a CDN drop pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurgeSettings {
    /// URL of the request.
    pub url: String,
    /// Header with a secret, and its value.
    pub header: Option<(String, Secret)>,
}

const DEFAULT_MAX_AGE: Duration = Duration::from_secs(3_600);

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.cdn",
    about: "A content delivery network (CDN) in front of the site. With this table, public pages have headers that let it hold them: `CDN-Cache-Control`, `Surrogate-Control`, `Surrogate-Key` and `Cache-Tag`. Not for projects with readers who sign in.",
    keys: &[
        key(
            "max_age",
            ValueType::Duration(1),
            "How long the CDN may hold a page. Browsers revalidate pages at the CDN, whatever this is.",
        )
        .default(DefaultValue::Text("1h")),
        key(
            "purge_url",
            ValueType::Text("^https?://"),
            "URL that gets a `POST` request after each deployment: with the header `Surrogate-Key: svc-ID` and the body `{\"tags\": [\"svc-ID\"]}`, where ID is that of the project. It is repeated for ten minutes until the status is 2xx.",
        )
        .example("\"https://api.fastly.com/service/SERVICE/purge\""),
        key(
            "purge_header",
            ValueType::Text(""),
            "Name of the header of the request that has the secret.",
        )
        .default(DefaultValue::Text("Authorization"))
        .example("\"Fastly-Key\"")
        .with("purge_url"),
        key(
            "purge_secret_file",
            ValueType::Path,
            "File that contains the value of the header, for example `Bearer TOKEN`.",
        )
        .example("\"/etc/svc/cdn.secret\"")
        .with("purge_url"),
        key(
            "purge_secret_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the value of the header.",
        )
        .example("\"CDN_TOKEN\"")
        .with("purge_url"),
        key("purge_secret", ValueType::Forbidden, ""),
    ],
    choices: &[ExclusiveKeys {
        keys: &["purge_secret_file", "purge_secret_env"],
        required: false,
    }],
};

pub(super) fn decode(cx: &mut Cx<'_>, project: Fields<'_>) -> Option<CdnSettings> {
    let fields = cx.open(project.get("cdn")?, &TABLE)?;
    if project.has("readers") {
        let message = "a CDN cannot know which reader may see a page";
        let hint = "remove `[projects.cdn]` or `[projects.readers]`, or make two projects";
        cx.report(&CONFLICT, project.key_span("cdn"), message, hint);
    }
    let max_age = cx.duration(fields, "max_age").unwrap_or(DEFAULT_MAX_AGE);
    let secret = secret::decode(cx, fields, "purge_secret");
    let name = cx.text(fields, "purge_header");
    if let Some(name) = name
        && HeaderName::from_bytes(name.text.as_bytes()).is_err()
    {
        cx.refuse(
            name,
            "purge_header",
            "write the name of a header: `Fastly-Key`",
        );
    }
    if let Some(name) = name.filter(|_| secret.is_none()) {
        let has_secret = ["purge_secret_file", "purge_secret_env", "purge_secret"];
        if !has_secret.iter().any(|key| fields.has(key)) {
            let message = "`purge_header` has no effect without a secret";
            let hint = "add `purge_secret_file` or `purge_secret_env`";
            cx.report(&CONFLICT, name.span, message, hint);
        }
    }
    let name = name.map_or("Authorization", |name| name.text).to_owned();
    let url = cx.text(fields, "purge_url");
    if let Some(url) = url
        && let Err(error) = svc_fetch::parse_url(url.text)
    {
        cx.refuse(
            url,
            "purge_url",
            format!("write a URL to send requests to: {error}"),
        );
    }
    Some(CdnSettings {
        max_age,
        purge: url.map(|url| PurgeSettings {
            url: url.text.to_owned(),
            header: secret.map(|secret| (name, secret)),
        }),
    })
}
