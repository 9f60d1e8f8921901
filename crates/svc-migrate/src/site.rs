//! From the plan of a site to its files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use svc_data::{Node, percent};
use svc_diagnostics::{Diagnostic, SourceFile};

use crate::front_matter;
use crate::markdown::{Dialect, Line, Links, Rewriter};
use crate::navigation::{self, NavNode};
use crate::path::{join, markdown_stem, parent, resolve, url_key};
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
        fields(&parts.data, heading, page, dialect)
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
    if data.get("unlisted").and_then(Node::as_bool) == Some(true) {
        out.insert("noindex".to_owned(), json!(true));
    }
    out
}

/// Resolves links between pages.
struct SiteLinks<'a> {
    repository: &'a Repository,
    /// Slugs of pages by old path.
    by_source: BTreeMap<&'a str, usize>,
    /// Slugs of pages by the key of their old URL.
    by_url: BTreeMap<String, usize>,
    assets: BTreeMap<&'a str, &'a str>,
    plan: &'a SitePlan,
}

impl<'a> SiteLinks<'a> {
    fn new(repository: &'a Repository, plan: &'a SitePlan) -> Self {
        let mut by_url = BTreeMap::new();
        for (index, page) in plan.pages.iter().enumerate() {
            for url in &page.old_urls {
                by_url.entry(url_key(url)).or_insert(index);
            }
        }
        let sources = plan.pages.iter().enumerate();
        Self {
            repository,
            by_source: sources
                .map(|(index, page)| (page.source.as_str(), index))
                .collect(),
            by_url,
            assets: plan
                .assets
                .iter()
                .map(|(old, new)| (old.as_str(), new.as_str()))
                .collect(),
            plan,
        }
    }

    fn page(&self, index: usize) -> Option<String> {
        self.plan.pages.get(index).map(|page| page_path(&page.slug))
    }

    /// The new path of a file or of an old URL; `None` if there is neither.
    fn target(&self, from: &str, path: &str) -> Option<String> {
        let decoded = percent::decode(path);
        if let Some(rest) = decoded.strip_prefix('/') {
            return self.at_root(rest);
        }
        if let Some(file) = resolve(parent(from), &decoded)
            && let Some(target) = self.file(&file)
        {
            return Some(target);
        }
        let index = *self.by_source.get(from)?;
        let old = self
            .plan
            .pages
            .get(index)?
            .old_urls
            .first()?
            .trim_start_matches('/')
            .to_owned();
        // Relative to the URL: `a/b/` is its own directory, `a/b` is in `a`.
        let dir = if old.ends_with('/') {
            old.trim_end_matches('/')
        } else {
            parent(&old)
        };
        let url = resolve(dir, &decoded)?;
        self.at_root(&url)
    }

    fn at_root(&self, url: &str) -> Option<String> {
        let below = url
            .strip_prefix(self.plan.base.as_str())
            .filter(|_| !self.plan.base.is_empty());
        let below = below.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        for url in below.into_iter().chain([url]) {
            let url = url.trim_start_matches('/');
            if let Some(index) = self.by_url.get(&url_key(url)) {
                return self.page(*index);
            }
            for root in &self.plan.roots {
                if let Some(target) = self.file(&join(root, url)) {
                    return Some(target);
                }
            }
        }
        None
    }

    fn file(&self, path: &str) -> Option<String> {
        let ends = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md"];
        for end in ends {
            let path = format!("{path}{end}");
            if let Some(index) = self.by_source.get(path.as_str()) {
                return self.page(*index);
            }
        }
        let asset = self.assets.get(path)?;
        self.repository.contains(path).then(|| format!("/{asset}"))
    }
}

impl Links for SiteLinks<'_> {
    fn resolve(&self, from: &str, destination: &str) -> String {
        let is_other = destination.is_empty()
            || destination.starts_with(['#', '{', '?'])
            || destination.starts_with("//")
            || svc_data::url_scheme(destination).is_some();
        if is_other {
            return destination.to_owned();
        }
        let end = destination.find(['#', '?']).unwrap_or(destination.len());
        let (path, rest) = destination.split_at(end);
        let path = match path.strip_prefix("~/").or_else(|| path.strip_prefix("@/")) {
            Some(rest) => format!("/src/{rest}"),
            None => path.to_owned(),
        };
        let path = path.strip_prefix("@site/").map_or_else(
            || path.clone(),
            |path| format!("/{}", path.trim_start_matches("static/")),
        );
        match self.target(from, &path) {
            Some(target) => format!("{}{rest}", percent::encode(&target, percent::PATH)),
            None => destination.to_owned(),
        }
    }
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
        let target = match links.target("", target) {
            Some(path) => path,
            None => target.clone(),
        };
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
