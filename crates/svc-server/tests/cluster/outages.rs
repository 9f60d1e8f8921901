//! The database or the object store is away: sites are served, and deployments wait.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::rig::Scene;
use super::storage::Storage;
use crate::peer_server::SITE;

/// How long the pages of servers are watched during an outage.
const WATCH_TIME: Duration = Duration::from_millis(800);

fn check_outages(storage: impl FnOnce(&Path) -> Option<Storage>) {
    let Some(scene) = Scene::new(storage) else {
        return;
    };
    let (one, two) = (scene.start("one"), scene.start("two"));
    let both = [&one, &two];
    scene.shows(&both, SITE, "The first words.");
    both.iter().for_each(|server| server.is_ready());
    assert_eq!(one.metric("svc_objects_up"), "1.0");

    scene.storage.stop();
    for server in both {
        server.is_degraded("the object store is not reachable");
        assert_eq!(server.metric("svc_objects_up"), "0.0");
    }
    scene.commit("main", "Words without a store.");
    two.push("main", "");
    thread::sleep(WATCH_TIME);
    scene.shows(&both, SITE, "The first words.");
    scene.storage.resume();
    scene.shows(&both, SITE, "Words without a store.");
    both.iter().for_each(|server| server.is_ready());

    scene.database.stop();
    for server in both {
        server.is_degraded("the store is not reachable");
    }
    scene.commit("main", "Words without a database.");
    one.push("main", "");
    thread::sleep(WATCH_TIME);
    scene.shows(&both, SITE, "Words without a store.");
    // A server starts with what it has.
    drop(two);
    let two = scene.start("two");
    let both = [&one, &two];
    scene.shows(&[&two], SITE, "Words without a store.");
    scene.database.resume();
    scene.shows(&both, SITE, "Words without a database.");
    both.iter().for_each(|server| server.is_ready());
}

#[test]
fn outages_of_the_database_and_a_folder() {
    check_outages(|dir| Some(Storage::folder(dir)));
}

#[test]
fn outages_of_the_database_and_s3() {
    check_outages(Storage::s3);
}
