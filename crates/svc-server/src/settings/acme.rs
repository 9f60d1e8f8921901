//! `[tls.acme]`: certificates that the server requests from a certificate authority.

use std::net::Ipv6Addr;

use svc_data::Node;

use super::codes::{CERTIFICATE, CONFLICT, MISSING, VALUE};
use super::decode::{Cx, Fields, Text};
use super::environment::display_path;
use super::table::{DefaultValue, TableSchema, ValueType, key};
use super::{AdminSettings, Host, ProjectSettings, hosts};
use crate::tls::{CertificateError, certificates_from_pem};

/// Directory of Let's Encrypt.
const DEFAULT_DIRECTORY: &str = "https://acme-v02.api.letsencrypt.org/directory";
/// Values of `challenge`.
const CHALLENGES: [(&str, AcmeChallenge); 2] = [
    ("tls-alpn-01", AcmeChallenge::TlsAlpn01),
    ("http-01", AcmeChallenge::Http01),
];

/// How a certificate authority checks that a host leads to this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcmeChallenge {
    /// A handshake on the listener of the sites (RFC 8737).
    TlsAlpn01,
    /// A request to the listener that redirects to HTTPS (RFC 8555, section 8.3).
    Http01,
}

/// Certificates that the server requests itself (RFC 8555).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcmeSettings {
    /// URL of the directory of the certificate authority.
    pub directory: String,
    /// E-mail address for the certificate authority; `None` if it gets none.
    pub email: Option<String>,
    /// The hosts; each has its own certificate. Not empty.
    pub hosts: Vec<Host>,
    /// How the hosts are checked.
    pub challenge: AcmeChallenge,
    /// Certificates in DER of the private authority that has signed the certificate of the
    /// directory; empty if it is a public one.
    pub roots: Vec<Vec<u8>>,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "tls.acme",
    about: "Certificates that the server requests from a certificate authority (ACME) and renews. They are stored in the folder `acme` of the data folder. A change of `hosts`, or of the hosts of projects, is applied on SIGHUP.",
    keys: &[
        key(
            "accept_terms",
            ValueType::Boolean,
            "Whether you accept the terms of service of the certificate authority. Must be `true`.",
        )
        .required()
        .example("true"),
        key(
            "email",
            ValueType::Text("@"),
            "E-mail address that the certificate authority can use to report problems.",
        )
        .example("\"ops@example.com\""),
        key(
            "directory",
            ValueType::Text("^https://"),
            "URL of the directory of the certificate authority. The host may have a private IP address.",
        )
        .default(DefaultValue::Text(DEFAULT_DIRECTORY))
        .example("\"https://acme-staging-v02.api.letsencrypt.org/directory\""),
        key(
            "ca_file",
            ValueType::Path,
            "Certificate in PEM format of the private authority that has signed the certificate of the host of `directory`.",
        )
        .example("\"/etc/svc/tls/ca.pem\""),
        key(
            "hosts",
            ValueType::Texts(""),
            "Hosts, each of which gets a certificate. Wildcards are not possible.",
        )
        .default(DefaultValue::Described(
            "the hosts of the projects and of the administration, without IP addresses and names without a dot",
        ))
        .example("[\"docs.example.com\"]"),
        key(
            "challenge",
            ValueType::Text("^(tls-alpn-01|http-01)$"),
            "How the certificate authority checks a host: `tls-alpn-01` connects to it on port 443, which must lead to `listen`; `http-01` on port 80, which must lead to `redirect_listen`.",
        )
        .default(DefaultValue::Text("tls-alpn-01")),
    ],
    choices: &[],
};

/// Decodes `[tls.acme]`. The hosts are those of the table only; see [`add_default_hosts`].
pub(super) fn decode(
    cx: &mut Cx<'_>,
    tls: Fields<'_>,
    docs_domain: Option<&str>,
) -> Option<AcmeSettings> {
    let fields = cx.open(tls.get("acme")?, &TABLE)?;
    if !cfg!(feature = "acme") {
        let message = "`[tls.acme]` requires a program with the feature `acme`";
        let hint =
            "build it without `--no-default-features`, or set `certificate_file` and `key_file`";
        cx.report(&CONFLICT, tls.key_span("acme"), message, hint);
    }
    accept_terms(cx, fields);
    let challenge = challenge(cx, fields);
    if challenge == AcmeChallenge::Http01 && !tls.has("redirect_listen") {
        let message = "the challenge `http-01` requires `redirect_listen` in `[tls]`";
        let hint = "add `redirect_listen = \"[::]:80\"` to `[tls]`";
        let span = fields.key_span("challenge");
        cx.report(&CONFLICT, span, message, hint);
    }
    Some(AcmeSettings {
        directory: directory(cx, fields),
        email: email(cx, fields),
        hosts: explicit_hosts(cx, fields, docs_domain),
        challenge,
        roots: roots(cx, fields),
    })
}

/// Adds the hosts of projects and of the administration if the table has none, and checks
/// what depends on other tables. `server` is the whole file.
pub(super) fn complete(
    cx: &mut Cx<'_>,
    server: Fields<'_>,
    settings: &mut AcmeSettings,
    projects: &[ProjectSettings],
    admin: Option<&AdminSettings>,
) {
    let table = server.get("tls").and_then(|tls| tls.get("acme"));
    let span = table.map_or(server.span, |table| table.span);
    if server.has("objects") {
        let message = "`[tls.acme]` cannot be combined with `[objects]`";
        let hint = "a challenge may reach another server: let the load balancer terminate TLS, or distribute the files of another ACME client";
        cx.report(&CONFLICT, span, message, hint);
    }
    if table.is_some_and(|table| table.get("hosts").is_some()) {
        return;
    }
    let admin = admin.and_then(|admin| admin.host.as_ref());
    let all = projects.iter().flat_map(|project| &project.hosts);
    for host in all.chain(admin) {
        let is_public = !is_ip_addr(host) && host.as_str().contains('.');
        if is_public && !settings.hosts.contains(host) {
            settings.hosts.push(host.clone());
        }
    }
    // Without a project this was reported already.
    if settings.hosts.is_empty() && !projects.is_empty() {
        let message = "no host can get a certificate";
        let hint =
            "give a project a host such as `docs.example.com`, or set `hosts` in `[tls.acme]`";
        cx.report(&MISSING, span, message, hint);
    }
}

