//! Which files change their path.

use std::collections::BTreeMap;

use svc_diagnostics::did_you_mean;
use svc_source::{SourceTree, canonical_path, normalize};

use crate::Site;
use crate::file_types::{extension, has_known_extension};
use crate::stages::CONFIGS;

/// Why something cannot be renamed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// Nothing is at the path.
    #[error("there is no page, file or folder `{path}`{}", hint.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Missing {
        /// The path.
        path: String,
        /// The most similar path.
        hint: Option<String>,
    },
    /// A page and a folder have this name.
    #[error("`{page}` is a page and `{path}` is a folder; write `{page}` or `{path}/`")]
    Ambiguous {
        /// The path.
        path: String,
        /// File of the page.
        page: String,
    },
    /// The path leads out of the site.
    #[error("`{0}` is outside of the site")]
    Outside(String),
    /// The old and the new path are the same.
    #[error("`{0}` has this path already")]
    Same(String),
    /// Something is at the new path.
    #[error("`{0}` exists already and is not overwritten; choose another name")]
    Exists(String),
    /// A folder would move into itself.
    #[error("the folder `{0}` cannot be moved into itself")]
    IntoItself(String),
    /// The configuration has a fixed name.
    #[error("`{0}` has a fixed name and cannot be renamed")]
    Fixed(String),
    /// The type of a file would change.
    #[error("`{old}` cannot become `{new}`: a new name does not change the type of a file")]
    Type {
        /// Path of the file.
        old: String,
        /// New path.
        new: String,
    },
    /// A page would no longer be one.
    #[error("`{0}` would not be a page: the folder is ignored or holds snippets; choose another")]
    NoPage(String),
    /// A file would be ignored.
    #[error("`{0}` would be ignored; choose another name")]
    Ignored(String),
    /// A configuration file cannot be edited.
    #[error("`{file}` cannot be changed: {reason}")]
    Config {
        /// Path of the file.
        file: String,
        /// What prevents it.
        reason: String,
    },
}

/// The files that change their path.
#[derive(Debug)]
pub(super) struct Moves {
    /// Path of the file or folder, and its new path.
    pub(super) path: (String, String),
    pub(super) is_folder: bool,
    /// New paths by old path.
    pub(super) files: BTreeMap<String, String>,
}

impl Moves {
    pub(super) fn new(site: &Site, from: &str, to: &str) -> Result<Self, RenameError> {
        let (old, is_folder) = source(site, from)?;
        let inside = |path: &str| {
            let leaves = path.split(['/', '\\']).any(|part| part == "..");
            let drive = path.as_bytes().get(1) == Some(&b':');
            !leaves && !drive && !path.contains(char::is_control)
        };
        if !inside(to) {
            return Err(RenameError::Outside(to.to_owned()));
        }
        let name = old.rsplit('/').next().unwrap_or(&old);
        let target = normalize(to);
        let target = target.trim_end_matches('/');
        let is_dir = to.ends_with('/') || (is_dir_at(&site.tree, target) && target != old);
        let new = match (is_dir, target) {
            (true, "") => name.to_owned(),
            (true, dir) => format!("{dir}/{name}"),
            (false, "") => return Err(RenameError::Outside(to.to_owned())),
            (false, path) if is_folder => path.to_owned(),
            (false, path) => with_extension(&old, path)?,
        };
        if new == old {
            return Err(RenameError::Same(old));
        }
        if is_folder && new.starts_with(&format!("{old}/")) {
            return Err(RenameError::IntoItself(old));
        }
        let files: BTreeMap<String, String> = if is_folder {
            let below = site.tree.under(&old);
            let rest = below.filter_map(|(path, _)| Some((path, path.get(old.len()..)?)));
            rest.map(|(path, rest)| (path.to_owned(), format!("{new}{rest}")))
                .collect()
        } else {
            BTreeMap::from([(old.clone(), new.clone())])
        };
        let fixed = |path: &&String| CONFIGS.contains(&path.as_str()) || path.starts_with(".svc");
        if let Some(path) = files.keys().find(fixed) {
            return Err(RenameError::Fixed(path.clone()));
        }
        let taken = |path: &&String| site.tree.contains(path) && !files.contains_key(*path);
        if let Some(path) = files.values().find(taken) {
            return Err(RenameError::Exists(path.clone()));
        }
        if is_dir_at(&site.tree, &new) {
            return Err(RenameError::Exists(new));
        }
        Ok(Self {
            path: (old, new),
            is_folder,
            files,
        })
    }

