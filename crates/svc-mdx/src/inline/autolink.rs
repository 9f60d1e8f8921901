//! Autolinks in text. As in `@mdx-js/mdx` there are two ways to find them: while scanning (outside
//! of open brackets), and afterwards in finished text.

use memchr::{memchr_iter, memchr3_iter};
use svc_diagnostics::Span;

use crate::{
    Kind, Node, step_counter,
    text::{is_punctuation, is_space},
};

/// An autolink found while scanning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal {
    /// Prefix of the URL that is not part of the text.
    pub(super) prefix: &'static str,
    /// Offset after the link.
    pub(super) end: usize,
}

const fn mail_byte(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'.' | b'_') || byte.is_ascii_alphanumeric()
}

/// Returns true if the text contains something that every autolink has.
pub(super) fn may_hold(text: &str) -> bool {
    let bytes = text.as_bytes();
    step_counter::tick(bytes.len());
    memchr3_iter(b'@', b':', b'.', bytes).any(|at| match bytes.get(at) {
        Some(b'@') => true,
        Some(b':') => bytes.get(at + 1..at + 3) == Some(b"//"),
        _ => at
            .checked_sub(3)
            .is_some_and(|start| starts(text, start, "www.")),
    })
}

/// Returns the offsets at which an e-mail address may begin, last first.
pub(super) fn mail_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut free = 0;
    for at in memchr_iter(b'@', bytes) {
        let name = bytes.get(free..at).unwrap_or(&[]);
        let length = name
            .iter()
            .rev()
            .take_while(|byte| mail_byte(**byte))
            .count();
        step_counter::tick(length);
        let start = at - length;
        let preceding = start.checked_sub(1).and_then(|index| bytes.get(index));
        if length > 0 && preceding != Some(&b'/') {
            out.push(start);
        }
        free = at;
    }
    out.reverse();
    out
}

/// Returns true if a URL that begins with `h` or `w` may begin at `at`.
pub(super) fn may_begin(text: &str, at: usize) -> bool {
    starts(text, at, "http") || starts(text, at, "www.")
}

