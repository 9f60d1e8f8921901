//! Two servers on one database: what ends at one of them ends at the other.

use std::fs;
use std::time::Duration;

use serde_json::json;
use svc_test_support::keys::eddsa_token;
use svc_test_support::wait::wait_until;

use super::browser::Browser;
use super::provider::TestProvider;
use super::{
    OPERATOR_KEY, PROVIDER_KEY, SECRET, encoded, handover, logout, oidc_table, public_key_pem,
};
use crate::peer_server::{PeerServer, SITE};
use crate::readers::peers::Scene;
use crate::readers::rig::Endpoint;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn logouts_and_used_tokens_count_at_all_servers() {
    let Some(scene) = Scene::new(1) else { return };
    scene.commit("main", "wordone");
    let dir = scene.dir.path();
    fs::write(dir.join("oidc.secret"), SECRET).unwrap();
    fs::write(dir.join("handover.pem"), public_key_pem()).unwrap();
    let provider = TestProvider::start();
    let settings = format!(
        "[projects.readers]\nprivate = true\n{}[projects.readers.handover]\npublic_key_file = \"handover.pem\"\nlogin_url = \"https://app.example.com/login\"\n",
        oidc_table(&provider.issuer, "")
    );
    let servers = ["one", "other"].map(|name| PeerServer::start(dir, name, &settings));
    let [one, other] = servers.each_ref().map(|server| Endpoint {
        addr: server.sites,
        host: SITE.to_owned(),
    });
    for endpoint in [&one, &other] {
        wait_until("the site is deployed", WAIT_TIMEOUT, || {
            endpoint.get("/", "").status == 401
        });
    }

    let mut reader = Browser::new(&one);
    reader.sign_in(&provider);
    let (name, value) = reader.session().unwrap();
    let mut elsewhere = Browser::new(&other);
    elsewhere.cookies.insert(name, value);
    assert!(reader.is_signed_in() && elsewhere.is_signed_in());
    let mut claims = logout::claims(&provider, "1");
    claims["sub"] = json!("user-1");
    let token = eddsa_token(PROVIDER_KEY, "logout+jwt", &claims);
    assert_eq!(logout::send(&one, &token).status, 200);
    assert!(!reader.is_signed_in());
    wait_until("the other server knows", WAIT_TIMEOUT, || {
        !elsewhere.is_signed_in()
    });
    assert_eq!(logout::send(&other, &token).status, 400, "it was used");

    let token = eddsa_token(OPERATOR_KEY, "JWT", &handover::claims(json!({})));
    let form = format!("token={}&next=%2Fopen", encoded(&token));
    let path = "/_svc/sign-in/handover";
    assert_eq!(Browser::new(&one).post(path, &form).status, 303);
    assert_eq!(Browser::new(&other).post(path, &form).status, 403, "used");
}
