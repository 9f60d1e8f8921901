//! The layout `home`: hero and features.

use svc_data::Node;
use svc_diagnostics::SourceFile;

use crate::front_matter::{field, split};
use crate::markdown::{Line, attribute};

/// Puts the text of `hero` and cards for `features` before the page.
pub(super) fn with_home(file: &SourceFile, lines: Vec<Line>) -> Vec<Line> {
    let data = split(file).data;
    if field(&data, "layout").as_deref() != Some("home") {
        return lines;
    }
    let mut out = Vec::new();
    if let Some(hero) = data.get("hero") {
        let name = field(hero, "name").or_else(|| field(&data, "title"));
        if let Some(name) = name {
            out.push(Line::new(1, format!("# {name}")));
        }
        for key in ["text", "tagline"] {
            if let Some(text) = field(hero, key) {
                out.push(Line::new(1, ""));
                out.push(Line::new(1, text.trim().replace('\n', " ")));
            }
        }
        if let Some(image) = hero.get("image") {
            let src = image.to_text().or_else(|| field(image, "src"));
            if let Some(src) = src {
                let alt = field(image, "alt").unwrap_or_default();
                out.push(Line::new(1, ""));
                out.push(Line::new(1, format!("![{alt}]({src})")));
            }
        }
        out.push(Line::new(1, ""));
        for action in all(hero, "actions") {
            if let (Some(text), Some(link)) = (field(action, "text"), field(action, "link")) {
                out.push(Line::new(1, format!("- [{text}]({link})")));
            }
        }
    }
    let features = all(&data, "features");
    if !features.is_empty() {
        out.push(Line::new(1, ""));
        out.push(Line::mdx(1, "<Columns cols={3}>"));
        for feature in features {
            card(feature, &mut out);
        }
        out.push(Line::mdx(1, "</Columns>"));
    }
    out.push(Line::new(1, ""));
    out.extend(lines);
    out
}

fn all<'n>(data: &'n Node, key: &str) -> Vec<&'n Node> {
    let items = data.get(key).and_then(Node::as_array);
    items.into_iter().flatten().collect()
}

fn card(feature: &Node, out: &mut Vec<Line>) {
    let title = field(feature, "title").unwrap_or_default();
    // Other icons are images or SVG.
    let emoji = field(feature, "icon").filter(|icon| icon.chars().count() < 4);
    let title = emoji.map_or_else(|| title.clone(), |icon| format!("{icon} {title}"));
    let title = crate::markdown::plain_title(&title);
    let link = field(feature, "link");
    let href = link.map_or_else(String::new, |link| format!(" href={}", attribute(&link)));
    out.push(Line::mdx(
        1,
        format!("<Card title={}{href}>", attribute(&title)),
    ));
    for key in ["details", "linkText"] {
        if let Some(text) = field(feature, key) {
            out.push(Line::new(1, text.trim().replace('\n', " ")));
            out.push(Line::new(1, ""));
        }
    }
    out.push(Line::mdx(1, "</Card>"));
}
