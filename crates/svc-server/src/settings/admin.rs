//! `[admin]`: the Admin API and the dashboard.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use svc_admin_api::RateLimits;
use svc_admin_api::key::Network;

use super::codes::SECRET;
use super::decode::{Cx, Fields, Text};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};
use super::{
    Host, OidcSettings, Secret, TlsSettings, admin_rates, base_path, hosts, oidc, proxies, secret,
    source, tls,
};

/// Configuration of the Admin API and the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminSettings {
    /// Address of a separate listener.
    pub listen: Option<SocketAddr>,
    /// Encryption of the separate listener; `None` if it is not encrypted.
    pub tls: Option<TlsSettings>,
    /// Host on the listener of the sites.
    pub host: Option<Host>,
    /// Public origin of the dashboard, such as `https://admin.example.com`; empty if it is not set.
    pub origin: String,
    /// URL of the store; it can contain a password.
    pub store: Secret,
    /// Proxies whose `X-Forwarded-For` and `Forwarded` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Age at which finished jobs are archived; `None` for never.
    pub archive: Option<Duration>,
    /// Retention period of the audit log.
    pub audit: Duration,
    /// Rate limits.
    pub rates: RateLimits,
    /// OpenID Connect provider; `None` if single sign-on is not configured.
    pub oidc: Option<OidcSettings>,
}

impl AdminSettings {
    /// Default settings for a server with this data directory.
    pub fn with_defaults(data: &Path) -> Self {
        Self {
            listen: Some(DEFAULT_LISTEN),
            tls: None,
            host: None,
            origin: String::new(),
            store: Secret::new(default_store(data)),
            trusted_proxies: Vec::new(),
            archive: None,
            audit: AUDIT_RETENTION,
            rates: RateLimits::default(),
            oidc: None,
        }
    }
}

/// Default retention of the audit log: longer than a year, so that a yearly audit misses no entry.
const AUDIT_RETENTION: Duration = Duration::from_secs(400 * 86_400);

/// Default address: loopback only.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8081);

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin",
    about: "The Admin API and the dashboard. They are enabled by this table and run on a separate listener or a separate host, never under the path of a site.",
    keys: &[
        key(
            "listen",
            ValueType::Text(""),
            "Address and port of a separate listener. It is not encrypted without `[admin.tls]`.",
        )
        .default(DefaultValue::Described("`\"127.0.0.1:8081\"`; none if `host` is set"))
        .example("\"127.0.0.1:8081\""),
        key(
            "host",
            ValueType::Text(""),
            "Host of the Admin API and the dashboard on the listener of the sites. `{docs_domain}` is replaced by that setting.",
        )
        .example("\"admin.{docs_domain}\""),
        key(
            "origin",
            ValueType::Text(base_path::ORIGIN),
            "Public origin of the dashboard, if it is behind a proxy.",
        )
        .default(DefaultValue::Described("the host of the request"))
        .example("\"https://admin.example.com\""),
        key(
            "store",
            ValueType::Text("^(sqlite:|postgres://|postgresql://)"),
            "Database for jobs, keys, accounts and the audit log: an SQLite file or a PostgreSQL database. Set a URL with a password in `store_file` or `store_env`.",
        )
        .default(DefaultValue::Described("the file `admin.sqlite` in the data folder"))
        .example("\"sqlite:/var/lib/svc/admin.sqlite\""),
        key("store_file", ValueType::Path, "File that contains the URL of the store.")
            .example("\"/etc/svc/store\""),
        key(
            "store_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the URL of the store.",
        )
        .example("\"SVC_STORE\""),
        key(
            "trusted_proxies",
            ValueType::Texts(""),
            "IP addresses and networks of trusted proxies. Their `X-Forwarded-For` or `Forwarded` header names the client. The headers of other peers are ignored.",
        )
        .default(DefaultValue::Described("the top-level `trusted_proxies` if it is set, otherwise none"))
        .example("[\"127.0.0.1\", \"10.0.0.0/8\"]"),
        key(
            "archive",
            ValueType::Duration(60),
            "Age at which completed and failed jobs are archived, counted from their creation.",
        )
        .default(DefaultValue::Described("never"))
        .example("\"90d\""),
        key(
            "audit",
            ValueType::Duration(86_400),
            "Age at which entries of the audit log are deleted.",
        )
        .default(DefaultValue::Text("400d")),
        key(
            "rates",
            ValueType::Table(&admin_rates::TABLE),
            "Rate limits of the Admin API.",
        ),
        key(
            "tls",
            ValueType::Table(&tls::ADMIN_TABLE),
            "Encryption of the listener.",
        ),
        key(
            "oidc",
            ValueType::Table(&oidc::TABLE),
            "OpenID Connect provider for sign-in.",
        ),
    ],
    choices: &[ExclusiveKeys {
        keys: &["store", "store_file", "store_env"],
        required: false,
    }],
};

