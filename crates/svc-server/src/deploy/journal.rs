//! Persistence of the states of deployments.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use svc_source::{remove_temporary_files, sync_dir};

use super::Deployment;
use crate::data_files;

/// Persists deployments. Appended states must survive a power failure.
pub trait Journal: std::fmt::Debug + Send + Sync {
    /// Appends states; the last state of a deployment is the current one.
    ///
    /// # Errors
    /// If the states cannot be written; none of them is then stored.
    fn append(&self, states: &[&Deployment]) -> io::Result<()>;

    /// The last state of every deployment, ordered by ID.
    ///
    /// # Errors
    /// If the journal cannot be read.
    fn read(&self) -> io::Result<Vec<Deployment>>;

    /// Replaces the contents of the journal.
    ///
    /// # Errors
    /// If the states cannot be written; the journal is then unchanged.
    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()>;
}

/// A file with one line per state: checksum, space, JSON. An incomplete line is ignored, because
/// its append was not confirmed.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    /// The file, and its length up to the last complete line.
    open: Mutex<(File, u64)>,
    /// Description of damage that was found, for the log.
    damage: Option<String>,
}

/// Contents of a journal.
pub(crate) struct JournalContents {
    /// Last state of each deployment.
    pub(crate) deployments: BTreeMap<String, Deployment>,
    /// Number of valid lines.
    valid: usize,
    /// Number of invalid lines, including an incomplete last one.
    broken: usize,
    /// Size of the journal in bytes.
    bytes: u64,
}

/// Maximum number of bytes of a journal that are read. A line has less than 4 KB.
const MAX_JOURNAL_BYTES: u64 = 256 << 20;

impl FileJournal {
    /// Opens or creates the file. Invalid lines are ignored; the original file is then copied, and
    /// [`FileJournal::damage`] describes the damage.
    ///
    /// # Errors
    /// If the file cannot be read or created, or is not a regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Left over from an interrupted rewrite.
        path.parent().into_iter().for_each(remove_temporary_files);
        let file = data_files::open(path)?;
        let mut journal = Self {
            path: path.to_owned(),
            open: Mutex::new((file, 0)),
            damage: None,
        };
        let lines = {
            let open = &mut *journal.open.lock().unwrap_or_else(PoisonError::into_inner);
            let lines = lines(&mut open.0)?;
            open.1 = lines.bytes;
            lines
        };
        sync_dir(path);
        let deployments: Vec<&Deployment> = lines.deployments.values().collect();
        if lines.broken > 0 {
            let copy = data_files::back_up_damaged(path)?;
            journal.rewrite(&deployments)?;
            journal.damage = Some(format!(
                "`{}` has {} that cannot be read, and deployments may be missing; the original file was copied to `{}`: compare the two, or stop the server and restore a backup",
                path.display(),
                crate::pluralize(lines.broken, "line"),
                copy.display()
            ));
        } else if needs_rewrite(lines.valid, deployments.len()) {
            // The journal is valid even if this fails, only longer than necessary.
            let _ = journal.rewrite(&deployments);
        }
        Ok(journal)
    }

    /// Description of lines that could not be read when the file was opened; `None` if all were
    /// valid.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }
}

/// Reads all lines of a file.
fn lines(file: &mut File) -> io::Result<JournalContents> {
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(MAX_JOURNAL_BYTES).read_to_end(&mut text)?;
    let mut lines = parse_journal(&text);
    // Lines beyond the limit are not read; counting them as broken keeps a copy of the file.
    lines.broken += usize::from(file.metadata()?.len() > MAX_JOURNAL_BYTES);
    Ok(lines)
}

/// Reads the text of a journal.
pub(crate) fn parse_journal(text: &[u8]) -> JournalContents {
    let mut lines = JournalContents {
        deployments: BTreeMap::new(),
        valid: 0,
        broken: 0,
        bytes: text.len() as u64,
    };
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match parse(line) {
            Some(deployment) => {
                lines.valid += 1;
                lines.deployments.insert(deployment.id.clone(), deployment);
            }
            None => lines.broken += 1,
        }
    }
    lines
}

impl Journal for FileJournal {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        let text = lines_of(states)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let written = open.0.write_all(&text).and_then(|()| open.0.sync_data());
        if let Err(error) = written {
            // Truncates an incomplete line before the next append.
            let certain = open.1;
            let _ = open.0.set_len(certain);
            return Err(error);
        }
        open.1 += text.len() as u64;
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(lines(&mut open.0)?.deployments.into_values().collect())
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        let text = lines_of(states)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let file = data_files::replace(&self.path, &text)?;
        // Must not fail from here on: states would be written to the replaced file.
        *open = (file, text.len() as u64);
        Ok(())
    }
}

/// Whether most lines of a journal are outdated.
pub(super) const fn needs_rewrite(lines: usize, deployments: usize) -> bool {
    lines > 1000 + 4 * deployments
}

fn lines_of(states: &[&Deployment]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for state in states {
        let line = serde_json::to_string(state)?;
        text.extend_from_slice(checksum(line.as_bytes()).as_bytes());
        text.push(b' ');
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
    Ok(text)
}

fn parse(line: &[u8]) -> Option<Deployment> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, text) = (line.get(..16)?, line.get(17..)?);
    if checksum(text).as_bytes() != sum {
        return None;
    }
    serde_json::from_slice(text).ok()
}

