//! Renders a page or a small site, for tests.

use svc_openapi::ApiCatalog;
use svc_source::SourceTree;

use crate::article::{Article, render_article};
use crate::code::Highlighter;
use crate::ctx::{Reader, RenderContext, RenderOptions};
use crate::diagram::DiagramCache;
use crate::site_options::SiteOptions;

/// A rendered page with its diagnostics.
pub(crate) struct RenderedPage {
    pub(crate) article: Article,
    pub(crate) html: String,
    /// Code, message and hint of each diagnostic.
    pub(crate) problems: Vec<String>,
}

impl RenderedPage {
    /// The codes of all diagnostics.
    pub(crate) fn codes(&self) -> Vec<&str> {
        self.problems
            .iter()
            .filter_map(|text| text.split(": ").next())
            .collect()
    }

    /// Depth, id and text of the entries of the table of contents.
    pub(crate) fn toc(&self) -> Vec<String> {
        let entry = |item: &crate::TocItem| format!("{} {} {}", item.depth, item.id, item.text);
        self.article.toc.iter().map(entry).collect()
    }
}

/// Renders a site of one page.
pub(crate) fn page(mdx: &str) -> RenderedPage {
    render(vec![("a.mdx".to_owned(), mdx.to_owned())], "/a", "")
}

/// Renders the page at `path` of a site in the form `//- /name` and content.
pub(crate) fn site(files: &str, path: &str) -> RenderedPage {
    site_at(files, path, "")
}

/// Like [`site`], served under a base path.
pub(crate) fn site_at(files: &str, path: &str, base: &str) -> RenderedPage {
    render(parts(files), path, base)
}

/// The files of a site in the form `//- /name` and content.
fn parts(files: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in files.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("//- /") {
            all.push((name.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = all.last_mut() {
            text.push_str(line);
        }
    }
    all
}

/// Renders a site of one page for agents.
pub(crate) fn agent_page(mdx: &str) -> RenderedPage {
    let files = vec![("a.mdx".to_owned(), mdx.to_owned())];
    with_context(files, RenderOptions::default(), |cx| {
        let cx = RenderContext {
            reader: Reader::Agent,
            ..cx.clone()
        };
        rendered(&cx, "/a")
    })
}

/// The codes and lines of the accessibility problems of the page at `path`, and the HTML that was
/// checked, without the marks of locations.
pub(crate) fn accessibility(files: &str, path: &str) -> (Vec<String>, String) {
    with_context(parts(files), RenderOptions::default(), |cx| {
        let route = cx.site_map.routes.get(path).expect("the page has a route");
        let problems = crate::check_accessibility(cx, route);
        let line = |one: &svc_diagnostics::Diagnostic| {
            format!("{} {}", one.code.id, one.location_string())
        };
        let (article, _) = crate::article::marked_article(cx, route);
        let html = article.html.as_str();
        let mut parts = html.split(" data-svc-at=\"");
        let mut unmarked = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            unmarked.push_str(part.split_once('"').map_or("", |(_, rest)| rest));
        }
        for mark in [" data-svc-without-alt", " data-svc-without-title"] {
            unmarked = unmarked.replace(mark, "");
        }
        (problems.iter().map(line).collect(), unmarked)
    })
}

fn render(files: Vec<(String, String)>, path: &str, base: &str) -> RenderedPage {
    let options = RenderOptions {
        site: SiteOptions {
            base_path: base.to_owned(),
            ..SiteOptions::default()
        },
        ..RenderOptions::default()
    };
    with_context(files, options, |cx| rendered(cx, path))
}

fn rendered(cx: &RenderContext<'_>, path: &str) -> RenderedPage {
    let route = cx.site_map.routes.get(path).expect("the page has a route");
    let checked = render_article(cx, route);
    let problem = |diagnostic: &svc_diagnostics::Diagnostic| {
        format!(
            "{}: {} ({})",
            diagnostic.code.id,
            diagnostic.message,
            diagnostic.hint.as_deref().unwrap_or("")
        )
    };
    let problems = checked.diagnostics.iter().map(problem).collect();
    let html = checked.value.html.as_str().to_owned();
    RenderedPage {
        article: checked.value,
        html,
        problems,
    }
}

/// Renders the complete document of the page at `path` of a site in the form of [`site`].
pub(crate) fn document(files: &str, path: &str) -> String {
    document_with(files, path, RenderOptions::default())
}

/// Like [`document`], with render options.
pub(crate) fn document_with(files: &str, path: &str, options: RenderOptions) -> String {
    with_context(parts(files), options, |cx| {
        let route = cx.site_map.routes.get(path).expect("the page has a route");
        let article = render_article(cx, route).value;
        crate::render_page(cx, route, &article)
    })
}

/// Calls `then` with the context of a site in memory.
fn with_context<T>(
    mut files: Vec<(String, String)>,
    options: RenderOptions,
    then: impl FnOnce(&RenderContext<'_>) -> T,
) -> T {
    if !files.iter().any(|(name, _)| name == "docs.json") {
        let config = r##"{"theme": "svc", "name": "Test", "colors": {"primary": "#112233"}, "navigation": {"pages": ["a"]}, "variables": {"product": "Svc <b>X</b>"}}"##;
        files.push(("docs.json".to_owned(), config.to_owned()));
    }
    let tree = SourceTree::from_files(files);
    let file = tree.text("docs.json").expect("it was added").clone();
    let config = svc_config::parse(&file, &|path| tree.text(path).cloned()).value;
    let config = config.expect("it is an object");
    let pages = svc_source::pages(&tree).value;
    let tool_lists = config.tool_lists();
    let documents = tree
        .iter()
        .filter_map(|(path, _)| tree.text(path))
        .filter_map(|file| match tool_lists.contains(&**file.path()) {
            true => svc_openapi::parse_tools(file).value,
            false if svc_openapi::looks_like_openapi(file.text()) => svc_openapi::parse(file).value,
            false => None,
        });
    let catalog = ApiCatalog::new(documents.collect());
    let site_map =
        svc_nav::resolve_for(svc_nav::Audience::Trusted, &config, &pages, &catalog).value;
    let highlighter = Highlighter::default();
    let diagram_cache = DiagramCache::new();
    let cx = RenderContext {
        config: &config,
        site_map: &site_map,
        pages: &pages,
        tree: crate::TrackedFiles::new(&tree),
        catalog: &catalog,
        options: &options,
        highlighter: &highlighter,
        diagrams: &diagram_cache,
        engine: Some(&crate::LocalEngine),
        reader: Reader::Human,
    };
    then(&cx)
}
