//! Moved addresses.

use std::collections::HashMap;

use svc_config::Redirect;
use svc_diagnostics::{Checked, Diagnostic};

use crate::codes::BAD_REDIRECT;

/// Compiled redirects. The first one that matches counts, as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redirects {
    rules: Vec<Rule>,
    /// Sources without wildcard.
    exact: HashMap<String, usize>,
    /// Positions of the others, in order.
    patterns: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    parts: Vec<Part>,
    destination: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// This text.
    Text(String),
    /// `:name`: one segment.
    One(String),
    /// `:name*`, `*`, `prefix-*`: what follows the prefix, segments included; at least one
    /// character when `some`.
    Rest {
        prefix: String,
        name: String,
        some: bool,
    },
}

impl Redirects {
    /// Compiles the redirects of a configuration. `aliases` are further exact ones, which come
    /// after all of them.
    pub(crate) fn compile(
        redirects: &[Redirect],
        aliases: impl IntoIterator<Item = (String, String)>,
    ) -> Checked<Self> {
        let mut out = Self::default();
        let mut diagnostics = Vec::new();
        for redirect in redirects {
            if redirect.source.contains(['#', '?']) {
                let message = format!("the redirect source `{}` never matches", redirect.source);
                let problem = Diagnostic::new(&BAD_REDIRECT, message)
                    .at(redirect.location.clone())
                    .hint("leave out `#…` and `?…`; only the path is compared");
                diagnostics.push(problem);
                continue;
            }
            let status = if redirect.permanent { 308 } else { 307 };
            out.add(&redirect.source, redirect.destination.clone(), status);
        }
        for (source, destination) in aliases {
            out.add(&source, destination, 308);
        }
        Checked {
            value: out,
            diagnostics,
        }
    }

    fn add(&mut self, source: &str, destination: String, status: u16) {
        let parts = parts(source);
        let at = self.rules.len();
        if parts.iter().all(|part| matches!(part, Part::Text(_))) {
            self.exact.entry(trimmed(source).to_owned()).or_insert(at);
        } else {
            self.patterns.push(at);
        }
        self.rules.push(Rule {
            parts,
            destination,
            status,
        });
    }

    /// How many redirects there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The destination of a path and the status: 308, or 307 for a temporary one. A redirect to
    /// the path itself is none.
    pub fn find(&self, path: &str) -> Option<(String, u16)> {
        if path.contains(|c: char| c.is_control()) {
            return None;
        }
        let path = trimmed(path);
        let exact = self.exact.get(path).copied();
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let before = exact.unwrap_or(usize::MAX);
        let pattern = self
            .patterns
            .iter()
            .take_while(|at| **at < before)
            .find_map(|at| {
                let rule = self.rules.get(*at)?;
                captures(&rule.parts, &segments)
                    .map(|captures| (fill(&rule.destination, &captures), rule.status))
                    .filter(|(target, _)| trimmed(target) != path)
            });
        pattern.or_else(|| {
            let rule = self.rules.get(exact?)?;
            let target = rule.destination.clone();
            (trimmed(&target) != path).then_some((target, rule.status))
        })
    }
}

/// Without slash at the end; the root is empty.
fn trimmed(path: &str) -> &str {
    path.trim_end_matches('/')
}

fn parts(source: &str) -> Vec<Part> {
    let mut many = false;
    source
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let star = part.ends_with('*') || part.ends_with("(.*)");
            let bare = part.trim_end_matches("(.*)").trim_end_matches(['*', '+']);
            let (prefix, name) = bare.split_once(':').unwrap_or((bare, ""));
            // One part that takes several segments is enough; with more, matching would have to
            // try every split.
            if (star || part.ends_with('+')) && !many {
                many = true;
                let some = part.ends_with('+') || !prefix.is_empty();
                let name = if name.is_empty() { "*" } else { name }.to_owned();
                return Part::Rest {
                    prefix: prefix.to_owned(),
                    name,
                    some,
                };
            }
            match (prefix, name) {
                ("", name) if !name.is_empty() => Part::One(name.to_owned()),
                _ if star => Part::One("*".to_owned()),
                _ => Part::Text(part.to_owned()),
            }
        })
        .collect()
}

/// What the parameters stand for. At most one part takes several segments, so the parts before
/// and behind it have fixed places.
fn captures<'a>(parts: &'a [Part], segments: &[&str]) -> Option<Vec<(&'a str, String)>> {
    let mut found = Vec::new();
    let mut one = |part: &'a Part, segment: &str| match part {
        Part::Text(text) => text == segment,
        Part::One(name) => {
            found.push((name.as_str(), segment.to_owned()));
            true
        }
        Part::Rest { .. } => false,
    };
    let Some(rest) = parts
        .iter()
        .position(|part| matches!(part, Part::Rest { .. }))
    else {
        let fits = parts.len() == segments.len()
            && parts
                .iter()
                .zip(segments)
                .all(|(part, segment)| one(part, segment));
        return fits.then_some(found);
    };
    let (before, from) = parts.split_at(rest);
    let (Part::Rest { prefix, name, some }, behind) = from.split_first()? else {
        return None;
    };
    let end = segments
        .len()
        .checked_sub(behind.len())
        .filter(|end| *end >= before.len())?;
    let fits = before
        .iter()
        .zip(segments)
        .all(|(part, segment)| one(part, segment))
        && behind
            .iter()
            .zip(&segments[end..])
            .all(|(part, segment)| one(part, segment));
    let taken = segments[before.len()..end].join("/");
    let taken = taken.strip_prefix(prefix.as_str())?;
    if !fits || (*some && taken.is_empty()) {
        return None;
    }
    found.push((name, taken.to_owned()));
    Some(found)
}

