//! `read`: the Markdown of pages and sections.

use serde_json::{Value, json};
use svc_nav::Route;
use svc_site::{Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, quoted};
use crate::outline::{OutlineSection, end_of, folded, outline};
use crate::page_text::page_text;
use crate::visible::{self, PagePath};

/// Maximum number of pages of a call.
const MAX_PAGES: usize = 10;
/// Maximum number of tokens of a section that is given with all its subsections.
const MAX_SECTION_TOKENS: usize = 1_500;
/// Maximum number of tokens of the beginning of a page or section after its outline: the reader
/// continues with one of the sections.
const MAX_START_TOKENS: usize = 1_000;
/// Maximum position in a page.
const MAX_OFFSET: usize = 1 << 30;

pub(super) static TOOL: Tool = Tool {
    name: "read",
    title: "Read pages or sections",
    description: "The Markdown of a page, of a section, or of up to 10 pages. A page that exceeds `max_tokens`, or a section with subsections of more than 1,500 tokens, is given as an outline and its beginning; continue with `section` or `offset`.",
    properties,
    required: &["path"],
    is_listed: |_| true,
    call,
};

fn properties() -> Value {
    json!({
        "path": {
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": MAX_PAGES}],
            "description": "PagePath of a page, such as `/guides/start` or `/guides/start#section`, or a list of them."
        },
        "section": {"type": "string", "description": "Id or text of a heading: only this section with its subsections."},
        "offset": {"type": "integer", "minimum": 0, "description": "Where to continue, as the last answer says."}
    })
}

/// A part of a page that was asked for.
struct Part {
    /// PagePath of the part.
    address: String,
    /// Its Markdown.
    text: String,
    /// The value of `section` to continue with.
    section: Option<String>,
}

fn call(call: &ToolCall<'_>) -> Result<String, String> {
    let paths = call.arguments.texts("path", MAX_PAGES)?;
    let section = call.arguments.text("section")?;
    let offset = call.arguments.number("offset", 0..=MAX_OFFSET, 0)?;
    if paths.is_empty() {
        return Err("`path` is missing".to_owned());
    }
    if paths.len() > 1 && (section.is_some() || offset > 0) {
        return Err("`section` and `offset` need a single `path`".to_owned());
    }
    let mut parts = Vec::new();
    let mut missing = Vec::new();
    for path in &paths {
        match part(call.site, path, section) {
            Ok(part) => parts.push(part),
            Err(message) => missing.push(message),
        }
    }
    if parts.is_empty() {
        return Err(missing.join("\n"));
    }
    let mut answer = BoundedText::new(call.max_tokens);
    for message in &missing {
        answer.push(&format!("{message}\n\n"));
    }
    let mut footers = Vec::new();
    let count = parts.len();
    for (index, part) in parts.iter().enumerate() {
        let share = answer.left() / (count - index);
        footers.extend(write(part, offset, share, &mut answer));
    }
    Ok(answer.finish(&footers.join("\n")))
}

/// Finds a page or a section of it.
///
/// # Errors
/// If there is none; with similar ones.
fn part(site: &Site, path: &str, section: Option<&str>) -> Result<Part, String> {
    let address = PagePath::parse(site, path);
    let Some(route) = visible::page(site, &address.path) else {
        return Err(format!(
            "There is no page at `{}`. {}",
            quoted(path, 200),
            visible::similar(site, &address.path)
        ));
    };
    let href = visible::href(site, route);
    if let Some(url) = &route.url {
        return Err(format!("`{href}` is only a link to {}.", quoted(url, 300)));
    }
    let text = page_text(site, route);
    let wanted = section.or(address.fragment.as_deref());
    let wanted = wanted.map(|wanted| wanted.trim_start_matches('#'));
    let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else {
        return Ok(Part {
            address: href,
            text,
            section: None,
        });
    };
    let found = section_text(site, route, &text, wanted);
    let (title, text) = found.ok_or_else(|| no_section(&href, &text, wanted))?;
    Ok(Part {
        address: format!("{href} › {title}"),
        text,
        section: Some(wanted.to_owned()),
    })
}