/// Top-level settings that the administration depends on.
pub(super) struct ServerContext<'a> {
    pub(super) docs_domain: Option<&'a str>,
    pub(super) data: Option<&'a Path>,
    /// Empty if the key is not set.
    pub(super) trusted_proxies: &'a [Network],
}

/// Settings of the table, and the span of `host`.
pub(super) fn decode(
    cx: &mut Cx<'_>,
    server: Fields<'_>,
    context: &ServerContext<'_>,
) -> Option<(AdminSettings, Option<hosts::SpannedHost>)> {
    let (docs_domain, data) = (context.docs_domain, context.data);
    let fields = cx.open(server.get("admin")?, &TABLE)?;
    let host = cx.text(fields, "host");
    let host = host.and_then(|text| hosts::decode_host(cx, text, "host", docs_domain));
    let listen = listen(cx, fields).or_else(|| (!fields.has("host")).then_some(DEFAULT_LISTEN));
    let settings = AdminSettings {
        listen,
        tls: tls::decode_admin(cx, fields),
        host: host.as_ref().map(|(host, _)| host.clone()),
        origin: base_path::origin(cx, fields),
        store: store(cx, fields, data),
        trusted_proxies: proxies::decode(cx, fields)
            .unwrap_or_else(|| context.trusted_proxies.to_vec()),
        archive: cx.duration(fields, "archive"),
        audit: cx.duration(fields, "audit").unwrap_or(AUDIT_RETENTION),
        rates: admin_rates::decode(cx, fields),
        oidc: oidc::decode(cx, fields),
    };
    Some((settings, host))
}

fn listen(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<SocketAddr> {
    let text = cx.text(fields, "listen")?;
    let read = text.text.parse().ok();
    if read.is_none() {
        let hint = "write an IP address and a port: `127.0.0.1:8081`, `[::1]:8081`";
        cx.refuse(text, "listen", hint);
    }
    read
}

fn default_store(data: &Path) -> String {
    format!("sqlite:{}", data.join("admin.sqlite").display())
}

fn store(cx: &mut Cx<'_>, fields: Fields<'_>, data: Option<&Path>) -> Secret {
    // Without a data directory there are no settings; the placeholder lets the rest of the file be
    // checked.
    let defaults = || Secret::new(default_store(data.unwrap_or(Path::new("."))));
    let known = |text: &str| {
        let schemes = ["sqlite:", "postgres://", "postgresql://"];
        let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        rest.is_some_and(|rest| !rest.is_empty()) && !text.chars().any(char::is_control)
    };
    if let Some(text) = cx.text(fields, "store") {
        if source::has_credentials(text.text) || text.text.contains("password=") {
            let message = "the URL of the store contains a password";
            let hint = "write `store_file = \"…\"` or `store_env = \"NAME\"` and change the password, because it may have leaked";
            cx.report(&SECRET, text.span, message, hint);
        } else if !known(text.text) {
            refuse(cx, text);
        } else {
            return Secret::new(resolve_path(cx, text.text));
        }
        return defaults();
    }
    match secret::decode(cx, fields, "store") {
        Some(url) if known(url.reveal()) => Secret::new(resolve_path(cx, url.reveal())),
        Some(_) => {
            let key = ["store_file", "store_env"]
                .into_iter()
                .find(|key| fields.has(key));
            let span = key.map_or(fields.span, |key| fields.key_span(key));
            let covered = Text { text: "…", span };
            refuse(cx, covered);
            defaults()
        }
        None => defaults(),
    }
}

fn refuse(cx: &mut Cx<'_>, text: Text<'_>) {
    let hint = "write `sqlite:PATH` or `postgres://USER@HOST/DATABASE`";
    cx.refuse(text, "store", hint);
}

/// URL of the store; a relative SQLite path is resolved against the directory of the file.
fn resolve_path(cx: &Cx<'_>, url: &str) -> String {
    match url.strip_prefix("sqlite:") {
        Some(path) => {
            let path = path.strip_prefix("//").unwrap_or(path);
            format!("sqlite:{}", cx.environment.dir.join(path).display())
        }
        None => url.to_owned(),
    }
}
