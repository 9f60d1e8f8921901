//! `svc rename`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use svc_diagnostics::render_text;
use svc_server::{FetchPolicy, RemoteDocumentArgs, pluralize};
use svc_site::{Audience, LoadOptions, RenamePlan, SiteOptions, TextChange, VersionSource};
use svc_source::FileTransaction;

use super::output::{count, eprint_escaped, print, unified_diff};
use super::progress::Progress;
use super::site::{load_site, remote_documents};
use crate::exit::Exit;

/// Rename a page, folder, image or snippet, with all references to it.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 renamed, 1 not possible or new problems were found, 2 a file cannot be written; nothing is changed then."
)]
pub(crate) struct Arguments {
    /// Page, folder, image or snippet, relative to the site
    from: String,
    /// New path, or the folder to move to
    to: String,
    /// Folder with the docs.json
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Do not redirect the old URLs to the new ones
    #[arg(long)]
    no_redirect: bool,
    /// Print the changes as a diff, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let dir = &arguments.dir;
    let flags = RemoteDocumentArgs::default();
    let options = LoadOptions {
        remote: remote_documents(&flags, dir, true, FetchPolicy::Missing),
        site: SiteOptions {
            // Pages for some readers only are renamed too.
            audience: Audience::Trusted,
            ..SiteOptions::default()
        },
        // Their files are not in the work tree.
        versions: VersionSource::None,
        ..LoadOptions::default()
    };
    let (site, _) = match load_site(dir, &options.without_dates(), &mut Progress::start())? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let (from, to) = (&arguments.from, &arguments.to);
    // An empty folder is in no list of files.
    let to = match dir.join(to).is_dir() && !to.ends_with('/') && from != to {
        true => format!("{to}/"),
        false => to.clone(),
    };
    let plan = match svc_site::plan_rename(&site, from, &to, !arguments.no_redirect) {
        Ok(plan) => plan,
        Err(error) => {
            eprint_escaped(&format!("svc: {error}\n"));
            return Ok(Exit::Problems);
        }
    };
    let problems = svc_site::new_problems(&site, &plan, &options.without_dates())?;
    if arguments.dry_run {
        print(&difference(&plan))?;
    } else {
        write(dir, &plan)?;
        print(&summary(&plan))?;
    }
    if problems.is_empty() {
        return Ok(Exit::Success);
    }
    let text_of = |path: &str| plan.tree.text(path).map(|file| &**file.text());
    eprint_escaped(&render_text(&problems, &text_of));
    eprint_escaped(&format!("\nnew after the change: {}\n", count(&problems)));
    Ok(Exit::Problems)
}

/// Writes the plan. Nothing is changed if a file cannot be written or is not the one that was read.
fn write(dir: &Path, plan: &RenamePlan) -> io::Result<()> {
    let mut files = FileTransaction::default();
    let (from, to) = &plan.path;
    files.rename(dir.join(from), dir.join(to));
    for change in &plan.changes {
        let path = dir.join(&change.old_path);
        let fails = |reason: &str| io::Error::other(format!("{}: {reason}", path.display()));
        let bytes = fs::read(&path).map_err(|error| fails(&error.to_string()))?;
        if bytes != change.old_text.as_bytes() {
            return Err(fails(
                "the file is not UTF-8 or was changed while it was read; nothing is changed",
            ));
        }
        files.write(dir.join(&change.path), change.text.as_bytes());
    }
    files.commit()
}

fn summary(plan: &RenamePlan) -> String {
    let (from, to) = &plan.path;
    let slash = if plan.is_folder { "/" } else { "" };
    let mut text = format!("{from}{slash} → {to}{slash}\n");
    for change in plan.changes.iter().filter(|change| change.references > 0) {
        let references = pluralize(change.references, "reference");
        text.push_str(&format!("  {}: {references}\n", change.path));
    }
    for (source, destination) in &plan.redirects {
        text.push_str(&format!("  redirect {source} → {destination}\n"));
    }
    text
}

/// The changes as a unified diff with renames, which `git apply` accepts.
fn difference(plan: &RenamePlan) -> String {
    let change_of = |path: &str| plan.changes.iter().find(|change| change.old_path == path);
    let stays = |change: &&TextChange| change.old_path == change.path;
    let mut out = String::new();
    for change in plan.changes.iter().filter(stays) {
        out.push_str(&text_difference(change));
    }
    for (old, new) in &plan.files {
        out.push_str(&format!("diff --git a/{old} b/{new}\n"));
        let change = change_of(old);
        if change.is_none() {
            out.push_str("similarity index 100%\n");
        }
        out.push_str(&format!("rename from {old}\nrename to {new}\n"));
        out.push_str(&change.map_or_else(String::new, text_difference));
    }
    out
}

fn text_difference(change: &TextChange) -> String {
    unified_diff(
        (&change.old_path, &change.old_text),
        (&change.path, &change.text),
    )
}
