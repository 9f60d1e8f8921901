//! Whether a request is a call of an operation: the access check of a relay.
//!
//! A URL is compared with the published servers and the path template as a whole, after both are
//! converted to symbols: bytes with their percent-encoding decoded, except that an encoded slash is
//! a symbol of its own. Variables match the values of their `enum`, or else a label of a host or a
//! segment of a path.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::{
    ApiDocument, Operation, OperationKind, ParameterLocation, SecurityKind, Server, ServerVariable,
};

/// Target of a request, as a URL parser returns it.
#[derive(Debug, Clone, Copy)]
pub struct RequestTarget<'a> {
    /// Method in upper case.
    pub method: &'a str,
    /// Scheme: `https`.
    pub scheme: &'a str,
    /// Host in lower case; an IPv6 address in brackets.
    pub host: &'a str,
    /// Port, also if the URL leaves it out.
    pub port: u16,
    /// Percent-encoded path without dot segments; it begins with a slash.
    pub path: &'a str,
}

/// Why a request is not a call of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermitError {
    /// The operation has another method, or is a webhook.
    Method,
    /// No published server matches.
    Server,
    /// A server matches, but the path is not that of the operation.
    Path,
}

/// Maximum number of steps of a comparison: documents may be hostile.
const MAX_STEPS: usize = 2_000_000;
/// Maximum length of the template of a server or path, in characters.
const MAX_TEMPLATE_CHARS: usize = 4_096;
/// Symbol of an encoded slash.
const SLASH: u16 = 0x12f;
/// Symbol of an encoded backslash, which some servers treat as a slash.
const BACKSLASH: u16 = 0x15c;

/// Whether the target is a call of the operation.
///
/// # Errors
/// If the method, the server or the path is not that of the operation.
///
/// Example: [module documentation](crate::request#example).
pub fn permits(
    document: &ApiDocument,
    operation: &Operation,
    target: &RequestTarget<'_>,
) -> Result<(), PermitError> {
    let fits = operation.method.to_ascii_uppercase() == target.method;
    if !fits || operation.kind == OperationKind::Webhook {
        return Err(PermitError::Method);
    }
    let path = symbols(target.path);
    if climbs(&path) {
        return Err(PermitError::Path);
    }
    let Some(template) = path_template(operation) else {
        return Err(PermitError::Path);
    };
    let mut steps = MAX_STEPS;
    let mut error = PermitError::Server;
    for server in document.servers_of(operation) {
        let filled = Server {
            url: server.default_url(),
            ..Server::default()
        };
        // A variable may be the whole URL, but only with its default.
        for server in [server, &filled] {
            let Some(before) = server_template(server, target, &mut steps) else {
                continue;
            };
            error = PermitError::Path;
            let whole: Vec<Element> = before.into_iter().chain(template.clone()).collect();
            if matches(&whole, &path, &mut steps) {
                return Ok(());
            }
        }
    }
    Err(error)
}

/// Names, in lower case, of the headers that a call of the operation may have.
///
/// Example: [module documentation](crate::request#example).
pub fn permitted_headers(document: &ApiDocument, operation: &Operation) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = ["accept", "accept-language", "content-type"]
        .map(str::to_owned)
        .into();
    for parameter in &operation.parameters {
        match parameter.location {
            ParameterLocation::Header => names.insert(parameter.name.to_ascii_lowercase()),
            ParameterLocation::Cookie => names.insert("cookie".to_owned()),
            ParameterLocation::Path | ParameterLocation::Query => false,
        };
    }
    for name in operation.security.iter().flatten() {
        let Some(scheme) = document.security_schemes.get(name) else {
            continue;
        };
        let header = match &scheme.kind {
            SecurityKind::ApiKey { name, location } => match location {
                ParameterLocation::Header | ParameterLocation::Path => name.to_ascii_lowercase(),
                ParameterLocation::Cookie => "cookie".to_owned(),
                ParameterLocation::Query => continue,
            },
            SecurityKind::MutualTls => continue,
            _ => "authorization".to_owned(),
        };
        names.insert(header);
    }
    names
}

/// An element of a template.
#[derive(Debug, Clone)]
enum Element {
    /// Literal symbols.
    Text(Vec<u16>),
    /// One of several values, or one or more symbols of a class.
    Variable(Rc<[Vec<u16>]>, Option<Class>),
}

