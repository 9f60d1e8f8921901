//! `list`: the pages of the site as a tree.

use std::fmt::Write as _;

use serde_json::{Value, json};
use svc_nav::{NavNode, NodeKind, Route};
use svc_site::{Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, quoted};
use crate::outline::folded;
use crate::visible::{self, PagePath, Surface};

/// Maximum depth of the tree.
const MAX_DEPTH: usize = 10;
/// Maximum number of lines to skip.
const MAX_OFFSET: usize = 1_000_000;

pub(super) static TOOL: Tool = Tool {
    name: "list",
    title: "List pages",
    description: "The navigation as a tree: titles, addresses and the tokens of each page. Without `depth`, as deep as `max_tokens` allows.",
    properties,
    required: &[],
    is_listed: |_| true,
    call,
};

fn properties() -> Value {
    json!({
        "path": {"type": "string", "description": "Only pages below this path, such as `/guides`, or in this group, such as `Get started`."},
        "depth": {"type": "integer", "minimum": 1, "maximum": MAX_DEPTH, "description": "Maximum depth of the tree."},
        "offset": {"type": "integer", "minimum": 0, "description": "Number of lines to skip, as the last answer says."}
    })
}

/// A node of the tree: a group or a page.
struct Entry<'s> {
    name: &'s str,
    page: Option<&'s Route>,
    children: Vec<Self>,
}

fn call(call: &ToolCall<'_>) -> Result<String, String> {
    let path = call.arguments.text("path")?;
    let depth = call.arguments.number("depth", 1..=MAX_DEPTH, 0)?;
    let offset = call.arguments.number("offset", 0..=MAX_OFFSET, 0)?;
    let entries = entries(call.site, path)?;
    let count: usize = entries.iter().map(Entry::count).sum();
    let below = path.map_or_else(String::new, |path| format!(" in `{}`", quoted(path, 100)));
    let mut answer = BoundedText::new(call.max_tokens);
    let pages = if count == 1 { "page" } else { "pages" };
    answer.push(&format!(
        "{count} {pages}{below}; tokens in parentheses.\n\n"
    ));
    let depths = match depth {
        0 => (1..=MAX_DEPTH).rev().collect(),
        depth => vec![depth],
    };
    let mut lines = Vec::new();
    let mut used = 0;
    for depth in depths {
        lines.clear();
        for entry in &entries {
            entry.write(call.site, 0, depth, &mut lines);
        }
        used = depth;
        let tokens: usize = lines.iter().map(Line::max_tokens).sum();
        if tokens <= answer.left() {
            break;
        }
    }
    let mut end = offset.min(lines.len());
    for line in lines.iter().skip(offset) {
        if line.max_tokens() > answer.left() || !answer.push(&line.text(call.site)) {
            break;
        }
        end += 1;
    }
    let mut footer = String::new();
    if end < lines.len() {
        let left = lines.len() - end;
        footer = format!("{left} more lines: list them with `offset` {end}, or set `path`.");
    } else if entries.iter().any(|entry| entry.depth() > used) {
        footer = "Groups with a number of pages are closed: list one with `path`.".to_owned();
    }
    Ok(answer.finish(&footer))
}

/// A line of the tree.
struct Line<'s> {
    /// Name and address.
    text: String,
    page: Option<&'s Route>,
    /// Number of pages of a group that is closed.
    closed: String,
}

impl Line<'_> {
    /// The most tokens that the line can have. Those of its page are counted only if it is shown,
    /// because the page has to be rendered for it.
    fn max_tokens(&self) -> usize {
        const COUNT: usize = 4;
        estimated_tokens(&self.text) + estimated_tokens(&self.closed) + COUNT
    }

    fn text(&self, site: &Site) -> String {
        let Self { text, page, closed } = self;
        match page {
            Some(route) => format!("{text} ({}){closed}\n", site.markdown_tokens(route)),
            None => format!("{text}{closed}\n"),
        }
    }
}

impl<'s> Entry<'s> {
    /// The visible part of a node. `None` if no page of it is.
    fn new(site: &'s Site, node: &'s NavNode) -> Option<Self> {
        let children = node.children.iter();
        let children: Vec<Self> = children.filter_map(|node| Self::new(site, node)).collect();
        let is_page =
            node.kind == NodeKind::Page || node.element().is_some() && !node.is_division();
        let page = node.route.as_deref().filter(|_| is_page);
        let page = page.and_then(|path| site.map.route(path));
        let page = page.filter(|route| visible::is_visible(route, Surface::List));
        (page.is_some() || !children.is_empty()).then_some(Self {
            name: &node.name,
            page,
            children,
        })
    }

    fn of(route: &'s Route) -> Self {
        Self {
            name: route.short_title(),
            page: Some(route),
            children: Vec::new(),
        }
    }

    /// Number of pages.
    fn count(&self) -> usize {
        let below: usize = self.children.iter().map(Self::count).sum();
        below + usize::from(self.page.is_some())
    }

    fn depth(&self) -> usize {
        1 + self.children.iter().map(Self::depth).max().unwrap_or(0)
    }

    fn write(&self, site: &Site, level: usize, depth: usize, lines: &mut Vec<Line<'s>>) {
        let mut text = format!("{}- {}", "  ".repeat(level), quoted(self.name, 120));
        // Writing to a String cannot fail.
        if let Some(route) = self.page {
            let _ = write!(text, " {}", visible::href(site, route));
        }
        let mut closed = String::new();
        let is_closed = level + 1 >= depth && !self.children.is_empty();
        if is_closed {
            let below: usize = self.children.iter().map(Self::count).sum();
            let pages = if below == 1 { "page" } else { "pages" };
            closed = format!(": {below} {pages}");
        }
        lines.push(Line {
            text,
            page: self.page,
            closed,
        });
        if !is_closed {
            for child in &self.children {
                child.write(site, level + 1, depth, lines);
            }
        }
    }
}

