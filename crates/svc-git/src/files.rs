//! Reads the files of a commit into memory.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::tree::EntryKind;
use svc_diagnostics::Diagnostic;

use crate::export::{Findings, is_lfs_pointer, stays_inside};
use crate::objects::Objects;
use crate::{GitError, RepositoryLimits, names};

/// A file: its path and contents.
pub type FileBytes = (String, Vec<u8>);

/// Reads all files below a tree, sorted by path. What [`crate::Repository::export`] leaves out is
/// left out here too; links to files are copies of them, and links to folders are left out.
pub(crate) fn read(
    objects: &Objects,
    tree: ObjectId,
    limits: &RepositoryLimits,
) -> Result<(Vec<FileBytes>, Vec<Diagnostic>), GitError> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut links: Vec<(String, Vec<u8>)> = Vec::new();
    let mut findings = Findings::default();
    let mut pending = vec![(tree, String::new(), 0)];
    let (mut count, mut bytes) = (0, 0_u64);
    while let Some((tree, dir, depth)) = pending.pop() {
        if depth > limits.max_depth {
            return Err(GitError::too_deep(limits));
        }
        for entry in objects.tree(tree)? {
            count += 1;
            if count > limits.max_files {
                return Err(GitError::too_many_files(limits));
            }
            let path = format!("{dir}{}", String::from_utf8_lossy(&entry.name));
            if let Some(reason) = names::reject_reason(&entry.name) {
                findings.unsafe_name(&path, reason);
                continue;
            }
            match entry.kind {
                EntryKind::Tree => pending.push((entry.id, format!("{path}/"), depth + 1)),
                EntryKind::Commit => findings.submodule(&path),
                EntryKind::Link => {
                    if objects.size(entry.id)?.is_some_and(|size| size <= 4096) {
                        links.push((path, objects.blob(entry.id)?));
                    }
                }
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    let Some(size) = objects.size(entry.id)? else {
                        return Err(GitError::Corrupt(format!("blob {} is missing", entry.id)));
                    };
                    if size > limits.max_file_bytes {
                        findings.too_large(&path, &size.to_string(), limits.max_file_bytes);
                        continue;
                    }
                    bytes = bytes.saturating_add(size);
                    if bytes > limits.max_total_bytes {
                        return Err(GitError::too_many_bytes(limits));
                    }
                    let data = objects.blob(entry.id)?;
                    match is_lfs_pointer(&data) {
                        true => findings.lfs(&path),
                        false => drop(files.insert(path, data)),
                    }
                }
            }
        }
    }
    for (path, target) in links {
        let target = std::str::from_utf8(&target).unwrap_or_default();
        if !stays_inside(path.as_ref(), target) {
            findings.outside_link(&path);
            continue;
        }
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let target = svc_source::normalize(&format!("{dir}/{target}"));
        if let Some(data) = files.get(&target) {
            bytes = bytes.saturating_add(data.len() as u64);
            if bytes > limits.max_total_bytes {
                return Err(GitError::too_many_bytes(limits));
            }
            files.insert(path, data.clone());
        }
    }
    Ok((files.into_iter().collect(), findings.into_diagnostics()))
}
