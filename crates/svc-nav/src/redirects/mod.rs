//! Moved addresses.

mod pattern;
mod public_pattern;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::iter;

use svc_config::Redirect;
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode};

use self::pattern::{Segment, captures, fill, parse_segments, sample, unknown_name};
pub use self::public_pattern::{PatternSegment, RedirectPattern};
use crate::codes::{BAD_DESTINATION, BAD_REDIRECT, REDIRECT_LOOP, UNKNOWN_PARAMETER};

/// How many redirects may follow one another. Browsers give up a little later.
const MAX_HOPS: usize = 16;

/// How many comparisons the search for circles may take. Requests are guarded by [`MAX_HOPS`] anyway.
const MAX_COMPARISONS: usize = 2_000_000;

/// Compiled redirects. The first one that matches counts, as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redirects {
    rules: Vec<Rule>,
    /// Sources without wildcard.
    exact: HashMap<String, usize>,
    /// Positions of the others by the segment they begin with, in order.
    by_first: HashMap<String, Vec<usize>>,
    /// Positions of those that begin with a wildcard, in order.
    leading_wildcards: Vec<usize>,
    /// Positions in the configuration of those that lead in a circle.
    circular: BTreeSet<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    segments: Vec<Segment>,
    destination: String,
    status: u16,
}

impl Redirects {
    /// Compiles the redirects of a configuration. `aliases` are further exact ones, which come
    /// after all of them; a redirect ends where `is_page` says so.
    pub(crate) fn compile(
        redirects: &[Redirect],
        aliases: impl IntoIterator<Item = (String, String)>,
        is_page: impl Fn(&str) -> bool,
    ) -> Checked<Self> {
        let mut out = Self::default();
        let mut diagnostics = Vec::new();
        let mut usable = Vec::with_capacity(redirects.len());
        for redirect in redirects {
            let wrong = if redirect.source.contains(['#', '?']) {
                Some("leave out `#…` and `?…`; only the path is compared")
            } else if redirect.source.contains(char::is_control) {
                Some("leave out line breaks and other control characters")
            } else {
                None
            };
            if let Some(hint) = wrong {
                let message = format!("the redirect source `{}` never matches", redirect.source);
                diagnostics.push(problem(&BAD_REDIRECT, redirect, message).hint(hint));
                continue;
            }
            if redirect.destination.contains(char::is_control) {
                let source = &redirect.source;
                let message = format!("the redirect `{source}` leads to what is no address");
                let hint = "leave line breaks and other control characters out of the destination";
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
            let message = format!("the redirect `{}` leads in a circle", redirect.source);
            problem(&REDIRECT_LOOP, redirect, message)
                .hint("let the last destination be a page; until then the address is not found")
        }));
        diagnostics.sort_by_key(|found| found.location.as_ref().map(|at| at.span.start));
        Checked {
            value: out,
            diagnostics,
        }
    }

    fn add(&mut self, source: &str, destination: String, status: u16) {
        // Requests are compared decoded.
        let source = &*percent_decode(source);
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

    /// Whether the redirect at this position in the configuration leads in a circle.
    pub fn is_circular(&self, index: usize) -> bool {
        self.circular.contains(&index)
    }

    /// How many redirects there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The destination of a decoded path and the status: 308, or 307 for a temporary one. A
    /// redirect to the path itself is none. One step only: [`crate::SiteMap::redirect`] leaves out
    /// what never arrives.
    pub fn find(&self, path: &str) -> Option<(String, u16)> {
        if path.contains(|c: char| c.is_control()) {
            return None;
        }
        let path = trim_slash(path);
        let exact = self.exact.get(path).copied();
        let segments = segments(path);
        let before = exact.unwrap_or(usize::MAX);
        let elsewhere = |target: &str| trim_slash(&local_path(target)) != path;
        self.patterns(&segments)
            .take_while(|at| *at < before)
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

    /// The patterns that may match, in the order they are written.
    fn patterns(&self, segments: &[&str]) -> impl Iterator<Item = usize> {
        let first = segments.first().and_then(|first| self.by_first.get(*first));
        let mut own = first.map_or(&[][..], Vec::as_slice).iter().peekable();
        let mut open = self.leading_wildcards.iter().peekable();
        iter::from_fn(move || {
            let from_own = match (own.peek(), open.peek()) {
                (Some(left), Some(right)) => left < right,
                (left, _) => left.is_some(),
            };
            if from_own { own.next() } else { open.next() }.copied()
        })
    }

    /// Whether whoever follows the redirects from a target gets anywhere: to a page, to another
    /// host, or to an address that nothing redirects.
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

    /// The redirects that lead in a circle, tried with one path each.
    fn find_cycles<'r>(
        &self,
        redirects: &[&'r Redirect],
        is_page: impl Fn(&str) -> bool,
    ) -> Vec<&'r Redirect> {
        let mut left = MAX_COMPARISONS;
        let mut found = Vec::new();
        for (redirect, rule) in redirects.iter().zip(&self.rules) {
            let sample = sample(&rule.segments);
            let tried = self.patterns(&segments(&sample)).count();
            let Some(rest) = left.checked_sub(MAX_HOPS * (tried + 1)) else {
                break;
            };
            left = rest;
            if is_page(&sample) {
                continue;
            }
            let first = captures(&rule.segments, &segments(&sample))
                .and_then(|captures| fill(&rule.destination, &captures));
            let Some(first) = first else { continue };
            let own = trim_slash(&local_path(&first)) == trim_slash(&sample);
            if own || !self.resolves(&first, &is_page) {
                found.push(*redirect);
            }
        }
        found
    }
}

/// What a redirect asks for that redirects cannot do.
fn check_source(redirect: &Redirect) -> Option<Diagnostic> {
    let (source, destination) = (&redirect.source, &redirect.destination);
    // Addresses have none of these; `(.*)` is read as `*`.
    if source
        .replace("(.*)", "")
        .contains(['(', '[', '{', '\\', '^', '|'])
    {
        let message = format!(
            "the redirect source `{source}` holds a regular expression, which is compared letter by letter"
        );
        let hint = "write `:name` for one segment, or `*` at the end for any number of them";
        return Some(problem(&BAD_REDIRECT, redirect, message).hint(hint));
    }
    let parts = parse_segments(&percent_decode(source));
    let known: Vec<&str> = parts.iter().filter_map(Segment::name).collect();
    let name = unknown_name(destination, &known)?;
    let message = format!("`{name}` in the destination `{destination}` stands for nothing");
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
    let found = problem(&UNKNOWN_PARAMETER, redirect, message).hint(hint);
    Some(found.pointer(format!("/redirects/{}/destination", redirect.index)))
}

fn problem(code: &'static DiagnosticCode, redirect: &Redirect, message: String) -> Diagnostic {
    Diagnostic::new(code, message)
        .at(redirect.location.clone())
        .pointer(format!("/redirects/{}/source", redirect.index))
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// What a server gets to see of a target: the path without query and fragment, decoded.
fn local_path(target: &str) -> Cow<'_, str> {
    percent_decode(target.split(['#', '?']).next().unwrap_or(""))
}

fn percent_decode(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let pair = digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2)));
        let code = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        match code.filter(|_| *byte == b'%') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

/// Without slash at the end; the root is empty.
fn trim_slash(path: &str) -> &str {
    path.trim_end_matches('/')
}

#[cfg(test)]
mod tests;
