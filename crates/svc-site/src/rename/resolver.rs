//! What a reference refers to, and how it is written after the change.

use std::collections::HashMap;

use svc_data::browser_scheme;
use svc_data::percent::decode;
use svc_source::{canonical_path, encoded_path, normalize, resolve_import};

use super::moves::{Moves, is_dir_at, without_page_extension};
use crate::Site;

/// Extensions that an import may omit.
const MODULE_EXTENSIONS: [&str; 7] = ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"];

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// A page, by its file.
    Page(String),
    /// Another file.
    File(String),
    /// A folder with pages; it redirects to the first one.
    Folder(String),
    /// A page without a file, by its URL path.
    Generated(String),
}

/// How a path is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `/a`
    Absolute,
    /// `a` from the root of the site.
    FromRoot,
    /// `a`, `./a` or `../a` from the folder of the file.
    Relative,
}

/// Resolves references before and after the change.
#[derive(Debug)]
pub(super) struct Resolver<'a> {
    site: &'a Site,
    moves: &'a Moves,
    /// Files of pages by URL path, before and after the change.
    pages: [HashMap<String, String>; 2],
}

/// The state of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before = 0,
    After = 1,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(site: &'a Site, moves: &'a Moves) -> Self {
        let (mut before, mut after) = (HashMap::new(), HashMap::new());
        for page in site.pages.iter() {
            before.insert(canonical_path(&page.slug), page.path.to_string());
            let new = moves.file(&page.path).unwrap_or(&page.path);
            after.insert(super::moves::url_of(new), new.to_owned());
        }
        Self {
            site,
            moves,
            pages: [before, after],
        }
    }

    pub(super) const fn moves(&self) -> &Moves {
        self.moves
    }

    /// Whether a file exists before the change.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.site.tree.contains(path)
    }

    /// The new spelling of a link, image or other reference in the file at `from`, which is a
    /// path before the change. `None` if it stays as it is.
    pub(super) fn reference(&self, from: &str, written: &str) -> Option<String> {
        self.rewrite(from, written, |target| {
            !matches!(target, Target::Generated(_))
        })
    }

    /// Like [`Self::reference`], but not for folders: a text such as `/api` may be anything.
    pub(super) fn path_reference(&self, from: &str, written: &str) -> Option<String> {
        self.rewrite(from, written, |target| {
            matches!(target, Target::Page(_) | Target::File(_))
        })
    }

    /// Like [`Self::reference`], but only for files other than pages.
    pub(super) fn file_reference(&self, from: &str, written: &str) -> Option<String> {
        self.rewrite(from, written, |target| matches!(target, Target::File(_)))
    }

    /// The new spelling of a page in `navigation`, which is relative to the root in all files.
    pub(super) fn page_entry(&self, written: &str) -> Option<String> {
        let page = self.site.pages.get(written.trim())?;
        let new = self.moves.file(&page.path)?;
        let slug = without_page_extension(new).unwrap_or(new);
        let bare = written.trim().trim_matches('/');
        let ending = ["mdx", "md"].into_iter().find(|end| {
            bare.strip_suffix(end)
                .is_some_and(|stem| stem.ends_with('.'))
        });
        let ends_in_index = |path: &str| path == "index" || path.ends_with("/index");
        let path = match ending {
            Some(ending) => format!("{slug}.{ending}"),
            None if ends_in_index(&page.slug) && !ends_in_index(bare) => {
                match canonical_path(slug).trim_start_matches('/') {
                    "" => "index".to_owned(),
                    path => path.to_owned(),
                }
            }
            None => slug.to_owned(),
        };
        let slash = if written.trim().starts_with('/') {
            "/"
        } else {
            ""
        };
        Some(format!("{slash}{path}"))
    }

    /// The new spelling of the specifier of an import in the file at `from`.
    pub(super) fn import(&self, from: &str, written: &str) -> Option<String> {
        let path = resolve_import(from, written);
        let (ending, old) = MODULE_EXTENSIONS.iter().find_map(|end| {
            let file = format!("{path}{end}");
            self.site.tree.text(&file).is_some().then_some((end, file))
        })?;
        let new = self.moves.file(&old).unwrap_or(&old);
        let new_from = self.moves.file(from).unwrap_or(from);
        let new = new.strip_suffix(ending).unwrap_or(new);
        let dotted = written.starts_with("./") || written.starts_with("../");
        let spelled = match dotted {
            true => dotted_path(dir_of(new_from), new),
            false if written.starts_with('/') => format!("/{new}"),
            false => new.to_owned(),
        };
        let same = resolve_import(new_from, written) == new;
        (!same).then_some(spelled)
    }

    /// The new value of `file` of a `Snippet`.
    pub(super) fn snippet(&self, written: &str) -> Option<String> {
        let bare = written.trim_start_matches("./").trim_start_matches('/');
        for dir in ["snippets/", "_snippets/", ""] {
            for end in MODULE_EXTENSIONS {
                let old = format!("{dir}{bare}{end}");
                if !self.site.tree.contains(&old) {
                    continue;
                }
                let new = self.moves.file(&old)?;
                let new = new.strip_suffix(end).unwrap_or(new);
                return Some(match new.strip_prefix(dir) {
                    Some(inside) => inside.to_owned(),
                    None => format!("/{new}"),
                });
            }
        }
        None
    }

    fn rewrite(
        &self,
        from: &str,
        written: &str,
        accepts: impl Fn(&Target) -> bool,
    ) -> Option<String> {
        let trimmed = written.trim();
        if trimmed.is_empty()
            || trimmed.starts_with(['#', '?', '\\'])
            || trimmed.starts_with("//")
            || trimmed.contains(['{', '}', '\n'])
            || browser_scheme(trimmed).is_some()
        {
            return None;
        }
        let (path, tail) = trimmed.split_at(trimmed.find(['?', '#']).unwrap_or(trimmed.len()));
        // Feeds have the URL of their page.
        let (path, feed) = match path.strip_suffix("/rss.xml") {
            Some(page) if !self.contains(path.trim_start_matches('/')) => (page, "/rss.xml"),
            _ => (path, ""),
        };
        let decoded = decode(path);
        let (target, form) = self.find(State::Before, dir_of(from), &decoded)?;
        let new_from = self.moves.file(from).unwrap_or(from);
        let new_target = match &target {
            Target::Page(file) => Target::Page(self.moves.file(file).unwrap_or(file).to_owned()),
            Target::File(file) => Target::File(self.moves.file(file).unwrap_or(file).to_owned()),
            Target::Folder(dir) => {
                Target::Folder(self.moves.folder(dir).unwrap_or_else(|| dir.clone()))
            }
            Target::Generated(url) => Target::Generated(url.clone()),
        };
        let new_dir = dir_of(new_from);
        let found = self.find(State::After, new_dir, &decoded);
        let stays = found.is_some_and(|(found, _)| found == new_target);
        let moved = new_target != target;
        let is_unchanged = match moved {
            true => !accepts(&target),
            false => stays,
        };
        if is_unchanged {
            return None;
        }
        if stays {
            // Both ends have moved together.
            return None;
        }
        let bare = bare_path(&new_target, &decoded);
        let slash = if decoded.len() > 1 && decoded.ends_with('/') && !bare.is_empty() {
            "/"
        } else {
            ""
        };
        let absolute = format!("/{bare}{slash}");
        let spelled = match form {
            Form::Absolute => absolute.clone(),
            Form::FromRoot => format!("{bare}{slash}"),
            Form::Relative if bare.is_empty() => absolute.clone(),
            Form::Relative => {
                let path = dotted_path(new_dir, &bare);
                let dotted = decoded.starts_with('.');
                match path.strip_prefix("./") {
                    Some(inside) if !dotted => format!("{inside}{slash}"),
                    _ => format!("{path}{slash}"),
                }
            }
        };
        let arrives = self.find(State::After, new_dir, &spelled);
        let spelled = match arrives {
            Some((target, _)) if target == new_target => spelled,
            _ => absolute,
        };
        Some(format!("{}{feed}{tail}", encode(&spelled, path)))
    }

    /// What a decoded path refers to in a file of the folder `dir`.
    fn find(&self, state: State, dir: &str, path: &str) -> Option<(Target, Form)> {
        if path.starts_with('/') {
            return Some((self.at(state, &normalize(path))?, Form::Absolute));
        }
        let dotted = path.starts_with("./") || path.starts_with("../") || path == "..";
        let relative = self.at(state, &normalize(&format!("{dir}/{path}")));
        if let Some(target) = relative {
            let form = if dir.is_empty() && !dotted {
                Form::FromRoot
            } else {
                Form::Relative
            };
            return Some((target, form));
        }
        if dotted {
            return None;
        }
        Some((self.at(state, &normalize(path))?, Form::FromRoot))
    }

    fn at(&self, state: State, path: &str) -> Option<Target> {
        let path = path.trim_end_matches('/');
        let url = canonical_path(without_page_extension(path).unwrap_or(path));
        let pages = &self.pages[state as usize];
        for url in [&url, &url.to_ascii_lowercase()] {
            if let Some(file) = pages.get(url.as_str()) {
                return Some(Target::Page(file.clone()));
            }
            let route = self.site.map.route(url);
            if route.is_some_and(|route| self.site.page_of(route).is_none()) {
                return Some(Target::Generated(url.clone()));
            }
        }
        let is_file = match state {
            State::Before => self.contains(path),
            State::After => {
                let stays = self.contains(path) && self.moves.file(path).is_none();
                stays || self.moves.files.values().any(|new| new == path)
            }
        };
        if is_file {
            return Some(Target::File(path.to_owned()));
        }
        let is_folder = match state {
            State::Before => is_dir_at(&self.site.tree, path),
            State::After => {
                let stays = is_dir_at(&self.site.tree, path) && self.moves.folder(path).is_none();
                stays || self.is_new_dir(path)
            }
        };
        is_folder.then(|| Target::Folder(path.to_owned()))
    }

    fn is_new_dir(&self, path: &str) -> bool {
        let prefix = format!("{path}/");
        self.moves
            .files
            .values()
            .any(|new| new.starts_with(&prefix))
    }
}

