//! Dates of the last changes in a folder with a long history.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use svc_server::{
    AllowedHosts, Limits, RemoteDocumentOptions, RunOptions, dates, prepare, run_site,
};
use svc_site::{LoadOptions, Site};
use svc_test_support::client::get;
use svc_test_support::git::BareRepo;

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}, "metadata": {"timestamp": true}}"##;
const COMMITS: u64 = 60_000;
/// Date of the first commit, the only one that changes the page.
const DAY: &str = "2017-07-14";
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A directory with a site and a long history; `None` without Git.
fn history_dir() -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().unwrap();
    let bare = BareRepo::new(&dir.path().join(".git"))?;
    let files = [("docs.json", CONFIG), ("index.mdx", "Words.\n")];
    let mut commits = String::new();
    for number in 0..COMMITS {
        let time = 1_500_000_000 + number * 30;
        let committer = format!("committer A <a@b.c> {time} +0000");
        writeln!(commits, "commit refs/heads/main\n{committer}\ndata 1\nx").unwrap();
        let mut write = |name: &str, text: &str| {
            let file = format!("M 100644 inline {name}\ndata {}\n{text}", text.len());
            writeln!(commits, "{file}").unwrap();
        };
        write("main.c", &number.to_string());
        for (name, text) in files.iter().filter(|_| number == 0) {
            write(name, text);
        }
    }
    bare.git_with(
        &["fast-import", "--quiet"],
        commits.as_bytes(),
        "2024-01-01T00:00:00Z",
    );
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    Some(dir)
}

fn shows(site: &Site) -> bool {
    let html = site.page("/").unwrap().html.bytes.to_vec();
    String::from_utf8(html).unwrap().contains(DAY)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_does_not_wait_for_a_long_history() {
    let Some(dir) = history_dir() else { return };
    let data = tempfile::tempdir().unwrap();
    let options = |data: Option<&Path>| RunOptions {
        root: dir.path().to_owned(),
        load: LoadOptions {
            last_modified: dates(dir.path(), data),
            ..LoadOptions::default()
        },
        limits: Limits::default(),
        hosts: AllowedHosts::default(),
        watch: false,
        relay: None,
        github: None,
        remote_documents: RemoteDocumentOptions::default(),
        editor_url: None,
    };
    let any = [([127, 0, 0, 1], 0).into()];
    for data_dir in [None, Some(data.path())] {
        let prepared = prepare(&options(data_dir), &any).await.unwrap();
        assert!(!shows(&prepared.site));
        let addr = prepared.server.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(run_site(prepared, options(data_dir), stopped));
        let end = Instant::now() + WAIT_TIMEOUT;
        let seen = tokio::task::spawn_blocking(move || {
            while !get(addr, &addr.to_string(), "/").contains(DAY) {
                assert!(Instant::now() < end, "there is no day");
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        seen.await.unwrap();
        drop(stop);
        task.await.unwrap();
    }
    // The cached dates are available immediately after a restart.
    let restarted = prepare(&options(Some(data.path())), &any).await.unwrap();
    assert!(shows(&restarted.site));
}
