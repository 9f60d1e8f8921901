//! The keys before all tables, and what they add up to.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use svc_admin_api::key::Network;
use svc_data::Node;

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::table::{DefaultValue, KeySchema, TableSchema, ValueType, key};
use super::{
    AdminSettings, AgentSettings, GitSettings, Host, OutboundSettings, ProjectSettings, admin,
    agent, git, outbound, project, proxies,
};
use crate::limits::loopback;

/// Everything that `server.toml` says, defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder for what the server keeps.
    pub data: PathBuf,
    /// Proxies whose word on the address of a reader counts.
    pub trusted_proxies: Vec<Network>,
    /// What `{docs_domain}` stands for in hosts.
    pub docs_domain: Option<String>,
    /// Deployments that a project keeps for roll-back unless it says otherwise.
    pub keep: usize,
    /// Deployments that are built at once.
    pub max_builds: usize,
    /// Whether narrower variants of images are offered to small screens.
    pub image_variants: bool,
    /// How Git repositories are fetched.
    pub git: GitSettings,
    /// What may be asked of other machines.
    pub outbound: OutboundSettings,
    /// The Admin API and the dashboard; nothing when they do not run.
    pub admin: Option<AdminSettings>,
    /// The program that works on jobs; nothing when nobody does.
    pub agent: Option<AgentSettings>,
    /// The projects, in the order of the file.
    pub projects: Vec<ProjectSettings>,
}

/// Where a server listens unless it is told otherwise: a proxy stands in front of most.
const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// Deployments that are kept unless something else is said.
pub(super) const DEFAULT_KEEP: usize = 5;

