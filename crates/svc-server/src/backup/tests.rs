//! Backups of small data directories, damaged ones and hostile ones.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};
use svc_store::Database;
use tar::{Builder, EntryType, Header};

use super::*;
use crate::deploy::{
    Deployment, DeploymentOrigin, DeploymentState, FileJournal, Journal as _, PublishTarget,
    Reference, Trigger,
};

const KEY: &str = "abc1";

fn deployment() -> Deployment {
    Deployment {
        id: "d1".to_owned(),
        project: "docs".to_owned(),
        target: PublishTarget::Live,
        trigger: Trigger::Start,
        state: DeploymentState::Live,
        reference: Reference::default(),
        commit: None,
        foreign: false,
        queued: 1,
        started: None,
        finished: None,
        summary: String::new(),
        snapshot: Some(KEY.to_owned()),
        host: None,
        removed: None,
        left: None,
        origin: DeploymentOrigin::Local,
    }
}

/// A data directory with one project and a store.
async fn data(dir: &Path) -> StoredData {
    let data = dir.join("data");
    let project = data.join("projects/docs");
    let snapshot = project.join("snapshots").join(KEY);
    fs::create_dir_all(snapshot.join("images")).unwrap();
    fs::create_dir_all(project.join("snapshots/.partial-0")).unwrap();
    fs::create_dir_all(project.join("git/dates")).unwrap();
    fs::create_dir_all(project.join("deployments")).unwrap();
    fs::write(snapshot.join("docs.json"), "{}").unwrap();
    fs::write(snapshot.join("images/a b\n.svg"), "<svg/>").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("images", snapshot.join("link")).unwrap();
    // The next snapshot has the same file.
    let next = project.join("snapshots/abc2");
    fs::create_dir(&next).unwrap();
    fs::hard_link(snapshot.join("docs.json"), next.join("docs.json")).unwrap();
    fs::write(project.join("git/dates/c.json"), "{}").unwrap();
    fs::write(project.join("git/config"), "not in a backup").unwrap();
    fs::write(project.join("deployments/d1.json"), "{}").unwrap();
    fs::write(data.join("readers.key"), [1; 32]).unwrap();
    fs::write(data.join("other"), "not in a backup").unwrap();
    let journal = FileJournal::open(&data.join(JOURNAL)).unwrap();
    journal.append(&[&deployment()]).unwrap();
    let mut stored = StoredData { store: None, data };
    let url = format!("sqlite:{}", stored.data.join(STORE).display());
    let store = Database::open(&url).await.unwrap();
    store.shared_key("name", "value").await.unwrap();
    store.close().await;
    stored.store = Some(url);
    stored
}

/// Contents of files, and targets of links, by path.
fn files(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(next) = dirs.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
            if meta.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(name, format!("-> {}", target.display()));
            } else if meta.is_dir() {
                dirs.push(path);
            } else if !name.starts_with("admin.sqlite") {
                let text = fs::read(&path).unwrap();
                found.insert(name, String::from_utf8_lossy(&text).into_owned());
            }
        }
    }
    found
}

#[tokio::test]
async fn a_backup_is_restored_elsewhere_and_has_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let stored = data(dir.path()).await;
    let file = dir.path().join("svc.tar.gz");
    let backup = back_up(&stored, &file, false).await.unwrap();
    assert_eq!(backup.warnings, [""; 0]);
    assert_eq!((backup.info.projects, backup.info.deployments), (1, 1));
    assert_eq!(verify(&file).await.unwrap(), backup.info);
    let error = back_up(&stored, &file, false)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("--replace"), "{error}");
    back_up(&stored, &file, true).await.unwrap();

    let other = StoredData {
        data: dir.path().join("other"),
        store: Some(format!(
            "sqlite:{}",
            dir.path().join("sub/b.sqlite").display()
        )),
    };
    let restored = restore(&file, &other, false).await.unwrap();
    assert_eq!((restored.replaced, restored.missing.len()), (None, 0));
    let mut expected = files(&stored.data);
    for name in ["other", "backup/lock", "projects/docs/git/config"] {
        expected.remove(name).unwrap();
    }
    let mut found = files(&other.data);
    found.remove("lock").unwrap();
    assert_eq!(found, expected);
    let store = Database::open(&other.store.clone().unwrap()).await.unwrap();
    assert_eq!(store.shared_key("name", "other").await.unwrap(), "value");
    store.close().await;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let snapshots = other.data.join("projects/docs/snapshots");
        let inode = |key: &str| fs::metadata(snapshots.join(key).join("docs.json")).unwrap();
        assert_eq!(inode(KEY).ino(), inode("abc2").ino());
        assert_eq!(inode(KEY).permissions().mode() & 0o077, 0);
    }
}

