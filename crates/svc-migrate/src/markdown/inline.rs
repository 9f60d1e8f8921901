//! Inline syntax.

use super::icon::{Shortcode, shortcode};
use super::{Rewriter, attribute, html};
use crate::codes::{MIGRATE_STYLE, MIGRATE_SYNTAX};

/// Marks of Python-Markdown extensions, longest first, and the elements for them.
const MARKS: &[(&str, &str)] = &[("^^", "ins"), ("==", "mark"), ("^", "sup"), ("~", "sub")];

impl Rewriter<'_> {
    /// Rewrites the text of one paragraph.
    pub(super) fn inline(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let used = match c {
                '\\' => escaped(rest, self.dialect.python, &mut out),
                '`' => self.code_span(rest, &mut out),
                '<' => self.angle(rest, &mut out),
                '{' if self.dialect.mdx => expression(rest, &mut out),
                '{' | '}' => self.brace(rest, &mut out),
                '[' | '!' => self.link_start(rest, &mut out),
                ']' => self.link_end(rest, &mut out),
                ':' => self.colon(rest, &mut out),
                '+' if self.dialect.python => keys(rest, &mut out),
                '^' | '=' | '~' if self.dialect.marks => self.mark(text, at, &mut out),
                c if c.is_alphanumeric() && !self.abbreviations.is_empty() => {
                    self.abbreviation(text, at, &mut out)
                }
                _ => 0,
            };
            if used == 0 {
                out.push(c);
                at += c.len_utf8();
            } else {
                at += used;
            }
        }
        self.definition(out)
    }

    fn code_span(&mut self, rest: &str, out: &mut String) -> usize {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let mut at = ticks;
        let end = loop {
            let Some(next) = rest[at..].find('`') else {
                out.push_str(&rest[..ticks]);
                return ticks;
            };
            at += next;
            let length = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            if length == ticks {
                break at;
            }
            at += length;
        };
        let mut code = &rest[ticks..end];
        if self.dialect.python
            && let Some(inner) = code.trim_start().strip_prefix("#!")
            && let Some((_, inner)) = inner.split_once(' ')
        {
            code = inner;
        }
        out.push_str(&rest[..ticks]);
        out.push_str(code);
        out.push_str(&rest[..ticks]);
        end + ticks
    }

    fn angle(&mut self, rest: &str, out: &mut String) -> usize {
        if rest.starts_with("<!--") {
            return comment(rest, out);
        }
        if let Some(used) = autolink(rest, out) {
            return used;
        }
        if self.dialect.mdx {
            return self.jsx_tag(rest, out);
        }
        let Some(mut tag) = html::parse(rest) else {
            out.push_str("&lt;");
            return 1;
        };
        for (name, value) in &mut tag.attributes {
            if let Some(value) = value
                && ["href", "src", "poster"].contains(&name.to_ascii_lowercase().as_str())
            {
                *value = self.links.resolve(self.file.path(), value);
            }
        }
        out.push_str(&tag.jsx());
        tag.len
    }

    /// A tag in MDX: components get their new names, links are resolved.
    fn jsx_tag(&mut self, rest: &str, out: &mut String) -> usize {
        let start = if rest.starts_with("</") { 2 } else { 1 };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-';
        let length = rest[start..]
            .find(|c| !is_name(c))
            .unwrap_or(rest.len() - start);
        let name = &rest[start..start + length];
        if name.is_empty() {
            return 0;
        }
        let entry = self.dialect.components.iter().find(|entry| entry.0 == name);
        let new = entry.map_or(name, |entry| entry.1);
        // A component without an equivalent vanishes, its content stays.
        let Some(end) = tag_end(rest) else {
            return 0;
        };
        if new.is_empty() {
            return end;
        }
        let tag = &rest[..end];
        if let Some(text) = badge_text(name, tag) {
            out.push_str(&format!("<Badge>{text}</Badge>"));
            return end;
        }
        out.push_str(&rest[..start]);
        if let Some((new, _)) = new.split_once(' ').filter(|_| start == 2) {
            out.push_str(&format!("{new}>"));
        } else if new.contains(' ') {
            out.push_str(&format!(
                "{new}{}",
                if tag.ends_with("/>") { " />" } else { ">" }
            ));
        } else {
            out.push_str(new);
            let attributes = self.jsx_attributes(new, &rest[start + length..end]);
            out.push_str(&attributes);
        }
        end
    }

    /// The attributes of a tag and its end, with link destinations resolved.
    fn jsx_attributes(&mut self, name: &str, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let has_label = text.contains("label=");
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let starts_name = text[..at].ends_with(char::is_whitespace);
            let link = ["href=", "src=", "to=", "poster="]
                .into_iter()
                .find(|key| starts_name && rest.starts_with(key));
            if let Some(key) = link
                && let Some(quote) = rest[key.len()..].chars().next()
                && matches!(quote, '"' | '\'')
                && let Some(end) = rest[key.len() + 1..].find(quote)
            {
                let start = key.len() + 1;
                let target = self
                    .links
                    .resolve(self.file.path(), &rest[start..start + end]);
                let key = if key == "to=" { "href=" } else { key };
                out.push_str(&format!("{key}\"{target}\""));
                at += start + end + 1;
            } else if starts_name && name == "Tab" && rest.starts_with("label=") {
                out.push_str("title=");
                at += "label=".len();
            } else if starts_name && name == "Tab" && !has_label && rest.starts_with("value=") {
                out.push_str("title=");
                at += "value=".len();
            } else if starts_name && name == "Callout" && rest.starts_with("type=\"caution\"") {
                out.push_str("type=\"warning\"");
                at += "type=\"caution\"".len();
            } else if starts_name && name == "Icon" && rest.starts_with("name=") {
                out.push_str("icon=");
                at += "name=".len();
            } else if starts_name && let Some((used, path)) = self.imported_image(rest) {
                out.push_str(&format!("src={}", attribute(&path)));
                at += used;
            } else if starts_name && let Some((used, path)) = required_image(rest) {
                let target = self.links.resolve(self.file.path(), path);
                out.push_str(&format!("src={}", attribute(&target)));
                at += used;
            } else {
                out.push(c);
                at += c.len_utf8();
            }
        }
        out
    }

    /// The length and the path of `src={name}` with an imported image.
    fn imported_image(&self, text: &str) -> Option<(usize, String)> {
        let inner = text.strip_prefix("src={")?;
        let end = inner.find('}')?;
        let name = inner[..end].trim();
        let name = name.strip_suffix(".src").unwrap_or(name);
        let image = self.images.iter().find(|image| image.0 == name)?;
        Some(("src={".len() + end + 1, image.1.clone()))
    }

    fn brace(&mut self, rest: &str, out: &mut String) -> usize {
        if rest.starts_with('}') {
            out.push_str("\\}");
            return 1;
        }
        if let Some(used) = self.macro_call(rest, out) {
            return used;
        }
        if self.dialect.python
            && let Some(used) = self.attribute_list(rest, out)
        {
            return used;
        }
        out.push_str("\\{");
        1
    }

    /// `{{ name }}` and `{% … %}` of the plugin macros.
    fn macro_call(&mut self, rest: &str, out: &mut String) -> Option<usize> {
        let macros = self.dialect.macros.as_ref()?;
        let (open, close) = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")]
            .into_iter()
            .find(|(open, _)| rest.starts_with(open))?;
        let end = rest.find(close)?;
        let name = rest[2..end].trim();
        if open == "{#" {
            return Some(end + 2);
        }
        if let Some(value) = macros.get(name).filter(|_| open == "{{") {
            let value = value.clone();
            out.push_str(&value.replace('{', "\\{").replace('<', "&lt;"));
            return Some(end + 2);
        }
        self.report(
            &MIGRATE_SYNTAX,
            format!(
                "the template expression `{}` is shown as text",
                &rest[..end + 2]
            ),
            "replace it with its text, or use `variables` of docs.json",
        );
        out.push_str(&rest[..end + 2].replace('{', "\\{").replace('}', "\\}"));
        Some(end + 2)
    }

    /// `{ .class #id name=value }` after an element.
    fn attribute_list(&mut self, rest: &str, out: &mut String) -> Option<usize> {
        let end = rest.find('}').filter(|end| !rest[..*end].contains('\n'))?;
        let list = rest[1..end].trim_start_matches(':').trim();
        let is_attribute =
            |item: &str| item.starts_with(['.', '#']) && item.len() > 1 || item.contains('=');
        let all = !list.is_empty() && list.split_whitespace().next().is_some_and(is_attribute);
        let after = out.trim_end_matches(' ');
        let attached = rest.starts_with("{:")
            || after.ends_with([')', ']', '*', '_', '`', '>', '"', '~', '=', '^'])
            || after.is_empty()
            || after.ends_with('\n');
        if !all || !attached {
            return None;
        }
        if list
            .split_whitespace()
            .any(|item| item.starts_with('.') || item.contains('='))
        {
            self.report(
                &MIGRATE_STYLE,
                "attribute lists for styling, such as `{ .class }`, are left out",
                "use a component, or JSX with `className`",
            );
        }
        out.truncate(after.len());
        // A link without text and URL only carries the anchor.
        let anchor = list
            .split_whitespace()
            .find_map(|item| item.strip_prefix('#'));
        if let Some(id) = anchor {
            if let Some(rest) = out.strip_suffix("[]()") {
                out.truncate(rest.len());
            }
            out.push_str(&format!("<span id={}></span>", attribute(id)));
        }
        Some(end + 1)
    }

    /// The start of a link or an image: only themed images need another form.
    fn link_start(&mut self, rest: &str, out: &mut String) -> usize {
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
    fn link_end(&mut self, rest: &str, out: &mut String) -> usize {
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

    fn colon(&mut self, rest: &str, out: &mut String) -> usize {
        let Some(end) = rest[1..].find(':').map(|at| at + 1) else {
            return 0;
        };
        let name = &rest[1..end];
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
        let is_inside_word = out.ends_with(|c: char| c.is_alphanumeric() || c == ':');
        if name.is_empty() || !name.chars().all(is_name) || is_inside_word || self.dialect.mdx {
            return 0;
        }
        match shortcode(name) {
            None => return 0,
            Some(Shortcode::Emoji(emoji)) => out.push_str(emoji),
            Some(Shortcode::Icon(icon)) => {
                out.push_str(&format!("<Icon icon={} />", attribute(&icon)));
            }
            Some(Shortcode::UnknownIcon) => self.report(
                &MIGRATE_STYLE,
                format!("the icon `:{name}:` is left out"),
                "write `<Icon icon=\"name\" />` with an icon of Lucide or Font Awesome",
            ),
        }
        end + 1
    }

    fn mark(&mut self, text: &str, at: usize, out: &mut String) -> usize {
        let rest = &text[at..];
        let Some((mark, element)) = MARKS.iter().find(|entry| rest.starts_with(entry.0)) else {
            return 0;
        };
        let run = rest.len() - rest.trim_start_matches(&mark[..1]).len();
        if run != mark.len() {
            // `~~`, `===` and so on keep their meaning.
            out.push_str(&rest[..run]);
            return run;
        }
        let inner = &rest[run..];
        let end = inner.find(mark);
        let valid = end.filter(|end| {
            let content = &inner[..*end];
            let is_trimmed = content.trim().len() == content.len() && !content.is_empty();
            // Marks of one character enclose one word.
            let is_word = mark.len() > 1 || !content.contains(char::is_whitespace);
            is_trimmed && is_word && !content.contains('`')
        });
        let Some(end) = valid else {
            return 0;
        };
        let content = self.inline(&inner[..end]);
        out.push_str(&format!("<{element}>{content}</{element}>"));
        run + end + mark.len()
    }

    fn abbreviation(&mut self, text: &str, at: usize, out: &mut String) -> usize {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || self.is_in_link(out) {
            return 0;
        }
        let rest = &text[at..];
        let entry = self.abbreviations.iter().find(|(name, _)| {
            rest.strip_prefix(name.as_str())
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        let Some((name, tip)) = entry else {
            return 0;
        };
        out.push_str(&format!("<Tooltip tip={}>{name}</Tooltip>", attribute(tip)));
        name.len()
    }

    /// Whether the text so far ends inside of `[…]`.
    fn is_in_link(&self, out: &str) -> bool {
        out.rfind('[')
            .is_some_and(|open| !out[open..].contains(']'))
    }

    /// Resolves the destinations of link reference definitions: `[name]: page.md`.
    fn definition(&self, text: String) -> String {
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

/// The text of `<Badge text="…" />`.
fn badge_text<'t>(name: &str, tag: &'t str) -> Option<&'t str> {
    let rest = tag
        .split_once("text=\"")
        .filter(|_| name == "Badge" && tag.ends_with("/>"))?
        .1;
    Some(rest.split('"').next().unwrap_or_default())
}

/// The length and the path of `src={require('path').default}` and `src={useBaseUrl('path')}`.
fn required_image(text: &str) -> Option<(usize, &str)> {
    let inner = text.strip_prefix("src={")?;
    let end = inner.find('}')?;
    let call = inner[..end].trim();
    let arguments = call
        .strip_prefix("require(")
        .or_else(|| call.strip_prefix("useBaseUrl("))?;
    let path = arguments.split(')').next()?.trim_matches(['\'', '"']);
    Some(("src={".len() + end + 1, path))
}

/// The text of a title without its markup.
pub(crate) fn plain_title(text: &str) -> String {
    let document = svc_mdx::parse(text, &svc_mdx::Options::default()).value;
    let plain = svc_mdx::plain_text(&document.children);
    let plain = if plain.trim().is_empty() {
        text
    } else {
        &plain
    };
    let mut out = String::new();
    for word in plain.split(' ') {
        let is_icon = word.len() > 2 && word.starts_with(':') && word.ends_with(':');
        if !is_icon {
            out.push_str(word);
            out.push(' ');
        } else if let Some(Shortcode::Emoji(emoji)) = shortcode(word.trim_matches(':')) {
            out.push_str(emoji);
            out.push(' ');
        }
    }
    out.trim().to_owned()
}

/// A backslash and the character after it.
fn escaped(rest: &str, python: bool, out: &mut String) -> usize {
    if python {
        // Formulas of arithmatex.
        for (open, close, dollars) in [("\\(", "\\)", "$"), ("\\[", "\\]", "$$")] {
            if let Some(inner) = rest.strip_prefix(open)
                && let Some(end) = inner.find(close)
            {
                out.push_str(&format!("{dollars}{}{dollars}", &inner[..end]));
                return end + 4;
            }
        }
    }
    let next = rest[1..].chars().next();
    let Some(next) = next.filter(|c| c.is_ascii_punctuation()) else {
        return 0;
    };
    out.push('\\');
    out.push(next);
    2
}

/// An HTML comment as a comment of MDX.
fn comment(rest: &str, out: &mut String) -> usize {
    let end = rest.find("-->");
    let text = &rest[4..end.unwrap_or(rest.len())];
    let text = text.replace("*/", "* /");
    out.push_str(&format!("{{/*{text}*/}}"));
    end.map_or(rest.len(), |end| end + 3)
}

/// `<https://…>` and `<name@host>`, which MDX does not have.
fn autolink(rest: &str, out: &mut String) -> Option<usize> {
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

/// An expression of MDX, with its braces.
fn expression(rest: &str, out: &mut String) -> usize {
    let mut depth = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    out.push_str(&rest[..=at]);
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    0
}

/// `++ctrl+alt+del++`.
fn keys(rest: &str, out: &mut String) -> usize {
    let Some(inner) = rest.strip_prefix("++") else {
        return 0;
    };
    let Some(end) = inner.find("++") else {
        return 0;
    };
    let names = &inner[..end];
    let is_key = |name: &str| {
        !name.is_empty()
            && (name.starts_with('"')
                || name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
    };
    if !names.split('+').all(is_key) {
        return 0;
    }
    let keys: Vec<String> = names
        .split('+')
        .map(|name| {
            let name = name.trim_matches('"');
            let label = match name {
                "ctrl" | "control" => "Ctrl".to_owned(),
                "cmd" | "command" => "⌘".to_owned(),
                "del" => "Del".to_owned(),
                "esc" => "Esc".to_owned(),
                name if name.chars().count() == 1 => name.to_uppercase(),
                name => crate::path::title_of(name),
            };
            format!("<kbd>{label}</kbd>")
        })
        .collect();
    out.push_str(&keys.join("+"));
    end + 4
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

/// The length of a JSX tag.
fn tag_end(rest: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in rest.char_indices().skip(1) {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, '>') if depth == 0 => return Some(at + 1),
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
