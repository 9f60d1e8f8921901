//! The commands: each module has its arguments and `run`.

pub(crate) mod a11y;
pub(crate) mod build;
pub(crate) mod check_links;
mod color;
mod control;
pub(crate) mod deploy;
pub(crate) mod dev;
mod docs_url;
pub(crate) mod dump;
mod editor;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod format;
pub(crate) mod i18n;
pub(crate) mod jobs;
pub(crate) mod keys;
pub(crate) mod lsp;
pub(crate) mod migrate;
pub(crate) mod nav;
mod network_url;
pub(crate) mod new;
pub(crate) mod openapi;
mod output;
mod progress;
pub(crate) mod projects;
pub(crate) mod rename;
mod report;
pub(crate) mod rollback;
pub(crate) mod score;
pub(crate) mod search;
pub(crate) mod serve;
mod serve_loop;
mod site;
pub(crate) mod status;
pub(crate) mod store;
mod store_cli;
mod timings;
pub(crate) mod validate;

use std::io;

use crate::args::Command;
use crate::exit::Exit;

pub(crate) fn run(command: &Command) -> io::Result<Exit> {
    match command {
        Command::New(arguments) => new::run(arguments),
        Command::Validate(arguments) => validate::run(arguments),
        Command::Format(arguments) => format::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::CheckLinks(arguments) => check_links::run(arguments),
        Command::A11y(arguments) => a11y::run(arguments),
        Command::Dev(arguments) => dev::run(arguments),
        Command::Build(arguments) => build::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Deploy(arguments) => deploy::run(arguments),
        Command::Status(arguments) => status::run(arguments),
        Command::Rollback(arguments) => rollback::run(arguments),
        Command::Projects(arguments) => projects::run(arguments),
        Command::Keys(arguments) => keys::run(arguments),
        Command::Store(command) => store::run(command),
        Command::Jobs(arguments) => jobs::run(arguments),
        Command::Nav(arguments) => nav::run(arguments),
        Command::Search(arguments) => search::run(arguments),
        Command::Score(arguments) => score::run(arguments),
        Command::Openapi(arguments) => openapi::run(arguments),
        Command::OpenapiCheck(arguments) => openapi::check::run(arguments),
        Command::Lsp(arguments) => lsp::run(arguments),
        Command::I18n(command) => i18n::run(command),
        Command::Dump(arguments) => dump::run(arguments),
        Command::Rename(arguments) => rename::run(arguments),
        Command::Migrate(arguments) => migrate::run(arguments),
        Command::Completions(arguments) => arguments.run(crate::command()).map(|()| Exit::Success),
        Command::Man(arguments) => arguments.run(crate::command()).map(|()| Exit::Success),
    }
}