impl Settings {
    /// What there is with nothing more than a data folder: no project yet.
    pub fn with_defaults(data: &Path) -> Self {
        Self {
            listen: DEFAULT_LISTEN,
            data: data.to_owned(),
            trusted_proxies: loopback(),
            docs_domain: None,
            keep: DEFAULT_KEEP,
            max_builds: 1,
            image_variants: true,
            git: GitSettings::default(),
            outbound: OutboundSettings::default(),
            admin: None,
            agent: None,
            projects: Vec::new(),
        }
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "",
    about: "They stand at the top of the file, before the first table.",
    keys: &[
        key(
            "listen",
            ValueType::Text(""),
            "Address and port to listen on, without encryption: a proxy in front of the server ends TLS.",
        )
        .default(DefaultValue::Text("127.0.0.1:8080"))
        .example("\"[::]:80\""),
        key(
            "data",
            ValueType::Path,
            "Folder for what the server keeps: snapshots of the sources, repositories, the journal. \
             Only one server may use it at a time.",
        )
        .required()
        .example("\"/var/lib/svc\""),
        key(
            "trusted_proxies",
            ValueType::Texts(""),
            "Addresses and networks of proxies that say for whom they ask, in `X-Forwarded-For` or \
             `Forwarded`: the limits of one client count for that address then. From others these \
             headers count for nothing. An empty list trusts nobody.",
        )
        .default(DefaultValue::Described("the proxies on this machine: `[\"127.0.0.0/8\", \"::1\"]`"))
        .example("[\"127.0.0.1\", \"10.0.0.0/8\"]"),
        key(
            "docs_domain",
            ValueType::Text(""),
            "What `{docs_domain}` stands for in the hosts of projects.",
        )
        .example("\"docs.example.com\""),
        key(
            "keep",
            ValueType::Count(1, 1000),
            "Deployments that each project keeps for roll-back, the live one among them.",
        )
        .default(DefaultValue::Count(5)),
        key(
            "at_once",
            ValueType::Count(1, 64),
            "Deployments that are built at once. Others wait.",
        )
        .default(DefaultValue::Count(1)),
        key(
            "image_variants",
            ValueType::Boolean,
            "Whether small screens are offered narrower variants of PNG, JPEG and WebP images. They are \
             made in child processes and kept in the data folder, in `images`.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "git",
            ValueType::Table(&git::TABLE),
            "How Git repositories are fetched.",
        ),
        key(
            "outside",
            ValueType::Table(&outbound::TABLE),
            "What may be asked of other machines.",
        ),
        key(
            "admin",
            ValueType::Table(&admin::TABLE),
            "The Admin API and the dashboard.",
        ),
        key(
            "agent",
            ValueType::Table(&agent::TABLE),
            "The program that works on jobs.",
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

/// All tables, in the order in which people read about them.
pub(super) fn tables() -> Vec<&'static TableSchema> {
    fn below(table: &'static TableSchema, found: &mut Vec<&'static TableSchema>) {
        found.push(table);
        for key in table.keys {
            if let ValueType::Table(inner) | ValueType::Tables(inner) = key.value_type {
                below(inner, found);
            }
        }
    }
    let mut found = Vec::new();
    below(&TABLE, &mut found);
    found
}

/// Whether a key names something that may not stand in the file.
pub(super) fn is_refused(name: &str) -> bool {
    let refused =
        |key: &KeySchema| matches!(key.value_type, ValueType::Forbidden) && key.name == name;
    tables().iter().any(|table| table.keys.iter().any(refused))
}

pub(super) fn decode(cx: &mut Cx<'_>, root: &Node) -> Option<Settings> {
    let fields = cx.open(root, &TABLE)?;
    let listen = listen(cx, fields);
    let data = cx.path(fields, "data");
    let trusted_proxies = proxies::decode(cx, fields);
    let docs_domain = domain(cx, fields);
    let keep = cx.count(fields, "keep")?;
    let at_once = cx.count(fields, "at_once")?;
    let image_variants = cx.flag(fields, "image_variants");
    let git = git::decode(cx, fields);
    let outside = outbound::decode(cx, fields);
    let around = admin::ServerContext {
        docs_domain: docs_domain.as_deref(),
        data: data.as_deref(),
        trusted_proxies: trusted_proxies.as_deref().unwrap_or_default(),
    };
    let admin = admin::decode(cx, fields, &around);
    let agent = agent::decode(cx, fields);
    let common = project::ServerDefaults {
        docs_domain: docs_domain.as_deref(),
        keep,
        data: data.as_deref(),
        admin: admin.as_ref().and_then(|(_, host)| host.clone()),
        has_admin: fields.has("admin"),
        has_agent: fields.has("agent"),
    };
    if fields.has("agent") && !fields.has("admin") {
        let message = "`[agent]` has no effect without `[admin]`";
        let hint = "add a table `[admin]`: jobs come through the Admin API and the dashboard";
        cx.report(&CONFLICT, fields.key_span("agent"), message, hint);
    }
    let projects = project::decode_all(cx, fields, &common);
    Some(Settings {
        listen,
        data: data?,
        trusted_proxies: trusted_proxies.unwrap_or_else(loopback),
        docs_domain,
        keep,
        max_builds: at_once,
        image_variants,
        git,
        outbound: outside,
        admin: admin.map(|(admin, _)| admin),
        agent,
        projects,
    })
}

fn listen(cx: &mut Cx<'_>, fields: Fields<'_>) -> SocketAddr {
    let Some(text) = cx.text(fields, "listen") else {
        return DEFAULT_LISTEN;
    };
    text.text.parse().unwrap_or_else(|_| {
        let hint = "write an address and a port: `127.0.0.1:8080`, `0.0.0.0:80` for all networks, `[::]:80` with IPv6";
        cx.refuse(text, "listen", hint);
        DEFAULT_LISTEN
    })
}

fn domain(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<String> {
    let text = cx.text(fields, "docs_domain")?;
    match Host::parse(text.text) {
        Ok(host) => Some(host.to_string()),
        Err(_) => {
            let hint = "write a domain without scheme and port: `docs.example.com`";
            cx.refuse(text, "docs_domain", hint);
            // Hosts that name it shall not be reported for this.
            Some("domain.invalid".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_without_a_setting_is_the_described_one() {
        let described = TABLE.key("listen").map(|key| key.default);
        let Some(DefaultValue::Text(described)) = described else {
            panic!("a text");
        };
        assert_eq!(described.parse(), Ok(DEFAULT_LISTEN));
    }
}
