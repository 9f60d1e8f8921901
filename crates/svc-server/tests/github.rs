//! Information about GitHub repositories, from a stub API.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_fetch::Policy;
use svc_server::{
    AllowedHosts, GitHubOptions, Limits, RemoteDocumentOptions, RunOptions, prepare, run_site,
};
use svc_site::LoadOptions;
use svc_test_support::api::StubApi;
use svc_test_support::client::get;

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "navbar": {"links": [{"type": "github", "href": "https://github.com/Acme/Pets"}]}, "navigation": {"pages": ["index"]}}"##;
const PAGE: &str = "<GitHub.Repo repo=\"acme/pets\" />\n\n<GitHub.Repo repo=\"acme/gone\" />\n";

fn stub_response(stars: u32, etag: &str) -> String {
    let body = format!(
        "{{\"description\": \"All <pets>\", \"stargazers_count\": {stars}, \"forks_count\": 7}}"
    );
    format!(
        "HTTP/1.1 200 OK\r\netag: \"{etag}\"\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

const NOT_FOUND: &str =
    "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";

fn github(stars: u32) -> StubApi {
    StubApi::new(move |request, socket| {
        let response = if request.contains("/repos/acme/gone ") {
            NOT_FOUND.to_owned()
        } else if request.contains("if-none-match: \"v1\"") && stars == 1234 {
            "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_owned()
        } else {
            stub_response(stars, "v1")
        };
        let _ = socket.write_all(response.as_bytes());
    })
}

fn options(root: &Path, api: SocketAddr, file: Option<PathBuf>) -> RunOptions {
    RunOptions {
        root: root.to_owned(),
        load: LoadOptions::default(),
        limits: Limits::default(),
        hosts: AllowedHosts::default(),
        watch: false,
        relay: None,
        github: Some(GitHubOptions {
            api: format!("http://{api}"),
            file,
            policy: Policy::from_rules(["127.0.0.1"]).unwrap(),
        }),
        remote_documents: RemoteDocumentOptions::default(),
        editor_url: None,
    }
}

fn site_dir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("docs.json"), CONFIG).unwrap();
    std::fs::write(dir.path().join("index.mdx"), PAGE).unwrap();
    dir
}

/// Serves a site, and polls its page until `enough` or a timeout; returns the last one.
fn page(options: RunOptions, enough: impl Fn(&str) -> bool) -> String {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(8 << 20)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let any = ([127, 0, 0, 1], 0).into();
        let prepared = prepare(&options, &[any]).await.unwrap();
        let addr = prepared.server.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let task = tokio::spawn(run_site(prepared, options, stopped));
        let mut html = String::new();
        for _ in 0..200 {
            html = tokio::task::spawn_blocking(move || get(addr, &addr.to_string(), "/"))
                .await
                .unwrap();
            if enough(&html) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        drop(stop);
        task.await.unwrap();
        html
    })
}

#[test]
fn cards_and_the_header_are_filled_after_the_github_response() {
    let (dir, api) = (site_dir(), github(1234));
    let html = page(options(dir.path(), api.addr, None), |html| {
        html.contains("1.2k")
    });
    assert!(html.contains("All &lt;pets&gt;"), "{html}");
    assert_eq!(html.matches("1.2k").count(), 2, "the card and the header");
    assert!(html.contains("href=\"https://github.com/acme/gone\""));
    let mut requests = api.requests();
    requests.sort();
    assert_eq!(requests.len(), 2);
    assert!(
        requests[1].starts_with("GET /repos/acme/pets HTTP/1.1\r\n"),
        "{}",
        requests[1]
    );
    assert!(requests[1].contains("user-agent: svc/"));
}

#[test]
fn responses_are_cached_and_refreshed_when_stale() {
    let (dir, data, api) = (site_dir(), tempfile::tempdir().unwrap(), github(1234));
    let file = data.path().join("github.json");
    let run = |api: &StubApi| {
        page(options(dir.path(), api.addr, Some(file.clone())), |html| {
            html.contains("1.2k")
        })
    };
    assert!(run(&api).contains("1.2k"));
    // After a restart, the first page contains it, and no request is sent.
    let silent = StubApi::with_response("");
    assert!(run(&silent).contains("1.2k"));
    assert_eq!(silent.connections(), 0);
    let old = std::fs::read_to_string(&file).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&old).unwrap();
    json["acme/pets"]["due"] = 1.into();
    std::fs::write(&file, json.to_string()).unwrap();
    assert!(run(&api).contains("1.2k"));
    let was_revalidated = || {
        api.requests()
            .iter()
            .any(|request| request.contains("if-none-match: \"v1\""))
    };
    for _ in 0..200 {
        if was_revalidated() {
            break;
        }
        let _ = run(&api);
    }
    assert!(was_revalidated(), "{:?}", api.requests());
}

#[test]
fn new_numbers_replace_old_ones() {
    let (dir, data) = (site_dir(), tempfile::tempdir().unwrap());
    let file = data.path().join("github.json");
    let old = r#"{"acme/pets": {"description": "Old", "stars": 5, "forks": 1, "etag": null, "due": 1}, "acme/gone": {"description": "Was", "stars": 3, "forks": 0, "due": 1}}"#;
    std::fs::write(&file, old).unwrap();
    let api = github(7_654_321);
    let html = page(options(dir.path(), api.addr, Some(file)), |html| {
        html.contains("7.7M")
    });
    assert!(
        html.contains("7.7M") && !html.contains("Old") && !html.contains("Was"),
        "{html}"
    );
}

#[test]
fn without_a_response_the_card_is_a_link() {
    let dir = site_dir();
    for response in [
        "",
        "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull",
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\": [1",
    ] {
        let api = StubApi::with_response(response);
        let connected = || api.connections() > 0;
        let html = page(options(dir.path(), api.addr, None), |_| connected());
        assert!(html.contains("href=\"https://github.com/acme/pets\""));
        assert!(!html.contains("stars"), "{html}");
    }
}

#[test]
fn a_corrupt_cache_file_is_ignored() {
    let (dir, data) = (site_dir(), tempfile::tempdir().unwrap());
    let file = data.path().join("github.json");
    for text in [
        "",
        "[]",
        "{",
        r#"{"acme/pets": 5}"#,
        r#"{"acme/pets": {"stars": -1, "due": "x"}}"#,
    ] {
        std::fs::write(&file, text).unwrap();
        let api = github(1234);
        let html = page(options(dir.path(), api.addr, Some(file.clone())), |html| {
            html.contains("1.2k")
        });
        assert!(html.contains("1.2k"), "{text}");
    }
}