/// The path of a target from the root, spelled like `written`.
fn bare_path(target: &Target, written: &str) -> String {
    match target {
        Target::File(path) | Target::Folder(path) => path.clone(),
        Target::Generated(url) => url.trim_start_matches('/').to_owned(),
        Target::Page(file) => {
            let slug = without_page_extension(file).unwrap_or(file);
            let stem = without_page_extension(written);
            let ending = written.get(stem.map_or(written.len(), str::len)..);
            let ending = ending.unwrap_or_default();
            let index = stem.unwrap_or(written);
            let index = index == "index" || index.ends_with("/index");
            if index || !ending.is_empty() {
                format!("{slug}{ending}")
            } else {
                canonical_path(slug).trim_start_matches('/').to_owned()
            }
        }
    }
}

fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The path of `to` from the folder `dir`, beginning with `./` or `../`.
fn dotted_path(dir: &str, to: &str) -> String {
    let from: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = to.split('/').collect();
    let most = from.len().min(to.len().saturating_sub(1));
    let same = (0..most)
        .take_while(|at| from.get(*at) == to.get(*at))
        .count();
    let up = "../".repeat(from.len() - same);
    let rest = to.get(same..).unwrap_or_default().join("/");
    if up.is_empty() {
        format!("./{rest}")
    } else {
        format!("{up}{rest}")
    }
}

/// Percent-encodes a path if the old one was encoded, or if a character would end it.
fn encode(path: &str, old: &str) -> String {
    let special = |c: char| c.is_whitespace() || c.is_control() || "\"'<>()[]{}%?#\\`|".contains(c);
    if old.contains('%') || path.contains(special) {
        encoded_path(path).into_owned()
    } else {
        path.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_a_folder_go_up_and_down() {
        for (dir, to, expected) in [
            ("", "a", "./a"),
            ("a", "a/b", "./b"),
            ("a/b", "a/c", "../c"),
            ("a/b", "c/d", "../../c/d"),
            ("a", "a", "../a"),
        ] {
            assert_eq!(dotted_path(dir, to), expected, "{dir} {to}");
        }
    }

    #[test]
    fn only_special_characters_are_encoded() {
        assert_eq!(encode("/é/a-b", "/x"), "/é/a-b");
        assert_eq!(encode("/a (b)", "/x"), encoded_path("/a (b)"));
    }
}
