//! `svc projects`.

use std::io;

use clap::{Args, Subcommand};
use serde_json::json;
use svc_admin_api::project::{ProjectRecord, ProjectStore as _};
use svc_server::StoreArgs;

use super::output::print;
use super::store_cli;
use crate::exit::Exit;

/// List the projects of a server.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all projects with the repositories for agents
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let Command::List { json } = &arguments.command;
    let projects = store_cli::block_on(async {
        let store = store_cli::open_store(&arguments.store).await?;
        let projects = store.projects().await.map_err(io::Error::other);
        store.close().await;
        projects
    })?;
    if *json {
        let all: Vec<_> = projects.iter().map(value).collect();
        print(&format!("{:#}\n", json!(all)))?;
    } else {
        let rows: Vec<Vec<String>> = projects.iter().map(row).collect();
        print(&store_cli::format_table(&rows))?;
    }
    Ok(Exit::Success)
}

fn row(project: &ProjectRecord) -> Vec<String> {
    let agent = project.agent.as_ref().map_or_else(
        || "no agent".to_owned(),
        |agent| agent.repository.to_string(),
    );
    vec![project.id.to_string(), project.name.clone(), agent]
}

fn value(project: &ProjectRecord) -> serde_json::Value {
    let agent = project.agent.as_ref().map(|agent| {
        json!({
            "repository": agent.repository,
            "ref": agent.branch,
            "model": agent.model,
        })
    });
    json!({
        "id": project.id,
        "name": project.name,
        "agent": agent,
        "createdAt": project.created_at,
    })
}
