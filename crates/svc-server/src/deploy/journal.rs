//! Where the states of deployments are kept.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::Deployment;

/// Keeps deployments. What was appended is there after the power went away.
pub trait Journal: std::fmt::Debug + Send + Sync {
    /// Adds states; a later one of the same deployment counts.
    ///
    /// # Errors
    /// When they cannot be kept. None of them counts then.
    fn append(&self, states: &[&Deployment]) -> io::Result<()>;

    /// The last state of every deployment, by id.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&self) -> io::Result<Vec<Deployment>>;

    /// Keeps these and nothing else.
    ///
    /// # Errors
    /// When they cannot be kept; all stays as it was then.
    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()>;
}

/// A file of lines: checksum, space, deployment. A line that was not written to its end does not
/// count, as nobody was told that it was.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    /// The file, and how much of it is certain.
    open: Mutex<(File, u64)>,
}

/// Bytes of a journal that are read. A line has less than 4 KB.
const MOST: u64 = 256 << 20;

impl FileJournal {
    /// Opens or makes the file.
    ///
    /// # Errors
    /// When it cannot be read or made.
    pub fn open(path: &Path) -> io::Result<Self> {
        let beside = beside(path);
        if beside.exists() {
            fs::remove_file(&beside)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let journal = Self {
            path: path.to_owned(),
            open: Mutex::new((file, 0)),
        };
        let (found, lines, certain) = journal.lines()?;
        {
            let mut open = journal.open.lock().unwrap_or_else(PoisonError::into_inner);
            // What is torn is cut off, so that the next line begins a line.
            open.0.set_len(certain)?;
            open.1 = certain;
        }
        sync_folder(path);
        if is_long(lines, found.len()) {
            // As good as it is, it is only long.
            let _ = journal.rewrite(&found.values().collect::<Vec<_>>());
        }
        Ok(journal)
    }

    /// The deployments of all whole lines, how many lines those are, and where the last one ends.
    fn lines(&self) -> io::Result<(BTreeMap<String, Deployment>, usize, u64)> {
        let mut text = Vec::new();
        File::open(&self.path)?.take(MOST).read_to_end(&mut text)?;
        let mut found = BTreeMap::new();
        let (mut lines, mut certain) = (0, 0);
        let mut at = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            at += line.len();
            let Some(deployment) = parse(line) else {
                continue;
            };
            lines += 1;
            certain = at as u64;
            found.insert(deployment.id.clone(), deployment);
        }
        Ok((found, lines, certain))
    }
}

impl Journal for FileJournal {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        let text = lines_of(states)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let written = open.0.write_all(&text).and_then(|()| open.0.sync_data());
        if let Err(error) = written {
            // Half a line must not stand before the next one.
            let certain = open.1;
            let _ = open.0.set_len(certain);
            return Err(error);
        }
        open.1 += text.len() as u64;
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let _open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.lines()?.0.into_values().collect())
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        let text = lines_of(states)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let beside = beside(&self.path);
        let _ = fs::remove_file(&beside);
        let written = write_whole(&beside, &text)
            .and_then(|file| fs::rename(&beside, &self.path).map(|()| file));
        let file = written.inspect_err(|_| {
            // On a full disk the next append needs the room.
            let _ = fs::remove_file(&beside);
        })?;
        // Nothing may fail any more: states that go to the file of before would be lost.
        *open = (file, text.len() as u64);
        sync_folder(&self.path);
        Ok(())
    }
}

/// Whether most lines of a journal are old.
pub(super) const fn is_long(lines: usize, deployments: usize) -> bool {
    lines > 1000 + 4 * deployments
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension("new")
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
    super::hex(Sha256::digest(text).get(..8).unwrap_or_default())
}

/// Writes a file that is whole on the disk before this returns, and gives it to append to.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new()
        .create_new(true)
        .append(true)
        .open(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file)
}

/// Makes the name of a file as lasting as its contents. Some systems cannot, and need not.
pub(super) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deploy::{Reference, State, Target, Trigger};

    fn deployment(id: &str, state: State) -> Deployment {
        Deployment {
            id: id.into(),
            project: "docs".into(),
            target: Target::Preview { name: "a".into() },
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
        }
    }

    #[test]
    fn the_last_state_counts_and_survives_opening_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        let (queued, live) = (deployment("a", State::Queued), deployment("a", State::Live));
        journal
            .append(&[&queued, &deployment("b", State::Failed)])
            .unwrap();
        journal.append(&[&live]).unwrap();
        drop(journal);
        let read = FileJournal::open(&path).unwrap().read().unwrap();
        assert_eq!(read, [live, deployment("b", State::Failed)]);
    }

    #[test]
    fn a_journal_cut_anywhere_holds_the_whole_lines_and_can_be_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        for id in ["a", "b", "c"] {
            journal.append(&[&deployment(id, State::Live)]).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        let line = whole.len() / 3;
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let journal = FileJournal::open(&path).unwrap();
            assert_eq!(journal.read().unwrap().len(), cut / line, "{cut}");
            journal.append(&[&deployment("d", State::Queued)]).unwrap();
            assert_eq!(journal.read().unwrap().len(), cut / line + 1, "{cut}");
        }
    }

    #[test]
    fn a_line_with_a_flipped_bit_does_not_count_and_the_others_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        for id in ["a", "b", "c"] {
            journal.append(&[&deployment(id, State::Live)]).unwrap();
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
    fn rewriting_forgets_the_rest_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        journal.append(&[&deployment("a", State::Live)]).unwrap();
        let kept = deployment("b", State::Live);
        journal.rewrite(&[&kept]).unwrap();
        journal.append(&[&deployment("c", State::Live)]).unwrap();
        fs::write(beside(&path), "half").unwrap();
        let read = FileJournal::open(&path).unwrap().read().unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0], kept);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_rewrite_that_fails_changes_nothing_and_can_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = FileJournal::open(&path).unwrap();
        let (one, two) = (deployment("a", State::Live), deployment("b", State::Live));
        journal.append(&[&one]).unwrap();
        // Nothing can be written there.
        fs::create_dir_all(beside(&path).join("full")).unwrap();
        journal.rewrite(&[&two]).unwrap_err();
        journal.append(&[&two]).unwrap();
        assert_eq!(journal.read().unwrap(), [one, two.clone()]);
        fs::remove_dir_all(beside(&path)).unwrap();
        journal.rewrite(&[&two]).unwrap();
        assert_eq!(journal.read().unwrap(), [two]);
    }
}