fn starts(text: &str, at: usize, prefix: &str) -> bool {
    let slice = text.as_bytes().get(at..at + prefix.len());
    slice.is_some_and(|slice| slice.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns the autolink at `at`. `mail` is true if an e-mail address may begin here.
pub(super) fn literal(text: &str, at: usize, mail: bool) -> Option<Literal> {
    if mail && let Some(end) = mail_end(text, at) {
        return Some(Literal {
            prefix: "mailto:",
            end,
        });
    }
    let before = text.get(..at)?.chars().next_back();
    if starts(text, at, "http") {
        let length = [8, 7].into_iter().find(|length| {
            starts(text, at, "https://".get(..*length).unwrap_or("")) && *length == 8
                || *length == 7 && starts(text, at, "http://")
        })?;
        let next = text.get(at + length..)?.chars().next()?;
        if before.is_some_and(|c| c.is_ascii_alphabetic())
            || next.is_ascii_control()
            || is_space(next)
            || is_punctuation(next)
        {
            return None;
        }
        let end = path_end(text, domain_end(text, at + length)?);
        return Some(Literal { prefix: "", end });
    }
    if starts(text, at, "www.") {
        let fits = before.is_none_or(|c| {
            matches!(
                c,
                '(' | '*' | '_' | '[' | ']' | '~' | ' ' | '\t' | '\n' | '\r'
            )
        });
        if !fits || text.len() == at + 4 {
            return None;
        }
        let end = path_end(text, domain_end(text, at)?);
        return Some(Literal {
            prefix: "http://",
            end,
        });
    }
    None
}

fn mail_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = at
        + bytes
            .get(at..)?
            .iter()
            .take_while(|byte| mail_byte(**byte))
            .count();
    if bytes.get(end) != Some(&b'@') {
        return None;
    }
    end += 1;
    let start = end;
    let mut dot = false;
    let mut data = false;
    step_counter::tick(end - at);
    loop {
        step_counter::tick(1);
        match bytes.get(end) {
            Some(b'.') if bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => {
                dot = true;
            }
            Some(byte) if *byte == b'-' || *byte == b'_' || byte.is_ascii_alphanumeric() => {
                data = true;
            }
            _ => break,
        }
        end += 1;
    }
    let last = bytes.get(start..end)?.last()?;
    (dot && data && last.is_ascii_alphabetic()).then_some(end)
}

/// Returns the end of the domain that begins at `at`.
fn domain_end(text: &str, at: usize) -> Option<usize> {
    let mut end = at;
    let (mut last, mut before_last, mut seen) = (false, false, false);
    let mut trail = Trail::default();
    while let Some(c) = text.get(end..)?.chars().next() {
        step_counter::tick(1);
        if c == '.' || c == '_' {
            if trail.begins(text, end) {
                break;
            }
            if c == '_' {
                last = true;
            } else {
                before_last = last;
                last = false;
            }
        } else if is_space(c) || (c != '-' && is_punctuation(c)) {
            break;
        } else {
            seen = true;
        }
        end += c.len_utf8();
    }
    (seen && !last && !before_last).then_some(end)
}

/// Returns the end of the path that begins at `at`.
fn path_end(text: &str, at: usize) -> usize {
    let mut end = at;
    let (mut open, mut close) = (0usize, 0usize);
    let mut trail = Trail::default();
    while let Some(c) = text.get(end..).and_then(|rest| rest.chars().next()) {
        step_counter::tick(1);
        match c {
            '(' => open += 1,
            ')' if close < open => close += 1,
            '!' | '"' | '&' | '\'' | ')' | '*' | ',' | '.' | ':' | ';' | '<' | '?' | ']' | '_'
            | '~' => {
                if trail.begins(text, end) {
                    return end;
                }
                if c == ')' {
                    close += 1;
                }
            }
            _ if is_space(c) => return end,
            _ => {}
        }
        end += c.len_utf8();
    }
    end
}

const fn is_trail(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'"' | b'\'' | b')' | b'*' | b',' | b'.' | b':' | b';' | b'?' | b'_' | b'~'
    )
}

/// Checks whether only characters follow that are not part of a URL. The result for one position
/// holds for the following ones, so every run is scanned once.
#[derive(Default)]
struct Trail {
    /// No trail begins before this offset.
    none_before: usize,
}

impl Trail {
    fn begins(&mut self, text: &str, at: usize) -> bool {
        if at < self.none_before {
            return false;
        }
        match trail(text, at) {
            Ok(()) => true,
            Err(end) => {
                self.none_before = end.max(at + 1);
                false
            }
        }
    }
}

/// Returns `Err` with the end of the run if something else follows it.
fn trail(text: &str, at: usize) -> Result<(), usize> {
    let bytes = text.as_bytes();
    let mut here = at;
    let ends = |here: usize| {
        text.get(here..)
            .and_then(|rest| rest.chars().next())
            .is_none_or(is_space)
    };
    loop {
        step_counter::tick(1);
        match bytes.get(here) {
            Some(byte) if is_trail(*byte) => here += 1,
            Some(b'&') => {
                let letters = bytes
                    .iter()
                    .skip(here + 1)
                    .take_while(|b| b.is_ascii_alphabetic())
                    .count();
                step_counter::tick(letters);
                if letters == 0 || bytes.get(here + 1 + letters) != Some(&b';') {
                    return Err(here);
                }
                here += letters + 2;
            }
            Some(b']') => {
                here += 1;
                if ends(here) || matches!(bytes.get(here), Some(b'(' | b'[')) {
                    return Ok(());
                }
            }
            Some(b'<') => return Ok(()),
            _ => return if ends(here) { Ok(()) } else { Err(here) },
        }
    }
}

