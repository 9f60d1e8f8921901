//! A site that is reloaded incrementally after random edits equals the site that is loaded from its
//! directory: every page and every diagnostic. `SVC_RELOAD_EDITS=200` sets the number of edits.

#![expect(
    clippy::print_stderr,
    reason = "figures are for the reader of the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use svc_diagnostics::Checked;
use svc_site::{Changes, LoadOptions, Site, SiteOptions, load, load_incremental, reload};
use svc_tests::random::Random;
use svc_tests::sites;

type TestResult = Result<(), Box<dyn std::error::Error>>;

fn options() -> LoadOptions {
    LoadOptions::from(SiteOptions {
        dev: true,
        ..SiteOptions::default()
    })
}

/// A copy of a repository that is edited.
struct WorkingCopy {
    root: PathBuf,
    /// Paths and original content of all files of the site.
    files: Vec<(String, Vec<u8>)>,
    random: Random,
    /// Paths that were edited since the last load.
    touched: BTreeSet<String>,
    _temporary: tempfile::TempDir,
}

impl WorkingCopy {
    fn copy(from: &Path, seed: u64) -> std::io::Result<Self> {
        let temporary = tempfile::tempdir()?;
        let mut copy = Self {
            root: temporary.path().to_owned(),
            files: Vec::new(),
            random: Random::new(seed),
            touched: BTreeSet::new(),
            _temporary: temporary,
        };
        let read = svc_source::load(from, &svc_source::LoadOptions::default())?.value;
        for (path, _) in read.iter() {
            let Ok(bytes) = fs::read(from.join(path)) else {
                continue;
            };
            copy.put(path, &bytes)?;
            copy.files.push((path.to_owned(), bytes));
        }
        copy.touched.clear();
        Ok(copy)
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        let on_disk = self.root.join(path);
        if let Some(parent) = on_disk.parent() {
            fs::create_dir_all(parent)?;
        }
        // Like editors do: the new file is written next to the old one and renamed.
        let temporary = on_disk.with_extension("tmp~");
        fs::write(&temporary, bytes)?;
        fs::rename(temporary, on_disk)?;
        self.touched.insert(path.to_owned());
        Ok(())
    }

    fn remove(&mut self, path: &str) {
        // It may have been removed already.
        let _ = fs::remove_file(self.root.join(path));
        self.touched.insert(path.to_owned());
    }

    fn one(&mut self, fits: impl Fn(&str) -> bool) -> Option<(String, Vec<u8>)> {
        let fitting: Vec<&(String, Vec<u8>)> =
            self.files.iter().filter(|(path, _)| fits(path)).collect();
        self.random.pick(&fitting).map(|file| (*file).clone())
    }