#[tokio::test]
async fn existing_data_is_only_moved_away_if_that_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let stored = data(dir.path()).await;
    let file = dir.path().join("svc.tar.gz");
    back_up(&stored, &file, false).await.unwrap();
    let page = stored.data.join("projects/docs/snapshots/abc1/docs.json");
    fs::remove_file(&page).unwrap();
    fs::write(&page, "changed").unwrap();
    let before = files(&stored.data);
    let error = restore(&file, &stored, false)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("--replace"), "{error}");
    let lock = lock_file(&stored.data);
    lock.lock().unwrap();
    let error = restore(&file, &stored, true).await.unwrap_err().to_string();
    assert!(error.contains("another server uses"), "{error}");
    drop(lock);
    let mut unchanged = files(&stored.data);
    unchanged.remove("lock").unwrap();
    assert_eq!(unchanged, before);
    let restored = restore(&file, &stored, true).await.unwrap();
    assert_eq!(fs::read_to_string(&page).unwrap(), "{}");
    let aside = restored.replaced.unwrap();
    let old = aside.join("projects/docs/snapshots/abc1/docs.json");
    assert_eq!(fs::read_to_string(old).unwrap(), "changed");
    assert!(aside.join(STORE).is_file());
}

fn lock_file(data: &Path) -> fs::File {
    crate::data_files::open(&data.join("lock")).unwrap()
}

