//! Redirects from old URLs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use svc_config::Document;
use svc_data::percent::decode_lossy;
use svc_diagnostics::SourceFile;
use svc_source::encoded_path;

use super::TextChange;
use super::data::included;
use super::moves::{Moves, RenameError, url_of};
use crate::{Site, config_file};

/// Adds redirects from the old URLs of pages to the new ones, and removes those that would lead in
/// circles or away from a page. Returns the redirects that were added.
pub(super) fn update(
    site: &Site,
    moves: &Moves,
    configs: &BTreeSet<String>,
    changes: &mut Vec<TextChange>,
    is_added: bool,
) -> Result<Vec<(String, String)>, RenameError> {
    let urls = urls(site, moves);
    let new: BTreeSet<&str> = urls.values().map(String::as_str).collect();
    let Some((path, pointer)) = list_of_redirects(site, configs) else {
        return Ok(Vec::new());
    };
    let Some(file) = site.tree.text(&path) else {
        return Ok(Vec::new());
    };
    let change = changes.iter().find(|change| change.old_path == path);
    let text = change.map_or(&**file.text(), |change| &*change.text);
    let new_path = moves.file(&path).unwrap_or(&path).to_owned();
    let mut document = Document::read(&SourceFile::new(&*new_path, text)).value;
    let failed = |error: svc_config::EditError| RenameError::Config {
        file: path.clone(),
        reason: error.to_string(),
    };
    let mut pending = urls.clone();
    let entries = document.get(&pointer).and_then(|list| list.as_array());
    let entries: Vec<(String, String)> = entries
        .into_iter()
        .flatten()
        .map(|entry| {
            let field = |key| entry.get(key).and_then(|value| value.as_str());
            let text = |key| field(key).unwrap_or_default().trim().to_owned();
            (
                decode_lossy(&text("source")).into_owned(),
                text("destination"),
            )
        })
        .collect();
    // From the end, so that the indexes stay valid.
    for (index, (source, to)) in entries.iter().enumerate().rev() {
        let source = source.trim_end_matches('/');
        let item = format!("{pointer}/{index}");
        if !source.is_empty() && (new.contains(source) || to.trim_end_matches('/') == source) {
            document.remove(&item).map_err(failed)?;
        } else if let Some(to) = pending.remove(source).filter(|_| is_added) {
            let to = json!(encoded_path(&to));
            document
                .set(&format!("{item}/destination"), &to)
                .map_err(failed)?;
        }
    }
    let mut added = Vec::new();
    if is_added && !pending.is_empty() {
        // The first match is used: an older pattern must not be before the new redirect.
        let is_covered = pending
            .keys()
            .any(|old| site.map.redirects.find(old).is_some());
        added.extend(pending);
        let items: Vec<serde_json::Value> = added
            .iter()
            .map(|(from, to)| json!({ "source": encoded_path(from), "destination": encoded_path(to) }))
            .collect();
        if document.get(&pointer).is_none() {
            document.set(&pointer, &json!(items)).map_err(failed)?;
        } else {
            for (index, item) in items.iter().enumerate() {
                let at = if is_covered {
                    format!("{pointer}/{index}")
                } else {
                    format!("{pointer}/-")
                };
                document.insert(&at, item).map_err(failed)?;
            }
        }
    }
    if document.text() == text {
        return Ok(added);
    }
    let text = document.text().to_owned();
    match changes.iter_mut().find(|change| change.old_path == path) {
        Some(change) => change.text = text,
        None => changes.push(TextChange {
            old_text: Arc::clone(file.text()),
            old_path: path,
            path: new_path,
            text,
            references: 0,
        }),
    }
    Ok(added)
}

/// New URLs of pages and folders by old URL.
fn urls(site: &Site, moves: &Moves) -> BTreeMap<String, String> {
    let mut urls = BTreeMap::new();
    for (old, new) in &moves.files {
        let (from, to) = (url_of(old), url_of(new));
        let route = site.map.route(&from);
        let page = route.and_then(|route| site.page_of(route));
        if page.is_some_and(|page| *page.path == **old) && from != to {
            urls.insert(from, to);
        }
    }
    if moves.is_folder {
        let dirs = moves.files.keys().flat_map(|path| {
            let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
            ends.filter(|dir| moves.folder(dir).is_some())
        });
        for dir in dirs.collect::<BTreeSet<_>>() {
            let url = format!("/{dir}");
            let leads = site.map.dir_redirect(&url).is_some() && site.map.redirect(&url).is_none();
            if let Some(new) = moves.folder(dir).filter(|_| leads) {
                urls.entry(url).or_insert_with(|| format!("/{new}"));
            }
        }
    }
    urls
}

/// The file with the list of redirects, and the pointer to the list or to the place for a new one.
fn list_of_redirects(site: &Site, configs: &BTreeSet<String>) -> Option<(String, String)> {
    let mut path = config_file(&site.tree)?.path().to_string();
    let mut pointer = "/redirects".to_owned();
    // Each step follows one `$ref`.
    for _ in 0..=configs.len() {
        let document = Document::read(site.tree.text(&path)?).value;
        let list = document.get(&pointer);
        let reference = |node: Option<&svc_data::Node>| {
            let text = node?.get("$ref")?.as_str()?.to_owned();
            Some(included(&path, &text))
        };
        let is_list = list.is_some_and(|list| list.as_array().is_some());
        let next = match list {
            Some(_) if is_list => None,
            Some(list) => reference(Some(list)).map(|file| (file, String::new())),
            None => reference(Some(document.root()))
                .filter(|file| has_redirects(site, file))
                .map(|file| (file, "/redirects".to_owned())),
        };
        match next {
            Some((file, at)) => (path, pointer) = (file, at),
            None => return Some((path, pointer)),
        }
    }
    None
}

fn has_redirects(site: &Site, path: &str) -> bool {
    let document = site.tree.text(path).map(|file| Document::read(file).value);
    document.is_some_and(|document| document.get("/redirects").is_some())
}
