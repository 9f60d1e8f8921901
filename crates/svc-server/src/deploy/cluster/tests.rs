//! Transfers and the collection of objects, on SQLite and a folder.

use std::fs;
use std::path::PathBuf;

use svc_objects::ObjectLocation;
use svc_test_support::wait::wait_until;

use super::*;
use crate::deploy::{Snapshots, Trigger};

struct Scene {
    dir: tempfile::TempDir,
    cluster: Cluster,
    database: Database,
}

impl Scene {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", dir.path().join("store").display());
        let database = Database::open(&url).await.unwrap();
        let objects = dir.path().join("objects");
        fs::create_dir(&objects).unwrap();
        let objects = ObjectStore::new(ObjectLocation::Folder(objects)).unwrap();
        let server = "one".to_owned();
        let cluster = Cluster::new(database.clone(), objects, server, dir.path()).unwrap();
        Self {
            dir,
            cluster,
            database,
        }
    }

    /// Uploads and releases a snapshot with one file, as a build does.
    async fn release(&self, key: &str, before: Option<Release>) -> Release {
        let (cluster, dir) = (self.cluster.clone(), self.dir.path().join(key));
        let key = key.to_owned();
        let task = move || {
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("index.mdx"), &key).unwrap();
            let request = DeployRequest::live("docs", Trigger::Push);
            cluster.request(&request).unwrap();
            let lease = cluster.claim("docs", &PublishTarget::Live, None).unwrap();
            let lease = lease.unwrap();
            let dates = [("index.mdx".to_owned(), format!("date of {key}"))];
            let snapshot = cluster.upload("docs", (&key, &dir), dates.into()).unwrap();
            let deployment = crate::deploy::state::DeployerState::default().new_deployment(request);
            let built = (key, None);
            let release = Release::of_build(&deployment, built, before.as_ref(), 2);
            let released = cluster.finish(&lease, Some((&release, &snapshot)), None);
            assert!(released.unwrap().is_some());
            release
        };
        tokio::task::spawn_blocking(task).await.unwrap()
    }

    async fn download(&self, key: &str) -> Result<String, TransferError> {
        let (cluster, key) = (self.cluster.clone(), key.to_owned());
        let dir = self.dir.path().join("data/snapshots");
        let task = move || {
            let _ = fs::remove_dir_all(&dir);
            let snapshots = Snapshots::open(&dir).unwrap();
            cluster.download("docs", &key, &snapshots)?;
            let dates = downloaded_dates(&snapshots, &key).unwrap();
            assert_eq!(dates["index.mdx"], format!("date of {key}"));
            prune_details(&snapshots, |_| false);
            assert_eq!(downloaded_dates(&snapshots, &key), None);
            Ok(fs::read_to_string(snapshots.path(&key).join("index.mdx")).unwrap())
        };
        tokio::task::spawn_blocking(task).await.unwrap()
    }

    fn objects(&self) -> Vec<PathBuf> {
        let dir = self.dir.path().join("objects/snapshots/docs");
        let entries = fs::read_dir(dir).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn snapshots_that_no_release_names_are_deleted_after_a_time() {
    let scene = Scene::new().await;
    let mut release = scene.release("a", None).await;
    for key in ["b", "c"] {
        release = scene.release(key, Some(release)).await;
    }
    assert_eq!(scene.objects().len(), 3);
    // `a` was used a moment ago, and so was an object without a name.
    fs::write(scene.dir.path().join("objects/snapshots/docs/upload"), "x").unwrap();
    fs::write(scene.dir.path().join("objects/other"), "x").unwrap();
    scene
        .cluster
        .collect(Duration::from_secs(60))
        .await
        .unwrap();
    assert_eq!(scene.objects().len(), 4);
    assert_eq!(scene.download("a").await.unwrap(), "a");
    tokio::time::sleep(Duration::from_millis(20)).await;
    scene.cluster.collect(Duration::ZERO).await.unwrap();
    assert_eq!(scene.objects().len(), 2);
    assert!(scene.dir.path().join("objects/other").exists());
    assert!(matches!(
        scene.download("a").await,
        Err(TransferError::Unknown(_))
    ));
    for key in ["b", "c"] {
        assert_eq!(scene.download(key).await.unwrap(), key);
    }
    // One server collects in each interval.
    assert!(scene.cluster.collect_once().await.unwrap());
    assert!(!scene.cluster.collect_once().await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_uploaded_once_unless_its_object_is_gone() {
    let scene = Scene::new().await;
    let release = scene.release("a", None).await;
    let first = scene.objects();
    scene.release("b", Some(release.clone())).await;
    scene.release("a", Some(release.clone())).await;
    assert_eq!(scene.objects().len(), 2);
    fs::remove_file(&first[0]).unwrap();
    let missing = scene.download("a").await;
    assert!(matches!(missing, Err(TransferError::Object(_))));
    scene.release("a", Some(release)).await;
    assert_eq!(scene.download("a").await.unwrap(), "a");
    assert!(!scene.objects().contains(&first[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_is_given_back_when_it_is_dropped() {
    let scene = Scene::new().await;
    let cluster = scene.cluster.clone();
    let claim = move || {
        let lease = cluster.claim("docs", &PublishTarget::Live, None).unwrap();
        assert!(!lease.as_ref().unwrap().is_lost());
        drop(lease);
    };
    tokio::task::spawn_blocking(claim).await.unwrap();
    let database = scene.database.clone();
    let is_free = move || {
        wait_until("the lease is free", Duration::from_secs(20), || {
            let record = Handle::current().block_on(database.target("docs", "live"));
            record.unwrap().unwrap().holder.is_none()
        });
    };
    tokio::task::spawn_blocking(is_free).await.unwrap();
}
