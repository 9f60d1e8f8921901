//! Redirect patterns: matching of sources and expansion of destinations.

use svc_data::percent::{ENCODED_PATH, encode};

/// Maximum length of a target in bytes, because a parameter can be repeated in every hop.
pub(super) const MAX_TARGET_BYTES: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Segment {
    /// Literal text.
    Literal(String),
    /// `:name`, `prefix-:name`: one segment.
    Param { prefix: String, name: String },
    /// `:name*`, `*`, `prefix-*`: all text after the prefix, including further segments; at least
    /// one character if `some` is true.
    Wildcard {
        prefix: String,
        name: String,
        some: bool,
    },
}

impl Segment {
    /// Returns the name of the parameter in a destination.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Literal(_) => None,
            Self::Param { name, .. } | Self::Wildcard { name, .. } => Some(name),
        }
    }
}

/// Returns the first parameter of a destination that is not in `known`.
pub(super) fn unknown_name<'a>(destination: &'a str, known: &[&str]) -> Option<&'a str> {
    let path = match destination.split_once("://") {
        // The host may contain a port.
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => destination,
    };
    let path = path.split(['#', '?']).next().unwrap_or(path);
    path.split('/').find_map(|segment| {
        let at = segment.find([':', '*'])?;
        let from = segment.get(at..)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = from
            .get(1..)?
            .find(|c| !is_name(c))
            .unwrap_or(from.len() - 1);
        let (marked, name) = match from.strip_prefix(':') {
            Some(rest) => (from.get(..=length)?, rest.get(..length)?),
            None => ("*", "*"),
        };
        // A colon that is not followed by a name, for example by a number, is text.
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '*');
        (named && !known.contains(&name)).then_some(marked)
    })
}

/// Parses a source into segments.
pub(super) fn parse_segments(source: &str) -> Vec<Segment> {
    let mut has_wildcard = false;
    source
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let star = part.ends_with('*') || part.ends_with("(.*)");
            let bare = part.trim_end_matches("(.*)").trim_end_matches(['*', '+']);
            let (prefix, name) = bare.split_once(':').unwrap_or((bare, ""));
            // Only one part can match several segments; otherwise matching would have to try every
            // split.
            if (star || part.ends_with('+')) && !has_wildcard {
                has_wildcard = true;
                let some = part.ends_with('+') || !prefix.is_empty();
                let name = if name.is_empty() { "*" } else { name }.to_owned();
                return Segment::Wildcard {
                    prefix: prefix.to_owned(),
                    name,
                    some,
                };
            }
            let prefix = prefix.to_owned();
            let name = match name {
                "" if star => "*".to_owned(),
                name => name.to_owned(),
            };
            if name.is_empty() {
                Segment::Literal(part.to_owned())
            } else {
                Segment::Param { prefix, name }
            }
        })
        .collect()
}

/// Returns a path that a source matches.
pub(super) fn sample(parts: &[Segment]) -> String {
    let mut path = String::new();
    for part in parts {
        path.push('/');
        match part {
            Segment::Literal(text) => path.push_str(text),
            Segment::Param { prefix, .. } | Segment::Wildcard { prefix, .. } => {
                path.push_str(prefix);
                path.push('x');
            }
        }
    }
    if path.is_empty() {
        "/".to_owned()
    } else {
        path
    }
}

/// Returns the values of the parameters, or `None` if the path does not match. At most one part
/// matches several segments, so the parts before and after it have fixed positions.
pub(super) fn captures<'a>(
    parts: &'a [Segment],
    segments: &[&str],
) -> Option<Vec<(&'a str, String)>> {
    let mut values = Vec::new();
    let mut one = |part: &'a Segment, segment: &str| match part {
        Segment::Literal(text) => text == segment,
        Segment::Param { prefix, name } => {
            let value = segment.strip_prefix(prefix.as_str()).unwrap_or("");
            values.push((name.as_str(), value.to_owned()));
            !value.is_empty()
        }
        Segment::Wildcard { .. } => false,
    };
    let Some(rest) = parts
        .iter()
        .position(|part| matches!(part, Segment::Wildcard { .. }))
    else {
        let fits = parts.len() == segments.len()
            && parts
                .iter()
                .zip(segments)
                .all(|(part, segment)| one(part, segment));
        return fits.then_some(values);
    };
    let (before, from) = parts.split_at(rest);
    let (Segment::Wildcard { prefix, name, some }, after) = from.split_first()? else {
        return None;
    };
    let end = segments
        .len()
        .checked_sub(after.len())
        .filter(|end| *end >= before.len())?;
    let fits = before
        .iter()
        .zip(segments)
        .all(|(part, segment)| one(part, segment))
        && after
            .iter()
            .zip(&segments[end..])
            .all(|(part, segment)| one(part, segment));
    let value = segments[before.len()..end].join("/");
    let value = value.strip_prefix(prefix.as_str())?;
    if !fits || (*some && value.is_empty()) {
        return None;
    }
    values.push((name, value.to_owned()));
    Some(values)
}

/// Replaces the parameters of a destination; `None` if the result is too long.
pub(super) fn fill(destination: &str, captures: &[(&str, String)]) -> Option<String> {
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
        let mut after = &from[1 + length..];
        if let Some((_, value)) = captures.iter().find(|(known, _)| *known == name) {
            // `:name` may be a parameter of one segment or of several; the marker is not part of
            // the target.
            after = after.strip_prefix(['*', '+']).unwrap_or(after);
            if value.is_empty() && out.ends_with('/') && out.len() > 1 {
                out.pop();
            }
            // Characters that are not allowed in a path are encoded.
            out.push_str(&encode(value, ENCODED_PATH));
            if out.len() > MAX_TARGET_BYTES {
                return None;
            }
        } else {
            out.push_str(&from[..1 + length]);
        }
        rest = after;
    }
    out.push_str(rest);
    // A captured value must not turn a path into a URL of another host.
    if destination.starts_with('/') && !destination.starts_with("//") && out.starts_with("//") {
        out = format!("/{}", out.trim_start_matches('/'));
    }
    Some(if out.is_empty() { "/".to_owned() } else { out })
}
