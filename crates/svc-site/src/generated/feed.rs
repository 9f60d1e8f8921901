//! The RSS feed of a page with changelog entries, such as `/changelog/rss.xml` (RSS 2.0).
//!
//! An entry with headings has one item per heading, other entries have one item; the attribute
//! `rss` replaces them with one item of its own text. Components, code blocks and HTML are omitted,
//! because feed readers do not support them.

use std::collections::HashMap;
use std::fmt::Write as _;

use jiff::civil::Date;
use svc_mdx::{AttributeKind, AttributeValue, Document, Element, Kind, Node, Options, plain_text};
use svc_nav::Route;
use svc_render::evaluate::{EmptyScope, Value, evaluate};
use svc_source::encoded_path;

use super::sitemap::escape;
use crate::Site;

/// Maximum number of items in a feed.
const MAX_ITEMS: usize = 15;

/// One item.
struct Item {
    title: String,
    /// Id of the entry.
    anchor: String,
    text: String,
    date: Option<Date>,
}

/// Whether a page has a feed.
pub(crate) fn exists(site: &Site, route: &Route) -> bool {
    let page = site.page_of(route).filter(|_| route.url.is_none());
    page.is_some_and(|page| page.body_text().contains("<Update"))
}

/// The URL path of a page's feed, without base path.
pub(crate) fn path(route: &Route) -> String {
    format!("{}/rss.xml", route.path.trim_end_matches('/'))
}

pub(crate) fn feed(site: &Site, route: &Route, origin: &str) -> String {
    let text = site.page_of(route).map_or("", |page| page.body_text());
    let page = site.public_url(origin, &encoded_path(&route.path));
    let feed_url = site.public_url(origin, &encoded_path(&path(route)));
    let summary = svc_render::summary(route);
    let description = summary.as_deref().or(site.config.description.as_deref());
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n",
    );
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<title>{}</title>\n<link>{}</link>\n<description>{}</description>\n<generator>svc</generator>\n<atom:link href=\"{}\" rel=\"self\" type=\"application/rss+xml\"/>\n",
        escape(&format!("{} - {}", route.title, site.config.name)),
        escape(&page),
        escape(description.unwrap_or(&site.config.name)),
        escape(&feed_url),
    );
    let mut seen: HashMap<String, u32> = HashMap::new();
    for item in items(text) {
        let url = format!("{page}#{}", item.anchor);
        let times = seen.entry(url.clone()).or_default();
        *times += 1;
        let _ = write!(
            out,
            "<item>\n<title>{}</title>\n<link>{}</link>\n",
            escape(&item.title),
            escape(&url)
        );
        // Items of one entry have the same link, but their ids must be unique.
        let _ = match *times {
            1 => writeln!(out, "<guid isPermaLink=\"true\">{}</guid>", escape(&url)),
            times => writeln!(
                out,
                "<guid isPermaLink=\"false\">{}</guid>",
                escape(&format!("{url}/{times}"))
            ),
        };
        if !item.text.is_empty() {
            let _ = writeln!(out, "<description>{}</description>", escape(&item.text));
        }
        if let Some(date) = item.date {
            let _ = writeln!(out, "<pubDate>{}</pubDate>", to_rfc822(date));
        }
        out.push_str("</item>\n");
    }
    out.push_str("</channel>\n</rss>\n");
    out
}

fn items(text: &str) -> Vec<Item> {
    let document = svc_mdx::parse(text, &Options::default()).value;
    let mut out = Vec::new();
    let mut ids: HashMap<String, u32> = HashMap::new();
    // The parser limits the depth of the tree.
    let mut stack: Vec<&Node> = document.children.iter().rev().collect();
    while let Some(node) = stack.pop() {
        match &node.kind {
            Kind::Element(element) if element.name.as_deref() == Some("Update") => {
                entry(element, &mut ids, &mut out);
                if out.len() >= MAX_ITEMS {
                    break;
                }
            }
            _ => stack.extend(node.children().iter().rev()),
        }
    }
    out.truncate(MAX_ITEMS);
    out
}

fn entry(element: &Element, ids: &mut HashMap<String, u32>, out: &mut Vec<Item>) {
    let label = text_of(element, "label").unwrap_or_default();
    let id = text_of(element, "id").unwrap_or_else(|| svc_source::heading_id(&label));
    let times = ids.entry(id.clone()).or_default();
    *times += 1;
    let anchor = if *times > 1 {
        format!("{id}-{times}")
    } else {
        id
    };
    let description = text_of(element, "description");
    let date = [
        text_of(element, "date"),
        Some(label.clone()),
        description.clone(),
    ];
    let date = date.iter().flatten().find_map(|text| parse_date(text));
    let title = match description.as_deref().filter(|text| !text.is_empty()) {
        Some(description) => format!("{label} – {description}"),
        None => label,
    };
    let mut add = |title: String, text: String| {
        out.push(Item {
            title,
            anchor: anchor.clone(),
            text,
            date,
        });
    };
    if let Some(Value::Object(settings)) = value_of(element, "rss") {
        let part = |key: &str| settings.get(key).and_then(Value::as_str).map(str::to_owned);
        add(
            part("title").unwrap_or(title),
            part("description").unwrap_or_default(),
        );
        return;
    }
    let heading = |node: &Node| matches!(node.kind, Kind::Heading { .. });
    if !element.children.iter().any(heading) {
        add(title, markdown(&element.children));
        return;
    }
    let sections = element.children.chunk_by(|_, next| !heading(next));
    for section in sections {
        // Content before the first heading is not part of an item.
        if let Some((first, rest)) = section.split_first()
            && let Kind::Heading { children, .. } = &first.kind
        {
            add(plain_text(children).trim().to_owned(), markdown(rest));
        }
    }
}