/// Symbols that a variable without values matches.
#[derive(Debug, Clone, Copy)]
enum Class {
    /// Symbols of a label of a host name, or of a port.
    Label,
    /// Symbols of a segment of a path.
    Segment,
    /// Symbols of a path: the parameter has `allowReserved`.
    Path,
}

impl Class {
    fn holds(self, symbol: u16) -> bool {
        match self {
            Self::Label => u8::try_from(symbol)
                .is_ok_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')),
            Self::Segment => symbol != u16::from(b'/'),
            Self::Path => true,
        }
    }
}

/// Converts text to symbols.
fn symbols(text: &str) -> Vec<u16> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digit = |offset: usize| {
            let digit = char::from(*bytes.get(at + offset)?).to_digit(16)?;
            u16::try_from(digit).ok()
        };
        match (byte, digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                let value = high * 16 + low;
                out.push(match u8::try_from(value) {
                    Ok(b'/') => SLASH,
                    Ok(b'\\') => BACKSLASH,
                    _ => value,
                });
                at += 3;
            }
            _ => {
                out.push(u16::from(*byte));
                at += 1;
            }
        }
    }
    out
}

/// Whether a server that decodes too early would leave the path.
fn climbs(path: &[u16]) -> bool {
    let separator = |symbol: &u16| {
        matches!(*symbol, SLASH | BACKSLASH) || matches!(u8::try_from(*symbol), Ok(b'/' | b'\\'))
    };
    let dots = |segment: &[u16]| {
        (1..=2).contains(&segment.len()) && segment.iter().all(|symbol| *symbol == u16::from(b'.'))
    };
    path.split(separator).any(dots)
}

/// A character of a template, or a name in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateToken<'a> {
    Letter(char),
    Name(&'a str),
}

/// Splits a template at its braces; None if it is too long.
fn tokenize(text: &str) -> Option<Vec<TemplateToken<'_>>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if out.len() >= MAX_TEMPLATE_CHARS {
            return None;
        }
        let name = rest
            .strip_prefix('{')
            .and_then(|after| after.split_once('}'))
            .filter(|(name, _)| !name.contains('{'));
        match name {
            Some((name, after)) => {
                out.push(TemplateToken::Name(name));
                rest = after;
            }
            None => {
                out.push(TemplateToken::Letter(letter));
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    Some(out)
}

/// Converts tokens to elements; `variable` returns the element of a name.
fn elements(pieces: &[TemplateToken<'_>], variable: impl Fn(&str) -> Element) -> Vec<Element> {
    let mut out = Vec::new();
    let mut text = String::new();
    for piece in pieces {
        match piece {
            TemplateToken::Letter(letter) => text.push(*letter),
            TemplateToken::Name(name) => {
                out.push(Element::Text(symbols(&text)));
                text.clear();
                out.push(variable(name));
            }
        }
    }
    out.push(Element::Text(symbols(&text)));
    out
}

/// The path template of an operation.
fn path_template(operation: &Operation) -> Option<Vec<Element>> {
    let path = operation.path.split(['#', '?']).next().unwrap_or_default();
    // Without the slash it would extend the host.
    if !path.starts_with('/') {
        return None;
    }
    let class = |name: &str| {
        let reserved = operation.parameters.iter().any(|parameter| {
            parameter.location == ParameterLocation::Path
                && parameter.name == name
                && parameter.allow_reserved
        });
        if reserved {
            Class::Path
        } else {
            Class::Segment
        }
    };
    Some(elements(&tokenize(path)?, |name| {
        Element::Variable(Rc::default(), Some(class(name)))
    }))
}

/// The path template of a server, if scheme, host and port are those of the target.
fn server_template(
    server: &Server,
    target: &RequestTarget<'_>,
    steps: &mut usize,
) -> Option<Vec<Element>> {
    let all = tokenize(server.url.trim())?;
    let letter = |letter| TemplateToken::Letter(letter);
    let scheme_end = all
        .windows(3)
        .position(|three| three == [letter(':'), letter('/'), letter('/')])?;
    let (scheme, rest) = (all.get(..scheme_end)?, all.get(scheme_end + 3..)?);
    let end = |letters: &[char]| {
        rest.iter()
            .position(|piece| {
                letters
                    .iter()
                    .any(|letter| *piece == TemplateToken::Letter(*letter))
            })
            .unwrap_or(rest.len())
    };
    let path_begin = end(&['/', '?', '#']);
    let path_end = end(&['?', '#']);
    let authority = rest.get(..path_begin)?;
    let mut path = rest.get(path_begin..path_end)?;
    while let Some((last, before)) = path.split_last()
        && *last == letter('/')
    {
        path = before;
    }
    let host_end = authority
        .iter()
        .rposition(|piece| *piece == letter(']'))
        .map_or(0, |at| at + 1);
    let has_port = authority.get(host_end..)?.contains(&letter(':'));
    let known = values(server, str::to_ascii_lowercase);
    let host_template = |tokens| {
        elements(&lowercase(tokens), |name| {
            variable(&known, name, Class::Label)
        })
    };
    if !matches(&host_template(scheme), &symbols(target.scheme), steps) {
        return None;
    }
    let mut pattern = host_template(authority);
    if !has_port {
        let usual = if target.scheme == "https" {
            ":443"
        } else {
            ":80"
        };
        pattern.push(Element::Text(symbols(usual)));
    }
    let there = symbols(&format!("{}:{}", target.host, target.port));
    if !matches(&pattern, &there, steps) {
        return None;
    }
    let known = values(server, str::to_owned);
    Some(elements(path, |name| {
        variable(&known, name, Class::Segment)
    }))
}

/// Converts literal tokens to lower case: hosts and schemes are compared without case.
fn lowercase<'a>(pieces: &[TemplateToken<'a>]) -> Vec<TemplateToken<'a>> {
    let one = |piece: &TemplateToken<'a>| match *piece {
        TemplateToken::Letter(letter) => TemplateToken::Letter(letter.to_ascii_lowercase()),
        name @ TemplateToken::Name(_) => name,
    };
    pieces.iter().map(one).collect()
}