/// The entries of the site, or those at a path or in a group.
fn entries<'s>(site: &'s Site, path: Option<&str>) -> Result<Vec<Entry<'s>>, String> {
    let nodes = site.map.tree.iter();
    let mut all: Vec<Entry<'_>> = nodes.filter_map(|node| Entry::new(site, node)).collect();
    let outside = visible::listed(site).filter(|route| !route.in_navigation);
    all.extend(outside.map(Entry::of));
    let path = path.filter(|path| *path != "/");
    let Some(path) = path else {
        return Ok(all);
    };
    let group = match path.starts_with('/') {
        true => None,
        false => group(all.iter().collect(), path),
    };
    if let Some(group) = group {
        return Ok(vec![Entry {
            name: group.name,
            page: group.page,
            children: entries_of(group),
        }]);
    }
    let address = PagePath::parse(site, path).path;
    let is_below = |route: &&Route| {
        let rest = route.path.strip_prefix(&address);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || address == "/")
    };
    let found: Vec<Entry<'_>> = visible::listed(site)
        .filter(is_below)
        .map(Entry::of)
        .collect();
    match found.is_empty() {
        true => Err(format!(
            "No pages below the path or in the group `{}`. {}",
            quoted(path, 100),
            names(&all)
        )),
        false => Ok(found),
    }
}

fn entries_of<'s>(entry: &Entry<'s>) -> Vec<Entry<'s>> {
    let children = entry.children.iter();
    let copy = |entry: &Entry<'s>| Entry {
        name: entry.name,
        page: entry.page,
        children: entries_of(entry),
    };
    children.map(copy).collect()
}

/// The group with a name, or with the names `A › B`; the outermost one if there are several.
fn group<'e, 's>(mut level: Vec<&'e Entry<'s>>, path: &str) -> Option<&'e Entry<'s>> {
    let names: Vec<String> = path.split('›').map(folded).collect();
    let last = names.last().filter(|name| !name.is_empty())?;
    let mut trail = names.iter().take(names.len() - 1).peekable();
    while !level.is_empty() {
        if trail.peek().is_none() {
            let mut groups = level.iter().filter(|entry| !entry.children.is_empty());
            if let Some(found) = groups.find(|entry| folded(entry.name) == *last) {
                return Some(found);
            }
        }
        let next = trail.peek().copied();
        let within = |entry: &&Entry<'_>| next.is_some_and(|name| folded(entry.name) == *name);
        let matching: Vec<&Entry<'_>> = level.iter().copied().filter(within).collect();
        if !matching.is_empty() {
            trail.next();
            level = matching;
        }
        level = level.iter().flat_map(|entry| &entry.children).collect();
    }
    None
}

fn names(entries: &[Entry<'_>]) -> String {
    let groups = entries.iter().filter(|entry| !entry.children.is_empty());
    let groups: Vec<String> = groups
        .take(20)
        .map(|entry| format!("`{}`", quoted(entry.name, 60)))
        .collect();
    match groups.is_empty() {
        true => "List all pages without `path`.".to_owned(),
        false => format!("Groups: {}.", groups.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use svc_site::estimated_tokens;

    use crate::test_site::{self, call, error};

    #[test]
    fn the_tree_has_titles_paths_and_tokens() {
        let site = test_site::guides();
        let text = call(&site, "list", "{}");
        let tokens = site.markdown_tokens(site.map.route("/guides/limits").unwrap());
        let line = format!("  - Limits /guides/limits ({tokens})\n");
        assert!(
            text.contains("- Guides\n") && text.contains(&line),
            "{text}"
        );
        assert!(
            text.contains("/unsearchable"),
            "only the search leaves it out: {text}"
        );
        for path in ["/draft", "/orphan", "/noindex", "/secret"] {
            assert!(!text.contains(path), "{path}: {text}");
        }
        let text = call(&site, "list", r#"{"path": "/guides"}"#);
        assert!(
            text.starts_with("2 pages in `/guides`") && !text.contains("/index"),
            "{text}"
        );
        let text = call(&site, "list", r#"{"path": "guides"}"#);
        assert!(text.contains("- Guides\n  - Start / ("), "{text}");
        let text = error(&site, "list", r#"{"path": "Nothing"}"#);
        assert!(text.ends_with("Groups: `Guides`, `More`."), "{text}");
    }

    #[test]
    fn a_large_tree_is_closed_to_fit_and_continued() {
        let site = test_site::large();
        let text = call(&site, "list", r#"{"max_tokens": 400}"#);
        assert!(estimated_tokens(&text) <= 400);
        assert!(text.contains("- Group 0: 30 pages\n"), "{text}");
        let (mut offset, mut seen) = (0, 0);
        loop {
            let arguments = format!(r#"{{"depth": 5, "offset": {offset}, "max_tokens": 400}}"#);
            let text = call(&site, "list", &arguments);
            assert!(estimated_tokens(&text) <= 400);
            seen += text.matches("/page-").count();
            let next = text.rsplit_once("`offset` ");
            let Some((_, next)) = next else { break };
            offset = next.split(',').next().unwrap().parse().unwrap();
        }
        assert_eq!(seen, 300);
    }
}
