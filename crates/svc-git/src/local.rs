//! References of a repository on this machine.

use gix::ObjectId;

use crate::GitError;
use crate::advertisement::Reference;
use crate::fetch::{candidates, commit_reference, unknown_reference};
use crate::objects::Objects;

/// The commit of a branch, a tag, a full reference or an id. Branches of the remote `origin` that
/// were not checked out are found too.
pub(crate) fn resolve(objects: &Objects, name: &str) -> Result<ObjectId, GitError> {
    let mut candidates = candidates(name)?;
    if name == "HEAD" {
        let head = objects.repository().head_id();
        let head = head.map_err(|_| unknown_reference(name, &branches(objects)))?;
        return objects.peel(head.detach());
    }
    if !name.starts_with("refs/") {
        candidates.push(format!("refs/remotes/origin/{name}"));
    }
    for candidate in &candidates {
        let reference = objects.repository().try_find_reference(candidate.as_str());
        if let Some(mut reference) = reference.map_err(GitError::corrupt)? {
            let id = reference.peel_to_id().map_err(GitError::corrupt)?.detach();
            return objects.peel(id);
        }
    }
    match commit_reference(name) {
        Some(reference) if objects.has(reference.id) => objects.peel(reference.id),
        _ => Err(unknown_reference(name, &all(objects))),
    }
}

/// Branches that are checked out or were created here.
pub(crate) fn branches(objects: &Objects) -> Vec<Reference> {
    list(objects, &["refs/heads/"])
}

/// Branches, tags and branches of the remote.
fn all(objects: &Objects) -> Vec<Reference> {
    list(
        objects,
        &["refs/heads/", "refs/tags/", "refs/remotes/origin/"],
    )
}

fn list(objects: &Objects, prefixes: &[&str]) -> Vec<Reference> {
    let Ok(platform) = objects.repository().references() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for prefix in prefixes {
        let Ok(references) = platform.prefixed(*prefix) else {
            continue;
        };
        found.extend(references.flatten().filter_map(|reference| {
            let name = reference.name().as_bstr().to_string();
            // `origin/HEAD` is a symbolic reference to one of the others.
            let id = reference.try_id()?.detach();
            Some(Reference {
                name,
                id,
                peeled: None,
            })
        }));
    }
    found
}