/// The values of the variables of a server; no other value is allowed if the flag is true.
type Values<'a> = BTreeMap<&'a str, (Rc<[Vec<u16>]>, bool)>;

fn values(server: &Server, fold: impl Fn(&str) -> String) -> Values<'_> {
    let read = |variable: &ServerVariable| {
        let texts = variable.values.iter().chain([&variable.default]);
        let texts = texts.filter(|text| !text.is_empty());
        texts.map(|text| symbols(&fold(text))).collect()
    };
    let all = server.variables.iter();
    all.map(|known| (&*known.name, (read(known), !known.values.is_empty())))
        .collect()
}

/// The element of a server variable.
fn variable(values: &Values<'_>, name: &str, class: Class) -> Element {
    match values.get(name) {
        Some((values, only)) => Element::Variable(Rc::clone(values), (!only).then_some(class)),
        None => Element::Variable(Rc::default(), Some(class)),
    }
}

/// Whether the sequence of elements matches the whole input.
fn matches(template: &[Element], input: &[u16], steps: &mut usize) -> bool {
    let mut take = |count: usize| {
        let enough = *steps >= count;
        *steps = steps.saturating_sub(count);
        enough
    };
    // The offsets at which the elements so far can end.
    let mut ends = vec![false; input.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    for element in template {
        let mut next = vec![false; input.len() + 1];
        let (texts, class) = match element {
            Element::Text(text) => (std::slice::from_ref(text), None),
            Element::Variable(values, class) => (&**values, *class),
        };
        if !take(input.len() + 1) {
            return false;
        }
        let mut running = false;
        for (at, is_end) in ends.iter().enumerate() {
            let rest = input.get(at..).unwrap_or_default();
            if *is_end {
                for text in texts {
                    if !take(1 + text.len() / 16) {
                        return false;
                    }
                    if rest.starts_with(text)
                        && let Some(reached) = next.get_mut(at + text.len())
                    {
                        *reached = true;
                    }
                }
            }
            let Some(class) = class else { continue };
            running = (running || *is_end) && rest.first().is_some_and(|next| class.holds(*next));
            if running && let Some(reached) = next.get_mut(at + 1) {
                *reached = true;
            }
        }
        ends = next;
    }
    ends.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests;
