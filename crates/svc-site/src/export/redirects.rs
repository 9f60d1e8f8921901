//! Redirects in the formats of web servers and hosts.
//!
//! In svc a page takes precedence over a redirect. Hosts differ in that and in the patterns that
//! they support. A rule that a host cannot express, or that would hide pages there, is omitted and
//! reported.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use svc_diagnostics::Diagnostic;
use svc_nav::PatternSegment;

use super::headers::{self, HeaderRule};
use super::redirect_rules::RedirectRule;
use crate::Site;

/// Maximum number of pairs of rule and page that are compared for one host.
const MAX_COMPARISONS: usize = 2_000_000;

/// Format of exported redirects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RedirectFormat {
    /// HTML pages with a refresh, for hosts without redirects (GitHub Pages, S3, `file:` URLs).
    Html,
    /// `_redirects` for Netlify.
    Netlify,
    /// `_redirects` for Cloudflare Pages.
    Cloudflare,
    /// `vercel.json`.
    Vercel,
    /// `redirects.nginx.conf`, to be included in a `server` block of nginx.
    Nginx,
    /// `.htaccess`.
    Apache,
}

impl RedirectFormat {
    /// The name of the format in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "HTML pages",
            Self::Netlify => "Netlify",
            Self::Cloudflare => "Cloudflare Pages",
            Self::Vercel => "Vercel",
            Self::Nginx => "nginx",
            Self::Apache => "Apache",
        }
    }

    /// Whether a file of the export takes precedence over a rule.
    const fn prefers_pages(self) -> bool {
        matches!(self, Self::Netlify)
    }
}

/// The configuration file of a host.
pub(super) struct HostFile {
    pub(super) path: &'static str,
    pub(super) text: String,
}

/// The files for the hosts, with redirects and headers. `base` is the prefix of internal paths.
pub(super) fn files(
    site: &Site,
    rules: &[RedirectRule<'_>],
    hosts: &BTreeSet<RedirectFormat>,
    base: &str,
    flat: bool,
    headers: &[HeaderRule],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<HostFile> {
    let mut files = Vec::new();
    let both =
        hosts.contains(&RedirectFormat::Netlify) && hosts.contains(&RedirectFormat::Cloudflare);
    for host in hosts {
        // One file for both hosts contains what both support.
        if *host == RedirectFormat::Html || (both && *host == RedirectFormat::Netlify) {
            continue;
        }
        let mut left = MAX_COMPARISONS;
        let mut lines = Vec::new();
        for rule in rules {
            let result = match shadowed_page(site, rule, *host, &mut left) {
                Some(page) => Err(format!("its pattern would hide the page `{page}`")),
                None => format_rule(rule, *host, base, both),
            };
            match result {
                Ok(line) => lines.push(line),
                Err(reason) => {
                    let name = if both {
                        "Netlify and Cloudflare Pages"
                    } else {
                        host.name()
                    };
                    let hint = "replace it with redirects without a pattern";
                    diagnostics.push(rule.omission(name, &reason, hint));
                }
            }
        }
        if !lines.is_empty() || *host == RedirectFormat::Vercel {
            files.push(file(*host, &lines, flat, headers));
        }
    }
    if hosts.contains(&RedirectFormat::Netlify) || hosts.contains(&RedirectFormat::Cloudflare) {
        files.push(HostFile {
            path: "_headers",
            text: headers::list(headers),
        });
    }
    files
}

/// A page that the pattern of a rule hides on hosts where rules take precedence over files.
fn shadowed_page<'s>(
    site: &'s Site,
    rule: &RedirectRule<'_>,
    host: RedirectFormat,
    left: &mut usize,
) -> Option<&'s str> {
    if host.prefers_pages() || !rule.pattern.has_wildcards() {
        return None;
    }
    *left = left.checked_sub(site.map.routes.len())?;
    let mut routes = site.map.routes.keys();
    routes
        .find(|path| rule.pattern.matches(path))
        .map(String::as_str)
}