/// Formats nodes as Markdown, without components, code blocks and HTML.
fn markdown(nodes: &[Node]) -> String {
    let document = Document {
        children: strip_components(nodes),
        ..Document::default()
    };
    svc_mdx::print(&document, &Options::default())
        .trim()
        .to_owned()
}

fn strip_components(nodes: &[Node]) -> Vec<Node> {
    let plain = nodes.iter().filter(|node| {
        !matches!(
            node.kind,
            Kind::Element(_) | Kind::Expression { .. } | Kind::Esm(_) | Kind::Code { .. }
        )
    });
    plain
        .map(|node| {
            let mut node = node.clone();
            if let Some(children) = node.children_mut() {
                *children = strip_components(children);
            }
            node
        })
        .collect()
}

fn value_of(element: &Element, attribute_name: &str) -> Option<Value> {
    let value = element
        .attributes
        .iter()
        .find_map(|attribute| match &attribute.kind {
            AttributeKind::Named { name, value } if &**name == attribute_name => Some(value),
            _ => None,
        })?;
    match value {
        AttributeValue::None => None,
        AttributeValue::String(text) => Some(Value::from(&**text)),
        AttributeValue::Expression { value, .. } => evaluate(value, &EmptyScope).ok(),
    }
}

fn text_of(element: &Element, name: &str) -> Option<String> {
    value_of(element, name)?.as_str().map(str::to_owned)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Parses `2026-06-23`, `June 23, 2026`, `Jun 23rd, 2026` or `23 June 2026`. `None` for other
/// texts.
fn parse_date(text: &str) -> Option<Date> {
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/'))
        .filter(|token| !token.is_empty())
        .take(4)
        .collect();
    let number = |token: &str| {
        let digits = token.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| digits.parse::<i16>().ok())
            .flatten()
    };
    let month = |token: &str| {
        let lower = token.trim_end_matches('.').to_ascii_lowercase();
        let is_month =
            |name: &&str| lower.len() >= 3 && name.to_ascii_lowercase().starts_with(&lower);
        MONTHS
            .iter()
            .position(is_month)
            .and_then(|at| i16::try_from(at + 1).ok())
    };
    let [first, second, third] = tokens.as_slice() else {
        return None;
    };
    let (year, month, day) = match (number(first), number(second)) {
        (Some(year), Some(month)) if year > 1000 => (year, month, number(third)?),
        (Some(day), None) => (number(third)?, month(second)?, day),
        (None, Some(day)) => (number(third)?, month(first)?, day),
        _ => return None,
    };
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let date = Date::new(year, month, day).ok()?;
    (date.year() >= 1970).then_some(date)
}

/// A date as feeds write it: `Tue, 23 Jun 2026 00:00:00 GMT`.
fn to_rfc822(date: Date) -> String {
    date.strftime("%a, %d %b %Y 00:00:00 GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed_items(text: &str) -> Vec<String> {
        items(text)
            .into_iter()
            .map(|item| format!("{} #{} {:?}", item.title, item.anchor, item.text))
            .collect()
    }

    #[test]
    fn an_entry_without_headings_is_one_item() {
        let text = "<Update label=\"1.0\" description=\"First\">\nSome **tokens**.\n\n<Card title=\"x\" />\n\n```js\ncode\n```\n</Update>";
        assert_eq!(feed_items(text), ["1.0 – First #1-0 \"Some **tokens**.\""]);
    }

    #[test]
    fn every_heading_of_an_entry_is_an_item() {
        let text = "<Update label=\"May\">\nintro\n\n## One\na\n\n### Two\nb\n</Update>\n\n<Update label=\"May\">\nc\n</Update>";
        assert_eq!(
            feed_items(text),
            ["One #may \"a\"", "Two #may \"b\"", "May #may-2 \"c\""]
        );
    }

    #[test]
    fn an_entry_can_replace_its_title_and_description() {
        let text = "<Update label=\"May\" rss={{ title: \"Big <day>\", description: \"All new\" }}>\n## One\na\n</Update>";
        assert_eq!(feed_items(text), ["Big <day> #may \"All new\""]);
    }

    #[test]
    fn a_feed_ends_after_fifteen_items() {
        let text = "<Update label=\"x\">\ny\n</Update>\n\n".repeat(40);
        assert_eq!(items(&text).len(), 15);
    }

    #[test]
    fn days_are_read_and_written() {
        for text in [
            "2026-06-23",
            "June 23, 2026",
            "Jun 23rd, 2026",
            "23 June 2026",
        ] {
            let date = parse_date(text).expect(text);
            assert_eq!(to_rfc822(date), "Tue, 23 Jun 2026 00:00:00 GMT", "{text}");
        }
        assert_eq!(
            parse_date("2024-02-29").map(to_rfc822).as_deref(),
            Some("Thu, 29 Feb 2024 00:00:00 GMT")
        );
        for text in [
            "v2.0.0",
            "June 2026",
            "",
            "2026-13-01",
            "May 40, 2026",
            "1 2 3",
            "Version 1, 2026",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }
}
