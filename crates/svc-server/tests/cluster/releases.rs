//! Deployments, previews, rollbacks and new servers.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::rig::{Scene, WAIT_TIMEOUT};
use super::storage::Storage;
use crate::peer_server::{PeerServer, SITE};

const PREVIEW: &str = "feature.preview.example.com";
/// How long a deployment may take until it is live on all servers. A machine that runs all tests at
/// once is slower than the two seconds that are promised; the time is printed.
const MAX_DURATION: Duration = Duration::from_secs(15);

fn check_releases(storage: impl FnOnce(&Path) -> Option<Storage>) {
    let Some(scene) = Scene::new(storage) else {
        return;
    };
    let servers = [scene.start("one"), scene.start("two"), scene.start("three")];
    let all: Vec<&PeerServer> = servers.iter().collect();
    scene.shows(&all, SITE, "The first words.");

    let mut longest = Duration::ZERO;
    let mut commits = Vec::new();
    for number in 0..4 {
        let text = format!("Words of push {number}.");
        commits.push(scene.commit("main", &text));
        let begin = Instant::now();
        all[number % 3].push("main", "");
        scene.shows(&all, SITE, &text);
        longest = longest.max(begin.elapsed());
    }
    println!("live on three servers within {longest:?}");
    assert!(longest < MAX_DURATION, "{longest:?}");
    let released = scene.releases(&["one", "two", "three"]);
    for commit in &commits {
        assert_eq!(released.get(commit), Some(&1), "{released:?}");
    }

    // A preview and its removal, each at another server.
    scene.commit("feature", "Words of a branch.");
    all[1].push("feature", "");
    scene.shows(&all, PREVIEW, "Words of a branch.");
    all[2].push("feature", &"0".repeat(40));
    scene.is_gone(&all, PREVIEW);
    all[0].command("/projects/docs/previews", &json!({ "branch": "feature" }));
    scene.shows(&all, PREVIEW, "Words of a branch.");

    // A rollback at a server that has not built the deployment.
    all[2].command("/projects/docs/rollback", &json!({}));
    scene.shows(&all, SITE, "Words of push 2.");
    all[1].command("/projects/docs/rollback", &json!({}));
    scene.shows(&all, SITE, "Words of push 1.");

    // A new server without Git serves the same, and can roll back.
    let away = scene.dir.path().join("away.git");
    fs::rename(scene.origin.path(), &away).unwrap();
    let new = scene.start("four");
    scene.shows(&[&new], SITE, "Words of push 1.");
    scene.shows(&[&new], PREVIEW, "Words of a branch.");
    new.command("/projects/docs/rollback", &json!({}));
    let every: Vec<&PeerServer> = all.iter().copied().chain([&new]).collect();
    scene.shows(&every, SITE, "Words of push 0.");

    // Git is back: a push is built by whichever server gets it.
    fs::rename(&away, scene.origin.path()).unwrap();
    scene.commit("main", "Words at the end.");
    new.push("main", "");
    scene.shows(&every, SITE, "Words at the end.");
}

#[test]
fn one_server_builds_and_all_serve_from_a_folder() {
    check_releases(|dir| Some(Storage::folder(dir)));
}

#[test]
fn one_server_builds_and_all_serve_from_s3() {
    check_releases(Storage::s3);
}

#[test]
fn a_server_refuses_a_damaged_object_and_recovers() {
    let Some(scene) = Scene::new(|dir| Some(Storage::folder(dir))) else {
        return;
    };
    let one = scene.start("one");
    scene.shows(&[&one], SITE, "The first words.");
    let objects = scene.dir.path().join("objects/snapshots/docs");
    let mut files = fs::read_dir(&objects)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let file = files.next().unwrap();
    let bytes = fs::read(&file).unwrap();
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&file, &damaged).unwrap();
    fs::rename(scene.origin.path(), scene.dir.path().join("away.git")).unwrap();
    let two = scene.start("two");
    let end = Instant::now() + WAIT_TIMEOUT;
    while !scene.log("two").contains("its checksum is another one") {
        assert!(Instant::now() < end, "{}", scene.log("two"));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(
        !two.try_page(SITE)
            .is_some_and(|page| page.contains("The first words."))
    );
    drop(two);
    fs::write(&file, &bytes).unwrap();
    let two = scene.start("two");
    scene.shows(&[&two], SITE, "The first words.");
}