    /// Makes one edit and returns its description.
    fn edit(&mut self, step: usize) -> std::io::Result<String> {
        let page = |path: &str| path.ends_with(".mdx") || path.ends_with(".md");
        let data = |path: &str| {
            (path.ends_with(".json") || path.ends_with(".yaml") || path.ends_with(".yml"))
                && path != "docs.json"
        };
        let script = |path: &str| {
            [".jsx", ".tsx", ".js", ".css"]
                .iter()
                .any(|end| path.ends_with(end))
        };
        let snippet = |path: &str| path.contains("snippets/");
        let image = |path: &str| {
            [".png", ".svg", ".jpg"]
                .iter()
                .any(|end| path.ends_with(end))
        };
        let any = |_: &str| true;
        // A site without navigation has no pages to reuse, so mistakes are reverted soon.
        if self.random.below(2) == 0 {
            let own = self
                .files
                .iter()
                .find(|(path, _)| path == "docs.json")
                .cloned();
            if let Some((path, bytes)) = own {
                self.put(&path, &bytes)?;
            }
        }
        let kind = self.random.below(16);
        let chosen = match kind {
            0..=3 | 8 => self.one(page),
            4 => self.one(snippet).or_else(|| self.one(page)),
            5 => self.one(data).or_else(|| self.one(any)),
            6 => self.one(script).or_else(|| self.one(page)),
            7 => self.one(image).or_else(|| self.one(any)),
            9 | 10 => self.one(|path| path == "docs.json"),
            _ => self.one(any),
        };
        let Some((path, original)) = chosen else {
            return Ok("nothing".to_owned());
        };
        let now = fs::read(self.root.join(&path)).unwrap_or(original.clone());
        let text = String::from_utf8_lossy(&now).into_owned();
        let other = self.one(page).map(|file| file.0).unwrap_or_default();
        let stem = other
            .trim_end_matches(".mdx")
            .trim_end_matches(".md")
            .to_owned();
        let done = match kind {
            0 | 1 | 4 => {
                let added = format!(
                    "{text}\n\nStep {step}: see [there](/{stem}) and [nowhere](/gone-{step}), ![x](/pictures/new.png).\n"
                );
                self.put(&path, added.as_bytes())?;
                "body"
            }
            2 => {
                let import = self.one(snippet).map(|file| file.0).unwrap_or_default();
                let (head, body) = split(&text);
                let added = format!(
                    "{head}\nimport New{step} from \"/{import}\"\n\n<New{step} />\n\n<Card href=\"/{stem}\">x</Card>\n{body}"
                );
                self.put(&path, added.as_bytes())?;
                "import"
            }
            3 | 8 => {
                let (_, body) = split(&text);
                let fields = [
                    "title: [broken",
                    "title: \"New title\"\ndescription: Said anew",
                    "title: New\nhidden: true",
                    "title: New\nmode: wide\nicon: nonsense-icon",
                    "title: New\nurl: https://example.com",
                    "sidebarTitle: Short",
                ];
                let fields = self.random.pick(&fields).copied().unwrap_or_default();
                self.put(&path, format!("---\n{fields}\n---\n{body}").as_bytes())?;
                "front matter"
            }
            5 | 6 => {
                let tokens = ["summary", "x", "\n", "}", "description"];
                let changed = self.random.mutate(&text, &tokens);
                self.put(&path, changed.as_bytes())?;
                "slip"
            }
            7 => {
                let bytes = [&now[..], b" "].concat();
                self.put(&path, &bytes)?;
                "picture"
            }
            9 => {
                let changed = text
                    .replacen(
                        "\"pages\": [",
                        &format!("\"pages\": [\"{stem}\", "),
                        1 + step % 3,
                    )
                    .replacen("\"name\": \"", "\"name\": \"New ", 1);
                self.put(&path, changed.as_bytes())?;
                "navigation"
            }
            10 => {
                let changed = self.random.mutate(&text, &["\"", "}", ",", "[", "x"]);
                self.put(&path, changed.as_bytes())?;
                "slip in docs.json"
            }
            11 => {
                self.remove(&path);
                "removed"
            }
            12 => {
                self.remove(&path);
                let moved = format!("moved-{step}/{path}");
                self.put(&moved, &now)?;
                self.files.push((moved, now));
                "renamed"
            }
            13 => {
                let added = format!("added-{step}.mdx");
                let text =
                    format!("---\ntitle: Added\n---\n\n[a](/{stem}) ![x](/pictures/new.png)\n");
                self.put(&added, text.as_bytes())?;
                self.put("pictures/new.png", include_bytes!("../fixtures/dot.png"))?;
                self.files.push((added, text.into_bytes()));
                "added"
            }
            14 if step.is_multiple_of(3) => {
                let dir = path.split('/').next().unwrap_or_default().to_owned();
                self.put(".svcignore", format!("{dir}/\n").as_bytes())?;
                "ignored"
            }
            _ => {
                let restored: Vec<(String, Vec<u8>)> = self.files.clone();
                let count = restored.len();
                for _ in 0..5 {
                    if let Some((path, bytes)) = restored.get(self.random.below(count)) {
                        self.put(path, bytes)?;
                    }
                }
                self.remove(".svcignore");
                let own = restored.iter().find(|(path, _)| path == "docs.json");
                if let Some((path, bytes)) = own {
                    self.put(path, bytes)?;
                }
                "restored"
            }
        };
        Ok(format!("{done} {path}"))
    }

    /// Returns the changes that the watcher would report.
    fn changes(&mut self) -> Changes {
        let touched = std::mem::take(&mut self.touched);
        if self.random.below(8) == 0 {
            return Changes::Unknown;
        }
        Changes::Paths(touched)
    }
}

fn split(text: &str) -> (&str, &str) {
    let end = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"));
    end.map_or(("", text), |end| text.split_at(end + 9))
}

