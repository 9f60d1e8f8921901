//! The page with the results of a search, for readers without scripts.

use svc_data::percent;
use svc_search::Snippet;

use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::{Messages, messages};
use crate::url::resolve_url;

/// The results of a search, for [`search_page`].
#[derive(Debug, Clone, Default)]
pub struct SearchPage<'a> {
    /// Query as the reader typed it.
    pub query: &'a str,
    /// Language of the reader.
    pub language: Option<&'a str>,
    /// Filters of the query: names and values of facets.
    pub filters: &'a [(&'a str, &'a str)],
    /// Names and values of the facets that a reader can select.
    pub offered: Vec<(&'a str, Vec<&'a str>)>,
    /// Path of the page without base path.
    pub path: &'a str,
    /// Number of pages that match.
    pub total: usize,
    /// The query without typing errors.
    pub correction: Option<&'a str>,
    /// The results on this page.
    pub results: Vec<SearchPageResult<'a>>,
    /// Number of results before those of the next page.
    pub next: Option<usize>,
}

/// A result of a search.
#[derive(Debug, Clone)]
pub struct SearchPageResult<'a> {
    /// Path and fragment, percent-encoded, without base path.
    pub href: String,
    /// Elements of the navigation around the page.
    pub group: Option<&'a str>,
    /// Title of the page.
    pub title: &'a Snippet,
    /// Heading of the section; empty for the beginning of the page.
    pub heading: &'a Snippet,
    /// Text of the section.
    pub snippet: &'a Snippet,
}

/// Renders the page with the results of a search.
pub fn search_page(cx: &RenderContext<'_>, page: &SearchPage<'_>) -> String {
    let texts = messages(page.language);
    let mut html = form(cx, page, texts);
    if let Some(correction) = page.correction {
        html.lit("<p>").esc(texts.did_you_mean).lit(" <a");
        html.attr("href", &href(cx, page, correction, None));
        html.lit(">").esc(correction).lit("</a></p>");
    }
    if !page.query.trim().is_empty() {
        html.lit("<p class=\"svc-search-count\" role=\"status\">");
        if page.total == 0 {
            html.esc(&texts.no_results.replace("{}", page.query));
            html.lit("</p><p>").esc(texts.search_hint);
        } else {
            html.esc(&texts.result_count.replace("{}", &page.total.to_string()));
        }
        html.lit("</p>");
    }
    html.lit("<ol class=\"svc-search-list\">");
    for result in &page.results {
        let item = item(cx, result);
        html.add(&item);
    }
    html.lit("</ol>");
    if let Some(next) = page.next {
        html.lit("<p><a class=\"svc-cta\" rel=\"next\"");
        html.attr("href", &href(cx, page, page.query, Some(next)));
        html.lit(">").esc(texts.more_results).lit("</a></p>");
    }
    let language = page.language.map(str::to_owned);
    crate::page::notice(cx, texts.search, language, html, None)
}

fn form(cx: &RenderContext<'_>, page: &SearchPage<'_>, texts: &Messages) -> Html {
    let mut html = Html::literal("<form class=\"svc-search-form\" role=\"search\"");
    html.attr(
        "action",
        &resolve_url(&cx.options.site.base_path, page.path),
    );
    html.lit("><input type=\"search\" name=\"q\" autocomplete=\"off\" spellcheck=\"false\"");
    html.attr("value", page.query);
    html.attr("aria-label", texts.search_documentation);
    html.lit(">");
    let selects: Vec<_> = page
        .offered
        .iter()
        .filter_map(|(name, values)| {
            let label = label(name, texts).filter(|_| values.len() > 1)?;
            Some((*name, label, values))
        })
        .collect();
    let has_select = |name: &str| selects.iter().any(|(own, _, _)| *own == name);
    for (name, value) in page.filters.iter().filter(|(name, _)| !has_select(name)) {
        html.lit("<input type=\"hidden\"");
        html.attr("name", name).attr("value", value).lit(">");
    }
    html.lit("<button type=\"submit\" class=\"svc-cta\">");
    html.esc(texts.search).lit("</button>");
    for (name, label, values) in &selects {
        html.lit("<select")
            .attr("name", name)
            .attr("aria-label", label);
        html.lit("><option value=\"\">").esc(label).lit(": ");
        html.esc(texts.any_value).lit("</option>");
        for value in *values {
            html.lit("<option").attr("value", value);
            html.flag("selected", page.filters.contains(&(*name, *value)));
            html.lit(">").esc(value).lit("</option>");
        }
        html.lit("</select>");
    }
    html.lit("</form>");
    html
}

/// The label of a facet that has a select box.
fn label(name: &str, texts: &Messages) -> Option<&'static str> {
    Some(match name {
        "version" => texts.version,
        "product" => texts.product,
        "tag" => texts.tag,
        "method" => texts.method,
        _ => return None,
    })
}

/// The URL of the page with another query or other results.
fn href(
    cx: &RenderContext<'_>,
    page: &SearchPage<'_>,
    text: &str,
    cursor: Option<usize>,
) -> String {
    let cursor = cursor.map(|cursor| cursor.to_string());
    let cursor = cursor.as_deref().map(|cursor| ("cursor", cursor));
    let filters = page.filters.iter().copied();
    let parameters = [("q", text)].into_iter().chain(filters).chain(cursor);
    let encode = |text| percent::encode(text, percent::URI_COMPONENT);
    let parameters = parameters.map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    let path = resolve_url(&cx.options.site.base_path, page.path);
    format!("{path}?{}", parameters.collect::<Vec<_>>().join("&"))
}

fn item(cx: &RenderContext<'_>, result: &SearchPageResult<'_>) -> Html {
    let mut html = Html::literal("<li>");
    if let Some(group) = result.group {
        html.lit("<span class=\"svc-search-group\">")
            .esc(group)
            .lit("</span>");
    }
    html.lit("<a");
    html.attr(
        "href",
        &format!("{}{}", cx.options.site.base_path, result.href),
    );
    html.lit(">").add(&marked(result.title));
    if !result.heading.text.is_empty() {
        html.lit(" › ").add(&marked(result.heading));
    }
    html.lit("</a><p>")
        .add(&marked(result.snippet))
        .lit("</p></li>");
    html
}

/// Text with its marks.
fn marked(snippet: &Snippet) -> Html {
    let mut html = Html::new();
    let mut end = 0;
    let text = |range| snippet.text.get(range).unwrap_or_default();
    for mark in &snippet.marks {
        html.esc(text(end..mark.start)).lit("<mark>");
        html.esc(text(mark.clone())).lit("</mark>");
        end = mark.end;
    }
    html.esc(text(end..snippet.text.len()));
    html
}
