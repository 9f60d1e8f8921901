//! Tokens and sessions of readers in the dashboard, with two servers on one database.

use std::time::Duration;

use svc_admin_api::audit::AuditStore as _;
use svc_server::dashboard::create_account;
use svc_server::{SystemClock, SystemRandom};
use svc_store::Database;
use svc_test_support::wait::wait_until;

use super::peers::Scene;
use super::rig::Endpoint;
use crate::admin::pages::{Browser, PASSWORD};
use crate::admin::rig::SHELL;
use crate::peer_server::{PeerServer, SITE};

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);
const PAGE: &str = "/projects/docs/readers";
const READERS: &str = "[projects.readers]\npassword_file = \"passwords\"\n";

/// Two servers, the database, and the dashboard of the first server.
struct Stage {
    _servers: [PeerServer; 2],
    sites: [Endpoint; 2],
    dashboard: Browser,
    database: Database,
    runtime: tokio::runtime::Runtime,
    _scene: Scene,
}

fn start() -> Option<Stage> {
    let scene = Scene::new(1)?;
    scene.commit("main", "wordone");
    let servers = ["one", "other"].map(|name| PeerServer::start(scene.dir.path(), name, READERS));
    let sites = servers.each_ref().map(|server| Endpoint {
        addr: server.sites,
        host: SITE.to_owned(),
    });
    for site in &sites {
        wait_until("the site is deployed", WAIT_TIMEOUT, || {
            site.get("/open", "").status == 200
        });
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = std::fs::read_to_string(scene.dir.path().join("store")).unwrap();
    let database = runtime.block_on(Database::open(&url)).unwrap();
    let clock = SystemClock::default();
    let account = create_account(&database, &clock, &SystemRandom, &SHELL, "ada", PASSWORD);
    runtime.block_on(account).unwrap();
    let admin = servers[0].admin;
    let mut dashboard = Browser::new(admin, &admin.to_string());
    dashboard.sign_in();
    Some(Stage {
        _servers: servers,
        sites,
        dashboard,
        database,
        runtime,
        _scene: scene,
    })
}

impl Stage {
    /// The page of the readers.
    fn page(&mut self) -> String {
        let response = self.dashboard.get(PAGE);
        assert_eq!(response.status, 200, "{}", response.text());
        response.text()
    }

    /// Follows the link to a form that confirms something, and submits it.
    fn confirm(&mut self, link: &str) {
        assert_eq!(self.dashboard.get(link).status, 200, "{link}");
        let response = self.dashboard.post(link, &[]);
        assert_eq!(response.status, 303, "{}", response.text());
    }

    /// Waits until a page has a status at both servers.
    fn wait_for(&self, path: &str, headers: &str, status: u16) {
        for site in &self.sites {
            let description = format!("{path} with {headers:?} is {status}");
            wait_until(&description, WAIT_TIMEOUT, || {
                site.get(path, headers).status == status
            });
        }
    }

    fn actions(&self) -> Vec<String> {
        let entries = self.runtime.block_on(self.database.entries(None, None, 50));
        let entries = entries.unwrap().into_iter().rev();
        let actions = entries.map(|record| record.entry.action);
        actions.filter(|action| action.contains("Reader")).collect()
    }
}

/// The first link of a page with an ending.
fn link(page: &str, ending: &str) -> String {
    let mut links = page.split("href=\"").skip(1);
    let links = links.by_ref().filter_map(|rest| rest.split('"').next());
    let mut found = links.filter(|link| link.ends_with(ending));
    found.next().unwrap_or_else(|| panic!("{page}")).to_owned()
}

#[test]
fn a_token_of_the_dashboard_is_valid_at_all_servers_until_it_is_revoked() {
    let Some(mut stage) = start() else { return };
    let fields = [
        ("name", "link checker"),
        ("groups", "staff,+vip"),
        ("days", "7"),
    ];
    let made = stage.dashboard.get(PAGE);
    assert!(made.text().contains("No active token"));
    let made = stage.dashboard.post(PAGE, &fields).text();
    let secret = made.split("data-copy=\"").nth(1).unwrap();
    let secret = secret.split('"').next().unwrap();
    assert!(secret.starts_with("svcr_"), "{secret}");
    let token = format!("authorization: Bearer {secret}\r\n");
    stage.wait_for("/staff-only", &token, 200);
    for site in &stage.sites {
        assert_eq!(site.get("/admin-only", &token).status, 404, "another group");
        assert_eq!(site.get("/staff-only", "").status, 404);
        let unknown = format!("authorization: Bearer {secret}x\r\n");
        assert_eq!(site.get("/staff-only", &unknown).status, 404);
        let search = site.call(
            "search",
            &serde_json::json!({"query": "Zqstaffonlycanary"}),
            &token,
        );
        assert!(
            search.body.contains("Title Zqstaffonlycanary"),
            "{}",
            search.body
        );
    }
    // It is no key.
    let api = Endpoint {
        addr: stage._servers[1].admin,
        host: stage._servers[1].admin.to_string(),
    };
    assert_eq!(api.get("/v2/agent/docs/jobs", &token).status, 401);

    let page = stage.page();
    assert!(
        page.contains("link checker") && page.contains("staff, vip"),
        "{page}"
    );
    assert!(
        page.contains("Used <time") && !page.contains(secret),
        "{page}"
    );
    stage.confirm(&link(&page, "/revoke"));
    stage.wait_for("/staff-only", &token, 404);
    let page = stage.page();
    assert!(page.contains("No active token") && page.contains("Revoked and expired"));
    assert_eq!(stage.actions(), ["createReaderToken", "revokeReaderToken"]);
}

#[test]
fn a_session_is_listed_and_ended_in_the_dashboard_at_all_servers() {
    let Some(mut stage) = start() else { return };
    let [ada, sam, mia] =
        [("ada", 0), ("sam", 1), ("mia", 1)].map(|(name, site)| stage.sites[site].cookie(name));
    stage.wait_for("/admin-only", &ada, 200);
    stage.wait_for("/staff-only", &sam, 200);
    wait_until("the sessions are listed", WAIT_TIMEOUT, || {
        let page = stage.page();
        ["ada", "sam", "mia"]
            .iter()
            .all(|name| page.contains(&format!("title\">{name}<")))
    });
    let row = stage.page();
    let row = row
        .split("dash-row-title\">ada<")
        .nth(1)
        .unwrap()
        .to_owned();
    stage.confirm(&link(&row, "/end"));
    stage.wait_for("/admin-only", &ada, 404);
    stage.wait_for("/staff-only", &sam, 200);
    let page = stage.page();
    assert!(
        !page.contains("title\">ada<") && page.contains("title\">sam<"),
        "{page}"
    );

    // A copy of the cookie of a reader who signs out is not valid either.
    let headers = format!("sec-fetch-site: same-origin\r\n{mia}");
    let signed_out = stage.sites[0].send("POST /_svc/sign-out", &headers, "");
    assert_eq!(signed_out.status, 303);
    stage.wait_for("/members", &mia, 404);
    assert!(!stage.page().contains("title\">mia<"));

    let page = stage.page();
    stage.confirm(&link(&page, "/sessions/end"));
    stage.wait_for("/staff-only", &sam, 404);
    let page = stage.page();
    assert!(page.contains("No session"), "{page}");
    // Readers can sign in again.
    std::thread::sleep(Duration::from_millis(1_100));
    let sam = stage.sites[1].cookie("sam");
    stage.wait_for("/staff-only", &sam, 200);
    assert_eq!(stage.actions(), ["endReaderSession", "endReaderSessions"]);
}
