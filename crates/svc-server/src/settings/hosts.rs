//! The hosts of projects, and the check that each belongs to one site.

use std::collections::BTreeMap;

use svc_diagnostics::Span;

use super::codes::DUPLICATE;
use super::decode::{Cx, Fields, Text};
use super::{Host, HostPattern};

/// Placeholder for the domain of the server.
const DOMAIN: &str = "{docs_domain}";

/// A host and its span.
pub(super) type SpannedHost = (Host, Span);

/// The text with the placeholder for the domain replaced.
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

/// Decodes the host of a key.
pub(super) fn decode_host(
    cx: &mut Cx<'_>,
    text: Text<'_>,
    key: &str,
    docs_domain: Option<&str>,
) -> Option<SpannedHost> {
    let value = expand(cx, text, key, docs_domain)?;
    let Ok(host) = Host::parse(&value) else {
        cx.refuse(text, key, advice(&value));
        return None;
    };
    Some((host, text.span))
}

/// Decodes the hosts of a project.
pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    docs_domain: Option<&str>,
) -> Vec<SpannedHost> {
    let Some(texts) = cx.texts(project, "hosts") else {
        return Vec::new();
    };
    let mut hosts: Vec<SpannedHost> = Vec::new();
    for text in &texts {
        hosts.extend(decode_host(cx, *text, "hosts", docs_domain));
    }
    if texts.is_empty() {
        let span = project.key_span("hosts");
        let hint = "add the hosts of the site: `hosts = [\"docs.example.com\"]`";
        cx.report(&super::codes::MISSING, span, "`hosts` is empty", hint);
    }
    hosts
}

/// Hint for a text that is not a host.
fn advice(text: &str) -> &'static str {
    if text.contains("://") {
        "write the host without a scheme: `docs.example.com`"
    } else if text.contains("{preview}") || text.contains('*') {
        "set `host` in `[projects.previews]`; wildcards are allowed for previews only"
    } else if text.contains('/') {
        "write the host without a path and set `base_path`"
    } else if text.contains(':') {
        "write the host without a port; a site is served at every port of its host"
    } else {
        "write a host: `docs.example.com`"
    }
}

/// A pattern of preview hosts and its span.
pub(super) type SpannedPattern = (HostPattern, Span);

/// The ID and hosts of a project.
pub(super) struct Claims {
    pub(super) id: Option<(String, Span)>,
    pub(super) hosts: Vec<SpannedHost>,
    pub(super) previews: Option<SpannedPattern>,
}

/// Reports duplicates among the IDs and hosts of all projects.
pub(super) fn check(cx: &mut Cx<'_>, claims: &[Claims]) {
    let mut ids = BTreeMap::new();
    let mut hosts = BTreeMap::new();
    for claim in claims {
        if let Some((id, span)) = &claim.id
            && let Some(first) = ids.insert(id, *span)
        {
            let message = format!("project ID `{id}` is not unique");
            let hint = "choose another ID";
            cx.report_both(
                &DUPLICATE,
                (*span, message, hint),
                (first, "first used here"),
            );
        }
        for (host, span) in &claim.hosts {
            if let Some(first) = hosts.insert(host, *span) {
                let message = format!("host `{host}` is not unique");
                let hint = "remove one of them";
                cx.report_both(
                    &DUPLICATE,
                    (*span, message, hint),
                    (first, "first used here"),
                );
            }
        }
    }
    let mut patterns: Vec<&SpannedPattern> = Vec::new();
    for spanned in claims.iter().filter_map(|claim| claim.previews.as_ref()) {
        let (pattern, span) = spanned;
        for (host, at) in hosts.iter().filter(|(host, _)| pattern.matches(host)) {
            let message = format!("the pattern of previews matches the host `{host}` of a site");
            let hint = "use a separate domain for previews: `{preview}.previews.example.com`";
            cx.report_both(
                &DUPLICATE,
                (*span, message, hint),
                (*at, "the host of the site"),
            );
        }
        if let Some((_, first)) = patterns.iter().find(|(other, _)| other.overlaps(pattern)) {
            let message = "previews of two projects can have the same host".to_owned();
            let hint = "add the name of the project to the host: `{preview}.handbook.previews.example.com`";
            cx.report_both(
                &DUPLICATE,
                (*span, message, hint),
                (*first, "the other pattern"),
            );
        }
        patterns.push(spanned);
    }
}