#[tokio::test]
async fn an_interrupted_restore_is_completed_from_every_point() {
    let dir = tempfile::tempdir().unwrap();
    let stored = data(dir.path()).await;
    let file = dir.path().join("svc.tar.gz");
    back_up(&stored, &file, false).await.unwrap();
    let mut expected = files(&stored.data);
    for name in ["backup/lock", "other", "projects/docs/git/config"] {
        expected.remove(name);
    }
    let state = |old_are_moved| {
        format!("{{\"suffix\": \"replaced-1\", \"old_are_moved\": {old_are_moved}}}")
    };
    for (old_are_moved, moved) in [
        (false, &["projects"][..]),
        (true, &["projects", JOURNAL, STORE]),
    ] {
        let restore_dir = stored.data.join("restore");
        fs::create_dir_all(restore_dir.join("new")).unwrap();
        fs::write(restore_dir.join("state.json"), state(old_are_moved)).unwrap();
        fs::write(restore_dir.join("new/half"), "").unwrap();
        let aside = stored.data.join("replaced-1");
        fs::create_dir_all(&aside).unwrap();
        for name in moved {
            fs::rename(stored.data.join(name), aside.join(name)).unwrap();
        }
        assert!(is_interrupted(&stored.data));
        restore(&file, &stored, false).await.unwrap();
        assert!(!is_interrupted(&stored.data));
        assert!(
            aside
                .join("projects/docs/snapshots/abc1/docs.json")
                .is_file()
        );
        fs::remove_dir_all(&aside).unwrap();
        let mut found = files(&stored.data);
        found.retain(|name, _| !["lock", "backup/lock", "other"].contains(&&**name));
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn every_damage_is_found_before_anything_is_changed() {
    let dir = tempfile::tempdir().unwrap();
    let stored = data(dir.path()).await;
    let file = dir.path().join("svc.tar.gz");
    back_up(&stored, &file, false).await.unwrap();
    let bytes = fs::read(&file).unwrap();
    let other = StoredData {
        data: dir.path().join("other"),
        store: stored
            .store
            .clone()
            .map(|_| format!("sqlite:{}", dir.path().join("c").display())),
    };
    let content = decompressed(&bytes).unwrap();
    let (damaged, mut found) = (dir.path().join("damaged.tar.gz"), 0);
    for part in 0..40 {
        let at = bytes.len() * part / 40;
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        for bytes in [&bytes[..at], &flipped] {
            fs::write(&damaged, bytes).unwrap();
            // Some bits of compressed data have no effect.
            let is_ignored = decompressed(bytes).is_some_and(|text| text == content);
            if !is_ignored {
                let restored = restore(&damaged, &other, false).await;
                assert!(restored.is_err(), "{at} of {}", flipped.len());
                found += 1;
            }
            let names: Vec<String> = files(&other.data).into_keys().collect();
            assert!(
                is_ignored
                    || names
                        .iter()
                        .all(|name| name == "lock" || name.starts_with("restore/new")),
                "{names:?}"
            );
            assert!(!is_interrupted(&other.data));
        }
    }
    assert!(found > 60, "{found}");
}

/// The content of gzip data; `None` if it is damaged or not complete.
fn decompressed(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let mut input = flate2::bufread::GzDecoder::new(&mut bytes);
    input.read_to_end(&mut content).ok().map(|_| content)
}

/// An archive with valid checksums.
fn archive(file: &Path, entries: &[(EntryType, &str, &str)]) {
    let output = GzEncoder::new(fs::File::create(file).unwrap(), Compression::fast());
    let mut output = Builder::new(output);
    let (mut sums, mut links) = (sums::Sums::new(), BTreeMap::new());
    let mut add = |kind, path: &str, content: &str| {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        // Not checked here, as hostile programs do not.
        let bytes = path.as_bytes();
        header.as_mut_bytes()[..bytes.len()].copy_from_slice(bytes);
        header.set_mode(0o777);
        match kind {
            EntryType::Regular => header.set_size(content.len() as u64),
            _ => {
                header.set_size(0);
                header.as_mut_bytes()[157..157 + content.len()].copy_from_slice(content.as_bytes());
            }
        }
        header.set_cksum();
        let content = if kind == EntryType::Regular {
            content
        } else {
            ""
        };
        output.append(&header, content.as_bytes()).unwrap();
    };
    for (kind, path, content) in entries {
        add(*kind, path, content);
        match kind {
            EntryType::Symlink => drop(links.insert((*path).to_owned(), (*content).to_owned())),
            _ => drop(sums.insert((*path).to_owned(), Sha256::digest(content).into())),
        }
    }
    let info = BackupInfo {
        format: FORMAT,
        version: "1".to_owned(),
        created: 1,
        projects: 1,
        deployments: 0,
        has_store: false,
        links,
    };
    let info = serde_json::to_string(&info).unwrap();
    sums.insert("backup.json".to_owned(), Sha256::digest(&info).into());
    add(EntryType::Regular, "backup.json", &info);
    add(EntryType::Regular, "SHA256SUMS", &sums::format(&sums));
    output
        .into_inner()
        .unwrap()
        .finish()
        .unwrap()
        .flush()
        .unwrap();
}

#[tokio::test]
async fn hostile_archives_write_nothing_outside() {
    use EntryType::{Directory, Fifo, Link, Regular, Symlink};
    let dir = tempfile::tempdir().unwrap();
    let canary = dir.path().join("canary");
    fs::write(&canary, "alive").unwrap();
    let file = dir.path().join("a.tar.gz");
    let absolute = canary.to_str().unwrap();
    let good = "projects/docs/snapshots/a/b";
    let cases: &[&[(EntryType, &str, &str)]] = &[
        &[(Regular, "../canary", "dead")],
        &[(Regular, absolute, "dead")],
        &[(Regular, "projects/../../canary", "dead")],
        &[(
            Regular,
            "projects/docs/snapshots/../../../../canary",
            "dead",
        )],
        &[(Regular, "other", "text")],
        &[(Regular, "lock", "text")],
        &[(Regular, "restore/state.json", "{}")],
        &[(Regular, "projects/docs/git/hooks/post-update", "text")],
        &[(Regular, "projects/docs/snapshots/a", "text")],
        &[(Symlink, good, "../../../../readers.key")],
        &[(Symlink, good, absolute)],
        &[(Symlink, "readers.key", "../canary")],
        &[(Symlink, "projects/docs/deployments/a", "../../../../canary")],
        &[(Symlink, good, "c"), (Regular, good, "dead")],
        &[(Regular, good, "text"), (Regular, good, "text")],
        &[(Link, good, absolute)],
        &[(Link, good, "../canary")],
        &[(Link, good, "readers.key")],
        &[(Directory, good, "")],
        &[(Fifo, good, "")],
    ];
    for (number, case) in cases.iter().enumerate() {
        archive(&file, case);
        let stored = StoredData {
            data: dir.path().join(format!("data{number}")),
            store: None,
        };
        let error = restore(&file, &stored, false).await.unwrap_err();
        assert!(
            matches!(error, BackupError::Damaged { .. }),
            "{case:?}: {error}"
        );
        assert_eq!(fs::read_to_string(&canary).unwrap(), "alive", "{case:?}");
        assert!(!is_interrupted(&stored.data));
    }
    archive(
        &file,
        &[
            (Regular, good, "text"),
            (Symlink, "projects/docs/snapshots/a/c", "b"),
        ],
    );
    let stored = StoredData {
        data: dir.path().join("good"),
        store: None,
    };
    restore(&file, &stored, false).await.unwrap();
    assert_eq!(
        fs::read_to_string(stored.data.join("projects/docs/snapshots/a/c")).unwrap(),
        "text"
    );
}

proptest! {
    #[test]
    fn no_bytes_panic_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        let mut output = GzEncoder::new(fs::File::create(&file).unwrap(), Compression::fast());
        output.write_all(&bytes).unwrap();
        output.finish().unwrap();
        prop_assert!(archive::read(&file, dir.path(), |_| true).is_err());
        fs::write(&file, &bytes).unwrap();
        prop_assert!(archive::read(&file, dir.path(), |_| true).is_err());
    }
}
