//! `svc i18n record`.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use svc_server::pluralize;
use svc_site::{TRANSLATION_LOCK, Translation, TranslationState};

use crate::commands::output::print;
use crate::commands::progress::Progress;
use crate::commands::site::{load_options, load_site};
use crate::exit::Exit;

/// Record that translated pages correspond to the present text of their sources.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Translated pages, sources of translated pages, or folders of them
    #[arg(value_name = "PAGE")]
    pages: Vec<PathBuf>,
    /// Record all translated pages, also outdated ones
    #[arg(long, conflicts_with = "pages")]
    all: bool,
    /// Folder with docs.json
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let options = load_options(&arguments.dir).without_dates();
    let site = match load_site(&arguments.dir, &options, &mut Progress::start())? {
        Ok((site, _)) => site,
        Err(exit) => return Ok(exit),
    };
    let pages = arguments.pages.iter();
    let pages: Vec<String> = pages
        .map(|page| path_in_site(page, &arguments.dir))
        .collect();
    let translations = site.translations();
    for (page, name) in pages.iter().zip(&arguments.pages) {
        if !translations
            .iter()
            .any(|translation| names(page, translation))
        {
            let message = format!(
                "`{}` is neither a translated page nor the source of one; `svc i18n status` lists them",
                name.display()
            );
            return Err(io::Error::other(message));
        }
    }
    let (text, recorded) = site.record_translations(|translation| {
        arguments.all
            || pages.iter().any(|page| names(page, translation))
            || (pages.is_empty() && translation.state == TranslationState::Unrecorded)
    });
    let path = arguments.dir.join(TRANSLATION_LOCK);
    let before = site.tree.text(TRANSLATION_LOCK);
    if before.is_none_or(|file| **file.text() != *text) {
        svc_source::write_atomic(&path, text.as_bytes())?;
    }
    let pages = pluralize(recorded.len(), "page");
    print(&format!("Recorded {pages} in {}.\n", path.display()))?;
    Ok(Exit::Success)
}

/// The path of a page relative to the folder of the site: as it is, or below the name of the folder,
/// or as an absolute path.
fn path_in_site(page: &Path, dir: &Path) -> String {
    let inside = |page: &Path, dir: &Path| page.strip_prefix(dir).map(Path::to_owned).ok();
    let real = || inside(&page.canonicalize().ok()?, &dir.canonicalize().ok()?);
    let is_below = !dir.as_os_str().is_empty() && dir != Path::new(".") && !dir.join(page).exists();
    let path = match is_below || page.is_absolute() {
        true => real().or_else(|| inside(page, dir)),
        false => None,
    };
    let path = path.unwrap_or_else(|| page.to_owned());
    let path = path.to_string_lossy().replace('\\', "/");
    path.trim_start_matches("./").trim_matches('/').to_owned()
}

/// Whether a path is that of a translated page or of its source, with or without extension, or of a
/// folder that contains the page.
fn names(path: &str, translation: &Translation) -> bool {
    let Some(page) = translation.page.as_deref() else {
        return false;
    };
    let is_file = |file: &str| {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        path == file || path == stem
    };
    let is_folder = page
        .strip_prefix(path)
        .is_some_and(|rest| rest.starts_with('/'));
    is_file(page) || is_file(&translation.source) || is_folder
}
