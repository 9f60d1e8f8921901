//! The Markdown version of a page has the words of the page, and hardly any others. Fields have
//! the same words in the same order.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::collections::BTreeMap;

use svc_nav::Route;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::markup::{Tag, normalized_text, text_within};
use svc_tests::sites;

/// Elements of a page that are not in the Markdown, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("svc-api-excerpt", "the beginning of the text below it"),
    ("svc-expandable-hide", "the second label of a button"),
    ("svc-fold-show", "the label of a button"),
    ("svc-footnote-back", "a link back to the text"),
    ("svc-part-note", "repeats what is below it"),
    ("svc-update-filters", "repeats the tags of entries"),
    ("svc-view-switch", "repeats the titles of views"),
];

/// Maximum number of words that differ, in thousands of all words.
const MAX_DIFFERENT_PER_MILLE: usize = 5;

/// Words before the text of callouts, which a page shows as icons. They are compared nowhere.
const CALLOUT_LABELS: &[&str] = &["note", "warning", "tip", "info", "danger", "check"];

#[test]
fn the_markdown_of_our_documentation_has_its_words() {
    compare(&sites::docs(), 40);
}

#[test]
fn the_markdown_of_mcp_has_its_words() {
    compare_real("mcp", 300);
}

#[test]
fn the_markdown_of_fastmcp_has_its_words() {
    compare_real("fastmcp", 200);
}

#[test]
fn the_markdown_of_trigger_has_its_words() {
    compare_real("trigger", 200);
}

#[test]
fn the_markdown_of_polar_has_its_words() {
    compare_real("polar", 100);
}

#[test]
fn the_markdown_of_mintlify_has_its_words() {
    compare_real("mintlify", 300);
}

fn compare_real(name: &str, least: usize) {
    if let Some(root) = sites::site(name) {
        compare(&root, least);
    }
}

/// Asserts that each page has the same words as its Markdown, and that there are at least `least`
/// pages.
fn compare(root: &std::path::Path, least: usize) {
    let site = LoadedSite::load(root).expect("the repository can be read");
    let (mut pages, mut fields, mut words, mut different) = (0, 0, 0, 0);
    let mut differences = Vec::new();
    for route in site.site.map.routes.values() {
        if route.operation.is_none() && site.site.page_of(route).is_none() {
            continue;
        }
        let html = site.page(&route.path).expect("the page is rendered");
        let mut page = count(&page_text(&site, route, &html));
        let text = markdown_text(&site, route, &html);
        let padded = format!(" {text} ");
        for head in field_heads(&html) {
            assert!(
                padded.contains(&format!(" {head} ")),
                "{}: {head}",
                route.path
            );
            fields += 1;
        }
        let mut markdown = count(&text);
        for label in CALLOUT_LABELS {
            page.remove(*label);
            markdown.remove(*label);
        }
        pages += 1;
        words += page.values().sum::<usize>();
        let (missing, added) = (difference(&page, &markdown), difference(&markdown, &page));
        if !missing.is_empty() || !added.is_empty() {
            different += missing.len() + added.len();
            differences.push(format!(
                "{}: missing {missing:?}, added {added:?}",
                route.path
            ));
        }
    }
    eprintln!(
        "{}: {pages} pages, {fields} fields, {words} words, {different} differ, on {} pages:\n{}",
        root.display(),
        differences.len(),
        differences.join("\n")
    );
    assert!(pages >= least, "only {pages} pages");
    // What differs is printed: adjacent buttons without a space, tooltips.
    assert!(
        different * 1000 <= words * MAX_DIFFERENT_PER_MILLE,
        "{different} of {words} words differ"
    );
}

/// Words of `one` that `other` has less often.
fn difference(one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>) -> Vec<String> {
    one.iter()
        .filter(|(word, count)| other.get(*word).unwrap_or(&0) < *count)
        .map(|(word, _)| word.clone())
        .take(20)
        .collect()
}

fn count(text: &str) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        *out.entry(word.to_lowercase()).or_default() += 1;
    }
    out
}

fn has_class(tag: &Tag, name: &str) -> bool {
    let classes = tag.get("class").unwrap_or_default();
    classes.split_whitespace().any(|class| class == name)
}

/// Name, type and labels of each field.
fn field_heads(html: &str) -> impl Iterator<Item = String> {
    let parts = html.split("<div class=\"svc-field-head\">").skip(1);
    parts.map(|part| normalized_text(part.split("</div>").next().unwrap_or_default()))
}

/// Whether a page has generated samples. Readers get them in several languages and agents in one.
fn has_samples(site: &LoadedSite, route: &Route) -> bool {
    let page = site.site.page_of(route);
    route.operation.is_some() || page.is_some_and(|page| page.front_matter.api.is_some())
}

/// The text of the content of a page that readers see.
fn page_text(site: &LoadedSite, route: &Route, html: &str) -> String {
    let has_samples = has_samples(site, route);
    let is_hidden = |tag: &Tag| {
        let is_control = tag.name == "button"
            && tag
                .get("class")
                .is_some_and(|class| class.starts_with("svc-"));
        is_control
            || matches!(
                &*tag.name,
                "svg" | "math" | "template" | "select" | "noscript"
            )
            || tag.get("hidden").is_some()
            || tag.get("aria-hidden") == Some("true")
            || LEFT_OUT.iter().any(|(class, _)| has_class(tag, class))
            || (has_samples && has_class(tag, "svc-split-aside"))
    };
    let text = text_within(html, &|tag| has_class(tag, "mdx-content"), &is_hidden);
    // The first paragraph of the description of an operation is above the content of the page.
    let lead = match route.operation.is_some() {
        true => text_within(html, &|tag| has_class(tag, "svc-lead"), &is_hidden),
        false => String::new(),
    };
    format!("{lead} {text}")
}

/// The text of the Markdown of a page without front matter, note, title, description, and what
/// has no counterpart in the text column of the page.
fn markdown_text(site: &LoadedSite, route: &Route, html: &str) -> String {
    let markdown = site.site.markdown(route, "https://docs.test");
    let (_, rest) = markdown.split_once("\n# ").expect("the page has a title");
    let (_, mut body) = rest.split_once('\n').unwrap_or((rest, ""));
    // The description is above the content of the page.
    let has_description = route
        .description
        .as_deref()
        .is_some_and(|text| !text.trim().is_empty());
    if has_description && let Some((head, behind)) = body.trim_start().split_once("\n\n") {
        body = if head.starts_with('>') { behind } else { body };
    }
    if route.operation.is_some() {
        let documents = ["\n## OpenAPI\n", "\n## Definition\n"];
        let end = documents.iter().filter_map(|title| body.rfind(title)).min();
        body = body.get(..end.unwrap_or(body.len())).unwrap_or_default();
    }
    let aside = html.split_once("id=\"content-side-layout\" aria-label=\"");
    let label = aside.and_then(|(_, rest)| rest.split('"').next());
    let title = format!("\n## {}\n", label.unwrap_or_default());
    let examples = label.and_then(|_| body.rfind(&title));
    let body = match examples {
        Some(at) if has_samples(site, route) => body[..at].to_owned(),
        Some(_) => body.replace(&title, "\n"),
        None => body.to_owned(),
    };
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.math_dollars = true;
    options.render.r#unsafe = true;
    let html = comrak::markdown_to_html(&body, &options);
    let html = format!("<body>{html}</body>");
    let is_hidden = |tag: &Tag| {
        tag.get("data-math-style").is_some() || tag.get("class") == Some("language-mermaid")
    };
    text_within(&html, &|tag| tag.name == "body", &is_hidden)
}
