//! `svc build`.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use svc_server::{RemoteDocumentArgs, SiteArgs, pluralize};
use svc_site::{
    ContentEncoding, ExportOptions, ExportedFile, RELATIVE_BASE, RedirectFormat, SiteOptions,
};
use svc_source::write_atomic;
use tracing::debug_span;

use super::output::{count, print, with_path};
use super::progress::Progress;
use super::site::{check_site_dir, export_options, finish_export, load_site, report_export};
use super::timings::Timings;
use crate::exit::Exit;

/// Export the site as static files.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors (with --strict also warnings), 2 the site cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Folder to write to; existing files are kept unless they are overwritten
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    site: SiteArgs,
    /// Write `a.html` instead of `a/index.html`
    #[arg(long)]
    flat: bool,
    /// Use relative links, so that the site works under any path and when opened from a folder
    #[arg(long, conflicts_with = "base_path")]
    relative: bool,
    /// Formats of redirects to write. Default: `html,cloudflare`
    #[arg(long, value_enum, value_delimiter = ',', value_name = "HOST")]
    redirects: Vec<RedirectFormatArg>,
    /// Write compressed copies of files where they are smaller
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CODING")]
    precompress: Vec<CompressionArg>,
    /// Write narrower variants of images for small screens
    #[arg(long)]
    image_variants: bool,
    /// Write a manifest of all files with their sizes and SHA-256 hashes to this file
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Also pack all files into this ZIP archive
    #[arg(long, value_name = "FILE")]
    zip: Option<PathBuf>,
    /// Remove files of the previous manifest that this build no longer writes, unless they were modified
    #[arg(long, requires = "manifest")]
    clean: bool,
    /// Do not fetch remote OpenAPI documents; use cached copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote_documents: RemoteDocumentArgs,
    /// Print how long the stages took
    #[arg(long)]
    timings: bool,
    /// Print all problems instead of their number
    #[arg(long)]
    verbose: bool,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RedirectFormatArg {
    /// HTML pages that redirect, for servers without redirects
    Html,
    /// `_redirects` for Netlify
    Netlify,
    /// `_redirects` for Cloudflare Pages
    Cloudflare,
    /// `vercel.json`
    Vercel,
    /// `redirects.nginx.conf`, for inclusion in a `server` block
    Nginx,
    /// `.htaccess`
    Apache,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CompressionArg {
    /// gzip
    Gz,
    /// Brotli
    Br,
}

impl RedirectFormatArg {
    const fn to_redirect_format(self) -> RedirectFormat {
        match self {
            Self::Html => RedirectFormat::Html,
            Self::Netlify => RedirectFormat::Netlify,
            Self::Cloudflare => RedirectFormat::Cloudflare,
            Self::Vercel => RedirectFormat::Vercel,
            Self::Nginx => RedirectFormat::Nginx,
            Self::Apache => RedirectFormat::Apache,
        }
    }
}

impl CompressionArg {
    const fn to_content_encoding(self) -> ContentEncoding {
        match self {
            Self::Gz => ContentEncoding::Gzip,
            Self::Br => ContentEncoding::Brotli,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let timings = arguments.timings.then(Timings::start);
    let mut progress = Progress::start();
    let dir = &arguments.dir;
    check_site_dir(dir)?;
    let out = svc_site::create_export_dir(dir, &arguments.out)?;
    let outputs = [
        Some(&out),
        arguments.manifest.as_ref(),
        arguments.zip.as_ref(),
    ];
    let mut options = SiteOptions {
        image_variants: arguments.image_variants,
        ..arguments.site.options()
    };
    if arguments.relative {
        RELATIVE_BASE.clone_into(&mut options.base_path);
    }
    let documents = (&arguments.remote_documents, arguments.offline);
    let load = export_options(dir, options, documents, outputs.into_iter().flatten());
    let (site, mut diagnostics) =
        match debug_span!("load").in_scope(|| load_site(dir, &load, &mut progress))? {
            Ok(loaded) => loaded,
            Err(exit) => return Ok(exit),
        };
    let options = ExportOptions {
        flat: arguments.flat,
        origin: load.site.origin.trim_end_matches('/').to_owned(),
        redirects: arguments
            .redirects
            .iter()
            .map(|host| host.to_redirect_format())
            .collect(),
        precompress: arguments
            .precompress
            .iter()
            .map(|encoding| encoding.to_content_encoding())
            .collect(),
        ..ExportOptions::default()
    };
    let before = previous_manifest(arguments)?;
    let export = || svc_site::export(&site, &arguments.out, &options);
    let report = debug_span!("export").in_scope(export)?;
    diagnostics.extend(report.diagnostics);
    let removed = match before {
        Some(before) => svc_site::remove_stale(&arguments.out, &before, &report.manifest)?,
        None => 0,
    };
    if let Some(path) = &arguments.manifest {
        let manifest = svc_site::manifest_json(&report.manifest);
        write_atomic(path, manifest.as_bytes()).map_err(|error| with_path(path, &error))?;
    }
    let packed = match &arguments.zip {
        Some(zip) => {
            let archive = || svc_site::archive(&arguments.out, &report.manifest, zip);
            Some((zip, debug_span!("archive").in_scope(archive)?))
        }
        None => None,
    };
    drop(progress);
    report_export(&site, &diagnostics, arguments.verbose);
    print(&format!(
        "{} in {}: {}, {:.1} MB in {:.2} s ({})\n",
        pluralize(report.pages, "page"),
        arguments.out.display(),
        pluralize(report.files, "file"),
        report.bytes as f64 / 1e6,
        start.elapsed().as_secs_f64(),
        count(&diagnostics),
    ))?;
    if let Some((zip, bytes)) = packed {
        let megabytes = bytes as f64 / 1e6;
        print(&format!("archive {}: {megabytes:.1} MB\n", zip.display()))?;
    }
    if removed > 0 {
        print(&format!("{} removed\n", pluralize(removed, "stale file")))?;
    }
    if let Some(timings) = timings {
        print(&timings.table())?;
    }
    let (is_verbose, is_strict) = (arguments.verbose, arguments.strict);
    finish_export(dir, &diagnostics, report.broken, is_verbose, is_strict)
}

/// The previous manifest, if `--clean` is set; `None` if it does not exist yet.
fn previous_manifest(arguments: &Arguments) -> io::Result<Option<Vec<ExportedFile>>> {
    let Some(path) = arguments.manifest.as_deref().filter(|_| arguments.clean) else {
        return Ok(None);
    };
    let read = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.and_then(|text| svc_site::parse_manifest(&text)),
    };
    read.map(Some).map_err(|error| with_path(path, &error))
}
