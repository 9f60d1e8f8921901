//! `svc a11y`.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use svc_site::AccessibilityChecks;

use super::output::with_path;
use super::progress::Progress;
use super::report::Format;
use super::site::{check_options, check_site_dir};
use super::validate::fix::Fixes;
use super::validate::{CheckOutcome, fix_command};
use crate::exit::Exit;

/// Check colors, alternative texts, headings and link texts for readers with disabilities.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors (with --strict also warnings), 2 the folder cannot be read."
)]
pub(crate) struct Arguments {
    /// Folder that contains `docs.json`
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Do not check the colors of docs.json
    #[arg(long)]
    skip_contrast: bool,
    /// Do not check alternative texts of images, and titles of frames and videos
    #[arg(long)]
    skip_alt_text: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Replace colors by the nearest shade with enough contrast
    #[arg(long)]
    fix: bool,
    /// With `--fix`: show the changes as a unified diff and write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let dir = &arguments.dir;
    check_site_dir(dir)?;
    let load = check_options(dir);
    let checks = AccessibilityChecks {
        contrast: !arguments.skip_contrast,
        alt_texts: !arguments.skip_alt_text,
    };
    let progress = Progress::start();
    let checked = svc_site::check_accessibility(dir, &load, checks);
    let checked = checked.map_err(|error| with_path(dir, &error))?;
    drop(progress);
    let outcome = CheckOutcome {
        validation: checked,
        dir,
        start,
        fix_command: &fix_command("a11y", dir),
    };
    let fixes = arguments.fix.then_some(Fixes {
        dir,
        is_dry_run: arguments.dry_run,
    });
    outcome.finish(fixes, &load, (arguments.format, arguments.strict))
}
