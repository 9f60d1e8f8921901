//! Redirects of docs.json and of index pages.

mod pattern;
mod public_pattern;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::iter;

use svc_config::Redirect;
use svc_data::percent::decode_lossy;
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode};

use self::pattern::{Segment, captures, fill, parse_segments, sample, unknown_name};
pub use self::public_pattern::{PatternSegment, RedirectPattern};
use crate::codes::{BAD_DESTINATION, BAD_REDIRECT, REDIRECT_LOOP, UNKNOWN_PARAMETER};
use crate::fix::replace_string;

/// Maximum number of redirects in a chain. Browsers follow slightly more.
const MAX_HOPS: usize = 16;

/// Maximum number of comparisons in the search for loops. Requests are limited by [`MAX_HOPS`] in
/// any case.
const MAX_COMPARISONS: usize = 2_000_000;

/// Compiled redirects, in the order of the configuration. The first one that matches is used.
///
/// # Example
///
/// ```
/// # use svc_nav::{Audience, NodeKind, SourceFile, resolve_for};
/// # let docs = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#000000"}, "redirects": [{"source": "/old/*", "destination": "/v1/*"}],
/// #     "navigation": {"versions": [{"version": "v1", "groups": [{"group": "Start", "root": "v1/hello", "pages": ["v1/setup"]}]}]}}"##;
/// # let tree = svc_source::SourceTree::from_files([("v1/hello.mdx", ""), ("v1/setup.mdx", "---\ntitle: Set up\n---")]);
/// # let config = svc_config::parse(&SourceFile::new("docs.json", docs), &|_| None).value.expect("it is an object");
/// # let pages = svc_source::pages(&tree).value;
/// # let catalog = svc_openapi::ApiCatalog::default();
/// let redirects = resolve_for(Audience::Everyone, &config, &pages, &catalog).value.redirects;
/// assert!(!redirects.is_empty());
/// assert!(redirects.len() >= 1 && !redirects.is_circular(0));
/// assert_eq!(redirects.find("/old/setup"), Some(("/v1/setup".to_owned(), 308)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redirects {
    rules: Vec<Rule>,
    /// Sources without wildcards.
    exact: HashMap<String, usize>,
    /// Indexes of the other rules by the first segment of the source, in order.
    by_first: HashMap<String, Vec<usize>>,
    /// Indexes of the rules whose source begins with a wildcard, in order.
    leading_wildcards: Vec<usize>,
    /// Indexes in the configuration of redirects that are part of a loop.
    circular: BTreeSet<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    segments: Vec<Segment>,
    destination: String,
    status: u16,
}

impl Redirects {
    /// Compiles the redirects of a configuration, followed by `aliases`, which are exact redirects.
    /// A chain of redirects ends at a path for which `is_page` returns true.
    pub(crate) fn compile(
        redirects: &[Redirect],
        aliases: impl IntoIterator<Item = (String, String)>,
        is_page: impl Fn(&str) -> bool,
    ) -> Checked<Self> {
        let mut out = Self::default();
        let mut diagnostics = Vec::new();
        let mut usable = Vec::with_capacity(redirects.len());
        for redirect in redirects {
            let hint = if redirect.source.contains(['#', '?']) {
                Some("remove `#…` and `?…`; only the path is compared")
            } else if redirect.source.contains(char::is_control) {
                Some("remove line breaks and other control characters")
            } else {
                None
            };
            if let Some(hint) = hint {
                let message = format!("the redirect source `{}` never matches", redirect.source);
                let path = redirect.source.split(['#', '?']).next();
                let path = path.filter(|path| !path.contains(char::is_control));
                let fix = path
                    .and_then(|path| replace_string(&redirect.location, &redirect.source, path));
                let problem = problem(&BAD_REDIRECT, redirect, message);
                diagnostics.push(problem.hint(hint).fix(fix));
                continue;
            }
            if redirect.destination.contains(char::is_control) {
                let source = &redirect.source;
                let message = format!("the redirect `{source}` has an invalid destination");
                let hint = "remove line breaks and other control characters from the destination";
                diagnostics.push(problem(&BAD_DESTINATION, redirect, message).hint(hint));
                continue;
            }
            diagnostics.extend(check_source(redirect));
            let status = if redirect.permanent { 308 } else { 307 };
            out.add(&redirect.source, redirect.destination.clone(), status);
            usable.push(redirect);
        }
        for (source, destination) in aliases {
            out.add(&source, destination, 308);
        }
        let circles = out.find_cycles(&usable, is_page);
        out.circular = circles.iter().map(|redirect| redirect.index).collect();
        diagnostics.extend(circles.into_iter().map(|redirect| {
            let message = format!("the redirect `{}` is part of a loop", redirect.source);
            problem(&REDIRECT_LOOP, redirect, message)
                .hint("redirect to a page; until then the path is not found")
        }));
        diagnostics.sort_by_key(|diagnostic| diagnostic.location.as_ref().map(|at| at.span.start));
        Checked {
            value: out,
            diagnostics,
        }
    }