fn format_rule(
    rule: &RedirectRule<'_>,
    host: RedirectFormat,
    base: &str,
    both: bool,
) -> Result<Value, String> {
    match host {
        RedirectFormat::Html => Err("its source is a pattern".to_owned()),
        RedirectFormat::Netlify | RedirectFormat::Cloudflare => {
            let status = match (host, both) {
                (RedirectFormat::Cloudflare, false) => rule.status(),
                _ if rule.from.permanent => 301,
                _ => 302,
            };
            list_line(rule, base, status).map(Value::from)
        }
        RedirectFormat::Vercel => vercel(rule, base),
        RedirectFormat::Nginx => nginx(rule, base).map(Value::from),
        RedirectFormat::Apache => apache(rule, base).map(Value::from),
    }
}

/// A line of `_redirects`: `:name` matches a segment, and a final `*` is `:splat` in the
/// destination.
fn list_line(rule: &RedirectRule<'_>, base: &str, status: u16) -> Result<String, String> {
    let mut source = base.to_owned();
    let count = rule.pattern.segments().len();
    for (at, part) in rule.pattern.segments().enumerate() {
        source.push('/');
        match part {
            PatternSegment::Literal(text) => source.push_str(text),
            PatternSegment::Param { prefix, .. } | PatternSegment::Wildcard { prefix, .. }
                if !prefix.is_empty() =>
            {
                return Err(format!("a pattern follows `{prefix}` in the same segment"));
            }
            PatternSegment::Param { name, .. } => {
                source.push(':');
                source.push_str(name);
            }
            PatternSegment::Wildcard { .. } if at + 1 < count => {
                return Err("a segment follows the wildcard".to_owned());
            }
            PatternSegment::Wildcard { .. } => source.push('*'),
        }
    }
    if source.is_empty() {
        source.push('/');
    }
    let names: Vec<String> = rule
        .pattern
        .segments()
        .map(|part| match part {
            PatternSegment::Param { name, .. } => format!(":{name}"),
            PatternSegment::Literal(_) | PatternSegment::Wildcard { .. } => ":splat".to_owned(),
        })
        .collect();
    let to = rule.fill(base, str::to_owned, |at| {
        names.get(at).cloned().unwrap_or_default()
    });
    Ok(format!("{source} {to} {status}"))
}

