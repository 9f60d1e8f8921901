//! Command line arguments.

use clap::{Parser, Subcommand};

use crate::commands::{
    a11y, build, check_links, deploy, dev, dump, explain, export, format, i18n, jobs, keys, lsp,
    migrate, nav, new, openapi, projects, rename, rollback, score, search, serve, status, store,
    validate,
};

/// Documentation sites from a repository of MDX pages, a docs.json and OpenAPI documents.
#[derive(Debug, Parser)]
#[command(
    name = "svc",
    version = svc_server::VERSION.as_str(),
    long_version = svc_server::LONG_VERSION.as_str(),
    after_help = "Exit status: 0 success, 1 problems were found, 2 error."
)]
pub(crate) struct Arguments {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, one module each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a site
    New(new::Arguments),
    /// Check docs.json, pages, links and OpenAPI documents
    Validate(validate::Arguments),
    /// Write pages and docs.json in one form
    Format(format::Arguments),
    /// Explain the code of a problem, or list all codes
    Explain(explain::Arguments),
    /// Check links, anchors, images, redirects and snippets
    #[command(alias = "broken-links")]
    CheckLinks(check_links::Arguments),
    /// Check colors, alternative texts, headings and link texts for readers with disabilities
    A11y(a11y::Arguments),
    /// Preview the site and reload it when files change
    Dev(dev::Arguments),
    /// Export the site as static files
    Build(build::Arguments),
    /// Export the site as one file to read without a server: ZIP, EPUB or PDF
    Export(export::Arguments),
    /// Serve the site
    Serve(serve::Arguments),
    /// Deploy a project of a running server
    Deploy(deploy::Arguments),
    /// Show the deployments of a running server
    Status(status::Arguments),
    /// Roll back a project to an earlier deployment
    Rollback(rollback::Arguments),
    /// List the projects of a server
    Projects(projects::Arguments),
    /// Create, list and revoke keys of the Admin API
    Keys(keys::Arguments),
    /// Move the store of a server to another database
    #[command(subcommand)]
    Store(store::Command),
    /// Create and inspect agent jobs
    Jobs(jobs::Arguments),
    /// Print the navigation in reading order
    Nav(nav::Arguments),
    /// Search the pages of a site
    Search(search::Arguments),
    /// Check how well agents can read a site
    Score(score::Arguments),
    /// Check, compare, bundle and upgrade OpenAPI documents
    Openapi(openapi::Arguments),
    /// Check OpenAPI documents; the name of Mintlify for `svc openapi check`
    #[command(hide = true)]
    OpenapiCheck(openapi::check::Arguments),
    /// Start the language server for editors
    Lsp(lsp::Arguments),
    /// Show missing and outdated translations
    #[command(subcommand)]
    I18n(i18n::Command),
    /// Print the result of a pipeline stage
    Dump(dump::Arguments),
    /// Rename a page, folder, image or snippet, with all references to it
    Rename(rename::Arguments),
    /// Convert the documentation of another generator, or older Mintlify names
    Migrate(migrate::Arguments),
    /// Print a script that completes commands and options in a shell
    Completions(svc_server::CompletionsArgs),
    /// Print the manual page, or write one for each command
    Man(svc_server::ManArgs),
}
