//! `svc export`: the site as one file, to read without a server.

mod archive;
mod print;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use svc_diagnostics::Diagnostic;
use svc_server::{RemoteDocumentArgs, SiteArgs};
use svc_site::{BookOptions, PageFormat, Site, SiteOptions};
use svc_source::write_atomic;

use super::output::{count, eprint_escaped, print};
use super::progress::Progress;
use super::site::{check_site_dir, export_options, finish_export, load_site, report_export};
use crate::exit::Exit;

/// Export the site as one file that can be read without a server.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors (with --strict also warnings), 2 the site cannot be read or written."
)]
pub(crate) struct Arguments {
    /// Folder with docs.json
    #[arg(default_value = ".", value_name = "FOLDER")]
    dir: PathBuf,
    /// Write a ZIP archive: unpack it and open `index.html`. The default
    #[arg(long, group = "format")]
    zip: bool,
    /// Write an EPUB, with the pages in the order of the navigation
    #[arg(long, group = "format")]
    epub: bool,
    /// Write a PDF. Needs Chromium or Chrome: `CHROME`, or on the `PATH`
    #[arg(long, group = "format")]
    pdf: bool,
    /// File to write. Default: `export.zip`, `export.epub` or `export.pdf`
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Language of an EPUB or PDF. Default: the default language of the site
    #[arg(long, value_name = "CODE", conflicts_with = "zip")]
    language: Option<String>,
    /// Version of an EPUB or PDF, as named in docs.json. Default: the default version of the site
    #[arg(long, value_name = "NAME", conflicts_with = "zip")]
    docs_version: Option<String>,
    /// Format of the pages of a PDF. Default: `a4`
    #[arg(long, value_enum, value_name = "FORMAT")]
    paper: Option<Paper>,
    /// Start the browser without its sandbox, for containers where it does not work
    #[arg(long)]
    no_sandbox: bool,
    #[command(flatten)]
    site: SiteArgs,
    /// Do not fetch remote OpenAPI documents; use cached copies
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    remote_documents: RemoteDocumentArgs,
    /// Print all problems instead of their number
    #[arg(long)]
    verbose: bool,
    /// Fail on warnings
    #[arg(long)]
    strict: bool,
    /// Accepted for compatibility with other tools
    #[arg(long, hide = true)]
    disable_openapi: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Paper {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Zip,
    Epub,
    Pdf,
}

/// What a format has written.
struct Output {
    pages: usize,
    bytes: u64,
    /// Number of pages that could not be rendered.
    broken: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Paper {
    const fn page_format(self) -> PageFormat {
        match self {
            Self::A4 => PageFormat::A4,
            Self::Letter => PageFormat::Letter,
        }
    }
}

impl Format {
    const fn default_name(self) -> &'static str {
        match self {
            Self::Zip => "export.zip",
            Self::Epub => "export.epub",
            Self::Pdf => "export.pdf",
        }
    }
}

impl Arguments {
    /// The format that an option selects, otherwise that of the extension of the output.
    fn format(&self) -> io::Result<Format> {
        if !self.site.options().base_path.is_empty() {
            return Err(invalid(
                "`--base-path` has no effect on an export that needs no server; leave it out"
                    .to_owned(),
            ));
        }
        let extension = self.output.as_deref().and_then(Path::extension);
        let format = match (self.zip, self.epub, self.pdf) {
            (true, ..) => Format::Zip,
            (_, true, _) => Format::Epub,
            (_, _, true) => Format::Pdf,
            _ => match extension.and_then(|extension| extension.to_str()) {
                Some("epub") => Format::Epub,
                Some("pdf") => Format::Pdf,
                _ => Format::Zip,
            },
        };
        if format != Format::Pdf && (self.paper.is_some() || self.no_sandbox) {
            let message = "`--paper` and `--no-sandbox` have no effect without `--pdf`";
            return Err(invalid(message.to_owned()));
        }
        let of_book = self.language.is_some() || self.docs_version.is_some();
        match format == Format::Zip && of_book {
            true => Err(invalid(
                "an archive has all languages and versions; `--language` and `--docs-version` are for `--epub` and `--pdf`".to_owned(),
            )),
            false => Ok(format),
        }
    }

    fn book_options(&self, site: &Site) -> io::Result<BookOptions> {
        let routes = || site.map.routes.values();
        if let Some(code) = &self.language
            && !routes().any(|route| route.language.as_ref() == Some(code))
        {
            return Err(invalid(format!("the site has no language `{code}`")));
        }
        if let Some(name) = &self.docs_version
            && !routes().any(|route| route.version.as_ref() == Some(name))
        {
            return Err(invalid(format!("the site has no version `{name}`")));
        }
        Ok(BookOptions {
            language: self.language.clone(),
            version: self.docs_version.clone(),
        })
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn epub(site: &Site, options: &BookOptions, output: &Path) -> io::Result<Output> {
    let book = svc_site::book(site, options)?;
    let bytes = book.epub(site)?;
    write_atomic(output, &bytes)?;
    Ok(Output {
        pages: book.pages(),
        bytes: bytes.len() as u64,
        broken: book.broken,
        diagnostics: book.diagnostics,
    })
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let start = Instant::now();
    let mut progress = Progress::start();
    let dir = &arguments.dir;
    check_site_dir(dir)?;
    let format = arguments.format()?;
    if arguments.disable_openapi {
        eprint_escaped("svc: `--disable-openapi` has no effect: an export has all API pages\n");
    }
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(format.default_name()));
    let base_path = match format {
        Format::Zip => svc_site::RELATIVE_BASE,
        Format::Epub | Format::Pdf => "",
    };
    let options = SiteOptions {
        base_path: base_path.to_owned(),
        ..arguments.site.options()
    };
    let documents = (&arguments.remote_documents, arguments.offline);
    let load = export_options(dir, options, documents, [&output]);
    let (site, mut diagnostics) = match load_site(dir, &load, &mut progress)? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let written = match format {
        Format::Zip => archive::write(&site, &output)?,
        Format::Epub => epub(&site, &arguments.book_options(&site)?, &output)?,
        Format::Pdf => print::write(
            &site,
            &arguments.book_options(&site)?,
            arguments.paper.unwrap_or(Paper::A4).page_format(),
            !arguments.no_sandbox,
            &output,
        )?,
    };
    drop(progress);
    diagnostics.extend(written.diagnostics);
    report_export(&site, &diagnostics, arguments.verbose);
    print(&format!(
        "{} in {}: {:.1} MB in {:.2} s ({})\n",
        svc_server::pluralize(written.pages, "page"),
        output.display(),
        written.bytes as f64 / 1e6,
        start.elapsed().as_secs_f64(),
        count(&diagnostics),
    ))?;
    let (is_verbose, is_strict) = (arguments.verbose, arguments.strict);
    finish_export(dir, &diagnostics, written.broken, is_verbose, is_strict)
}
