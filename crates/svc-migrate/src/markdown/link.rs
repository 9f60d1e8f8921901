//! Links and images of Markdown.

use super::{Rewriter, attribute};

impl Rewriter<'_> {
    /// The start of a link or an image: only themed images need another form.
    pub(super) fn link_start(&mut self, rest: &str, out: &mut String) -> usize {
        let Some((alt, destination, used)) = image(rest) else {
            return 0;
        };
        let theme = match destination.rsplit_once('#') {
            Some((path, "only-light" | "gh-light-mode-only")) => Some((path, "dark:hidden")),
            Some((path, "only-dark" | "gh-dark-mode-only")) => Some((path, "hidden dark:block")),
            _ => None,
        };
        let Some((path, class)) = theme else {
            return 0;
        };
        let path = self.links.resolve(self.file.path(), path);
        let (src, alt) = (attribute(&path), attribute(alt));
        out.push_str(&format!(
            "<img className=\"{class}\" src={src} alt={alt} />"
        ));
        used
    }

    /// `](destination "title")`.
    pub(super) fn link_end(&mut self, rest: &str, out: &mut String) -> usize {
        let Some(inner) = rest.strip_prefix("](") else {
            return 0;
        };
        let Some(length) = balanced(inner) else {
            return 0;
        };
        let inner = &inner[..length];
        let trimmed = inner.trim();
        let (destination, title) = match trimmed.strip_prefix('<') {
            Some(bracketed) => match bracketed.split_once('>') {
                Some((destination, title)) => (destination, title),
                None => return 0,
            },
            None => match trimmed.find(char::is_whitespace) {
                Some(at) => (&trimmed[..at], &trimmed[at..]),
                None => (trimmed, ""),
            },
        };
        let target = self.links.resolve(self.file.path(), destination);
        let target = match target.contains([' ', '(', ')', '<', '>', '{', '}']) {
            true => encode(&target),
            false => target,
        };
        out.push_str(&format!("]({target}{})", title.trim_end()));
        length + 3
    }

    /// Resolves the destinations of link reference definitions: `[name]: page.md`.
    pub(super) fn definition(&self, text: String) -> String {
        if !text.contains("]:") {
            return text;
        }
        let lines = text.split('\n').map(|line| {
            let start = line.trim_start();
            let Some((label, rest)) = start
                .strip_prefix('[')
                .filter(|rest| !rest.starts_with('^'))
                .and_then(|rest| rest.split_once("]:"))
            else {
                return line.to_owned();
            };
            let rest = rest.trim();
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (destination, title) = rest.split_at(end);
            let destination = destination.trim_start_matches('<').trim_end_matches('>');
            if destination.is_empty() {
                return line.to_owned();
            }
            let target = self.links.resolve(self.file.path(), destination);
            let indent = &line[..line.len() - start.len()];
            format!("{indent}[{label}]: {}{title}", encode(&target))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// `<https://…>` and `<name@host>`, which MDX does not have.
pub(super) fn autolink(rest: &str, out: &mut String) -> Option<usize> {
    let end = rest.find('>')?;
    let inner = &rest[1..end];
    if inner.contains(char::is_whitespace) || inner.contains('<') {
        return None;
    }
    let is_url = svc_data::url_scheme(inner).is_some() && inner.contains(':');
    let is_email = !is_url
        && inner.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && !name.contains('/')
        });
    if !is_url && !is_email {
        return None;
    }
    let scheme = if is_email { "mailto:" } else { "" };
    let text = inner.replace('_', "\\_").replace('*', "\\*");
    out.push_str(&format!("[{text}]({scheme}{})", encode(inner)));
    Some(end + 1)
}

/// The alternative text, destination and length of an image.
fn image(rest: &str) -> Option<(&str, &str, usize)> {
    let inner = rest.strip_prefix("![")?;
    let close = inner.find("](")?;
    let target = &inner[close + 2..];
    let length = balanced(target)?;
    let destination = target[..length].split_whitespace().next()?;
    Some((&inner[..close], destination, 2 + close + 2 + length + 1))
}

/// The length of the text before the parenthesis that closes a link.
fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quote = !quote,
            '(' if !quote => depth += 1,
            ')' if !quote && depth == 0 => return Some(at),
            ')' if !quote => depth -= 1,
            '\n' if text[at + 1..].starts_with('\n') => return None,
            _ => {}
        }
    }
    None
}

/// Percent-encodes what would end a link destination.
fn encode(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            c => out.push(c),
        }
    }
    out
}