/// The destination with its parameters filled in.
fn fill(destination: &str, captures: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(destination.len() + 16);
    let mut rest = destination;
    while let Some(at) = rest.find([':', '*']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = from
            .bytes()
            .skip(1)
            .take_while(|b| from.starts_with(':') && (b.is_ascii_alphanumeric() || *b == b'_'))
            .count();
        let name = if from.starts_with('*') {
            "*"
        } else {
            &from[1..1 + length]
        };
        let mut behind = &from[1 + length..];
        if let Some((_, value)) = captures.iter().find(|(known, _)| *known == name) {
            // `:name` may stand for one segment and for many; the mark is not part of the target.
            behind = behind.strip_prefix(['*', '+']).unwrap_or(behind);
            if value.is_empty() && out.ends_with('/') && out.len() > 1 {
                out.pop();
            }
            push_encoded(&mut out, value);
        } else {
            out.push_str(&from[..1 + length]);
        }
        rest = behind;
    }
    out.push_str(rest);
    // A captured part must never turn a path into the address of another host.
    if destination.starts_with('/') && !destination.starts_with("//") && out.starts_with("//") {
        out = format!("/{}", out.trim_start_matches('/'));
    }
    if out.is_empty() { "/".to_owned() } else { out }
}

/// Adds what the reader typed; characters that have no place in a path are encoded.
fn push_encoded(out: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::{SourceFile, Span};

    use super::*;

    fn compile(rules: &[(&str, &str)]) -> Redirects {
        let location = SourceFile::new("docs.json", "").location(Span::default());
        let redirects: Vec<Redirect> = rules
            .iter()
            .map(|(source, destination)| Redirect {
                source: (*source).to_owned(),
                destination: (*destination).to_owned(),
                permanent: !destination.contains("temporary"),
                location: location.clone(),
            })
            .collect();
        Redirects::compile(&redirects, [("/x/index".to_owned(), "/x".to_owned())]).value
    }

    #[test]
    fn every_kind_of_source_matches() {
        for (source, destination, path, target) in [
            ("/a", "/b", "/a", Some("/b")),
            ("/a", "/b", "/a/", Some("/b")),
            ("/a/", "/b", "/a", Some("/b")),
            ("/a", "/b", "/a/c", None),
            ("/", "/b", "/", Some("/b")),
            ("/a/*", "/b/*", "/a/x/y", Some("/b/x/y")),
            ("/a/*", "/b", "/a/x/y", Some("/b")),
            ("/a/:slug*", "/b/:slug*", "/a/x/y", Some("/b/x/y")),
            ("/a/:slug*", "/b/:slug*", "/a", Some("/b")),
            ("/a/:slug*", "/b", "/ab", None),
            ("/a/:slug+", "/b/:slug+", "/a", None),
            ("/a/:id/c", "/b/:id", "/a/7/c", Some("/b/7")),
            ("/a/:id", "/b/:id", "/a/7/c", None),
            ("/a/:x/:y", "/:y/:x", "/a/1/2", Some("/2/1")),
            ("/a/:slug*/end", "/b/:slug*", "/a/1/2/end", Some("/b/1/2")),
            ("/old-*", "/new-*", "/old-page", Some("/new-page")),
            ("/old-*", "/new", "/old-", None),
            ("/old-*", "/new", "/other", None),
            (
                "/:slug*",
                "https://x.org/:slug*#top",
                "/a/b",
                Some("https://x.org/a/b#top"),
            ),
            ("/a/:slug(.*)", "/b/:slug", "/a/1/2", Some("/b/1/2")),
            (
                "/a",
                "https://x.org:8080/y",
                "/a",
                Some("https://x.org:8080/y"),
            ),
            ("/a/:slug*", "/a/:slug*", "/a/b", None),
            ("/none", "/b", "/x/index", Some("/x")),
        ] {
            let found = compile(&[(source, destination)]).find(path);
            assert_eq!(
                found.as_ref().map(|(to, _)| to.as_str()),
                target,
                "{source} {path}"
            );
        }
    }

    #[test]
    fn the_first_match_counts_and_gives_the_status() {
        let redirects = compile(&[("/a/*", "/temporary"), ("/a/b", "/c"), ("/d", "/e")]);
        assert_eq!(redirects.find("/a/b"), Some(("/temporary".into(), 307)));
        assert_eq!(redirects.find("/d"), Some(("/e".into(), 308)));
        let redirects = compile(&[("/a/b", "/c"), ("/a/*", "/temporary")]);
        assert_eq!(redirects.find("/a/b"), Some(("/c".into(), 308)));
    }

    #[test]
    fn no_path_leads_to_another_host() {
        let redirects = compile(&[("/go/*", "/*"), ("/all/:rest*", "/:rest*")]);
        for path in [
            "/go//evil.org",
            "/all///evil.org",
            "/go/\\evil.org",
            "/go/\r\nx",
        ] {
            let target = redirects
                .find(path)
                .map_or_else(String::new, |(target, _)| target);
            assert!(
                !target.starts_with("//") && !target.contains(['\\', '\r', '\n']),
                "{target}"
            );
        }
    }
}