/// Splits finished text at autolinks and adds the pieces to `nodes`.
pub(super) fn split(text: &str, span: Span, nodes: &mut Vec<Node>) {
    let mut pieces = Vec::new();
    let mut position = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    let mut ends = Ends::default();
    step_counter::tick(bytes.len());
    while at < bytes.len() {
        let candidate =
            matches!(bytes.get(at), Some(b'h' | b'H' | b'w' | b'W')) && may_begin(text, at);
        let link = if candidate {
            web(text, at, &mut ends)
        } else {
            None
        };
        let Some((link, rest, end)) = link else {
            at += 1;
            continue;
        };
        add(
            &mut pieces,
            TextSegment::Text(text.get(position..at).unwrap_or("").to_owned()),
        );
        add(&mut pieces, link);
        add(&mut pieces, TextSegment::Text(rest.to_owned()));
        position = end;
        at = end;
    }
    add(
        &mut pieces,
        TextSegment::Text(text.get(position..).unwrap_or("").to_owned()),
    );
    for piece in pieces {
        match piece {
            TextSegment::Text(value) => mails(&value, span, nodes),
            TextSegment::Link { url, text: shown } => {
                let children = vec![Node::new(span, Kind::Text(shown.into()))];
                nodes.push(Node::new(
                    span,
                    Kind::Link {
                        url: url.into(),
                        title: None,
                        children,
                    },
                ));
            }
        }
    }
}

enum TextSegment {
    Text(String),
    Link { url: String, text: String },
}

/// Adds a piece. Adjacent text is joined, and empty text is dropped.
fn add(pieces: &mut Vec<TextSegment>, piece: TextSegment) {
    match (pieces.last_mut(), &piece) {
        (_, TextSegment::Text(value)) if value.is_empty() => {}
        (Some(TextSegment::Text(last)), TextSegment::Text(value)) => last.push_str(value),
        _ => pieces.push(piece),
    }
}

/// Ends of the last domain and of the last path, so that no part is scanned twice.
#[derive(Default)]
struct Ends {
    domain: usize,
    path: usize,
}