/// Edits a copy of a repository and compares after each step; at most `max_pages` pages each time.
fn compare(from: &Path, seed: u64, edits: usize, max_pages: usize) -> TestResult {
    let mut copy = WorkingCopy::copy(from, seed)?;
    let root = copy.root.clone();
    let Checked {
        value: mut site, ..
    } = load(&root, &options())?;
    let mut reused = 0;
    for step in 0..edits {
        // Render some pages, so that there is something to reuse.
        let routes: Vec<String> = site.map.routes.keys().cloned().collect();
        for _ in 0..max_pages {
            if let Some(path) = copy.random.pick(&routes) {
                let _ = site.page(path);
            }
        }
        let mut done = Vec::new();
        for part in 0..=copy.random.below(3) {
            done.push(copy.edit(step * 10 + part)?);
        }
        let done = format!("seed {seed}, step {step}: {}", done.join("; "));
        let changes = copy.changes();
        // Sometimes the new state is in another directory too, like that of a deployment.
        if step % 4 == 2 {
            let other = WorkingCopy::copy(&root, 0)?;
            let result = load_incremental(&site, &other.root, &options())?;
            same_site(&result, &load(&other.root, &options())?, max_pages, &done);
        }
        let result = reload(&site, &root, &changes, &options())?;
        reused += same_site(&result, &load(&root, &options())?, max_pages, &done);
        site = result.value;
    }
    eprintln!(
        "{}: {edits} steps, {reused} pages taken over",
        from.display()
    );
    Ok(())
}

/// Compares everything but pages, and at most `max_pages` reused pages. Returns the number of
/// reused pages.
fn same_site(made: &Checked<Site>, fresh: &Checked<Site>, max_pages: usize, done: &str) -> usize {
    assert_eq!(made.diagnostics, fresh.diagnostics, "{done}");
    let (made, fresh) = (&made.value, &fresh.value);
    assert_eq!(*made.map, *fresh.map, "{done}");
    let routes = made.map.routes.keys();
    let (reused, rest): (Vec<&String>, Vec<&String>) =
        routes.partition(|path| made.cached_page(path).is_some());
    for path in sites::sample(&reused, max_pages).chain(sites::sample(&rest, 3)) {
        same_page(made, fresh, path, done);
    }
    // An index needs all pages, which takes too long on a large site.
    if made.map.routes.len() <= max_pages {
        let shards = |site: &Site| site.search_index().shards();
        assert!(shards(made) == shards(fresh), "{done}: the index differs");
    }
    reused.len()
}

fn same_page(made: &Site, fresh: &Site, path: &str, done: &str) {
    let html = |site: &Site| {
        let page = site.page(path).expect("the page is there");
        String::from_utf8_lossy(&page.html.bytes).into_owned()
    };
    let (made_html, fresh_html) = (html(made), html(fresh));
    if made_html != fresh_html {
        let at = made_html
            .bytes()
            .zip(fresh_html.bytes())
            .position(|(first, second)| first != second);
        let at = at.unwrap_or(0).saturating_sub(100);
        let part = |text: &str| text.chars().skip(at).take(300).collect::<String>();
        panic!(
            "{done}: {path} differs:\n{}\n---\n{}",
            part(&made_html),
            part(&fresh_html)
        );
    }
    assert_eq!(made.problems(path), fresh.problems(path), "{done}: {path}");
}

fn edits(usual: usize) -> usize {
    let value = std::env::var("SVC_RELOAD_EDITS").ok();
    value.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn reloading_a_small_site_equals_loading_it() -> TestResult {
    let from = sites::workspace().join("tests/fixtures/reload");
    for seed in 0..3 {
        compare(&from, seed, edits(30), 100)?;
    }
    Ok(())
}

#[test]
fn reloading_real_sites_equals_loading_them() -> TestResult {
    for (at, name) in sites::NAMES.iter().enumerate() {
        if let Some(root) = sites::site(name) {
            compare(&root, at as u64, edits(3), 12)?;
        }
    }
    Ok(())
}

#[test]
fn an_edited_page_leaves_all_others_cached() -> TestResult {
    let from = sites::workspace().join("tests/fixtures/reload");
    let mut copy = WorkingCopy::copy(&from, 1)?;
    let site = load(&copy.root, &options())?.value;
    site.render_all(1, &|| true);
    let text = fs::read_to_string(copy.root.join("index.mdx"))?;
    copy.put("index.mdx", format!("{text}\nmore\n").as_bytes())?;
    let changes = Changes::Paths(copy.touched.clone());
    let result = reload(&site, &copy.root, &changes, &options())?.value;
    let rerendered: Vec<&String> = result
        .map
        .routes
        .keys()
        .filter(|path| result.cached_page(path).is_none())
        .collect();
    assert_eq!(rerendered, ["/"]);
    // A changed snippet invalidates the pages that include it, also through another snippet.
    copy.touched.clear();
    copy.put("snippets/inner.mdx", b"Anew.\n")?;
    result.render_all(1, &|| true);
    let changes = Changes::Paths(copy.touched.clone());
    let second = reload(&result, &copy.root, &changes, &options())?.value;
    let rerendered: Vec<&String> = second
        .map
        .routes
        .keys()
        .filter(|path| second.cached_page(path).is_none())
        .collect();
    assert_eq!(rerendered, ["/guides/start"]);
    Ok(())
}
