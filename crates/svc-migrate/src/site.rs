//! From the plan of a site to its files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use svc_data::Node;
use svc_diagnostics::{Diagnostic, SourceFile};

use crate::front_matter;
use crate::links::SiteLinks;
use crate::markdown::{Dialect, Line, Links as _, Rewriter};
use crate::navigation::{self, NavNode};
use crate::path::{join, markdown_stem, parent, url_key};
use crate::{MigratedPage, Migration, OutputFile, Repository};

/// A page to convert.
#[derive(Debug, Clone)]
pub(crate) struct PagePlan {
    /// Path in the old repository.
    pub(crate) source: String,
    /// Path in the new repository without extension.
    pub(crate) slug: String,
    /// URL paths on the old site, the usual one first.
    pub(crate) old_urls: Vec<String>,
    /// Name in the navigation, if it is not the title.
    pub(crate) sidebar_title: Option<String>,
}

/// What the module of a format finds out about a site.
#[derive(Debug, Default)]
pub(crate) struct SitePlan {
    pub(crate) pages: Vec<PagePlan>,
    /// Further front matter of pages by slug.
    pub(crate) fields: BTreeMap<String, Map<String, Value>>,
    /// Paths of files that are copied: old and new.
    pub(crate) assets: Vec<(String, String)>,
    /// URL path below which the old site was served, without slashes.
    pub(crate) base: String,
    /// Directories whose paths in URLs begin at the root: `static` of Docusaurus.
    pub(crate) roots: Vec<String>,
    /// Settings of docs.json besides navigation and redirects.
    pub(crate) config: Map<String, Value>,
    /// `navigation` of docs.json.
    pub(crate) navigation: Value,
    /// Links of the navigation to other sites: slug, title and URL.
    pub(crate) external: Vec<(String, String, String)>,
    /// Redirects of the old site.
    pub(crate) redirects: Vec<(String, String)>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl PagePlan {
    /// A part that pages import or that is included in them, not a page of its own.
    pub(crate) fn snippet(source: &str, stem: &str) -> Self {
        let stem = stem.replace("/_", "/");
        Self {
            source: source.to_owned(),
            slug: join("snippets", stem.trim_start_matches('_')),
            old_urls: Vec::new(),
            sidebar_title: None,
        }
    }
}

/// The settings of docs.json that every site has.
pub(crate) fn settings(name: Option<&str>, description: Option<&str>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert(
        "$schema".to_owned(),
        json!("https://svc.dev/schema/docs.json"),
    );
    out.insert("theme".to_owned(), json!("svc"));
    out.insert("name".to_owned(), json!(name.unwrap_or("Documentation")));
    if let Some(text) = description {
        out.insert("description".to_owned(), json!(text));
    }
    out
}

/// Text of a page after the format's own processing, such as includes.
pub(crate) type Prepare<'a> = &'a dyn Fn(&SourceFile, Vec<Line>, &mut Vec<Diagnostic>) -> Vec<Line>;

/// Converts all pages and writes docs.json.
pub(crate) fn build(
    repository: &Repository,
    plan: SitePlan,
    dialect: &Dialect,
    prepare: Prepare<'_>,
) -> Migration {
    let links = SiteLinks::new(repository, &plan);
    let mut migration = Migration {
        diagnostics: plan.diagnostics.clone(),
        ..Migration::default()
    };
    for page in &plan.pages {
        let Some(file) = repository.text(&page.source) else {
            continue;
        };
        let text = convert(
            file,
            page,
            &links,
            dialect,
            prepare,
            &mut migration.diagnostics,
        );
        let output = format!("{}.mdx", page.slug);
        if page.slug.starts_with("snippets/") {
            migration.files.insert(output, OutputFile::Text(text));
            continue;
        }
        migration.pages.push(MigratedPage {
            source: page.source.clone(),
            path: page_path(&page.slug),
            output: output.clone(),
            old_urls: page
                .old_urls
                .iter()
                .map(|url| format!("/{}", join(&plan.base, url.trim_start_matches('/'))))
                .collect(),
        });
        migration.files.insert(output, OutputFile::Text(text));
    }
    for (slug, title, url) in &plan.external {
        let mut fields = Map::new();
        fields.insert("title".to_owned(), json!(title));
        fields.insert("url".to_owned(), json!(url));
        let text = front_matter::print(&fields);
        migration
            .files
            .insert(format!("{slug}.mdx"), OutputFile::Text(text));
    }
    for (source, output) in &plan.assets {
        migration
            .files
            .entry(output.clone())
            .or_insert_with(|| OutputFile::Copy(source.clone()));
    }
    let mut config = plan.config.clone();
    config.insert("navigation".to_owned(), plan.navigation.clone());
    let redirects = redirects(&plan, &links);
    if !redirects.is_empty() {
        config.insert("redirects".to_owned(), Value::Array(redirects));
    }
    let text = format!("{:#}\n", Value::Object(config));
    migration
        .files
        .insert("docs.json".to_owned(), OutputFile::Text(text));
    if let Some(text) = ignore_file(&migration.files) {
        migration
            .files
            .insert(".svcignore".to_owned(), OutputFile::Text(text));
    }
    migration
}

/// The URL path of a page.
pub(crate) fn page_path(slug: &str) -> String {
    format!("/{}", url_key(slug))
}

fn convert(
    file: &SourceFile,
    page: &PagePlan,
    links: &SiteLinks<'_>,
    dialect: &Dialect,
    prepare: Prepare<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let parts = front_matter::split(file);
    let mut body = prepare(file, parts.body, diagnostics);
    let heading = front_matter::take_title(&mut body);
    let fields = if page.slug.starts_with("snippets/") {
        Map::new()
    } else {
        let mut fields = fields(&parts.data, heading, page, dialect);
        fields.extend(
            links
                .plan
                .fields
                .get(&page.slug)
                .cloned()
                .unwrap_or_default(),
        );
        fields
    };
    let mut dialect = dialect.clone();
    if dialect.has_plain_markdown && !file.path().ends_with(".mdx") {
        dialect.mdx = false;
    }
    let mut rewriter = Rewriter::new(file, links, &dialect);
    let text = rewriter.rewrite(body);
    diagnostics.append(&mut rewriter.diagnostics);
    format!(
        "{}{}",
        front_matter::print(&fields),
        text.trim_start_matches('\n')
    )
}

/// The front matter of the new page.
fn fields(
    data: &Node,
    heading: Option<String>,
    page: &PagePlan,
    dialect: &Dialect,
) -> Map<String, Value> {
    let mut out = Map::new();
    let own = front_matter::field(data, "title");
    let label = front_matter::field(data, "sidebar_label").or_else(|| {
        data.get("sidebar")
            .and_then(|it| front_matter::field(it, "label"))
    });
    // Material shows the heading on the page and the title in the navigation.
    let (title, short) = match (heading, own) {
        (Some(heading), Some(own)) if dialect.python => (heading, Some(own)),
        (Some(heading), own) => (heading, own),
        (None, Some(own)) => (own, None),
        (None, None) => match &page.sidebar_title {
            Some(title) => (title.clone(), None),
            None => {
                let name = url_key(&page.slug);
                let name = name.rsplit('/').next().unwrap_or_default();
                let name = if name.is_empty() { "Home" } else { name };
                (crate::path::title_of(name), None)
            }
        },
    };
    let short = page.sidebar_title.clone().or(label).or(short);
    if let Some(short) = short.filter(|short| *short != title) {
        out.insert("sidebarTitle".to_owned(), json!(short));
    }
    out.insert("title".to_owned(), json!(title));
    let excerpt = front_matter::field(data, "excerpt");
    if let Some(text) = excerpt.filter(|_| data.get("description").is_none()) {
        out.insert("description".to_owned(), json!(text.trim()));
    }
    for key in ["description", "keywords", "tags"] {
        let value = data.get(key).filter(|value| !value.is_null());
        let name = if key == "tags" { "keywords" } else { key };
        match value.map(Node::to_json) {
            Some(Value::String(text)) if key == "description" => {
                out.insert(name.to_owned(), json!(text.trim()));
            }
            Some(Value::Array(all)) if key != "description" => {
                let all: Vec<Value> = all.into_iter().filter(Value::is_string).collect();
                out.insert(name.to_owned(), Value::Array(all));
            }
            _ => {}
        }
    }
    let icon = front_matter::field(data, "icon");
    if let Some(icon) = icon.and_then(|icon| crate::markdown::icon_of_path(&icon)) {
        out.insert("icon".to_owned(), json!(icon));
    }
    let hides_toc = data
        .get("hide")
        .and_then(Node::as_array)
        .is_some_and(|all| all.iter().any(|item| item.as_str() == Some("toc")));
    let is_wide = hides_toc
        || data.get("hide_table_of_contents").and_then(Node::as_bool) == Some(true)
        || data.get("tableOfContents").and_then(Node::as_bool) == Some(false);
    if is_wide {
        out.insert("mode".to_owned(), json!("wide"));
    }
    if data.get("hidden").and_then(Node::as_bool) == Some(true) {
        out.insert("hidden".to_owned(), json!(true));
    }
    if data.get("unlisted").and_then(Node::as_bool) == Some(true) {
        out.insert("noindex".to_owned(), json!(true));
    }
    out
}

/// Redirects from all old URLs that are not the path of their page.
fn redirects(plan: &SitePlan, links: &SiteLinks<'_>) -> Vec<Value> {
    let mut seen: BTreeSet<String> = plan
        .pages
        .iter()
        .map(|page| page_path(&page.slug))
        .collect();
    let mut out = Vec::new();
    let mut add = |source: String, target: &str| {
        let source = match source.trim_end_matches('/') {
            "" => "/".to_owned(),
            source => source.to_owned(),
        };
        if source != target && seen.insert(source.clone()) {
            out.push(json!({ "source": source, "destination": target }));
        }
    };
    for page in &plan.pages {
        for url in &page.old_urls {
            add(
                format!("/{}", url.trim_matches('/')),
                &page_path(&page.slug),
            );
        }
    }
    for (source, target) in &plan.redirects {
        let target = links.resolve("", target);
        add(format!("/{}", source.trim_matches('/')), &target);
    }
    if !plan.base.is_empty() {
        let source = format!("/{}/:path*", plan.base);
        add(source, "/:path*");
        add(format!("/{}", plan.base), "/");
    }
    out
}

/// Includes folders with names that are ignored by default.
fn ignore_file(files: &BTreeMap<String, OutputFile>) -> Option<String> {
    let mut rules = BTreeSet::new();
    for path in files.keys() {
        for dir in parent(path).split('/') {
            if ["build", "dist", "coverage", "tmp", "temp", "node_modules"].contains(&dir) {
                rules.insert(format!("!{dir}/\n"));
            }
        }
    }
    (!rules.is_empty()).then(|| rules.into_iter().collect())
}

/// Titles of pages, for the names of groups and tabs.
pub(crate) fn title_of_page(repository: &Repository, source: &str) -> Option<String> {
    let parts = front_matter::split(repository.text(source)?);
    let mut body = parts.body;
    front_matter::field(&parts.data, "title").or_else(|| front_matter::take_title(&mut body))
}

/// The new path of an old page without its extension: `README` is an index, and `snippets` at the
/// root is renamed, because files below it are no pages.
pub(crate) fn slug_of(path: &str) -> String {
    let stem = markdown_stem(path).unwrap_or(path);
    let stem = match stem.rsplit_once('/') {
        Some((dir, "README")) => format!("{dir}/index"),
        None if stem == "README" => "index".to_owned(),
        _ => stem.to_owned(),
    };
    match stem.strip_prefix("snippets/") {
        Some(rest) => format!("snippet-pages/{rest}"),
        None => stem,
    }
}

/// The navigation of one language or version.
pub(crate) fn navigation(nodes: &[NavNode], tabs: bool, plan: &mut SitePlan) -> Map<String, Value> {
    navigation::to_json(nodes, tabs, &mut plan.external)
}
