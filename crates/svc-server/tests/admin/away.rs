//! A store that cannot be opened: the sites are served, the administration reports it, and works as
//! soon as the store is available.

use std::fs;
use std::time::Duration;

use sqlx::Connection as _;
use svc_admin_api::key::KeySecret;
use svc_server::{SingleSiteAdmin, SystemRandom};
use svc_store::Database;
use svc_test_support::postgres::PgCluster;
use tokio::sync::watch;

use super::rig::{Client, block_on};
use super::server::{Scene, TestServer, key, within, written};
use crate::serving::limits;

const LINE: &str = "GET /v2/agent/one/jobs";
/// Timeout for a server that retries with growing delays, on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(90);

/// Checks the responses of a server without a store; `code` is logged once.
fn is_away(server: &TestServer, code: &str) {
    assert!(server.shows("one.example.com", "first words"));
    let key = KeySecret::generate(&SystemRandom).unwrap();
    let response = server.call(key.reveal(), LINE);
    assert_eq!(response.status, 503, "{response:?}");
    assert!(response.has("retry-after:") && response.has("content-type: application/json"));
    assert!(response.json()["error"].is_string(), "{response:?}");
    for line in [
        "GET /",
        "GET /sign-in",
        "POST /sign-in",
        "GET /projects/one",
    ] {
        let page = Client::new(server.admin).send(line, b"", b"");
        assert_eq!(page.status, 503, "{line}: {page:?}");
        assert!(page.has("retry-after:") && page.has("content-security-policy:"));
        assert!(page.has("content-type: text/html"), "{line}: {page:?}");
        assert!(
            page.text()
                .contains("The log of the server contains the reason")
        );
    }
    let head = Client::new(server.admin).send("HEAD /", b"", b"");
    assert_eq!((head.status, head.body.len()), (503, 0));
    // The same at the host on the listener of the sites.
    assert_eq!(server.at("admin.example.com", "GET /", "").status, 503);
    // Requests that need no store succeed.
    for (line, status) in [
        (LINE, 401),
        ("GET /openapi/admin.json", 200),
        ("GET /_svc/health", 503),
    ] {
        let response = Client::new(server.admin).send(line, b"", b"");
        assert_eq!(response.status, status, "{line}: {response:?}");
    }
    let log = server.log.lines();
    let errors: Vec<&String> = log.iter().filter(|line| line.contains("error[")).collect();
    let [error] = errors.as_slice() else {
        panic!("not once: {log:?}");
    };
    let start =
        format!("ERROR administration: the store cannot be opened details=\"error[{code}]: ");
    assert!(error.starts_with(&start), "{error}");
    assert!(error.contains("hint: "), "{error}");
    // No other error is logged.
    let others = log.iter().filter(|line| {
        line.contains(" administration:")
            && !line.contains(" administration: 503 for ")
            && line != error
    });
    assert_eq!(others.count(), 0, "{log:?}");
}

/// Makes the store available.
fn comes_back(server: &TestServer, store: &str) {
    let open = within(WAIT_TIMEOUT, || {
        Client::new(server.admin).send("GET /", b"", b"").status == 303
    });
    assert!(open, "{:?}", server.log);
    let (_, token) = key(store, "one");
    assert_eq!(server.call(&token, LINE).status, 200);
    let log = server.log.lines();
    let lines = log.iter().filter(|line| line.ends_with("was opened"));
    assert_eq!(lines.count(), 1, "{log:?}");
    // Earlier deployments are recorded, too.
    let id = server.update(&token, "one");
    assert_eq!(server.decided(&token, &id)["status"], "success");
    assert_eq!(written(store, "one", &id), "success");
    let first = block_on(async {
        let database = Database::open(store).await.unwrap();
        let known = super::server::deployments(&database, "two").await;
        database.close().await;
        known
    });
    assert!(
        !first.is_empty(),
        "the first deployment is not in the store"
    );
}

#[test]
fn a_missing_store_dir_stops_no_site_and_is_used_when_created() {
    let scene = Scene::new();
    let store = format!("sqlite:{}", scene.path("later/admin.sqlite").display());
    let server = TestServer::start(scene.settings("data", &store));
    is_away(&server, "admin-store");
    fs::create_dir(scene.path("later")).unwrap();
    comes_back(&server, &store);
}

#[test]
fn a_store_of_a_newer_version_is_not_touched_and_is_reported() {
    let scene = Scene::new();
    let store = scene.sqlite();
    let add = |more: i64| {
        block_on(async {
            let mut conn = sqlx::SqliteConnection::connect(&store).await.unwrap();
            sqlx::query("UPDATE svc_store SET version = version + $1")
                .bind(more)
                .execute(&mut conn)
                .await
                .unwrap();
            conn.close().await.unwrap();
        });
    };
    block_on(async { Database::open(&store).await.unwrap().close().await });
    add(100);
    let server = TestServer::start(scene.settings("data", &store));
    is_away(&server, "admin-store-newer");
    let log = server.log.text();
    assert!(log.contains("it has schema version 10"), "{log}");
    // Simulates restoring a backup.
    add(-100);
    comes_back(&server, &store);
}

#[test]
fn an_unavailable_postgresql_stops_no_site_and_is_used_when_up() {
    let Some(cluster) = PgCluster::start() else {
        return;
    };
    let scene = Scene::new();
    let store = cluster.create_database();
    cluster.stop();
    let server = TestServer::start(scene.settings("data", &store));
    let logged = within(WAIT_TIMEOUT, || server.log.text().contains("error["));
    assert!(logged, "{:?}", server.log);
    is_away(&server, "admin-store");
    cluster.resume();
    comes_back(&server, &store);
}

#[test]
fn the_single_site_administration_waits_for_its_store() {
    let scene = Scene::new();
    let (root, data) = (scene.path("one"), scene.path("later"));
    block_on(async {
        let any = ([127, 0, 0, 1], 0).into();
        let limits = limits();
        let started = SingleSiteAdmin::start(&root, any, &data, &limits).await;
        let administration = started.unwrap();
        let addr = administration.local_addr().unwrap();
        let (stop, shutdown) = watch::channel(false);
        let task = tokio::spawn(administration.run(shutdown));
        let status = move || {
            tokio::task::spawn_blocking(move || Client::new(addr).send("GET /", b"", b"").status)
        };
        assert_eq!(status().await.unwrap(), 503);
        fs::create_dir(&data).unwrap();
        let end = std::time::Instant::now() + WAIT_TIMEOUT;
        while status().await.unwrap() != 303 {
            assert!(std::time::Instant::now() < end, "the store is not opened");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        stop.send(true).unwrap();
        task.await.unwrap();
    });
}
