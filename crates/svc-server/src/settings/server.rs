//! Top-level keys of `server.toml`, and the complete settings.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_admin_api::key::Network;
use svc_data::Node;
use svc_objects::ObjectLocation;

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::project::DEFAULT_KEEP;
use super::table::{DefaultValue, KeySchema, TableSchema, ValueType, key};
use super::{
    AdminSettings, AgentSettings, GitSettings, Host, OutboundSettings, ProjectSettings,
    TlsSettings, TracesSettings, acme, admin, agent, git, log, metrics, objects, outbound, project,
    proxies, tls, traces,
};
use crate::LogOptions;
use crate::limits::loopback;
use crate::mcp::DEFAULT_CALLS_PER_MINUTE;

/// The settings of `server.toml` with defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Encryption of the listener; `None` if it is not encrypted.
    pub tls: Option<TlsSettings>,
    /// Data directory.
    pub data: PathBuf,
    /// Proxies whose `X-Forwarded-For` and `Forwarded` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Value of `{docs_domain}` in hosts.
    pub docs_domain: Option<String>,
    /// Default number of deployments that a project retains for rollback.
    pub keep: usize,
    /// Maximum number of concurrent builds.
    pub max_builds: usize,
    /// Whether smaller variants of images are offered to small screens.
    pub image_variants: bool,
    /// Number of calls of the MCP server of a site that a client address can make in a minute.
    pub mcp_calls_per_minute: u32,
    /// Format and levels of the log.
    pub log: LogOptions,
    /// How Git repositories are fetched.
    pub git: GitSettings,
    /// Options for outgoing requests.
    pub outbound: OutboundSettings,
    /// Address of the listener for metrics; `None` if there is none.
    pub metrics: Option<SocketAddr>,
    /// The collector of traces; `None` if there is none.
    pub traces: Option<TracesSettings>,
    /// How long a stopping server accepts connections while it is not ready.
    pub drain_delay: Duration,
    /// The Admin API and the dashboard; `None` if they are disabled.
    pub admin: Option<AdminSettings>,
    /// Object store for the files of deployments; `None` if every server builds for itself.
    pub objects: Option<ObjectLocation>,
    /// The agent program; `None` if no jobs are run.
    pub agent: Option<AgentSettings>,
    /// The projects, in the order of the file.
    pub projects: Vec<ProjectSettings>,
}

/// Default address: loopback only, because most servers run behind a proxy.
const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