/// Title and text of a section with its subsections. Ids are those of the page; a section that its
/// Markdown does not have as a heading is given as plain text.
fn section_text(site: &Site, route: &Route, text: &str, wanted: &str) -> Option<(String, String)> {
    let sections = outline(text);
    let part = |index: usize| {
        let section = sections.get(index)?;
        let end = end_of(&sections, index);
        Some((
            quoted(&section.title, 120),
            text[section.start..end].to_owned(),
        ))
    };
    let indexed = site.page_sections(&route.path).unwrap_or_default();
    if let Some(at) = indexed.iter().position(|section| section.id == wanted) {
        let title = |section: &svc_search::Section| section.headings.last().cloned();
        let heading = title(&indexed[at]).unwrap_or_default();
        let heading_folded = folded(&heading);
        let earlier = indexed[..at].iter().filter_map(title);
        let earlier = earlier
            .filter(|other| folded(other) == heading_folded)
            .count();
        let mut same = sections
            .iter()
            .enumerate()
            .filter(|(_, section)| section.level > 0 && folded(&section.title) == heading_folded);
        if let Some((index, _)) = same.nth(earlier) {
            return part(index);
        }
        let section = &indexed[at];
        let mut plain = format!("## {heading}\n\n{}\n", section.text.trim());
        if !section.code.trim().is_empty() {
            plain.push_str(&format!("\n```\n{}\n```\n", section.code.trim()));
        }
        return Some((quoted(&heading, 120), plain));
    }
    // A heading may be named with those around it, as in results of the search.
    let last = wanted.rsplit('›').next().unwrap_or(wanted);
    let key = folded(last);
    if key.is_empty() {
        return None;
    }
    let by = |matches: &dyn Fn(&OutlineSection) -> bool| {
        let found = sections.iter().position(matches)?;
        part(found)
    };
    by(&|section| folded(&section.title) == key)
        .or_else(|| by(&|section| folded(&section.title).contains(&key)))
}

fn no_section(href: &str, text: &str, wanted: &str) -> String {
    let sections = outline(text);
    let titles = sections.iter().filter(|section| section.level > 1);
    let titles: Vec<String> = titles
        .take(40)
        .map(|section| format!("`{}`", quoted(&section.title, 80)))
        .collect();
    let wanted = quoted(wanted, 100);
    match titles.is_empty() {
        true => format!("`{href}` has no section `{wanted}`, and no others; read the page."),
        false => format!(
            "`{href}` has no section `{wanted}`. Its sections: {}.",
            titles.join(", ")
        ),
    }
}

/// Writes a part within `share` tokens. Returns how to get the rest.
fn write(part: &Part, offset: usize, share: usize, answer: &mut BoundedText) -> Option<String> {
    let before = answer.left();
    let tokens = estimated_tokens(&part.text);
    let separator = if before < share { "\n\n" } else { "" };
    answer.push(&format!(
        "{separator}[{} · {tokens} tokens]\n\n",
        part.address
    ));
    let left = |answer: &BoundedText| share.saturating_sub(before - answer.left());
    let start = part.text.floor_char_boundary(offset.min(part.text.len()));
    if start > 0 && start == part.text.len() {
        return Some(format!("`offset` {offset} is the end of {}.", part.address));
    }
    let max = match part.section {
        Some(_) => left(answer).min(MAX_SECTION_TOKENS),
        None => left(answer),
    };
    let mut text_tokens = left(answer);
    if start == 0 && tokens > max && write_outline(&part.text, left(answer) / 4, answer) {
        text_tokens = left(answer).min(MAX_START_TOKENS);
    }
    let rest = &part.text[start..];
    let written = answer.push_start(rest, text_tokens);
    if !rest.ends_with('\n') || written < rest.len() {
        answer.push("\n");
    }
    let remaining = estimated_tokens(&rest[written..]);
    (remaining > 0).then(|| {
        let end = start + written;
        let more = match &part.section {
            Some(section) => format!("`section` `{}` and `offset` {end}", quoted(section, 80)),
            None => format!("`offset` {end}, or a `section`"),
        };
        format!(
            "{remaining} more tokens of {}: read it with {more}.",
            part.address
        )
    })
}