fn checksum(text: &[u8]) -> String {
    hex::encode(Sha256::digest(text).get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::deploy::{DeploymentOrigin, DeploymentState, PublishTarget, Reference, Trigger};

    /// Copies of damaged files in a directory.
    fn damaged(dir: &Path) -> Vec<PathBuf> {
        let all = fs::read_dir(dir).unwrap();
        let all = all.map(|entry| entry.unwrap().path());
        all.filter(|path| path.to_string_lossy().contains(".damaged-"))
            .collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_symlinked_journal_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let (path, victim) = (dir.path().join("journal"), dir.path().join("victim"));
        fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        let error = FileJournal::open(&path).unwrap_err().to_string();
        assert!(error.contains("symbolic link"), "{error}");
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        // A link is replaced, not followed.
        fs::remove_file(&path).unwrap();
        let journal = FileJournal::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        journal
            .rewrite(&[&deployment("a", DeploymentState::Live)])
            .unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(journal.read().unwrap().len(), 1);
    }

    #[test]
    fn unreadable_lines_are_backed_up_and_reported() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        journal
            .append(&[&deployment("a", DeploymentState::Live)])
            .unwrap();
        assert_eq!(journal.damage(), None);
        drop(journal);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend([0xff; 500]);
        fs::write(&path, &bytes).unwrap();
        let journal = FileJournal::open(&path).unwrap();
        let copies = damaged(dir.path());
        assert_eq!(copies.len(), 1);
        assert_eq!(fs::read(&copies[0]).unwrap(), bytes);
        let damage = journal.damage().unwrap().to_owned();
        assert!(damage.contains(&*copies[0].to_string_lossy()), "{damage}");
        assert_eq!(journal.read().unwrap().len(), 1);
        drop(journal);
        // The damage is reported once.
        assert_eq!(FileJournal::open(&path).unwrap().damage(), None);
        assert_eq!(damaged(dir.path()).len(), 1);
    }

    fn deployment(id: &str, state: DeploymentState) -> Deployment {
        Deployment {
            id: id.into(),
            project: "docs".into(),
            target: PublishTarget::Preview { name: "a".into() },
            trigger: Trigger::Rollback { of: "x".into() },
            state,
            reference: Reference::default(),
            commit: None,
            foreign: false,
            queued: 1,
            started: None,
            finished: None,
            summary: "line\nbreak".into(),
            snapshot: None,
            host: None,
            removed: None,
            left: None,
            origin: DeploymentOrigin::Local,
        }
    }

    #[test]
    fn the_last_state_survives_a_reopen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        let (queued, live) = (
            deployment("a", DeploymentState::Queued),
            deployment("a", DeploymentState::Live),
        );
        journal
            .append(&[&queued, &deployment("b", DeploymentState::Failed)])
            .unwrap();
        journal.append(&[&live]).unwrap();
        drop(journal);
        let read = FileJournal::open(&path).unwrap().read().unwrap();
        assert_eq!(read, [live, deployment("b", DeploymentState::Failed)]);
    }

    #[test]
    fn a_truncated_journal_retains_complete_lines_and_accepts_appends() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        for id in ["a", "b", "c"] {
            journal
                .append(&[&deployment(id, DeploymentState::Live)])
                .unwrap();
        }
        let bytes = fs::read(&path).unwrap();
        let line = bytes.len() / 3;
        for cut in 0..=bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let journal = FileJournal::open(&path).unwrap();
            assert_eq!(journal.read().unwrap().len(), cut / line, "{cut}");
            journal
                .append(&[&deployment("d", DeploymentState::Queued)])
                .unwrap();
            assert_eq!(journal.read().unwrap().len(), cut / line + 1, "{cut}");
        }
    }

    #[test]
    fn a_line_with_a_flipped_bit_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        for id in ["a", "b", "c"] {
            journal
                .append(&[&deployment(id, DeploymentState::Live)])
                .unwrap();
        }
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let ids: Vec<String> = FileJournal::open(&path)
            .unwrap()
            .read()
            .unwrap()
            .into_iter()
            .map(|deployment| deployment.id)
            .collect();
        assert_eq!(ids, ["a", "c"]);
    }

    #[test]
    fn a_rewrite_replaces_the_journal_and_leaves_no_temporary_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        journal
            .append(&[&deployment("a", DeploymentState::Live)])
            .unwrap();
        let replacement = deployment("b", DeploymentState::Live);
        journal.rewrite(&[&replacement]).unwrap();
        journal
            .append(&[&deployment("c", DeploymentState::Live)])
            .unwrap();
        fs::write(dir.path().join(".tmp-svc-1"), "half").unwrap();
        let read = FileJournal::open(&path).unwrap().read().unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0], replacement);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_rewrite_changes_nothing_and_can_be_retried() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        let (first, second) = (
            deployment("a", DeploymentState::Live),
            deployment("b", DeploymentState::Live),
        );
        journal.append(&[&first]).unwrap();
        // Writing fails because a directory is in the way.
        fs::remove_file(&path).unwrap();
        fs::create_dir_all(path.join("full")).unwrap();
        journal.rewrite(&[&second]).unwrap_err();
        journal.append(&[&second]).unwrap();
        assert_eq!(journal.read().unwrap(), [first, second.clone()]);
        fs::remove_dir_all(&path).unwrap();
        journal.rewrite(&[&second]).unwrap();
        assert_eq!(journal.read().unwrap(), [second]);
    }
}
