//! `render`: from the text of a page to its HTML, including the frame, on one thread.

use std::io;
use std::time::{Duration, Instant};

use svc_render::{
    DiagramCache, Highlighter, RenderContext, RenderOptions, render_article, render_page,
};
use svc_site::Site;
use svc_tests::loaded_site::LoadedSite;

use crate::{BenchRepository, Row, megabytes, per_second, processor_time};

/// Number of runs whose median is reported.
const RUNS: usize = 3;

/// Total times of one configuration over all repositories.
#[derive(Default)]
struct Total {
    pages: usize,
    bytes: usize,
    time: Duration,
}

/// Renders all pages of loaded sites: with empty caches, with warm caches and without highlighting.
pub(crate) fn render(repositories: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let mut totals = [Total::default(), Total::default(), Total::default()];
    for repository in repositories {
        let loaded_site = LoadedSite::load(&repository.root)?;
        let site = &loaded_site.site;
        let bytes = site.map.routes.values().filter_map(|route| {
            let page = site.page_of(route)?;
            Some(page.file.text().len())
        });
        let bytes: usize = bytes.sum();
        let fresh = || svc_render::site_highlighter(&site.config, &site.tree).value;
        let warm = (fresh(), DiagramCache::new());
        render_pages(site, &warm.0, &warm.1);
        let plain = Highlighter::new().plain();
        let modes: [(&str, &dyn Fn() -> Duration); 3] = [
            ("cold", &|| {
                render_pages(site, &fresh(), &DiagramCache::new())
            }),
            ("warm", &|| render_pages(site, &warm.0, &warm.1)),
            ("without highlighting", &|| {
                render_pages(site, &plain, &warm.1)
            }),
        ];
        for ((name, measure), total) in modes.into_iter().zip(&mut totals) {
            let mut times: Vec<Duration> = (0..RUNS).map(|_| measure()).collect();
            times.sort_unstable();
            let time = times.get(RUNS / 2).copied().unwrap_or_default();
            let pages = site.map.routes.len();
            total.pages += pages;
            total.bytes += bytes;
            total.time += time;
            rows.push(row(
                &format!("{}, {name}", repository.name),
                pages,
                bytes,
                time,
            ));
        }
    }
    let [cold, warm, plain] = &totals;
    for (name, total) in [
        ("cold", cold),
        ("warm", warm),
        ("without highlighting", plain),
    ] {
        rows.push(row(
            &format!("all, {name}"),
            total.pages,
            total.bytes,
            total.time,
        ));
    }
    let highlighting = warm.time.saturating_sub(plain.time).as_secs_f64();
    rows.push(Row {
        name: "render: share of highlighting".to_owned(),
        figure: format!(
            "{:.0} %",
            highlighting / warm.time.as_secs_f64().max(1e-9) * 100.0
        ),
        detail: "of the processor time, warm".to_owned(),
    });
    Ok(())
}

fn row(name: &str, pages: usize, bytes: usize, time: Duration) -> Row {
    Row {
        name: format!("render: {name}"),
        figure: format!("{:.0} pages/s", per_second(pages, time)),
        detail: format!(
            "{pages} pages, {} of source, per second of one processor, {RUNS} runs",
            megabytes(bytes, time)
        ),
    }
}

/// Returns the processor time of rendering all pages.
fn render_pages(site: &Site, highlighter: &Highlighter, diagrams: &DiagramCache) -> Duration {
    let cx = RenderContext {
        config: &site.config,
        site_map: &site.map,
        pages: &site.pages,
        tree: svc_render::TrackedFiles::new(&site.tree),
        catalog: &site.catalog,
        options: &RenderOptions::default(),
        highlighter,
        diagrams,
        engine: Some(&svc_render::LocalEngine),
        reader: svc_render::Reader::Human,
    };
    let (clock, before) = (Instant::now(), processor_time());
    let mut written = 0;
    for route in site.map.routes.values() {
        let article = render_article(&cx, route);
        written += render_page(&cx, route, &article.value).len();
    }
    std::hint::black_box(written);
    let processor = processor_time().zip(before).map(|(now, then)| now - then);
    processor.unwrap_or_else(|| clock.elapsed())
}