impl Settings {
    /// Default settings with a data directory and no projects.
    pub fn with_defaults(data: &Path) -> Self {
        Self {
            listen: DEFAULT_LISTEN,
            tls: None,
            data: data.to_owned(),
            trusted_proxies: loopback(),
            docs_domain: None,
            keep: DEFAULT_KEEP,
            max_builds: 1,
            image_variants: true,
            mcp_calls_per_minute: DEFAULT_CALLS_PER_MINUTE,
            log: LogOptions::default(),
            git: GitSettings::default(),
            outbound: OutboundSettings::default(),
            metrics: None,
            traces: None,
            drain_delay: Duration::ZERO,
            admin: None,
            objects: None,
            agent: None,
            projects: Vec::new(),
        }
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "",
    about: "Top-level keys, before the first table.",
    keys: &[
        key(
            "listen",
            ValueType::Text(""),
            "Address and port to listen on. Without `[tls]` the server does not encrypt; terminate TLS at a proxy in front of it then.",
        )
        .default(DefaultValue::Text("127.0.0.1:8080"))
        .example("\"[::]:80\""),
        key(
            "data",
            ValueType::Path,
            "Folder for snapshots of the sources, repositories and the journal. Only one server can use it at a time.",
        )
        .required()
        .example("\"/var/lib/svc\""),
        key(
            "trusted_proxies",
            ValueType::Texts(""),
            "IP addresses and networks of trusted proxies. Their `X-Forwarded-For` or `Forwarded` header names the client to which the limits per client apply. The headers of other peers are ignored. An empty list trusts no proxy.",
        )
        .default(DefaultValue::Described("the proxies on this machine: `[\"127.0.0.0/8\", \"::1\"]`"))
        .example("[\"127.0.0.1\", \"10.0.0.0/8\"]"),
        key(
            "docs_domain",
            ValueType::Text(""),
            "Value of `{docs_domain}` in the hosts of projects.",
        )
        .example("\"docs.example.com\""),
        key(
            "keep",
            ValueType::Count(1, 1000),
            "Number of deployments that each project keeps for rollback, including the live one.",
        )
        .default(DefaultValue::Count(5)),
        key(
            "max_builds",
            ValueType::Count(1, 64),
            "Maximum number of concurrent builds. Other builds are queued.",
        )
        .default(DefaultValue::Count(1)),
        key(
            "image_variants",
            ValueType::Boolean,
            "Whether to offer smaller variants of PNG, JPEG and WebP images to small screens. The variants are created in child processes and cached in the folder `images` of the data folder.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "mcp_calls_per_minute",
            ValueType::Count(1, 1_000_000),
            "Number of calls of the MCP server of a site from one IP address in a minute, also in a burst. Further calls get 429 with `Retry-After`.",
        )
        .default(DefaultValue::Count(DEFAULT_CALLS_PER_MINUTE)),
        key(
            "tls",
            ValueType::Table(&tls::TABLE),
            "Encryption of the listener.",
        ),
        key(
            "drain_delay",
            ValueType::Duration(0),
            "How long a server that was told to stop still accepts connections. `/_svc/ready` fails from the beginning, so that a load balancer can choose another server meanwhile. Then running requests have 10 seconds to finish. A second signal ends the server immediately.",
        )
        .default(DefaultValue::Described("none"))
        .example("\"10s\""),
        key(
            "log",
            ValueType::Table(&log::TABLE),
            "The log on standard error.",
        ),
        key(
            "git",
            ValueType::Table(&git::TABLE),
            "How Git repositories are fetched.",
        ),
        key(
            "outbound",
            ValueType::Table(&outbound::TABLE),
            "Options for outgoing requests.",
        ),
        key(
            "metrics",
            ValueType::Table(&metrics::TABLE),
            "A separate listener for `/metrics`.",
        ),
        key(
            "traces",
            ValueType::Table(&traces::TABLE),
            "A collector for the spans of requests and deployments.",
        ),
        key(
            "admin",
            ValueType::Table(&admin::TABLE),
            "The Admin API and the dashboard.",
        ),
        key(
            "objects",
            ValueType::Table(&objects::TABLE),
            "The object store that several servers share.",
        ),
        key(
            "agent",
            ValueType::Table(&agent::TABLE),
            "The agent program that runs jobs.",
        ),
        key(
            "projects",
            ValueType::Tables(&project::TABLE),
            "The sites, one table each.",
        )
        .required(),
        key(
            "authentication",
            ValueType::Reserved,
            "Reserved for a later version.",
        ),
    ],
    choices: &[],
};

/// All tables, in the order of the documentation.
pub(super) fn tables() -> Vec<&'static TableSchema> {
    fn below(table: &'static TableSchema, tables: &mut Vec<&'static TableSchema>) {
        tables.push(table);
        for key in table.keys {
            if let ValueType::Table(inner) | ValueType::Tables(inner) = key.value_type {
                below(inner, tables);
            }
        }
    }
    let mut tables = Vec::new();
    below(&TABLE, &mut tables);
    tables
}

/// Whether a key holds a secret that must not appear in the file.
pub(super) fn is_refused(name: &str) -> bool {
    let refused =
        |key: &KeySchema| matches!(key.value_type, ValueType::Forbidden) && key.name == name;
    tables().iter().any(|table| table.keys.iter().any(refused))
}