/// An entry of `vercel.json`, in the syntax of path-to-regexp.
fn vercel(rule: &RedirectRule<'_>, base: &str) -> Result<Value, String> {
    let plain = |text: &str| -> String {
        let mut out = String::new();
        for c in text.chars() {
            if "(){}:*+?\\".contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    let mut source = plain(base);
    let mut names = Vec::new();
    for (at, part) in rule.pattern.segments().enumerate() {
        let name = format!("part{at}");
        match part {
            PatternSegment::Literal(text) => source.push_str(&format!("/{}", plain(text))),
            PatternSegment::Param { prefix, .. } => {
                source.push_str(&format!("/{}:{name}", plain(prefix)));
            }
            PatternSegment::Wildcard {
                prefix: "", some, ..
            } => {
                source.push_str(&format!("/:{name}{}", if some { '+' } else { '*' }));
            }
            PatternSegment::Wildcard { prefix, .. } => {
                source.push_str(&format!("/{}:{name}(.+)", plain(prefix)));
            }
        }
        names.push(name);
    }
    if source.is_empty() {
        source.push('/');
    }
    let many: Vec<bool> = rule
        .pattern
        .segments()
        .map(|part| matches!(part, PatternSegment::Wildcard { prefix: "", .. }))
        .collect();
    let to = rule.fill(base, str::to_owned, |at| {
        let star = if many.get(at) == Some(&true) { "*" } else { "" };
        format!(":{}{star}", names.get(at).map_or("", String::as_str))
    });
    Ok(json!({"source": source, "destination": to, "permanent": rule.from.permanent}))
}

/// The source as a regular expression, and the capture group of each segment.
fn expression(rule: &RedirectRule<'_>, base: &str) -> (String, Vec<usize>) {
    let escaped = |text: &str| -> String {
        let mut out = String::new();
        for c in text.chars() {
            if !c.is_ascii_alphanumeric() && !"-_/~%".contains(c) && c.is_ascii() {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    let mut out = format!("^{}", escaped(base));
    let (mut groups, mut group) = (Vec::new(), 0);
    for part in rule.pattern.segments() {
        let regex = match part {
            PatternSegment::Literal(text) => format!("/{}", escaped(text)),
            PatternSegment::Param { prefix, .. } => format!("/{}([^/]+)", escaped(prefix)),
            PatternSegment::Wildcard {
                prefix: "",
                some: false,
                ..
            } => "(?:/(.*))?".to_owned(),
            PatternSegment::Wildcard { prefix, .. } => format!("/{}(.+)", escaped(prefix)),
        };
        out.push_str(&regex);
        if !matches!(part, PatternSegment::Literal(_)) {
            group += 1;
        }
        groups.push(group);
    }
    out.push_str("/?$");
    (out, groups)
}

/// Whether a text can be quoted in the files of nginx and Apache.
fn quotable(text: &str) -> Result<(), String> {
    match text
        .chars()
        .find(|c| matches!(c, '"' | '\\' | '{' | '}' | '\'') || c.is_control())
    {
        Some(invalid) => Err(format!("it contains `{invalid}`")),
        None => Ok(()),
    }
}

fn nginx(rule: &RedirectRule<'_>, base: &str) -> Result<String, String> {
    quotable(rule.source).and(quotable(&rule.to))?;
    if rule.to.contains('$') {
        return Err("its destination contains `$`".to_owned());
    }
    let (expression, groups) = expression(rule, base);
    let to = rule.fill(base, str::to_owned, |at| {
        format!("${}", groups.get(at).unwrap_or(&0))
    });
    let query = if to.contains(['?', '#']) {
        ""
    } else {
        "$is_args$args"
    };
    Ok(format!(
        "location ~ \"{expression}\" {{ return {} \"{to}{query}\"; }}",
        rule.status()
    ))
}

fn apache(rule: &RedirectRule<'_>, base: &str) -> Result<String, String> {
    quotable(rule.source).and(quotable(&rule.to))?;
    let (expression, groups) = expression(rule, base);
    let literal = |text: &str| text.replace('$', "\\$");
    let to = rule.fill(base, literal, |at| {
        format!("${}", groups.get(at).unwrap_or(&0))
    });
    Ok(format!(
        "RedirectMatch {} \"{expression}\" \"{to}\"",
        rule.status()
    ))
}

fn file(host: RedirectFormat, lines: &[Value], flat: bool, headers: &[HeaderRule]) -> HostFile {
    let list = || -> String {
        let mut out = String::new();
        for line in lines.iter().filter_map(Value::as_str) {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{line}");
        }
        out
    };
    match host {
        RedirectFormat::Html | RedirectFormat::Netlify | RedirectFormat::Cloudflare => HostFile {
            path: "_redirects",
            text: list(),
        },
        RedirectFormat::Vercel => {
            let mut settings = serde_json::Map::new();
            if flat {
                settings.insert("cleanUrls".to_owned(), true.into());
            }
            if !lines.is_empty() {
                settings.insert("redirects".to_owned(), lines.into());
            }
            settings.insert("headers".to_owned(), headers::vercel(headers));
            HostFile {
                path: "vercel.json",
                text: format!("{:#}\n", Value::Object(settings)),
            }
        }
        RedirectFormat::Nginx => HostFile {
            path: "redirects.nginx.conf",
            text: list(),
        },
        RedirectFormat::Apache => HostFile {
            path: ".htaccess",
            text: list(),
        },
    }
}