    fn add(&mut self, source: &str, destination: String, status: u16) {
        // Request paths are matched decoded.
        let source = &*decode_lossy(source);
        let parts = parse_segments(source);
        let at = self.rules.len();
        if parts.iter().all(|part| matches!(part, Segment::Literal(_))) {
            self.exact
                .entry(trim_slash(source).to_owned())
                .or_insert(at);
        } else if let Some(Segment::Literal(first)) = parts.first() {
            self.by_first.entry(first.clone()).or_default().push(at);
        } else {
            self.leading_wildcards.push(at);
        }
        self.rules.push(Rule {
            segments: parts,
            destination,
            status,
        });
    }

    /// Returns true if the redirect at this index in the configuration is part of a loop.
    ///
    /// Example: [`Redirects`](crate::Redirects#example).
    pub fn is_circular(&self, index: usize) -> bool {
        self.circular.contains(&index)
    }

    /// Returns the number of redirects.
    ///
    /// Example: [`Redirects`](crate::Redirects#example).
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns true if there are no redirects.
    ///
    /// Example: [`Redirects`](crate::Redirects#example).
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the destination of a decoded path and the status: 308, or 307 for a temporary
    /// redirect. `None` if no redirect matches or the destination is the path itself. Follows one
    /// redirect only; [`crate::SiteMap::redirect`] also excludes loops.
    ///
    /// Example: [`Redirects`](crate::Redirects#example).
    pub fn find(&self, path: &str) -> Option<(String, u16)> {
        if path.contains(|c: char| c.is_control()) {
            return None;
        }
        let path = trim_slash(path);
        let exact = self.exact.get(path).copied();
        let segments = segments(path);
        let limit = exact.unwrap_or(usize::MAX);
        let elsewhere = |target: &str| trim_slash(&local_path(target)) != path;
        self.patterns(&segments)
            .take_while(|at| *at < limit)
            .find_map(|at| {
                let rule = self.rules.get(at)?;
                let captures = captures(&rule.segments, &segments)?;
                let target = fill(&rule.destination, &captures)?;
                elsewhere(&target).then_some((target, rule.status))
            })
            .or_else(|| {
                let rule = self.rules.get(exact?)?;
                elsewhere(&rule.destination).then(|| (rule.destination.clone(), rule.status))
            })
    }

    /// Returns the indexes of the rules that may match, in order.
    fn patterns(&self, segments: &[&str]) -> impl Iterator<Item = usize> {
        let first = segments.first().and_then(|first| self.by_first.get(*first));
        let mut named = first.map_or(&[][..], Vec::as_slice).iter().peekable();
        let mut open = self.leading_wildcards.iter().peekable();
        iter::from_fn(move || {
            let from_named = match (named.peek(), open.peek()) {
                (Some(left), Some(right)) => left < right,
                (left, _) => left.is_some(),
            };
            if from_named {
                named.next()
            } else {
                open.next()
            }
            .copied()
        })
    }

