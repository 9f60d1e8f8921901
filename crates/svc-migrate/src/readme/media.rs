//! Images, videos, links and HTML in components.

use super::block::State;
use crate::markdown::{Line, attribute};

impl State<'_> {
    /// HTML in a template literal.
    pub(super) fn html(&mut self, lines: &[Line]) -> usize {
        let end = lines
            .iter()
            .position(|line| line.text.contains("</HTMLBlock>"));
        let end = end.unwrap_or(lines.len() - 1);
        self.out.push(Line::new(lines[0].number, ""));
        for line in &lines[..=end] {
            let text = line
                .text
                .replace("<HTMLBlock>", "")
                .replace("</HTMLBlock>", "");
            let text = text.trim();
            let text = text.strip_prefix("{`").unwrap_or(text);
            let text = text.strip_suffix("`}").unwrap_or(text);
            let frame = [
                "<!", "<html", "</html", "<head>", "</head", "<body", "</body", "<meta",
            ];
            if !frame.iter().any(|start| text.starts_with(start)) && !text.is_empty() {
                self.out.push(Line::new(line.number, text));
            }
        }
        self.out.push(Line::new(lines[0].number, ""));
        end + 1
    }

    /// `<Image src="…">caption</Image>`.
    pub(super) fn image(&mut self, lines: &[Line]) -> usize {
        let number = lines[0].number;
        let (tag, mut used, after) = whole_tag(lines);
        let get = |name: &str| value_of(&tag, name);
        let source = get("src").unwrap_or_default();
        let alt = get("alt").unwrap_or_default();
        let width = get("width").filter(|width| !width.trim().is_empty());
        let width = width.map_or_else(String::new, |width| {
            format!(" width={}", attribute(width.trim()))
        });
        self.mdx(
            number,
            format!(
                "<img src={} alt={}{width} />",
                attribute(source),
                attribute(alt)
            ),
        );
        if let Some(caption) = get("caption") {
            self.out.push(Line::new(number, caption));
            self.out.push(Line::new(number, ""));
        }
        if tag.ends_with("/>") {
            if !after.trim().is_empty() {
                self.out.push(Line::new(number, after));
            }
            return used;
        }
        // The caption is the content.
        let mut text = after.to_owned();
        loop {
            let (inner, is_end) = match text.split_once("</Image>") {
                Some((inner, _)) => (inner.to_owned(), true),
                None => (text.clone(), false),
            };
            let line = self.inline(&Line::new(number, inner.trim()));
            self.out.push(Line::new(number, line));
            let Some(next) = lines.get(used).filter(|_| !is_end) else {
                break;
            };
            text.clone_from(&next.text);
            used += 1;
        }
        self.out.push(Line::new(number, ""));
        used
    }

    /// `<Embed url="…" title="…" />`.
    pub(super) fn embed(&mut self, lines: &[Line]) -> usize {
        let number = lines[0].number;
        let (tag, used, _) = whole_tag(lines);
        let url = value_of(&tag, "url")
            .or_else(|| value_of(&tag, "href"))
            .unwrap_or_default();
        let title = value_of(&tag, "title")
            .filter(|title| !title.is_empty())
            .unwrap_or(url);
        match crate::video::player(url) {
            Some(source) => {
                let (source, title) = (attribute(&source), attribute(title));
                self.mdx(
                    number,
                    format!("<iframe src={source} title={title} allowFullScreen></iframe>"),
                );
            }
            None => {
                self.out.push(Line::new(number, ""));
                self.out.push(Line::new(
                    number,
                    format!("[{}](<{url}>)", title.replace(['[', ']'], " ")),
                ));
                self.out.push(Line::new(number, ""));
            }
        }
        used
    }
}

/// The tag at the start of lines, the number of its lines, and the text after it on the last.
fn whole_tag(lines: &[Line]) -> (String, usize, &str) {
    let mut tag = String::new();
    for (index, line) in lines.iter().enumerate() {
        let (mut quote, mut depth) = (None, 0_usize);
        for (at, c) in line.text.char_indices() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '"') => quote = Some(c),
                (None, '{') => depth += 1,
                (None, '}') => depth = depth.saturating_sub(1),
                (None, '>') if depth == 0 => {
                    tag.push_str(&line.text[..=at]);
                    return (tag, index + 1, &line.text[at + 1..]);
                }
                _ => {}
            }
        }
        tag.push_str(&line.text);
        tag.push(' ');
    }
    (tag, lines.len(), "")
}

/// The value of an attribute in quotes.
fn value_of<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}
