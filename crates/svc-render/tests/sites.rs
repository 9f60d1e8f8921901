//! Renders all pages of real documentation sites, if they are next to the workspace.
#![expect(
    clippy::print_stdout,
    reason = "figures are for the reader of the test"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use svc_diagnostics::Diagnostic;
use svc_openapi::ApiCatalog;
use svc_render::{Highlighter, RenderContext, RenderOptions, render_article, render_page};
use svc_source::{LoadOptions, SourceTree};

fn catalog(tree: &SourceTree) -> ApiCatalog {
    let documents = tree.iter().filter_map(|(path, _)| {
        let known = [".json", ".yaml", ".yml"]
            .iter()
            .any(|end| path.ends_with(end));
        let file = tree.text(path).filter(|_| known)?;
        if !svc_openapi::looks_like_openapi(file.text()) {
            return None;
        }
        svc_openapi::parse(file).value
    });
    ApiCatalog::new(documents.collect())
}

/// Statistics of a site.
#[derive(Default)]
struct Tally {
    pages: usize,
    bytes: usize,
    empty: Vec<String>,
    codes: BTreeMap<&'static str, usize>,
    samples: BTreeMap<&'static str, Vec<String>>,
}

fn render_site(root: &Path) -> Tally {
    let tree = svc_source::load(root, &LoadOptions::default())
        .expect("the folder is readable")
        .value;
    let file = tree
        .text("docs.json")
        .expect("the site has docs.json")
        .clone();
    let config = svc_config::parse(&file, &|path| tree.text(path).cloned()).value;
    let config = config.expect("docs.json is an object");
    let pages = svc_source::pages(&tree).value;
    let catalog = catalog(&tree);
    let site_map = svc_nav::resolve(&config, &pages, &catalog).value;
    let highlighter = Highlighter::default();
    let diagrams = svc_render::DiagramCache::new();
    let cx = RenderContext {
        config: &config,
        site_map: &site_map,
        pages: &pages,
        tree: svc_render::TrackedFiles::new(&tree),
        catalog: &catalog,
        options: &RenderOptions::default(),
        highlighter: &highlighter,
        diagrams: &diagrams,
        engine: Some(&svc_render::LocalEngine),
        reader: svc_render::Reader::Human,
    };
    let mut tally = Tally::default();
    for route in site_map.routes.values() {
        let article = render_article(&cx, route);
        let whole = render_page(&cx, route, &article.value);
        assert!(
            whole.contains("<h1") || whole.contains("<body"),
            "{} has no title",
            route.path
        );
        tally.pages += 1;
        tally.bytes += article.value.html.len();
        if article.value.html.is_empty() {
            tally.empty.push(route.path.clone());
        }
        for Diagnostic {
            code,
            message,
            location,
            ..
        } in &article.diagnostics
        {
            *tally.codes.entry(code.id).or_default() += 1;
            let samples = tally.samples.entry(code.id).or_default();
            if samples.len() < 12
                && samples
                    .iter()
                    .all(|known| !known.starts_with(message.as_str()))
            {
                let location = location
                    .as_ref()
                    .map(|at| format!("{}:{}", at.file, at.start.line));
                samples.push(format!("{message} — {}", location.unwrap_or_default()));
            }
        }
        if let Some(out) = std::env::var_os("SVC_TEST_OUT") {
            let name = route.path.trim_start_matches('/').replace('/', "__");
            let site = root.file_name().unwrap_or_default();
            let dir = Path::new(&out).join(site);
            std::fs::create_dir_all(&dir).expect("the dir can be made");
            std::fs::write(
                dir.join(format!("{name}.html")),
                article.value.html.as_str(),
            )
            .expect("the file can be written");
        }
    }
    tally
}

#[test]
fn every_page_of_the_real_sites_renders() {
    let Some(root) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    for site in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        let start = Instant::now();
        let tally = render_site(&root.join(site));
        println!(
            "{site}: {} pages, {} kB of articles, {:.1} s, {} empty {:?}",
            tally.pages,
            tally.bytes / 1024,
            start.elapsed().as_secs_f64(),
            tally.empty.len(),
            tally.empty.iter().take(5).collect::<Vec<_>>(),
        );
        println!("  {:?}", tally.codes);
        if std::env::var_os("SVC_TEST_SAMPLES").is_some() {
            for (code, samples) in &tally.samples {
                for sample in samples {
                    println!("  {code}: {sample}");
                }
            }
        }
        assert!(tally.pages > 100, "{site} has {} pages", tally.pages);
        assert!(
            tally.empty.len() * 20 < tally.pages,
            "{site}: {:?}",
            tally.empty
        );
    }
}