    /// Returns true if following the redirects from a target ends: at a page, at another host, or
    /// at a path that is not redirected.
    pub(crate) fn resolves(&self, target: &str, is_page: impl Fn(&str) -> bool) -> bool {
        let mut target = target.to_owned();
        for _ in 0..MAX_HOPS {
            let path = local_path(&target);
            if !path.starts_with('/') || is_page(&path) {
                return true;
            }
            match self.find(&path) {
                None => return true,
                Some((next, _)) => target = next,
            }
        }
        false
    }

    /// Returns the redirects that are part of a loop, each tested with one sample path.
    fn find_cycles<'r>(
        &self,
        redirects: &[&'r Redirect],
        is_page: impl Fn(&str) -> bool,
    ) -> Vec<&'r Redirect> {
        let mut budget = MAX_COMPARISONS;
        let mut cycles = Vec::new();
        for (redirect, rule) in redirects.iter().zip(&self.rules) {
            let sample = sample(&rule.segments);
            let tried = self.patterns(&segments(&sample)).count();
            let Some(rest) = budget.checked_sub(MAX_HOPS * (tried + 1)) else {
                break;
            };
            budget = rest;
            if is_page(&sample) {
                continue;
            }
            let first = captures(&rule.segments, &segments(&sample))
                .and_then(|captures| fill(&rule.destination, &captures));
            let Some(first) = first else { continue };
            let to_itself = trim_slash(&local_path(&first)) == trim_slash(&sample);
            if to_itself || !self.resolves(&first, &is_page) {
                cycles.push(*redirect);
            }
        }
        cycles
    }
}

/// Reports a redirect that uses unsupported patterns or undefined parameters.
fn check_source(redirect: &Redirect) -> Option<Diagnostic> {
    let (source, destination) = (&redirect.source, &redirect.destination);
    // Paths contain none of these characters; `(.*)` is read as `*`.
    if source
        .replace("(.*)", "")
        .contains(['(', '[', '{', '\\', '^', '|'])
    {
        let message = format!(
            "the redirect source `{source}` contains a regular expression, which is compared literally"
        );
        let hint = "write `:name` for one segment, or `*` at the end for any number of them";
        return Some(problem(&BAD_REDIRECT, redirect, message).hint(hint));
    }
    let parts = parse_segments(&decode_lossy(source));
    let known: Vec<&str> = parts.iter().filter_map(Segment::name).collect();
    let name = unknown_name(destination, &known)?;
    let message =
        format!("`{name}` in the destination `{destination}` is not defined by the source");
    let hint = match known.as_slice() {
        [] => format!("the source `{source}` has no `:name` and no `*`"),
        known => {
            let marked = |name: &&str| match *name {
                "*" => "`*`".to_owned(),
                name => format!("`:{name}`"),
            };
            let known: Vec<String> = known.iter().map(marked).collect();
            format!("the source has {}", known.join(", "))
        }
    };
    let diagnostic = problem(&UNKNOWN_PARAMETER, redirect, message).hint(hint);
    Some(diagnostic.pointer(format!("/redirects/{}/destination", redirect.index)))
}

fn problem(code: &'static DiagnosticCode, redirect: &Redirect, message: String) -> Diagnostic {
    Diagnostic::new(code, message)
        .at(redirect.location.clone())
        .pointer(format!("/redirects/{}/source", redirect.index))
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Returns the part of a target that a server receives: the decoded path without query and
/// fragment.
fn local_path(target: &str) -> Cow<'_, str> {
    decode_lossy(target.split(['#', '?']).next().unwrap_or(""))
}

/// Removes trailing slashes; the root becomes empty.
fn trim_slash(path: &str) -> &str {
    path.trim_end_matches('/')
}

#[cfg(test)]
mod tests;
