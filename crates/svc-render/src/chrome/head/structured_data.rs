//! Structured data about the page, its position and its publisher, as JSON-LD (schema.org).

use serde_json::{Map, Value, json};

use crate::chrome::{Page, View};
use crate::html::Html;
use crate::language::language_tag;
use crate::url::printed_path;

/// The script element; empty on pages that search engines must not index.
pub(super) fn render(view: &View<'_>, page: &Page<'_>) -> Html {
    let mut html = Html::new();
    if !page.is_route || view.route.noindex {
        return html;
    }
    let graph = graph(view, page);
    let data = json!({ "@context": "https://schema.org", "@graph": graph });
    // In a script element only `<` can end the data; JSON can escape it.
    let text = data.to_string().replace('<', "\\u003c");
    html.lit("<script type=\"application/ld+json\">");
    html.add(&Html::trusted(text));
    html.lit("</script>\n");
    html
}

fn graph(view: &View<'_>, page: &Page<'_>) -> Vec<Value> {
    let config = view.config();
    let home = view.public_url_or_path("/");
    let here = view
        .canonical_url(page)
        .unwrap_or_else(|| view.public_url_or_path(&printed_path(config, &view.route.path)));
    let site_id = format!("{home}#website");
    let publisher_id = publisher_id(view, &home);
    let mut graph = Vec::new();
    // Only the first page describes publisher and site completely.
    let (website, publisher) = if is_first(view) {
        graph.extend(organization(view, publisher_id.as_deref()));
        graph.push(website(view, &home, &site_id, publisher_id.as_deref()));
        let publisher = publisher_id.as_ref().map(|id| json!({ "@id": id }));
        (json!({ "@id": site_id }), publisher)
    } else {
        let website =
            json!({ "@type": "WebSite", "@id": site_id, "name": config.name, "url": home });
        (website, brief_organization(view, publisher_id.as_deref()))
    };
    let language = view.route.language.as_deref().map(language_tag);
    let language = language.map(|code| json!(code));
    let modified = view.last_modified().map(|date| json!(date));
    let breadcrumbs = breadcrumbs(view, page, &here);
    let crumbs = breadcrumbs
        .as_ref()
        .map(|_| json!({ "@id": format!("{here}#breadcrumbs") }));
    graph.push(object([
        ("@type", Some(json!("WebPage"))),
        ("@id", Some(json!(here))),
        ("url", Some(json!(here))),
        ("name", Some(json!(page.title))),
        ("isPartOf", Some(website)),
        ("breadcrumb", crumbs),
        ("inLanguage", language.clone()),
        ("dateModified", modified.clone()),
    ]));
    graph.extend(breadcrumbs);
    let kind = if view.route.operation.is_some() {
        "APIReference"
    } else {
        "TechArticle"
    };
    let description = page.description.filter(|text| !text.trim().is_empty());
    graph.push(object([
        ("@type", Some(json!(kind))),
        ("@id", Some(json!(format!("{here}#article")))),
        ("headline", Some(json!(page.title))),
        ("description", description.map(|text| json!(text))),
        ("url", Some(json!(here))),
        ("mainEntityOfPage", Some(json!({ "@id": here }))),
        ("isPartOf", Some(json!({ "@id": site_id }))),
        ("inLanguage", language),
        ("dateModified", modified),
        ("publisher", publisher),
    ]));
    graph
}

/// The id of the publisher; `None` if the site names none.
fn publisher_id(view: &View<'_>, home: &str) -> Option<String> {
    let organization = view.config().seo.organization.as_ref()?;
    let own = organization.id.clone();
    Some(own.unwrap_or_else(|| format!("{home}#organization")))
}

/// The site, with its search.
fn website(view: &View<'_>, home: &str, id: &str, publisher: Option<&str>) -> Value {
    let config = view.config();
    let language = view.cx.site_map.default_language().map(language_tag);
    let search = format!("{home}search?q={{search_term_string}}");
    let has_search_url = home.contains("://") && !view.cx.options.site.export;
    let action = json!({
        "@type": "SearchAction",
        "target": { "@type": "EntryPoint", "urlTemplate": search },
        "query-input": "required name=search_term_string",
    });
    object([
        ("@type", Some(json!("WebSite"))),
        ("@id", Some(json!(id))),
        ("name", Some(json!(config.name))),
        ("url", Some(json!(home))),
        (
            "description",
            config.description.as_ref().map(|text| json!(text)),
        ),
        ("inLanguage", language.map(|code| json!(code))),
        ("publisher", publisher.map(|id| json!({ "@id": id }))),
        // Without an origin the URL of the search is unknown; exported sites have no search page.
        ("potentialAction", has_search_url.then_some(action)),
    ])
}

/// The publisher with its name, for pages that do not describe it.
fn brief_organization(view: &View<'_>, id: Option<&str>) -> Option<Value> {
    let organization = view.config().seo.organization.as_ref()?;
    let name = organization.name.as_ref().unwrap_or(&view.config().name);
    Some(object([
        ("@type", Some(json!("Organization"))),
        ("@id", id.map(|id| json!(id))),
        ("name", Some(json!(name))),
    ]))
}

/// Whether this is the home page or the first page.
fn is_first(view: &View<'_>) -> bool {
    view.route.path == "/" || view.cx.site_map.first_page() == Some(&*view.route.path)
}

fn organization(view: &View<'_>, id: Option<&str>) -> Option<Value> {
    let config = view.config();
    let publisher = config.seo.organization.as_ref()?;
    let same = (!publisher.same_as.is_empty()).then(|| json!(publisher.same_as));
    let text = |value: &Option<String>| value.as_ref().map(|text| json!(text));
    Some(object([
        ("@type", Some(json!("Organization"))),
        ("@id", id.map(|id| json!(id))),
        (
            "name",
            Some(json!(publisher.name.as_ref().unwrap_or(&config.name))),
        ),
        ("legalName", text(&publisher.legal_name)),
        ("url", text(&publisher.url)),
        ("logo", text(&publisher.logo)),
        ("sameAs", same),
    ]))
}

/// The breadcrumbs of the page. `None` for pages outside of the navigation.
fn breadcrumbs(view: &View<'_>, page: &Page<'_>, here: &str) -> Option<Value> {
    let crumbs = view.cx.site_map.breadcrumbs(&view.route.path);
    // The last entry may be the page itself or its group.
    let mut entries: Vec<(String, Option<String>)> = crumbs
        .into_iter()
        .map(|crumb| {
            let own = crumb.href.filter(|href| href.starts_with('/'));
            let href = own.map(|href| view.public_url_or_path(&printed_path(view.config(), &href)));
            (crumb.name, href)
        })
        .filter(|(_, href)| href.as_deref() != Some(here))
        .collect();
    if entries.is_empty() {
        return None;
    }
    entries.push((page.title.to_owned(), Some(here.to_owned())));
    let list: Vec<Value> = entries
        .into_iter()
        .enumerate()
        .map(|(at, (name, href))| {
            object([
                ("@type", Some(json!("ListItem"))),
                ("position", Some(json!(at + 1))),
                ("name", Some(json!(name))),
                ("item", href.map(|href| json!(href))),
            ])
        })
        .collect();
    Some(json!({
        "@type": "BreadcrumbList",
        "@id": format!("{here}#breadcrumbs"),
        "itemListElement": list,
    }))
}

/// An object without the fields that are `None`.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let known = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(known.collect::<Map<_, _>>())
}
