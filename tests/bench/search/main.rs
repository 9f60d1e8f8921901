//! `cargo xtask bench search [SET…] [--tune] [--dump FILE]`: quality and costs of the search,
//! compared with tantivy and Pagefind on the same pages.
//!
//! Sets: `postgresql`, `python`, `clickhouse`, `sites` and `languages`; without names all of them.
//! `scale` runs only by name and measures the costs on 25,000 pages, and those of hostile queries.
//!
//! - `--tune` reports the odd entries of the two indices, on which the weights are tuned, instead
//!   of the even ones.
//! - `--dump FILE` writes the queries without a relevant page among the first five results.
//!
//! The labels of `sites` and `languages` are in this directory; the sites are looked for in
//! `../shared/corpus/sites` next to the checkout. The environment variable `SVC_SEARCH_CORPUS`
//! names a directory with the manuals. Those that are missing are skipped. On Debian 12:
//!
//! ```text
//! apt-get download postgresql-doc-15 python3.11-doc
//! for package in *.deb; do dpkg -x "$package" x; done
//! ln -s x/usr/share/doc/postgresql-doc-15/html postgresql
//! ln -s x/usr/share/doc/python3.11/html python
//! ```
//!
//! `clickhouse` is made from the repositories ClickHouse/mintlify-docs-dev (pages) and
//! ClickHouse/clickhouse-docs (labels, `scripts/search/results.csv`). It consists of `pages.json`,
//! a list of `file`, `url` and `title`, and `labels.json`, a list of `query` and `urls`. Nothing of
//! it may be committed; see its module.
//!
//! Pagefind is installed from npm into a temporary directory, and skipped without npm or Node.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tables are the result"
)]

mod clickhouse;
mod dom;
mod engines;
mod evaluation;
mod figures;
mod hostile;
mod html;
mod languages;
mod markdown;
mod postgresql;
mod python;
mod scale;
mod set;
mod sites;
mod slices;
mod table;

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::engines::Engines;
use crate::evaluation::Evaluation;
use crate::set::Group;
use crate::slices::Half;

/// Reads the sets of a group; `None` if they are missing.
type Reader = fn(Half) -> io::Result<Option<Group>>;

const GROUPS: &[(&str, Reader)] = &[
    ("postgresql", postgresql::group),
    ("python", python::group),
    ("clickhouse", |_| clickhouse::group()),
    ("sites", |_| sites::group()),
    ("languages", |_| languages::group()),
];
/// The groups whose pages `scale` repeats.
const SCALED_GROUPS: usize = 3;

/// What to run.
struct Options {
    names: Vec<String>,
    half: Half,
    dump: Option<PathBuf>,
}

impl Options {
    fn parse() -> io::Result<Self> {
        let mut options = Self {
            names: Vec::new(),
            half: Half::Even,
            dump: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // `cargo bench` passes it.
                "--bench" => {}
                "--tune" => options.half = Half::Odd,
                "--dump" => {
                    let file = arguments
                        .next()
                        .ok_or_else(|| io::Error::other("--dump FILE"))?;
                    // Cargo runs benchmarks in the directory of their package.
                    options.dump = Some(svc_tests::sites::workspace().join(file));
                }
                name if name == "scale" || GROUPS.iter().any(|group| group.0 == name) => {
                    options.names.push(argument);
                }
                _ => return Err(io::Error::other(format!("no set or option `{argument}`"))),
            }
        }
        Ok(options)
    }

    fn includes(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|own| own == name)
    }
}

fn main() -> io::Result<()> {
    let options = Options::parse()?;
    let engines = Engines::new()?;
    let mut failures = Vec::new();
    for (name, read) in GROUPS {
        if options.includes(name)
            && let Some(group) = read(options.half)?
        {
            let evaluation = Evaluation::new(&group, &engines)?;
            evaluation.print(&group);
            failures.extend(evaluation.failures);
        }
    }
    if options.names.iter().any(|name| name == "scale") {
        let groups = GROUPS.iter().take(SCALED_GROUPS);
        let groups = groups.map(|(_, read)| read(options.half));
        let groups: Vec<Option<Group>> = groups.collect::<io::Result<_>>()?;
        let groups: Vec<Group> = groups.into_iter().flatten().collect();
        scale::run(&groups, &engines)?;
    }
    if let Some(file) = &options.dump {
        fs::write(file, failures.join("\n") + "\n")?;
    }
    Ok(())
}