/// Writes the headings of a page or section with the tokens of their sections. Returns `false` if
/// it has too few.
fn write_outline(text: &str, tokens: usize, answer: &mut BoundedText) -> bool {
    let sections = outline(text);
    if sections.len() < 3 {
        return false;
    }
    let line = |(index, section): (usize, &OutlineSection)| {
        let indent = "  ".repeat(section.level.saturating_sub(2));
        let count = estimated_tokens(&text[section.start..end_of(&sections, index)]);
        format!("{indent}- {} ({count})\n", quoted(&section.title, 80))
    };
    let headings = sections.iter().enumerate();
    let headings = headings.filter(|(_, section)| section.level > 1);
    // Deep headings are left out first.
    let all: Vec<(usize, String)> = headings
        .map(|(index, section)| (section.level, line((index, section))))
        .collect();
    for max_level in (2..=6).rev() {
        let kept = all.iter().filter(|(level, _)| *level <= max_level);
        let lines: String = kept.map(|(_, line)| line.as_str()).collect();
        let outline = format!("Sections with tokens:\n{lines}\n");
        if max_level == 2 && !lines.is_empty() {
            answer.push_start(&outline, tokens);
            answer.push("\n");
            return true;
        }
        if !lines.is_empty() && estimated_tokens(&outline) <= tokens {
            answer.push(&outline);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use svc_site::estimated_tokens;

    use crate::page_text::page_text;
    use crate::test_site::{self, call, error};

    #[test]
    fn pages_are_read_by_every_form_of_their_path() {
        let site = test_site::guides();
        for path in [
            "/guides/limits",
            "guides/limits",
            "/guides/limits.md",
            "/guides/limits/",
            "https://docs.acme.com/guides/limits?x=1",
            "/old-limits",
        ] {
            let text = call(&site, "read", &format!(r#"{{"path": "{path}"}}"#));
            assert!(text.starts_with("[/guides/limits · "), "{path}: {text}");
            assert!(
                text.contains("# Limits\n") && text.contains("## Bursts"),
                "{text}"
            );
        }
        let text = call(
            &site,
            "read",
            r#"{"path": ["/guides/limits", "/", "/none"]}"#,
        );
        assert!(
            text.contains("There is no page at `/none`.") && text.contains("[/ · "),
            "{text}"
        );
        let text = error(&site, "read", r#"{"path": "/guide/limits"}"#);
        assert_eq!(
            text,
            "There is no page at `/guide/limits`. Did you mean `/guides/limits`?"
        );
    }

    #[test]
    fn sections_are_found_by_id_and_heading() {
        let site = test_site::guides();
        for arguments in [
            r#"{"path": "/guides/limits#bursts"}"#,
            r##"{"path": "/guides/limits", "section": "#bursts"}"##,
            r#"{"path": "/guides/limits", "section": "Bursts"}"#,
            r#"{"path": "/guides/limits", "section": "Limits › bursts"}"#,
        ] {
            let text = call(&site, "read", arguments);
            assert!(text.starts_with("[/guides/limits › Bursts · "), "{text}");
            assert!(
                text.contains("### In detail") && !text.contains("## Errors"),
                "{text}"
            );
        }
        let second = call(&site, "read", r#"{"path": "/guides/limits#in-detail-2"}"#);
        assert!(second.contains("Details of errors"), "{second}");
        let text = error(&site, "read", r#"{"path": "/guides/limits#none"}"#);
        assert!(
            text.contains("Its sections: `Bursts`, `In detail`, `Errors`"),
            "{text}"
        );
    }

    #[test]
    fn a_long_page_is_read_in_parts_without_loss() {
        let site = test_site::long_page();
        let whole = page_text(&site, site.map.route("/long").unwrap());
        assert!(whole.starts_with("# Long\n"));
        let (mut offset, mut read, mut calls) = (0, String::new(), 0);
        loop {
            let arguments =
                format!(r#"{{"path": "/long", "offset": {offset}, "max_tokens": 500}}"#);
            let text = call(&site, "read", &arguments);
            assert!(estimated_tokens(&text) <= 500, "{text}");
            assert_eq!(
                text.contains("Sections with tokens:\n- Part 0 ("),
                offset == 0,
                "{text}"
            );
            calls += 1;
            let next = text.rsplit_once("`offset` ").map(|(_, rest)| rest);
            let next = next.and_then(|rest| rest.split(',').next()?.parse().ok());
            read.push_str(&whole[offset..next.unwrap_or(whole.len())]);
            let Some(next) = next else { break };
            let shown = whole[offset..next].trim();
            assert!(text.contains(shown), "{text}");
            offset = next;
        }
        assert!(calls > 5 && read == whole);
    }

    #[test]
    fn a_long_section_is_its_outline_and_its_beginning() {
        let site = test_site::long_page();
        let text = call(&site, "read", r#"{"path": "/long", "section": "Long"}"#);
        assert!(text.contains("Sections with tokens:\n- Part 0 ("), "{text}");
        let tokens = estimated_tokens(&text);
        assert!((1_000..1_500).contains(&tokens), "{tokens}");
        assert!(text.contains("more tokens of /long › Long"), "{text}");
        let part = call(&site, "read", r#"{"path": "/long#part-7"}"#);
        assert!(!part.contains("Sections with tokens"), "{part}");
        assert!(estimated_tokens(&part) < 250, "{part}");
    }

    #[test]
    fn pages_outside_of_the_navigation_are_read_by_path_only() {
        let site = test_site::guides();
        for path in ["/draft", "/orphan", "/unsearchable", "/noindex"] {
            let text = call(&site, "read", &format!(r#"{{"path": "{path}"}}"#));
            assert!(text.starts_with(&format!("[{path} · ")), "{text}");
        }
        let message = |path: &str| error(&site, "read", &format!(r#"{{"path": "{path}"}}"#));
        let (secret, none) = (message("/secret"), message("/absent"));
        assert_eq!(secret.replace("/secret", "/absent"), none);
    }
}
