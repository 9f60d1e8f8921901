//! Inline syntax.

use super::icon::{Shortcode, shortcode};
use super::jsx::expression;
use super::link::autolink;
use super::python::keys;
use super::{Rewriter, attribute, html};
use crate::codes::{MIGRATE_STYLE, MIGRATE_SYNTAX};

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
                '{' if self.is_mdx() => expression(rest, &mut out),
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
        if self.is_mdx() {
            return self.jsx_tag(rest, out);
        }
        let Some(mut tag) = html::parse(rest) else {
            if let Some(used) = self.component(rest, out) {
                return used;
            }
            out.push_str("&lt;");
            return 1;
        };
        // Browsers do not show the content of templates, components do.
        if tag.name == "template" {
            return tag.len;
        }
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
            .find(|(open, _)| rest.starts_with(open))
            .filter(|(open, _)| *open == "{{" || !self.dialect.vue)?;
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

    fn colon(&mut self, rest: &str, out: &mut String) -> usize {
        let Some(end) = rest[1..].find(':').map(|at| at + 1) else {
            return 0;
        };
        let name = &rest[1..end];
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
        let is_inside_word = out.ends_with(|c: char| c.is_alphanumeric() || c == ':');
        if name.is_empty() || !name.chars().all(is_name) || is_inside_word || self.is_mdx() {
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
