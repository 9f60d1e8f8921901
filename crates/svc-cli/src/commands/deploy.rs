//! `svc deploy`.

use std::io;
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::control::{ControlReply, ServerArgs, format_deployment, text};
use super::output::{eprint_escaped, print};
use crate::exit::Exit;

/// Deploy a project of a running server.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 triggered (with --wait: live), 1 rejected or not live, 2 the server does not respond."
)]
pub(crate) struct Arguments {
    /// Project to deploy. Default: all projects
    project: Option<String>,
    /// Deploy this branch instead of the configured one
    #[arg(long, value_name = "BRANCH", requires = "project")]
    branch: Option<String>,
    /// Deploy this branch as a preview
    #[arg(
        long,
        value_name = "BRANCH",
        requires = "project",
        conflicts_with = "branch"
    )]
    preview: Option<String>,
    /// Wait until the deployment is live or has failed, and print its log and the URL of a preview
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let server = &arguments.server;
    let reply = match (&arguments.project, &arguments.preview) {
        (Some(project), Some(branch)) => {
            let path = format!("/projects/{project}/previews");
            server.request("POST", &path, &json!({ "branch": branch }))?
        }
        (Some(project), None) => {
            let path = format!("/projects/{project}/deployments");
            server.request("POST", &path, &json!({ "branch": arguments.branch }))?
        }
        (None, _) => server.request("POST", "/deployments", &json!({}))?,
    };
    let response = match reply {
        ControlReply::Response(response) => response,
        ControlReply::Rejected(exit) => return Ok(exit),
    };
    let ids = response.get("deployments").and_then(Value::as_array);
    let ids: Vec<&str> = ids
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut exit = Exit::Success;
    for id in ids {
        if !arguments.wait {
            print(&format!("{id}\n"))?;
            continue;
        }
        if wait(server, id)? != Exit::Success {
            exit = Exit::Problems;
        }
    }
    // The URL has no content before the preview is live.
    let url = response.get("address").and_then(Value::as_str);
    if let Some(url) = url.filter(|_| arguments.wait && exit == Exit::Success) {
        print(&format!("{url}\n"))?;
    }
    Ok(exit)
}

/// Prints the log of a deployment while it grows, and then its result.
fn wait(server: &ServerArgs, id: &str) -> io::Result<Exit> {
    let mut printed = 0;
    loop {
        let path = format!("/deployments/{id}");
        let response = match server.request("GET", &path, &json!({}))? {
            ControlReply::Response(response) => response,
            ControlReply::Rejected(exit) => return Ok(exit),
        };
        let log = response.pointer("/report/log").and_then(Value::as_array);
        for line in log.into_iter().flatten().skip(printed) {
            eprint_escaped(&format!("{}\n", text(line, "text")));
            printed += 1;
        }
        let deployment = response.get("deployment").unwrap_or(&Value::Null);
        let state = text(deployment, "state");
        if state == "queued" || state == "building" {
            thread::sleep(Duration::from_millis(200));
            continue;
        }
        if let Some(problems) = response.pointer("/report/problems").and_then(Value::as_str) {
            eprint_escaped(problems);
        }
        print(&format!("{}\n", format_deployment(deployment)))?;
        return Ok(if state == "live" {
            Exit::Success
        } else {
            Exit::Problems
        });
    }
}
