//! Completions and manual pages, generated from the commands and options of a program.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script of a program.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(&self, mut program: Command) -> io::Result<()> {
        let (name, mut script) = (program.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        print(&script)
    }
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write the pages of the program and all its commands into a folder, which is created if it
    /// does not exist.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl ManArgs {
    /// Prints the page of a program, or writes the pages of all its commands.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self, program: Command) -> io::Result<()> {
        let Some(dir) = &self.out else {
            return print(&page(with_names(program))?);
        };
        let in_dir =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", dir.display()));
        fs::create_dir_all(dir).map_err(in_dir)?;
        write_pages(&with_names(program), dir).map_err(in_dir)
    }
}

/// Computes the full names of all commands, such as `svc-openapi-diff`.
fn with_names(program: Command) -> Command {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    program
}

/// Writes the pages of a command and those below it.
fn write_pages(command: &Command, dir: &Path) -> io::Result<()> {
    for below in command.get_subcommands() {
        write_pages(below, dir)?;
    }
    let name = command.get_display_name().unwrap_or(command.get_name());
    let file = dir.join(format!("{name}.1"));
    fs::write(file, page(command.clone())?)
}

/// A page without a date, so that it depends only on the program.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    // Commands below the program have no version of their own.
    let command = command.version(crate::VERSION.as_str());
    let source = format!("svc {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).date("").source(source).manual("svc");
    man.render(&mut text)?;
    Ok(text)
}

/// Writes to standard output. A reader that has seen enough is no error.
fn print(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
