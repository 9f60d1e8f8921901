//! The hosts of projects, and that each stands for one site.

use std::collections::BTreeMap;

use svc_diagnostics::Span;

use super::codes::DUPLICATE;
use super::decode::{Cx, Fields, Text};
use super::{Host, HostPattern};

/// What stands for the domain of the server.
const DOMAIN: &str = "{docs_domain}";

/// A host and where it stands.
pub(super) type SpannedHost = (Host, Span);

/// The text of a key with the domain of the server in it.
pub(super) fn expand(
    cx: &mut Cx<'_>,
    text: Text<'_>,
    key: &str,
    docs_domain: Option<&str>,
) -> Option<String> {
    if !text.text.contains(DOMAIN) {
        return Some(text.text.to_owned());
    }
    let Some(domain) = docs_domain else {
        let hint = "add `docs_domain = \"docs.example.com\"` at the top of the file";
        cx.refuse(text, key, hint);
        return None;
    };
    Some(text.text.replace(DOMAIN, domain))
}

/// The host that a text of a key names.
pub(super) fn decode_host(
    cx: &mut Cx<'_>,
    text: Text<'_>,
    key: &str,
    docs_domain: Option<&str>,
) -> Option<SpannedHost> {
    let whole = expand(cx, text, key, docs_domain)?;
    let Ok(host) = Host::parse(&whole) else {
        cx.refuse(text, key, advice(&whole));
        return None;
    };
    Some((host, text.span))
}

/// The hosts of a project.
pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    docs_domain: Option<&str>,
) -> Vec<SpannedHost> {
    let Some(texts) = cx.texts(project, "hosts") else {
        return Vec::new();
    };
    let mut found: Vec<SpannedHost> = Vec::new();
    for text in &texts {
        found.extend(decode_host(cx, *text, "hosts", docs_domain));
    }
    if texts.is_empty() {
        let place = project.key_span("hosts");
        let hint = "readers find a site by its host: `hosts = [\"docs.example.com\"]`";
        cx.report(&super::codes::MISSING, place, "`hosts` is empty", hint);
    }
    found
}

/// What to write instead of a text that is no host.
fn advice(text: &str) -> &'static str {
    if text.contains("://") {
        "write the host alone, without scheme: `docs.example.com`"
    } else if text.contains("{preview}") || text.contains('*') {
        "wildcards are for previews only: set `host` in `[projects.previews]`"
    } else if text.contains('/') {
        "write the host alone; a path is set with `base_path`"
    } else if text.contains(':') {
        "write the host without port: a site answers at every port of its host"
    } else {
        "write a host: `docs.example.com`"
    }
}

/// A pattern of previews and where it stands.
pub(super) type SpannedPattern = (HostPattern, Span);

/// What one project claims.
pub(super) struct Claims {
    pub(super) id: Option<(String, Span)>,
    pub(super) hosts: Vec<SpannedHost>,
    pub(super) previews: Option<SpannedPattern>,
}

/// Reports everything that two places claim.
pub(super) fn check(cx: &mut Cx<'_>, claims: &[Claims]) {
    let mut ids = BTreeMap::new();
    let mut hosts = BTreeMap::new();
    for claim in claims {
        if let Some((id, place)) = &claim.id
            && let Some(first) = ids.insert(id, *place)
        {
            let message = format!("two projects have the id `{id}`");
            let hint = "an id names one project; choose another";
            cx.report_both(
                &DUPLICATE,
                (*place, message, hint),
                (first, "the other one"),
            );
        }
        for (host, place) in &claim.hosts {
            if let Some(first) = hosts.insert(host, *place) {
                let message = format!("`{host}` stands for two sites");
                let hint = "a host stands for one site; remove one of them";
                cx.report_both(&DUPLICATE, (*place, message, hint), (first, "here too"));
            }
        }
    }
    let mut patterns: Vec<&SpannedPattern> = Vec::new();
    for placed in claims.iter().filter_map(|claim| claim.previews.as_ref()) {
        let (pattern, place) = placed;
        for (host, at) in hosts.iter().filter(|(host, _)| pattern.matches(host)) {
            let message = format!("a preview could take the host `{host}` from its site");
            let hint = "give previews a domain of their own: `{preview}.previews.example.com`";
            cx.report_both(&DUPLICATE, (*place, message, hint), (*at, "the host"));
        }
        if let Some((_, first)) = patterns.iter().find(|(other, _)| other.overlaps(pattern)) {
            let message = "previews of two projects could have the same host".to_owned();
            let hint = "put the project into the host: `{preview}.handbook.previews.example.com`";
            cx.report_both(
                &DUPLICATE,
                (*place, message, hint),
                (*first, "the other one"),
            );
        }
        patterns.push(placed);
    }
}
