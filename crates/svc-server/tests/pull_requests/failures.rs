//! Forges and servers that fail, and servers that share a database.

use std::fs;

use svc_test_support::postgres::PgCluster;

use super::forge::{GITEA, GITHUB, GITLAB, Mood, TOKEN};
use super::scene::{PREVIEW, Scene, WAIT_TIMEOUT};
use crate::admin::server::within;
use crate::peer_server::SITE;

#[test]
fn a_server_that_stops_in_the_middle_continues_after_a_start() {
    let Some(scene) = Scene::new(GITHUB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Down);
    let commit = scene.commit(GITHUB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &commit);
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() > 0));
    assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    drop(server);
    scene.forge.set_mood(Mood::Well);
    let server = scene.start("one");
    scene.status(&commit, 1, "one");
    let (id, _) = scene.comment("1 page", "one");
    drop(server);
    // Without the store, the comment is found by what it begins with.
    fs::remove_file(scene.dir.path().join("store.sqlite")).unwrap();
    let _ = fs::remove_file(scene.dir.path().join("store.sqlite-wal"));
    let _ = fs::remove_file(scene.dir.path().join("store.sqlite-shm"));
    let server = scene.start("one");
    let second = scene.commit(GITHUB.reference, &[("index", "Home", "New words.")]);
    scene.request(&server, "synchronize", &second);
    scene.status(&second, 1, "one");
    assert_eq!(scene.comment(&second[..10], "one").0, id);
    // A comment that a person has deleted is written again with the next commit.
    scene.forge.delete_comments();
    let third = scene.commit(GITHUB.reference, &[("index", "Home", "Newer words.")]);
    scene.request(&server, "synchronize", &third);
    scene.status(&third, 1, "one");
    scene.comment(&third[..10], "one");
}

#[test]
fn a_forge_that_was_down_gets_what_it_missed() {
    let Some(scene) = Scene::new(GITLAB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Down);
    let first = scene.commit(GITLAB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &first);
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() >= 3));
    // The deployment does not depend on it.
    assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    let second = scene.commit(GITLAB.reference, &[("index", "Home", "New words.")]);
    scene.request(&server, "synchronize", &second);
    scene.forge.set_mood(Mood::Well);
    scene.status(&second, 1, "one");
    scene.comment(&second[..10], "one");
    let log = scene.log("one");
    let failure = "pull request 12 cannot be updated: GitLab responded with 503";
    assert!(log.contains(failure), "{log}");
}

#[test]
fn a_rejected_token_is_reported_once_and_a_reload_tries_again() {
    let Some(scene) = Scene::new(GITHUB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Forbidding);
    let commit = scene.commit(GITHUB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &commit);
    let failure = "pull request 12 cannot be updated: GitHub responded with 403 Forbidden: *** is not allowed";
    // The deployment page shows the log of the deployment.
    let reports = scene.dir.path().join("one/projects/docs/deployments");
    let in_report = || {
        let files = fs::read_dir(&reports).into_iter().flatten().flatten();
        let mut texts = files.map(|file| fs::read_to_string(file.path()).unwrap_or_default());
        texts.any(|text| text.contains(failure))
    };
    assert!(within(WAIT_TIMEOUT, in_report), "{}", scene.log("one"));
    server.reload(scene.dir.path(), "one", &scene.more());
    let before = scene.forge.rejected();
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() > before));
    assert_eq!(server.page(SITE).status, 200);
    scene.forge.set_mood(Mood::Well);
    server.reload(scene.dir.path(), "one", &scene.more());
    scene.status(&commit, 1, "one");
    scene.comment("1 page", "one");
    let log = scene.log("one");
    assert_eq!(log.matches("cannot be updated").count(), 1, "{log}");
    assert!(!log.contains(TOKEN), "{log}");
}

#[test]
fn two_servers_of_a_database_write_one_comment() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let Some(mut scene) = Scene::new(GITEA) else {
        return;
    };
    fs::write(scene.dir.path().join("store"), cluster.create_database()).unwrap();
    scene._cluster = Some(cluster);
    let (one, other) = (scene.start("one"), scene.start("other"));
    let first = scene.commit(GITEA.reference, &[("index", "Home", "Other words.")]);
    scene.request(&one, "opened", &first);
    for server in [&one, &other] {
        assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    }
    scene.status(&first, 1, "one");
    let (id, _) = scene.comment("1 page", "one");
    let second = scene.commit(GITEA.reference, &[("index", "Home", "New words.")]);
    scene.request(&other, "synchronize", &second);
    for server in [&one, &other] {
        let shown = || server.page(PREVIEW).text().contains("New words.");
        assert!(within(WAIT_TIMEOUT, shown));
    }
    scene.status(&second, 1, "other");
    assert_eq!(scene.comment(&second[..10], "other").0, id);
    // The server that is left sends what the other one does not.
    drop(one);
    scene.request(&other, "closed", &second);
    assert_eq!(scene.comment("\nClosed. ", "other").0, id);
}

#[test]
fn what_a_killed_server_was_sending_is_sent_by_the_other() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let Some(mut scene) = Scene::new(GITEA) else {
        return;
    };
    fs::write(scene.dir.path().join("store"), cluster.create_database()).unwrap();
    scene._cluster = Some(cluster);
    let one = scene.start("one");
    scene.forge.set_mood(Mood::Silent);
    let commit = scene.commit(GITEA.reference, &[("index", "Home", "Other words.")]);
    scene.request(&one, "opened", &commit);
    assert!(within(WAIT_TIMEOUT, || scene.forge.is_waited_for()));
    let _other = scene.start("other");
    drop(one);
    scene.forge.set_mood(Mood::Well);
    scene.status(&commit, 1, "other");
    scene.comment("1 page", "other");
}