pub(super) fn decode(cx: &mut Cx<'_>, root: &Node) -> Option<Settings> {
    let fields = cx.open(root, &TABLE)?;
    let listen = listen(cx, fields);
    let docs_domain = domain(cx, fields);
    let mut tls = tls::decode(cx, fields, listen, docs_domain.as_deref());
    let data = cx.path(fields, "data");
    let trusted_proxies = proxies::decode(cx, fields);
    let keep = cx.count(fields, "keep")?;
    let max_builds = cx.count(fields, "max_builds")?;
    let image_variants = cx.flag(fields, "image_variants");
    let mcp_calls_per_minute = cx.count(fields, "mcp_calls_per_minute")?;
    let mcp_calls_per_minute = u32::try_from(mcp_calls_per_minute).ok()?;
    let log = log::decode(cx, fields);
    let git = git::decode(cx, fields);
    let outbound = outbound::decode(cx, fields);
    let metrics = metrics::decode(cx, fields);
    let traces = traces::decode(cx, fields);
    let drain_delay = cx.duration(fields, "drain_delay").unwrap_or_default();
    let server = admin::ServerContext {
        docs_domain: docs_domain.as_deref(),
        data: data.as_deref(),
        trusted_proxies: trusted_proxies.as_deref().unwrap_or_default(),
    };
    let admin = admin::decode(cx, fields, &server);
    let objects = objects::decode(cx, fields, admin.as_ref().map(|(admin, _)| admin));
    let agent = agent::decode(cx, fields);
    let common = project::ServerDefaults {
        docs_domain: docs_domain.as_deref(),
        keep,
        data: data.as_deref(),
        admin: admin.as_ref().and_then(|(_, host)| host.clone()),
        has_admin: fields.has("admin"),
        has_agent: fields.has("agent"),
        has_proxies: trusted_proxies.is_some(),
    };
    if fields.has("agent") && !fields.has("admin") {
        let message = "`[agent]` has no effect without `[admin]`";
        let hint =
            "add a table `[admin]`: jobs are created through the Admin API and the dashboard";
        cx.report(&CONFLICT, fields.key_span("agent"), message, hint);
    }
    let projects = project::decode_all(cx, fields, &common);
    let admin = admin.map(|(admin, _)| admin);
    if let Some(acme) = tls.as_mut().and_then(|tls| tls.acme.as_mut()) {
        acme::complete(cx, fields, acme, &projects, admin.as_ref());
    }
    Some(Settings {
        listen,
        tls,
        data: data?,
        trusted_proxies: trusted_proxies.unwrap_or_else(loopback),
        docs_domain,
        keep,
        max_builds,
        image_variants,
        mcp_calls_per_minute,
        log,
        git,
        outbound,
        metrics,
        traces,
        drain_delay,
        admin,
        objects,
        agent,
        projects,
    })
}

fn listen(cx: &mut Cx<'_>, fields: Fields<'_>) -> SocketAddr {
    let Some(text) = cx.text(fields, "listen") else {
        return DEFAULT_LISTEN;
    };
    text.text.parse().unwrap_or_else(|_| {
        let hint = "write an IP address and a port: `127.0.0.1:8080`, `0.0.0.0:80` for all interfaces, `[::]:80` for IPv6 too";
        cx.refuse(text, "listen", hint);
        DEFAULT_LISTEN
    })
}

fn domain(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<String> {
    let text = cx.text(fields, "docs_domain")?;
    match Host::parse(text.text) {
        Ok(host) => Some(host.to_string()),
        Err(_) => {
            let hint = "write a domain without a scheme or port: `docs.example.com`";
            cx.refuse(text, "docs_domain", hint);
            // Hosts that use the key must not be reported a second time.
            Some("domain.invalid".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_addr_is_the_documented_one() {
        let described = TABLE.key("listen").map(|key| key.default);
        let Some(DefaultValue::Text(described)) = described else {
            panic!("a text");
        };
        assert_eq!(described.parse(), Ok(DEFAULT_LISTEN));
    }
}
