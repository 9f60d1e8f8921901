//! `nav`: from a parsed configuration and an index of pages to the site map.

use std::hint::black_box;
use std::io;

use serde_json::{Value, json};
use svc_config::SiteConfig;
use svc_diagnostics::SourceFile;
use svc_nav::resolve;
use svc_openapi::ApiCatalog;
use svc_source::{PageIndex, SourceTree, pages};

use crate::{BenchRepository, Row, median};

const LANGUAGES: &[&str] = &["en", "es", "fr", "de"];
const VERSIONS: usize = 40;
const GROUPS: usize = 12;
const PAGES: usize = 12;

/// The site map of a large site: every language contains every version.
pub(crate) fn nav(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let (config, index) = build_config()?;
    let catalog = ApiCatalog::default();
    let mut counted = (0, 0, 0);
    let time = median(9, || {
        let checked = resolve(black_box(&config), &index, &catalog);
        let map = &checked.value;
        let lengths = map.routes.keys().step_by(997).map(|path| {
            let nodes = map.sidebar(path).iter().map(svc_nav::NavNode::count);
            nodes.sum::<usize>()
        });
        counted = (
            map.entries.len(),
            checked.diagnostics.len(),
            lengths.max().unwrap_or(0),
        );
        Ok(())
    })?;
    let (entries, problems, max_length) = counted;
    rows.push(Row {
        name: format!("nav, {entries} entries"),
        figure: format!("{:.1} ms", time.as_secs_f64() * 1e3),
        detail: format!(
            "{} languages of {VERSIONS} versions, {problems} problems; a sidebar has {max_length} nodes; one thread, 9 runs",
            LANGUAGES.len()
        ),
    });
    let map = resolve(&config, &index, &catalog).value;
    let middle = map.routes.get_index(map.routes.len() / 2);
    let path = middle.map(|(path, _)| path.clone()).unwrap_or_default();
    let time = median(9, || {
        for _ in 0..100 {
            black_box(map.divisions(black_box(&path)));
            black_box(map.breadcrumbs(&path));
        }
        Ok(())
    })?;
    rows.push(Row {
        name: "nav, around one page".to_owned(),
        figure: format!("{:.1} µs", time.as_secs_f64() * 1e4),
        detail: format!(
            "switchers with the matching page in {} divisions, and breadcrumbs",
            LANGUAGES.len() + VERSIONS
        ),
    });
    Ok(())
}

/// Returns a configuration and its pages.
fn build_config() -> io::Result<(SiteConfig, PageIndex)> {
    let mut files: Vec<(String, String)> = Vec::new();
    let languages: Vec<Value> = LANGUAGES
        .iter()
        .map(|language| {
            let versions: Vec<Value> = (0..VERSIONS)
                .map(|version| {
                    let dir = format!("{language}/v{version}");
                    json!({"version": format!("v{version}"), "groups": groups(&dir, &mut files)})
                })
                .collect();
            json!({"language": language, "versions": versions})
        })
        .collect();
    let docs = json!({
        "theme": "svc", "name": "Made", "colors": {"primary": "#0f766e"},
        "navigation": {"languages": languages}
    });
    let file = SourceFile::new("docs.json", docs.to_string());
    let config = svc_config::parse(&file, &|_| None).value;
    let config = config.ok_or_else(|| io::Error::other("the made configuration is not read"))?;
    let index = pages(&SourceTree::from_files(files)).value;
    Ok((config, index))
}

fn groups(dir: &str, files: &mut Vec<(String, String)>) -> Vec<Value> {
    let group = |group: usize| {
        let pages: Vec<String> = (0..PAGES)
            .map(|page| format!("{dir}/part-{group}/page-{page}"))
            .collect();
        for path in &pages {
            let text = format!("---\ntitle: \"The page {path}\"\nicon: book\n---\n\nText.\n");
            files.push((format!("{path}.mdx"), text));
        }
        json!({"group": format!("Part {group}"), "icon": "folder", "pages": pages})
    };
    (0..GROUPS).map(group).collect()
}
