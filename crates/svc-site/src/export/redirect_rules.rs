//! The redirects of a site that can take effect, and what their destinations consist of.

use std::borrow::Cow;

use svc_config::Redirect;
use svc_diagnostics::Diagnostic;
use svc_nav::{PatternSegment, RedirectPattern};

use crate::Site;
use crate::codes::REDIRECT_UNSUPPORTED;

/// A redirect that can take effect.
#[derive(Debug)]
pub(super) struct RedirectRule<'a> {
    pub(super) from: &'a Redirect,
    pub(super) source: &'a str,
    /// The destination; internal ones begin with a slash and have no base path.
    pub(super) to: String,
    pub(super) is_internal: bool,
    pub(super) pattern: RedirectPattern,
}

/// The redirects that can take effect, in order. Those that a page shadows, that are circular or
/// that involve omitted pages are skipped.
pub(super) fn rules(site: &Site) -> Vec<RedirectRule<'_>> {
    let one_line = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let mut rules = Vec::new();
    for redirect in &site.config.redirects {
        let (source, to) = (redirect.source.trim(), redirect.destination.trim());
        if !one_line(source)
            || !one_line(to)
            || source.contains(['?', '#'])
            || site.map.route(source).is_some()
            || site.map.redirects.is_circular(redirect.index)
            || site.map.withheld.has_page(source)
            || site.map.withheld.has_page(to)
        {
            continue;
        }
        let to = page_path(site, to).into_owned();
        rules.push(RedirectRule {
            from: redirect,
            source,
            is_internal: to.starts_with('/') && !to.starts_with("//"),
            to,
            pattern: RedirectPattern::new(source),
        });
    }
    rules
}

impl RedirectRule<'_> {
    /// The destination, with the base path if it is internal.
    pub(super) fn target(&self, base: &str) -> String {
        if self.is_internal {
            format!("{base}{}", self.to)
        } else {
            self.to.clone()
        }
    }

    /// The diagnostic of a redirect that a host does not get.
    pub(super) fn omission(&self, host: &str, reason: &str, hint: &str) -> Diagnostic {
        let message = format!(
            "the redirect `{}` is omitted for {host}: {reason}",
            self.source
        );
        Diagnostic::new(&REDIRECT_UNSUPPORTED, message)
            .at(self.from.location.clone())
            .pointer(format!("/redirects/{}", self.from.index))
            .hint(hint)
    }

    pub(super) const fn status(&self) -> u16 {
        if self.from.permanent { 308 } else { 307 }
    }

    /// The destination as literal text and references to segments of the source.
    fn segments(&self) -> Vec<TargetSegment<'_>> {
        let names: Vec<Option<&str>> = self
            .pattern
            .segments()
            .map(|part| match part {
                PatternSegment::Literal(_) => None,
                PatternSegment::Param { name, .. } | PatternSegment::Wildcard { name, .. } => {
                    Some(name)
                }
            })
            .collect();
        let mut segments = Vec::new();
        let mut rest = self.to.as_str();
        let mut text = 0;
        while let Some(at) = rest.get(text..).and_then(|rest| rest.find([':', '*'])) {
            let at = text + at;
            let from = rest.get(at..).unwrap_or_default();
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let length = match from.starts_with(':') {
                true => from.bytes().skip(1).take_while(is_name).count(),
                false => 0,
            };
            let name = match from.starts_with(':') {
                true => from.get(1..=length).unwrap_or_default(),
                false => "*",
            };
            let part = names.iter().position(|known| *known == Some(name));
            let Some(part) = part else {
                text = at + 1 + length;
                continue;
            };
            segments.push(TargetSegment::Text(rest.get(..at).unwrap_or_default()));
            segments.push(TargetSegment::Param(part));
            let tail = from.get(1 + length..).unwrap_or_default();
            rest = tail.strip_prefix(['*', '+']).unwrap_or(tail);
            text = 0;
        }
        segments.push(TargetSegment::Text(rest));
        segments
    }

    /// Builds the destination: `text` formats literal text, `part` a reference to a segment of the
    /// source.
    pub(super) fn fill(
        &self,
        base: &str,
        text: impl Fn(&str) -> String,
        part: impl Fn(usize) -> String,
    ) -> String {
        let mut out = if self.is_internal {
            text(base)
        } else {
            String::new()
        };
        for segment in self.segments() {
            match segment {
                TargetSegment::Text(literal) => out.push_str(&text(literal)),
                TargetSegment::Param(at) => out.push_str(&part(at)),
            }
        }
        out
    }
}

#[derive(Debug)]
enum TargetSegment<'a> {
    Text(&'a str),
    Param(usize),
}

/// The canonical path of a destination that names a page by its index: `/x` for `/x/index`.
fn page_path<'a>(site: &Site, to: &'a str) -> Cow<'a, str> {
    let (path, rest) = to.split_at(to.find(['?', '#']).unwrap_or(to.len()));
    let stem = path.trim_end_matches('/').strip_suffix("/index");
    match stem.map(|stem| if stem.is_empty() { "/" } else { stem }) {
        Some(stem) if site.map.route(path).is_none() && site.map.route(stem).is_some() => {
            Cow::Owned(format!("{stem}{rest}"))
        }
        _ => Cow::Borrowed(to),
    }
}
