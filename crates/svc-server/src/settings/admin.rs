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
    Host, OidcSettings, Secret, admin_rates, base_path, hosts, oidc, proxies, secret, source,
};

/// Where the Admin API and the dashboard are, and what they keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminSettings {
    /// The address of a listener of their own.
    pub listen: Option<SocketAddr>,
    /// Their host on the listener of the sites.
    pub host: Option<Host>,
    /// Empty, or how people reach them: `https://admin.example.com`.
    pub origin: String,
    /// The address of the store; it may hold a password.
    pub store: Secret,
    /// The proxies whose word on the address of a caller counts.
    pub trusted_proxies: Vec<Network>,
    /// After which time finished jobs are put away.
    pub archive: Option<Duration>,
    /// After which time entries of the audit log are deleted.
    pub audit: Duration,
    /// How often somebody may ask.
    pub rates: RateLimits,
    /// Another service that says who somebody is.
    pub oidc: Option<OidcSettings>,
}

impl AdminSettings {
    /// What there is without a word about it, for a server with this data folder.
    pub fn with_defaults(data: &Path) -> Self {
        Self {
            listen: Some(DEFAULT_LISTEN),
            host: None,
            origin: String::new(),
            store: Secret::new(&default_store(data)),
            trusted_proxies: Vec::new(),
            archive: None,
            audit: AUDIT_RETENTION,
            rates: RateLimits::default(),
            oidc: None,
        }
    }
}

/// How long the audit log goes back unless it is told otherwise: over a year, for whoever asks once
/// a year.
const AUDIT_RETENTION: Duration = Duration::from_secs(400 * 86_400);

/// Where the administration listens unless it is told otherwise: for this machine alone.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8081);

pub(super) static TABLE: TableSchema = TableSchema {
    name: "admin",
    about: "The Admin API and the dashboard. They run when this table is there, at an address of \
            their own or at a host of their own, never below a site.",
    keys: &[
        key(
            "listen",
            ValueType::Text(""),
            "Address and port of a listener of their own, without encryption.",
        )
        .default(DefaultValue::Described("`\"127.0.0.1:8081\"`; nothing when `host` is written"))
        .example("\"127.0.0.1:8081\""),
        key(
            "host",
            ValueType::Text(""),
            "Host at which the listener of the sites answers for them. `{docs_domain}` stands for that setting.",
        )
        .example("\"admin.{docs_domain}\""),
        key(
            "origin",
            ValueType::Text(base_path::ORIGIN),
            "How people reach the dashboard, when a proxy stands before it.",
        )
        .default(DefaultValue::Described("what a request names"))
        .example("\"https://admin.example.com\""),
        key(
            "store",
            ValueType::Text("^(sqlite:|postgres://|postgresql://)"),
            "What keeps jobs, keys, accounts and the audit log: a file for SQLite or a database of PostgreSQL. \
             An address with a password stands in `store_file` or `store_env`.",
        )
        .default(DefaultValue::Described("the file `admin.sqlite` in the data folder"))
        .example("\"sqlite:/var/lib/svc/admin.sqlite\""),
        key("store_file", ValueType::Path, "File that holds the address of the store.")
            .example("\"/etc/svc/store\""),
        key(
            "store_env",
            ValueType::Text(secret::VARIABLE),
            "Variable of the environment that holds the address of the store.",
        )
        .example("\"SVC_STORE\""),
        key(
            "trusted_proxies",
            ValueType::Texts(""),
            "Addresses and networks of proxies that say for whom they ask, in `X-Forwarded-For` or \
             `Forwarded`. From others these headers count for nothing.",
        )
        .default(DefaultValue::Described("what is written at the top of the file, else none"))
        .example("[\"127.0.0.1\", \"10.0.0.0/8\"]"),
        key(
            "archive",
            ValueType::Duration(60),
            "Jobs that were created longer ago and are completed or failed are archived.",
        )
        .default(DefaultValue::Described("never"))
        .example("\"90d\""),
        key(
            "audit",
            ValueType::Duration(86_400),
            "Entries of the audit log that are older are deleted.",
        )
        .default(DefaultValue::Text("400d")),
        key(
            "rates",
            ValueType::Table(&admin_rates::TABLE),
            "How often somebody may ask.",
        ),
        key(
            "oidc",
            ValueType::Table(&oidc::TABLE),
            "Another service at which people sign in.",
        ),
    ],
    choices: &[ExclusiveKeys {
        keys: &["store", "store_file", "store_env"],
        required: false,
    }],
};