    /// The new path of a file; `None` if it stays.
    pub(super) fn file(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// The new path of a folder; `None` if it stays.
    pub(super) fn folder(&self, path: &str) -> Option<String> {
        let (old, new) = &self.path;
        let rest = path.strip_prefix(old.as_str())?;
        (self.is_folder && (rest.is_empty() || rest.starts_with('/')))
            .then(|| format!("{new}{rest}"))
    }

    /// Checks that each page is still a page, with a URL of its own, and that no file is ignored.
    pub(super) fn check(&self, site: &Site, tree: &SourceTree) -> Result<(), RenameError> {
        let ignored = |new: &&String| !tree.contains(new);
        if let Some(new) = self.files.values().find(ignored) {
            return Err(RenameError::Ignored(new.clone()));
        }
        let pages = svc_source::update_pages(tree, &site.pages).value;
        for page in site.pages.iter() {
            let Some(new) = self.file(&page.path) else {
                continue;
            };
            if !pages.iter().any(|page| *page.path == *new) {
                return Err(RenameError::NoPage(new.to_owned()));
            }
            let url = url_of(new);
            if let Some(route) = site.map.route(&url)
                && site
                    .page_of(route)
                    .is_none_or(|other| self.file(&other.path).is_none())
            {
                return Err(RenameError::Exists(url));
            }
        }
        Ok(())
    }
}

/// The URL path of a page file.
pub(super) fn url_of(path: &str) -> String {
    canonical_path(without_page_extension(path).unwrap_or(path))
}

/// The path of a page without its extension; `None` for other files.
pub(super) fn without_page_extension(path: &str) -> Option<&str> {
    path.strip_suffix(".mdx")
        .or_else(|| path.strip_suffix(".md"))
}

pub(super) fn is_dir_at(tree: &SourceTree, path: &str) -> bool {
    !path.is_empty() && tree.under(path).next().is_some()
}

/// The file or folder that a user names, and whether it is a folder.
fn source(site: &Site, from: &str) -> Result<(String, bool), RenameError> {
    if from.split(['/', '\\']).any(|part| part == "..") {
        return Err(RenameError::Outside(from.to_owned()));
    }
    let path = normalize(from);
    let named_folder = path.ends_with('/');
    let path = path.trim_end_matches('/').to_owned();
    if site.tree.contains(&path) {
        return Ok((path, false));
    }
    let pages = [".mdx", ".md"].map(|end| format!("{path}{end}"));
    let page = pages.into_iter().find(|page| site.tree.contains(page));
    let folder = is_dir_at(&site.tree, &path);
    match (page, folder) {
        (Some(page), true) if !named_folder => Err(RenameError::Ambiguous { path, page }),
        (_, true) => Ok((path, true)),
        (Some(page), false) => Ok((page, false)),
        (None, false) => {
            let names = site.tree.iter().map(|(path, _)| path);
            let names = names.flat_map(|name| [name, without_page_extension(name).unwrap_or(name)]);
            let hint = did_you_mean(&path, names).map(str::to_owned);
            Err(RenameError::Missing { path, hint })
        }
    }
}

/// The new path of a file, with its extension if the user has not written it.
fn with_extension(old: &str, new: &str) -> Result<String, RenameError> {
    if without_page_extension(old).is_some() {
        if without_page_extension(new).is_some() {
            return Ok(new.to_owned());
        }
        return Ok(format!("{new}.{}", extension(old)));
    }
    let kept = extension(old);
    if extension(new).eq_ignore_ascii_case(kept) {
        return Ok(new.to_owned());
    }
    if has_known_extension(new) || without_page_extension(new).is_some() {
        let (old, new) = (old.to_owned(), new.to_owned());
        return Err(RenameError::Type { old, new });
    }
    Ok(format!("{new}.{kept}"))
}