fn accept_terms(cx: &mut Cx<'_>, fields: Fields<'_>) {
    let Some(node) = fields.get("accept_terms") else {
        return;
    };
    let is_accepted = cx.flag(fields, "accept_terms");
    if !is_accepted && node.as_bool().is_some() {
        let message = "`accept_terms` must be `true`";
        let hint = "read the terms of service of the certificate authority, and accept them or set `certificate_file` and `key_file` instead";
        cx.report(&VALUE, node.span, message, hint);
    }
}

fn challenge(cx: &mut Cx<'_>, fields: Fields<'_>) -> AcmeChallenge {
    let Some(text) = cx.text(fields, "challenge") else {
        return AcmeChallenge::TlsAlpn01;
    };
    let known = CHALLENGES.iter().find(|(name, _)| *name == text.text);
    if known.is_none() {
        let hint = match text.text {
            "dns-01" => {
                "write `tls-alpn-01` or `http-01`; for `dns-01`, use the files of another ACME client"
            }
            _ => "write `tls-alpn-01` or `http-01`",
        };
        cx.refuse(text, "challenge", hint);
    }
    known.map_or(AcmeChallenge::TlsAlpn01, |(_, challenge)| *challenge)
}

fn directory(cx: &mut Cx<'_>, fields: Fields<'_>) -> String {
    let Some(text) = cx.text(fields, "directory") else {
        return DEFAULT_DIRECTORY.to_owned();
    };
    match svc_fetch::parse_url(text.text) {
        Ok(url) if url.scheme() == "https" => {}
        Ok(_) => {
            let hint = "write a URL with `https://`: the protocol does not allow others";
            cx.refuse(text, "directory", hint);
        }
        Err(error) => {
            let hint = format!("{error}; write a URL: `{DEFAULT_DIRECTORY}`");
            cx.refuse(text, "directory", hint);
        }
    }
    text.text.to_owned()
}

fn email(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<String> {
    let text = cx.text(fields, "email")?;
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || ",:;<>?%".contains(c);
    let parts = text.text.split_once('@');
    let fits = parts.is_some_and(|(name, host)| !name.is_empty() && Host::parse(host).is_ok());
    if !fits || text.text.contains(is_odd) {
        let hint = "write one e-mail address without `mailto:`: `ops@example.com`";
        cx.refuse(text, "email", hint);
    }
    Some(text.text.to_owned())
}

fn explicit_hosts(cx: &mut Cx<'_>, fields: Fields<'_>, docs_domain: Option<&str>) -> Vec<Host> {
    let Some(texts) = cx.texts(fields, "hosts") else {
        return Vec::new();
    };
    let items = fields.get("hosts").and_then(Node::as_array);
    if items.is_some_and(<[Node]>::is_empty) {
        let hint = "add hosts, or remove the key for those of the projects";
        cx.report(&MISSING, fields.key_span("hosts"), "`hosts` is empty", hint);
    }
    let mut found = Vec::new();
    for text in texts {
        if text.text.contains('*') || text.text.contains("{preview}") {
            let hint = "write each host; a wildcard requires a DNS challenge: get its certificate with another ACME client, and add it as `[[tls.certificates]]`";
            cx.refuse(text, "hosts", hint);
            continue;
        }
        if let Some((host, _)) = hosts::decode_host(cx, text, "hosts", docs_domain) {
            check_host(cx, text, &host, &found);
            found.push(host);
        }
    }
    found
}

fn check_host(cx: &mut Cx<'_>, text: Text<'_>, host: &Host, before: &[Host]) {
    if is_ip_addr(host) {
        let hint = "write a host name: `docs.example.com`; an IP address gets no certificate";
        cx.refuse(text, "hosts", hint);
    } else if before.contains(host) {
        cx.refuse(text, "hosts", "remove the host that is listed twice");
    }
}

/// Whether a host is an IP address.
fn is_ip_addr(host: &Host) -> bool {
    let text = host.as_str();
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    inner.parse::<Ipv6Addr>().is_ok() || text.parse::<std::net::Ipv4Addr>().is_ok()
}

/// The certificates of `ca_file` in DER.
fn roots(cx: &mut Cx<'_>, fields: Fields<'_>) -> Vec<Vec<u8>> {
    let Some(path) = cx.path(fields, "ca_file") else {
        return Vec::new();
    };
    let span = fields.get("ca_file").map_or(fields.span, |node| node.span);
    let shown = display_path(&path);
    let text = match (cx.environment.read_text)(&path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the file `{shown}` cannot be read: {error}");
            let hint = CertificateError::UNREADABLE_HINT;
            cx.report(&CERTIFICATE, span, message, hint);
            return Vec::new();
        }
    };
    match certificates_from_pem(&text) {
        Ok(certificates) => certificates.iter().map(|der| der.to_vec()).collect(),
        Err(error) => {
            let message = format!("the file `{shown}` {error}");
            let hint = "write the certificate of the authority from `-----BEGIN CERTIFICATE-----`";
            cx.report(&CERTIFICATE, span, message, hint);
            Vec::new()
        }
    }
}
