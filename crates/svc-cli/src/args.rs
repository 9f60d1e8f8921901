//! The command line as it is typed.

use clap::{Parser, Subcommand};

use crate::commands::{
    build, deploy, dev, dump, jobs, keys, migrate, nav, openapi, projects, rollback, serve, status,
    validate,
};

/// Documentation sites from a repository of MDX pages, a docs.json and OpenAPI documents.
#[derive(Debug, Parser)]
#[command(
    name = "svc",
    version,
    after_help = "Exit status: 0 all is well, 1 the site has problems, 2 the command could not run."
)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check docs.json, pages, links and OpenAPI documents
    Validate(validate::Arguments),
    /// Show the site while you write it
    Dev(dev::Arguments),
    /// Write the site as files for any web server
    Build(build::Arguments),
    /// Serve the site
    Serve(serve::Arguments),
    /// Deploy a project of a running server
    Deploy(deploy::Arguments),
    /// Show what a running server has deployed
    Status(status::Arguments),
    /// Show an earlier deployment of a project again
    Rollback(rollback::Arguments),
    /// Look at the projects of a server
    Projects(projects::Arguments),
    /// Make, list and revoke keys of the Admin API
    Keys(keys::Arguments),
    /// Ask agents for work, and look at what they did
    Jobs(jobs::Arguments),
    /// Print the navigation in reading order
    Nav(nav::Arguments),
    /// Compare and bundle OpenAPI documents
    Openapi(openapi::Arguments),
    /// Print what a stage makes of the files
    Dump(dump::Arguments),
    /// Turn mint.json and older spellings into ours
    Migrate(migrate::Arguments),
}