/// What the keys before all tables say that concerns the administration.
pub(super) struct ServerContext<'a> {
    pub(super) docs_domain: Option<&'a str>,
    pub(super) data: Option<&'a Path>,
    /// As it is written; empty when it is not.
    pub(super) trusted_proxies: &'a [Network],
}

/// The settings, and where their host stands.
pub(super) fn decode(
    cx: &mut Cx<'_>,
    server: Fields<'_>,
    around: &ServerContext<'_>,
) -> Option<(AdminSettings, Option<hosts::SpannedHost>)> {
    let (docs_domain, data) = (around.docs_domain, around.data);
    let fields = cx.open(server.get("admin")?, &TABLE)?;
    let host = cx.text(fields, "host");
    let host = host.and_then(|text| hosts::decode_host(cx, text, "host", docs_domain));
    let listen = listen(cx, fields).or_else(|| (!fields.has("host")).then_some(DEFAULT_LISTEN));
    let settings = AdminSettings {
        listen,
        host: host.as_ref().map(|(host, _)| host.clone()),
        origin: base_path::origin(cx, fields),
        store: store(cx, fields, data),
        trusted_proxies: proxies::decode(cx, fields)
            .unwrap_or_else(|| around.trusted_proxies.to_vec()),
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
        let hint = "write an address and a port: `127.0.0.1:8081`, `[::1]:8081`";
        cx.refuse(text, "listen", hint);
    }
    read
}

fn default_store(data: &Path) -> String {
    format!("sqlite:{}", data.join("admin.sqlite").display())
}

fn store(cx: &mut Cx<'_>, fields: Fields<'_>, data: Option<&Path>) -> Secret {
    // Without a data folder there are no settings; this is for the rest of the file.
    let usual = || Secret::new(&default_store(data.unwrap_or(Path::new("."))));
    let known = |text: &str| {
        let schemes = ["sqlite:", "postgres://", "postgresql://"];
        let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        rest.is_some_and(|rest| !rest.is_empty()) && !text.chars().any(char::is_control)
    };
    if let Some(text) = cx.text(fields, "store") {
        if source::has_credentials(text.text) || text.text.contains("password=") {
            let message = "the address of the store holds a password";
            let hint = "write `store_file = \"…\"` or `store_env = \"NAME\"` and change the password, as others may have read it";
            cx.report(&SECRET, text.span, message, hint);
        } else if !known(text.text) {
            refuse(cx, text);
        } else {
            return Secret::new(&resolve_path(cx, text.text));
        }
        return usual();
    }
    match secret::decode(cx, fields, "store") {
        Some(url) if known(url.expose()) => Secret::new(&resolve_path(cx, url.expose())),
        Some(_) => {
            let place = ["store_file", "store_env"]
                .into_iter()
                .find(|key| fields.has(key));
            let place = place.map_or(fields.span, |key| fields.key_span(key));
            let covered = Text {
                text: "…",
                span: place,
            };
            refuse(cx, covered);
            usual()
        }
        None => usual(),
    }
}

fn refuse(cx: &mut Cx<'_>, text: Text<'_>) {
    let hint = "write `sqlite:PATH` or `postgres://USER@HOST/DATABASE`";
    cx.refuse(text, "store", hint);
}

/// The address with the path of a file from the folder of the settings.
fn resolve_path(cx: &Cx<'_>, url: &str) -> String {
    match url.strip_prefix("sqlite:") {
        Some(path) => {
            let path = path.strip_prefix("//").unwrap_or(path);
            format!("sqlite:{}", cx.environment.dir.join(path).display())
        }
        None => url.to_owned(),
    }
}