/// Returns the URL at `at`, the text after it, and the end of both.
fn web<'a>(text: &'a str, at: usize, ends: &mut Ends) -> Option<(TextSegment, &'a str, usize)> {
    let before = text.get(..at)?.chars().next_back();
    if before.is_some_and(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let www = starts(text, at, "www.");
    let start = if www {
        at + 3
    } else if starts(text, at, "https://") {
        at + 8
    } else if starts(text, at, "http://") {
        at + 7
    } else {
        return None;
    };
    let is_label_byte = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = text.as_bytes();
    if ends.domain <= start {
        let dotted = |byte: &u8| is_label_byte(byte) || *byte == b'.';
        ends.domain = start
            + bytes
                .iter()
                .skip(start)
                .take_while(|byte| dotted(byte))
                .count();
    }
    if ends.path < ends.domain {
        let length = text.get(ends.domain..)?.find(['\t', '\n', '\r', ' ']);
        ends.path = length.map_or(text.len(), |length| ends.domain + length);
    }
    let domain = text.get(if www { at } else { start }..ends.domain)?;
    step_counter::tick(domain.len());
    let valid = before.is_none_or(|c| is_space(c) || is_punctuation(c))
        && !domain.chars().next().is_none_or(is_punctuation)
        && is_valid_domain(domain);
    if !valid {
        return None;
    }
    let path = text.get(at..ends.path)?;
    let head = if www { 0 } else { start - at };
    let (link_text, rest) = path.split_at(head + split_url(path.get(head..)?));
    let url = if www {
        format!("http://{link_text}")
    } else {
        link_text.to_owned()
    };
    Some((
        TextSegment::Link {
            url,
            text: link_text.to_owned(),
        },
        rest,
        ends.path,
    ))
}

fn is_valid_domain(domain: &str) -> bool {
    let mut parts = domain.rsplit('.');
    let is_invalid = |part: &str| {
        !part.is_empty()
            && (part.contains('_') || !part.bytes().any(|byte| byte.is_ascii_alphanumeric()))
    };
    let last = parts.next().unwrap_or("");
    let Some(before) = parts.next() else {
        return false;
    };
    !is_invalid(last) && !is_invalid(before)
}

/// Returns the end of a URL without trailing characters that are not part of it.
fn split_url(url: &str) -> usize {
    let trimmed = url.trim_end_matches([
        '!', '"', '&', '\'', ')', ',', '.', ':', ';', '<', '>', '?', ']', '}',
    ]);
    step_counter::tick(url.len());
    let mut end = trimmed.len();
    let open = trimmed.bytes().filter(|byte| *byte == b'(').count();
    let mut close = trimmed.bytes().filter(|byte| *byte == b')').count();
    while open > close
        && let Some(next) = url.get(end..).and_then(|rest| rest.find(')'))
    {
        end += next + 1;
        close += 1;
    }
    end
}

/// Adds text with its e-mail addresses as links.
fn mails(text: &str, span: Span, nodes: &mut Vec<Node>) {
    let bytes = text.as_bytes();
    let mut position = 0;
    let mut from = 0;
    let name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.');
    while let Some(at) = text
        .get(from..)
        .and_then(|rest| rest.find('@'))
        .map(|at| from + at)
    {
        let length = bytes
            .get(position.max(from)..at)
            .unwrap_or(&[])
            .iter()
            .rev()
            .take_while(|b| name(b))
            .count();
        step_counter::tick(length);
        let mut start = at - length;
        let label = domain_label(bytes, at + 1);
        from = at + 1;
        let Some(end) = label.filter(|_| length > 0) else {
            continue;
        };
        if bytes
            .get(end - 1)
            .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'-' | b'_'))
        {
            continue;
        }
        let mut end = end;
        let before = text.get(position..start).unwrap_or("");
        let scheme = ["mailto:", "xmpp:"]
            .into_iter()
            .find(|scheme| before.ends_with(scheme));
        if let Some(scheme) = scheme {
            let outer = before
                .get(..before.len() - scheme.len())
                .unwrap_or("")
                .chars()
                .next_back();
            match outer {
                // Not a scheme but the end of a word.
                Some(c) if c.is_ascii_alphanumeric() || c == '@' => {}
                Some('_' | '+' | '-' | '.') => continue,
                _ => {
                    start -= scheme.len();
                    if scheme == "xmpp:" {
                        let Some(with_path) = resource_end(bytes, end) else {
                            continue;
                        };
                        end = with_path;
                    }
                }
            }
        }
        let link_text = text.get(start..end).unwrap_or("");
        let url = if link_text.contains(':') {
            link_text.to_owned()
        } else {
            format!("mailto:{link_text}")
        };
        if start > position {
            let value = text.get(position..start).unwrap_or("");
            nodes.push(Node::new(span, Kind::Text(value.into())));
        }
        let children = vec![Node::new(span, Kind::Text(link_text.into()))];
        nodes.push(Node::new(
            span,
            Kind::Link {
                url: url.into(),
                title: None,
                children,
            },
        ));
        position = end;
        from = end;
    }
    if position < text.len() {
        let value = text.get(position..).unwrap_or("");
        nodes.push(Node::new(span, Kind::Text(value.into())));
    }
}

/// Returns the end of the `/path` that may follow an XMPP address, or `None` if the address is
/// invalid.
fn resource_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    if bytes.get(at) == Some(&b'/') {
        while let Some(byte) = bytes.get(end) {
            let dot = *byte == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !(dot || byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/')) {
                break;
            }
            end += 1;
        }
        let letter = end
            .checked_sub(1)
            .and_then(|last| bytes.get(last))?
            .is_ascii_alphabetic();
        if !letter || bytes.get(end) == Some(&b'@') {
            return None;
        }
    }
    Some(end)
}

/// Returns the end of `name(.name)+` at `at`.
fn domain_label(bytes: &[u8], at: usize) -> Option<usize> {
    let is_label_byte = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let part = |from: usize| {
        bytes
            .iter()
            .skip(from)
            .take_while(|byte| is_label_byte(byte))
            .count()
    };
    let mut end = at + part(at);
    step_counter::tick(end - at);
    if end == at {
        return None;
    }
    let mut dots = 0;
    while bytes.get(end) == Some(&b'.') {
        let length = part(end + 1);
        if length == 0 {
            break;
        }
        step_counter::tick(length);
        end += 1 + length;
        dots += 1;
    }
    (dots > 0).then_some(end)
}
