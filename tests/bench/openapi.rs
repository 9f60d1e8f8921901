//! `openapi`: sites of one large OpenAPI document each: loading, the first page, all pages.

use std::io;
use std::time::{Duration, Instant};

use svc_render::{
    DiagramCache, Highlighter, RenderContext, RenderOptions, render_article, render_page,
};
use svc_site::Site;
use svc_tests::loaded_site::LoadedSite;

use crate::{BenchRepository, Row, megabytes, processor_time, status};

/// The documents, the largest last: memory that an earlier one released hides the increase of the
/// next.
const DOCUMENTS: [&str; 3] = ["polar-2026-04", "stripe-2022-04", "github-api"];
/// Number of runs whose median is reported.
const RUNS: usize = 3;

/// Every operation of each document as a page of a site.
pub(crate) fn openapi(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    for name in DOCUMENTS {
        let Some(path) = svc_test_support::reference_path(&format!("corpus/specs/{name}.json"))
        else {
            rows.push(Row {
                name: format!("openapi, {name}"),
                figure: "skipped".to_owned(),
                detail: "the document is not on this machine".to_owned(),
            });
            continue;
        };
        one(name, &std::fs::read_to_string(path)?, rows)?;
    }
    Ok(())
}

fn one(name: &str, text: &str, rows: &mut Vec<Row>) -> io::Result<()> {
    let config = r##"{"theme": "svc", "name": "T", "colors": {"primary": "#16a34a"}, "navigation": {"openapi": "api.json"}}"##;
    let files = [("docs.json", config), ("api.json", text)];
    let before = status("VmRSS:").unwrap_or(0);
    let (time, loaded_site) = timed(|| LoadedSite::of_files(files));
    let loaded_site = loaded_site?;
    let memory = status("VmRSS:").unwrap_or(0).saturating_sub(before);
    let site = &*loaded_site.site;
    let highlighter = svc_render::site_highlighter(&site.config, &site.tree).value;
    let (first, _) = timed(|| render(site, &highlighter, 1));
    rows.push(Row {
        name: format!("openapi, {name}: load"),
        figure: milliseconds(time),
        detail: format!(
            "{}, {} pages, +{} MB resident, the first page {} more",
            megabytes(text.len(), time),
            site.map.routes.len(),
            memory / 1024,
            milliseconds(first),
        ),
    });
    let mut max_page = (0, String::new());
    let mut elements = (0, String::new());
    let cx = context(site, &highlighter);
    for route in site.map.routes.values() {
        let html = render_page(&cx, route, &render_article(&cx, route).value);
        max_page = max_page.max((html.len(), route.path.clone()));
        let count = svc_tests::markup::elements(&html);
        elements = elements.max((count, route.path.clone()));
    }
    for (label, highlighter) in [
        ("all pages", &highlighter),
        (
            "all pages without highlighting",
            &Highlighter::new().plain(),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..RUNS {
            // A new site: documents cache the examples that they generate.
            let loaded_site = LoadedSite::of_files(files)?;
            times.push(timed(|| render(&loaded_site.site, highlighter, usize::MAX)).0);
        }
        times.sort_unstable();
        let time = times.get(RUNS / 2).copied().unwrap_or_default();
        rows.push(Row {
            name: format!("openapi, {name}: {label}"),
            figure: milliseconds(time),
            detail: format!(
                "of one processor, {RUNS} runs; the largest has {} kB, the fullest {} elements",
                max_page.0 / 1000,
                elements.0
            ),
        });
    }
    Ok(())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

/// Returns the processor time of some work.
fn timed<T>(task: impl FnOnce() -> T) -> (Duration, T) {
    let (clock, before) = (Instant::now(), processor_time());
    let made = task();
    let processor = processor_time().zip(before).map(|(now, then)| now - then);
    (processor.unwrap_or_else(|| clock.elapsed()), made)
}

fn context<'a>(site: &'a Site, highlighter: &'a Highlighter) -> RenderContext<'a> {
    // API references contain no diagrams.
    static DIAGRAM_CACHE: std::sync::LazyLock<DiagramCache> =
        std::sync::LazyLock::new(DiagramCache::new);
    static OPTIONS: std::sync::LazyLock<RenderOptions> =
        std::sync::LazyLock::new(RenderOptions::default);
    RenderContext {
        config: &site.config,
        site_map: &site.map,
        pages: &site.pages,
        tree: svc_render::TrackedFiles::new(&site.tree),
        catalog: &site.catalog,
        options: &OPTIONS,
        highlighter,
        diagrams: &DIAGRAM_CACHE,
        engine: Some(&svc_render::LocalEngine),
        reader: svc_render::Reader::Human,
    }
}

fn render(site: &Site, highlighter: &Highlighter, count: usize) {
    let cx = context(site, highlighter);
    for route in site.map.routes.values().take(count) {
        let article = render_article(&cx, route);
        std::hint::black_box(render_page(&cx, route, &article.value).len());
    }
}
