//! `svc rename` on real sites.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::path::Path;

use crate::rename::{lands_at, load, problems, rename};

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && entry.file_name() != ".git" {
            fs::create_dir_all(&target).unwrap();
            copy(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Renames a page and a folder of each real site, or 20 pages and 3 folders.
#[test]
fn real_sites_have_no_new_problem() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sites");
    let Ok(sites) = fs::read_dir(&sites) else {
        svc_test_support::skip("there are no real sites");
        return;
    };
    let (page_count, folder_count) = match std::env::var_os("SVC_THOROUGH") {
        Some(_) => (20, 3),
        None => (1, 1),
    };
    for entry in sites.flatten() {
        let root = entry.path();
        let Some(root) = [root.clone(), root.join("docs")]
            .into_iter()
            .find(|dir| dir.join("docs.json").is_file())
        else {
            continue;
        };
        let dir = tempfile::tempdir().unwrap();
        copy(&root, dir.path());
        let before = problems(dir.path());
        let site = load(dir.path());
        let pages = site.pages.iter().filter(|page| {
            site.map
                .route(&svc_source::canonical_path(&page.slug))
                .is_some()
        });
        let pages: Vec<String> = pages.map(|page| page.path.to_string()).collect();
        let step = (pages.len() / page_count).max(1);
        let mut moved: Vec<(String, String)> = Vec::new();
        for (index, page) in pages.iter().step_by(step).take(page_count).enumerate() {
            let (dir_name, name) = page.rsplit_once('/').unwrap_or(("", page));
            let to = match index % 3 {
                0 => format!("{dir_name}/renamed-{name}"),
                1 => format!("moved/{index}/{name}"),
                _ => format!("renamed-{index}.mdx"),
            };
            let to = to.trim_start_matches('/').to_owned();
            rename(dir.path(), &[page, &to]);
            moved.push((page.clone(), to));
        }
        let folders: Vec<String> = fs::read_dir(dir.path())
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .filter(|name| {
                !["moved", "snippets", "_snippets"].contains(&name.as_str())
                    && !name.starts_with('.')
            })
            .filter(|name| {
                pages
                    .iter()
                    .any(|page| page.starts_with(&format!("{name}/")))
            })
            .take(folder_count)
            .collect();
        for folder in &folders {
            rename(
                dir.path(),
                &[&format!("{folder}/"), &format!("new-{folder}")],
            );
        }
        assert_eq!(problems(dir.path()), before, "{}", root.display());
        let after = load(dir.path());
        let url = |path: &str| {
            svc_source::canonical_path(path.trim_end_matches(".mdx").trim_end_matches(".md"))
        };
        // The front matter of some pages redirects to other sites.
        let served = pages
            .iter()
            .filter(|page| lands_at(&site, &url(page)).is_some());
        for page in served {
            let landed = lands_at(&after, &url(page));
            assert!(
                landed.is_some(),
                "{}: {page} of {moved:?}, {folders:?}",
                root.display()
            );
        }
    }
}
